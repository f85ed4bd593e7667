"""DKIM (RFC 6376): which domains vouch for a mail, as values. The DNS look-up comes in as a function.

A signature counts only if it covers From and the whole body. Whoever wants to rely on one must check at receipt:
signatures expire, and keys are withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import dkim as dkimpy

TextLookup = Callable[[str], bytes | None]
"""The TXT record of a DNS name, its strings joined; None if there is none. May raise `DnsUnavailable`."""

Status = Literal["pass", "fail", "unavailable"]

_SIGNATURES = 5
"""Signatures that are looked at; each costs a DNS query."""


class DnsUnavailable(Exception):
    """The key could not be asked for now; a later try may succeed."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The outcome of one signature: `domain` is its d= tag in lower case, `reason` is for the moderator."""

    domain: str
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class DkimResult:
    """All signatures of a mail, in the order of its headers. None at all is an unsigned mail."""

    signatures: tuple[Signature, ...]

    def vouches_for(self, address: str) -> bool:
        """Whether a passing signature is aligned with the address: made by its domain or by a parent domain of it."""
        return any(signature.status == "pass" and _aligned(signature, address) for signature in self.signatures)

    def may_yet_vouch_for(self, address: str) -> bool:
        """Whether an aligned signature could only not be checked now, so that trying again later makes sense."""
        return any(signature.status == "unavailable" and _aligned(signature, address) for signature in self.signatures)

    def disowns(self, address: str) -> bool:
        """Whether the domain of the address signed the mail and no such signature holds: it was changed or forged."""
        own = [signature for signature in self.signatures if _aligned(signature, address)]
        return bool(own) and all(signature.status == "fail" for signature in own)


def _aligned(signature: Signature, address: str) -> bool:
    domain = address.lower().rpartition("@")[2]
    signed = signature.domain
    return domain == signed or ("." in signed and domain.endswith(f".{signed}"))


def verify(raw: bytes, lookup: TextLookup) -> DkimResult:
    """Check the signatures of a mail. Never raises: what goes wrong is the status of the signature."""
    try:
        message = dkimpy.DKIM(raw)
    except (dkimpy.DKIMException, ValueError, IndexError):
        return DkimResult(())
    count = sum(1 for name, _ in message.headers if name.lower() == b"dkim-signature")
    return DkimResult(tuple(_verify_one(raw, index, lookup) for index in range(min(count, _SIGNATURES))))


def _verify_one(raw: bytes, index: int, lookup: TextLookup) -> Signature:
    message = dkimpy.DKIM(raw, minkey=1024)

    def text(name: bytes | str, timeout: int = 5) -> bytes | None:
        return lookup((name.decode("ascii", "replace") if isinstance(name, bytes) else name).rstrip("."))

    try:
        passed = bool(message.verify(idx=index, dnsfunc=text))
    except DnsUnavailable:
        return Signature(_domain(message), "unavailable", "the key could not be asked for")
    except Exception as error:  # the library and the parsers under it raise many kinds on malformed signatures
        return Signature(_domain(message), "fail", f"{type(error).__name__}: {error}"[:200])
    if not passed:
        return Signature(_domain(message), "fail", "the signature does not match the mail")
    fields: dict[bytes, bytes] = message.signature_fields
    if b"l" in fields:
        return Signature(_domain(message), "fail", "the signature does not cover the whole body (l=)")
    return Signature(_domain(message), "pass", "the signature matches")


def _domain(message: Any) -> str:
    fields = message.signature_fields or {}
    domain = fields.get(b"d", b"")
    return domain.decode("ascii", "replace").strip().lower() if isinstance(domain, bytes) else ""


def sign(raw: bytes, domain: str, selector: str, private_key_pem: bytes) -> bytes:
    """The mail with a signature of ours in front. Ed25519 keys are not used: few receivers check them.

    Date, Message-ID and the threading fields are covered, and From is signed once more than it occurs, so that no
    second one can be added. Raises `ValueError` when the key does not fit or the mail has no From.
    """
    covered = [b"from", b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to"]
    covered += [b"mime-version", b"content-type", b"content-transfer-encoding", b"auto-submitted"]
    try:
        if not any(name.lower() == b"from" for name, _ in dkimpy.DKIM(raw).headers):
            raise ValueError("the mail cannot be signed: it has no From")
        header: bytes = dkimpy.sign(
            raw,
            selector.encode("ascii"),
            domain.encode("ascii"),
            private_key_pem,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=covered,
        )
    except dkimpy.DKIMException as error:
        raise ValueError(f"the mail cannot be signed: {error}") from error
    return header + raw


def dns_lookup(timeout: float) -> TextLookup:
    """A look-up over the system's resolver that gives up after `timeout` seconds."""
    import dns.exception  # here, because nothing else in this file may reach the network
    import dns.resolver

    def lookup(name: str) -> bytes | None:
        try:
            answer = dns.resolver.resolve(name, "TXT", lifetime=timeout, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return None
        except (dns.exception.DNSException, OSError, UnicodeError) as error:
            raise DnsUnavailable(str(error)) from error
        for record in answer:
            return b"".join(record.strings)
        return None

    return lookup
