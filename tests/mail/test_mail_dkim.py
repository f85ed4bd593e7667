"""DKIM with a key made here and a look-up that is a dictionary: no test touches the network."""

from __future__ import annotations

import base64

import dkim as dkimpy
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.mail.dkim import DnsUnavailable, sign, verify
from tests.mail.letters import CHINA, GOOD_1, JAPAN, letter


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2048)


@pytest.fixture(scope="module")
def pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )


@pytest.fixture(scope="module")
def zone(key: rsa.RSAPrivateKey) -> dict[str, bytes]:
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"s1._domainkey.players.example": b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)}


def test_a_signed_mail_passes_and_is_aligned(pem: bytes, zone: dict[str, bytes]) -> None:
    result = verify(sign(letter(GOOD_1), "players.example", "s1", pem), zone.get)
    assert [(signature.domain, signature.status) for signature in result.signatures] == [("players.example", "pass")]
    assert result.vouches_for(JAPAN)
    assert result.vouches_for("japan@mail.players.example")
    assert not result.vouches_for("japan@evilplayers.example")
    assert not result.vouches_for("x@evil.example")
    assert not result.disowns(JAPAN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Kwangsi -> Yunnan", b"Kwangsi -> Hunan"),
        (b"Subject: Re:", b"Subject: Fwd:"),
        (b"Japan Player <japan@", b"Japan Player <china@"),
        (b"Date: Mon", b"Date: Tue"),
        (b"<fresh-1@", b"<fresh-2@"),
        (b"charset=utf-8", b"charset=gb2312"),
        (b"From: Japan", b"From: x@evil.example\r\nFrom: Japan"),
        (b"\r\nTo:", b"\r\nFrom: x@evil.example\r\nTo:"),
    ],
)
def test_a_changed_mail_fails(pem: bytes, zone: dict[str, bytes], old: bytes, new: bytes) -> None:
    signed = sign(letter(GOOD_1), "players.example", "s1", pem)
    assert old in signed
    result = verify(signed.replace(old, new, 1), zone.get)
    assert [signature.status for signature in result.signatures] == ["fail"]
    assert result.disowns(JAPAN)


def test_a_signature_over_part_of_the_body_does_not_count(pem: bytes, zone: dict[str, bytes]) -> None:
    raw = letter(f"{GOOD_1}\n")
    header = dkimpy.sign(raw, b"s1", b"players.example", pem, length=True)
    result = verify(header + raw + b"1 art Kwangsi -> Hunan\r\n", zone.get)
    assert [signature.status for signature in result.signatures] == ["fail"]
    assert "l=" in result.signatures[0].reason


def test_no_key_and_no_answer_differ(pem: bytes) -> None:
    signed = sign(letter(GOOD_1), "players.example", "s1", pem)

    def unavailable(name: str) -> bytes | None:
        raise DnsUnavailable("no answer")

    assert verify(signed, {}.get).signatures[0].status == "fail"
    result = verify(signed, unavailable)
    assert result.signatures[0].status == "unavailable"
    assert result.may_yet_vouch_for(JAPAN)
    assert not result.vouches_for(JAPAN)
    assert not result.disowns(JAPAN)


def test_one_good_signature_among_others_is_enough(pem: bytes, zone: dict[str, bytes]) -> None:
    signed = b"DKIM-Signature: nonsense\r\n" + sign(letter(GOOD_1), "players.example", "s1", pem)
    result = verify(signed, zone.get)
    assert [signature.status for signature in result.signatures] == ["fail", "pass"]
    assert result.vouches_for(JAPAN)
    assert result.vouches_for(CHINA), "a signature is by the domain: it does not say which person"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"x",
        letter(GOOD_1),
        b"DKIM-Signature: v=1; d=;\r\n\r\n",
        b"DKIM-Signature: \xff\r\n\r\nx",
        b": :\r\n",
    ],
)
def test_unsigned_and_malformed_mails(raw: bytes) -> None:
    result = verify(raw, {}.get)
    assert not result.vouches_for(JAPAN)
    assert all(signature.status == "fail" for signature in result.signatures)


def test_many_signatures_cost_few_queries(pem: bytes) -> None:
    asked: list[str] = []

    def lookup(name: str) -> bytes | None:
        asked.append(name)
        return None

    raw = letter(GOOD_1)
    header = sign(raw, "players.example", "s1", pem)[: -len(raw)]
    verify(header * 50 + raw, lookup)
    assert len(asked) == 5


def test_signing_fails_loudly(pem: bytes) -> None:
    with pytest.raises(ValueError, match="signed"):
        sign(letter(GOOD_1, without=("From",)), "players.example", "s1", pem)
