"""The log as text and as a file, any moment of it, and its check: log, replay, explain, audit."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def _rolls(cli: Cli, *options: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = cli.good("log", "show", "--json", "--type", "dice_rolled", *options).rows()
    return rows


def test_the_log_is_shown_event_by_event(fought: Cli) -> None:
    out = fought.good("log", "show").out
    assert "window r1.japan:moves closed: all are ready" in out
    assert "japan 3 infantry: Kwangsi -> Yunnan" in out
    assert "battle in Yunnan: land" in out
    rows = fought.good("log", "show", "--json").rows()
    assert [row["seq"] for row in rows] == list(range(len(rows)))
    assert len(fought.good("log", "show", "--json", "--from", "3", "--to", "7").rows()) == 4


def test_a_viewer_is_shown_no_sealed_event_of_others(fought: Cli) -> None:
    def received(*options: str) -> list[bool]:
        return ["payload" in row for row in fought.good("log", "show", "--json", *options).rows() if row["sealed"]]

    assert received() == [True]
    assert received("--power", "japan") == [True]
    assert received("--power", "china") == [False] == received("--power", "nobody")
    assert "(sealed)" in fought.good("log", "show", "--power", "china").out


def test_an_export_verifies_and_comes_back(fought: Cli, tmp_path: Path) -> None:
    fought.good("log", "export", "copy.jsonl.gz")
    assert fought.good("log", "verify", "copy.jsonl.gz").out.splitlines()[-2] == "SOUND"
    other = f"sqlite:///{tmp_path}/other.sqlite3"
    here = fought.good("campaign", "show", "--json").json()
    there = fought.good("log", "import", "copy.jsonl.gz", "--database", other, "--json").json()
    assert there == {"campaign": "p40-17", "size": here["size"], "root": here["root"]}
    assert fought.good("audit", "--database", other, "--json").json()["equal"]
    again = fought("log", "import", "copy.jsonl.gz", "--database", other)
    assert again.code == 1 and "already" in again.err


def test_what_one_player_may_see_verifies_and_cannot_be_imported(fought: Cli, tmp_path: Path) -> None:
    fought.good("log", "export", "--power", "china", "china.jsonl")
    text = (fought.folder / "china.jsonl").read_text(encoding="utf-8")
    assert fought.good("log", "verify", "china.jsonl", "--json").json()["sound"]
    assert text.count('"type":"sealed"') == 1
    refused = fought("log", "import", "china.jsonl", "--database", f"sqlite:///{tmp_path}/o.sqlite3")
    assert refused.code == 1 and "import a complete one" in refused.err
    assert "an audit needs a complete export" in fought("audit", "--log", "china.jsonl").err
    assert "(sealed)" in fought.good("log", "show", "--log", "china.jsonl").out


def test_a_changed_byte_is_found(fought: Cli) -> None:
    fought.good("log", "export", "copy.jsonl.gz")
    text = gzip.decompress((fought.folder / "copy.jsonl.gz").read_bytes())
    (fought.folder / "bad.jsonl").write_bytes(text.replace(b'"kwangsi"', b'"kwangse"', 1))
    said = fought("log", "verify", "bad.jsonl")
    assert said.code == 1 and "NOT SOUND" in said.out
    assert "is not a sound log" in fought("replay", "--log", "bad.jsonl").err
    assert fought("log", "verify", "bad.jsonl", "--json").json()["sound"] is False


def test_a_checkpoint_out_of_a_mail_is_compared(fought: Cli) -> None:
    reply = fought.good("mail", "receive", "--json", stdin=_letter(fought)).json()
    assert reply["lines"]
    fought.good("report", "--player", "china", "--format", "txt")
    (report,) = fought.folder.glob("*.txt")
    note = report.read_text(encoding="utf-8")[report.read_text(encoding="utf-8").rindex("pbem.example/c/p40-17\n") :]
    (fought.folder / "note.txt").write_text(note, encoding="utf-8")
    fought.good("log", "export", "copy.jsonl")
    assert fought.good("log", "verify", "copy.jsonl", "--checkpoint", "note.txt").code == 0
    assert fought.good("log", "verify", "copy.jsonl", "--checkpoint", report.name).code == 0, "the whole mail"
    (fought.folder / "empty.txt").write_text("no note at all", encoding="utf-8")
    assert "holds no checkpoint" in fought("log", "verify", "copy.jsonl", "--checkpoint", "empty.txt").err
    size = note.splitlines()[1]
    (fought.folder / "note.txt").write_text(note.replace(size, str(int(size) - 1), 1), encoding="utf-8")
    assert fought("log", "verify", "copy.jsonl", "--checkpoint", "note.txt").code == 1


def _letter(cli: Cli) -> bytes:
    from tests.cli.conftest import letter

    return letter("china", "scramble none")


def test_the_database_itself_is_verified(fought: Cli) -> None:
    fought.good("report", "--player", "china", "--format", "txt")  # signs a checkpoint
    said = fought.good("log", "verify", "--json").json()
    assert said["sound"] and said["checkpoints"] == 1 and said["dice"]["problems"] == []


def test_any_moment_can_be_looked_at(fought: Cli) -> None:
    (moved,) = fought.good("log", "show", "--json", "--type", "units_moved").rows()[:1]
    before = fought.good("replay", "--at", str(moved["seq"] - 1)).out
    after = fought.good("replay", "--at", str(moved["seq"])).out
    assert "Yunnan [china]: china 4 infantry" in before.splitlines()
    assert "Yunnan [china]: japan 3 infantry; china 4 infantry" in after.splitlines()
    state = fought.good("replay", "--json").json()
    assert state["seq"] == fought.good("campaign", "show", "--json").json()["size"] - 1
    assert state["state"]["counters"]["japan/ipc"] == 12


def test_filed_orders_are_shown_to_their_owner_only(begun: Cli) -> None:
    begun.mail("japan", "3 infantry Kwangsi -> Yunnan\ncasualties: infantry first\n")
    for options, seen in (((), True), (("--power", "japan"), True), (("--power", "china"), False)):
        out = begun.good("replay", *options).out
        assert ("3 infantry Kwangsi -> Yunnan" in out) == seen, options
        assert ("casualties: infantry first" in out) == seen, options


def test_an_event_is_explained_with_its_dice_to_the_last_step(fought: Cli) -> None:
    roll = _rolls(fought)[0]
    out = fought.good("explain", str(roll["seq"])).out
    assert "K = HMAC-SHA-256" in out and "(as recorded)" in out
    assert "3 infantry Kwangsi -> Yunnan" in out, "the orders that led to it"
    told = fought.good("explain", str(roll["seq"]), "--json").json()
    assert told["dice"]["agrees"] is True and told["dice"]["derived"] == told["payload"]["faces"]


def test_an_event_is_explained_with_rules_and_what_it_changed(fought: Cli) -> None:
    (ended,) = fought.good("log", "show", "--json", "--type", "battle_ended").rows()
    out = fought.good("explain", str(ended["seq"])).out
    assert ended["rules"][0] in out and "rules:" in out
    moved = fought.good("log", "show", "--json", "--type", "units_moved").rows()[0]
    changed = fought.good("explain", str(moved["seq"])).out.split("changed:")[1]
    assert 'space "kwangsi" -> "yunnan"' in changed and "japan infantry" in changed


def test_only_orders_that_bear_on_an_event_are_shown_with_it(fought: Cli) -> None:
    moved = fought.good("log", "show", "--json", "--type", "units_moved").rows()[0]
    out = fought.good("explain", str(moved["seq"])).out
    orders = out.split("bear on it:")[1].split("rules:")[0].split("changed:")[0].splitlines()
    assert any("Kwangsi -> Yunnan" in line for line in orders)
    assert all("Kwangsi" in line or "Yunnan" in line for line in orders if line.strip())
    assert "japan 3 infantry: Kwangsi -> Yunnan" in out


def test_a_sealed_event_is_not_explained_to_others(begun: Cli) -> None:
    begun.mail("japan", "3 infantry Kwangsi -> Yunnan\n")
    seq = str(begun.good("campaign", "show", "--json").json()["size"] - 1)
    assert "Kwangsi -> Yunnan" in begun.good("explain", seq, "--power", "japan").out
    out = begun.good("explain", seq, "--power", "china").out
    assert "sealed" in out and "Kwangsi" not in out


def test_a_rule_is_printed_in_words(cli: Cli) -> None:
    assert cli.good("explain", "P40-6.9.1").out.startswith("P40-6.9.1  Retreat\n")
    assert set(cli.good("explain", "CLA-5.9.3", "--json").json()) == {"id", "title", "text"}


def test_a_campaign_is_recomputed_from_its_inputs(fought: Cli) -> None:
    row = fought.good("audit", "--json").json()
    assert row["equal"] and row["rolls"] == len(_rolls(fought)) and row["difference"] is None
    assert fought.good("audit").out.startswith("p40-17: equal.")
    assert [row["campaign"] for row in fought.good("audit", "--all", "--json").json()] == ["p40-17"]
    fought.good("log", "export", "copy.jsonl.gz")
    assert fought.good("audit", "--log", "copy.jsonl.gz").out.startswith("p40-17: equal.")


@pytest.mark.parametrize("column", ["payload", "salt"])
def test_an_audit_finds_what_was_changed_behind_the_service(fought: Cli, column: str) -> None:
    connection = sqlite3.connect(fought.folder / "pbem.sqlite3")
    tables = [
        (name, sql) for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    ]
    for name, _ in tables:
        connection.execute(f"DROP TRIGGER {name}")
    (table,) = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if "payload" in [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        and "salt" in [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
    ]
    changed = "replace(payload, 'kwangsi', 'kwangsj')" if column == "payload" else "zeroblob(16)"
    connection.execute(f"UPDATE {table} SET {column} = {changed} WHERE seq = 20")
    connection.execute(f"UPDATE {table} SET {column} = {changed} WHERE payload LIKE '%kwangsi%'")
    connection.commit()
    connection.close()
    said = fought("audit")
    assert said.code == 1 and "DIFFERENT" in said.out and "Traceback" not in said.err
    assert json.loads(fought("audit", "--json").out)["equal"] is False
