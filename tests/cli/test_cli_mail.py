"""`mail receive`, tried and real, and what the operator's other commands make of it: reports, ticks."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli, letter

KEYS = ("campaign", "player", "authenticated", "orders_text", "cut", "lines", "reply")


def _size(cli: Cli) -> int:
    size: int = cli.good("campaign", "show", "--json").json()["size"]
    return size


def test_a_mail_is_tried_and_nothing_is_kept(begun: Cli) -> None:
    size = _size(begun)
    text = "3 inf Kwangsi -> Yunnan\n2 inf Kwangsii -> Yunnan\n\n> 1 art Kwangsi -> Hunan\n"
    said = begun.good("mail", "receive", "--dry-run", "--json", stdin=letter("japan", text)).json()
    assert set(KEYS) <= set(said)
    assert (said["campaign"], said["player"], said["authenticated"]) == ("p40-17", "japan", True)
    assert said["orders_text"].startswith("3 inf Kwangsi -> Yunnan\n") and "1 art" not in said["orders_text"]
    assert [row["status"] for row in said["lines"]] == ["accepted", "refused"]
    assert said["cut"][0]["order_like"] == 1
    assert "3 infantry Kwangsi -> Yunnan" in said["reply"] and "did you mean Kwangsi" in said["reply"]
    assert _size(begun) == size
    assert begun.good("log", "verify", "--json").json()["checkpoints"] == 0, "a trial signs nothing"
    tried = begun.good("mail", "receive", "--dry-run", stdin=letter("japan", text)).out
    assert "   1 ok  3 infantry Kwangsi -> Yunnan" in tried


def test_a_mail_is_taken_in_and_counts_once(begun: Cli) -> None:
    size, raw = _size(begun), letter("japan", "3 inf Kwangsi -> Yunnan\n")
    said = begun.good("mail", "receive", "--json", stdin=raw).json()
    assert (said["status"], said["lines"][0]["status"]) == ("done", "accepted")
    assert _size(begun) == size + 1
    again = begun.good("mail", "receive", "--json", stdin=raw).json()
    assert again["status"] == "already" and _size(begun) == size + 1


def test_the_address_may_be_named_beside_the_mail(begun: Cli) -> None:
    raw = letter("japan", "ready\n").replace(b"To: orders+p40-17.jp7k2q@pbem.example", b"To: somebody@club.example")
    silent = begun.good("mail", "receive", "--dry-run", "--json", stdin=raw).json()
    assert (silent["authenticated"], silent["lines"]) == (False, [])
    said = begun.good(
        "mail", "receive", "--dry-run", "--json", "--to", "orders+p40-17.jp7k2q@pbem.example", stdin=raw
    ).json()
    assert said["authenticated"]


def test_a_stranger_s_mail_is_answered_with_a_question_to_the_owner(begun: Cli) -> None:
    raw = letter("japan", "ready\n").replace(b"From: japan@players.example", b"From: mallory@elsewhere.example")
    said = begun.good("mail", "receive", "--dry-run", "--json", stdin=raw).json()
    assert said["authenticated"] is False and said["player"] == "japan"
    assert "is not registered" in said["reply"]


@pytest.mark.parametrize("raw", [b"", b"  \r\n\r\n", b"just words"])
def test_what_is_no_mail_is_told(begun: Cli, raw: bytes) -> None:
    said = begun("mail", "receive", "--dry-run", stdin=raw)
    assert said.code == 1 and said.err.count("\n") == 1


@pytest.mark.parametrize(
    "raw",
    [
        letter("japan", "x\x00y\n") + b"\x00" * 20,
        letter("japan", "3 inf Kwangsi -> Yunnan\n" * 12_000),
        letter("japan", "").replace(b"text/plain; charset=utf-8", b"multipart/mixed"),
        letter("japan", "a").replace(b"utf-8", b"x-unknown-charset"),
    ],
    ids=["nul", "long", "no boundary", "charset"],
)
def test_awkward_mails_are_answered_and_never_a_fault(begun: Cli, raw: bytes) -> None:
    size = _size(begun)
    said = begun.good("mail", "receive", "--dry-run", "--json", stdin=raw).json()
    assert said["reply"] and _size(begun) == size


def test_the_moment_may_be_given_and_decides_about_the_deadline(begun: Cli) -> None:
    late = begun.good("mail", "receive", "--json", "--received", "+90h", stdin=letter("japan", "buy 1 infantry")).json()
    assert late["lines"][0]["status"] == "refused" and "after the deadline" in late["lines"][0]["reason"]


def test_a_tick_does_all_that_is_due(begun: Cli) -> None:
    begun.mail("japan", "3 infantry Kwangsi -> Yunnan\nready\n")
    assert begun.good("tick", "--json").json()["done"] >= 1
    assert begun.good("campaign", "list", "--json").json()[0]["windows"][0]["window"] == "r1.japan:rest"
    size = _size(begun)
    begun.tick()
    assert _size(begun) == size


def test_mails_go_to_a_folder_where_one_is_named(begun: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_MAIL_DIR", str(begun.folder / "mails"))
    begun.tick()
    sent = [path.read_text(encoding="utf-8") for path in (begun.folder / "mails").rglob("*.eml")]
    assert any("To: japan@players.example" in text and "Reply-To: orders+p40-17.jp7k2q@" in text for text in sent)


def test_a_report_is_written_as_its_player_gets_it(fought: Cli) -> None:
    said = fought.good("report", "--player", "china", "--out", "reports", "--format", "txt", "--json").json()
    (path,) = said["files"]
    assert "Yunnan" not in (fought.folder / path).read_text(encoding="utf-8"), "the last report was of the start"
    said = fought.good(
        "report", "--player", "china", "--turn", "r1.japan", "--out", "reports", "--format", "txt", "--json"
    ).json()
    text = (fought.folder / said["files"][0]).read_text(encoding="utf-8")
    assert "Yunnan" in text and "buy 2 transport" in text
    assert fought("report", "--player", "china", "--turn", "r9.usa").err.startswith("pbem: p40-17 has no turn 'r9.usa'")
