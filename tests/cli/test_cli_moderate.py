"""What a moderator may do: each act stands in the log, is mailed to all concerned, and leaves a sound campaign."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.log.store import open_store
from tests.cli.conftest import Cli, letter


def _mails(cli: Cli, kind: str) -> dict[str, dict[str, Any]]:
    store = open_store(cli.database)
    return {row.recipient: dict(row.params) for row in store.outbox("p40-17", limit=500) if row.kind == kind}


def _deadline(cli: Cli) -> int | None:
    deadline: int | None = cli.good("campaign", "show", "--json").json()["windows"][0]["deadline"]
    return deadline


def _events(cli: Cli, kind: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = cli.good("log", "show", "--json", "--type", kind).rows()
    return rows


@pytest.fixture(autouse=True)
def sound(cli: Cli) -> Iterator[None]:
    """After every test the log verifies and the campaign comes out the same from its inputs."""
    yield
    assert cli("log", "verify").code == 0
    audit = cli("audit", "--json")
    assert audit.code == 0, audit.out


# -- pausing --------------------------------------------------------------------------------------------------------


def test_a_pause_stops_play_and_gives_its_time_back(begun: Cli) -> None:
    before = _deadline(begun)
    begun.mail("japan", "3 infantry Kwangsi -> Yunnan\nready\n")
    begun.good("moderate", "pause", "--reason", "Holidays")
    assert set(_mails(begun, "paused")) == {"japan", "china", "kim", "mod"}
    begun.tick()
    assert _events(begun, "window_closed") == [], "nothing is adjudicated"
    said = begun.good("mail", "receive", "--json", stdin=letter("japan", "buy 1 infantry")).json()
    assert said["lines"][0]["status"] == "accepted", "orders are still received"
    begun.good("moderate", "resume")
    after = _deadline(begun)
    assert before is not None and after is not None and after >= before
    assert _mails(begun, "resumed")["china"]["deadlines"] == {"r1.japan:moves": after}
    begun.tick()
    assert [row["payload"]["window"] for row in _events(begun, "window_closed")] == ["r1.japan:moves"]


def test_a_deadline_is_extended_or_taken_away(begun: Cli) -> None:
    begun.good("moderate", "extend", "--until", "2099-08-05T22:00+02:00", "--reason", "asked")
    assert _deadline(begun) == 4_089_643_200_000
    assert _mails(begun, "deadline")["kim"]["deadline"] == 4_089_643_200_000
    begun.good("moderate", "extend", "--no-deadline", "--reason", "no hurry")
    assert _deadline(begun) is None
    assert "has passed already" in begun("moderate", "extend", "--until", "2020-01-01", "--reason", "x").err
    assert "no open window r9" in begun("moderate", "extend", "--no-deadline", "--window", "r9", "--reason", "x").err


# -- rewinding --------------------------------------------------------------------------------------------------------


def test_a_turn_is_taken_back_and_ordered_again_with_one_word(fought: Cli) -> None:
    points = fought.good("moderate", "rewind", "--list", "--json").json()
    assert [point["name"] for point in points] == ["r1.japan", "r1.japan:moves"]
    old = [row["payload"]["purpose"] for row in _events(fought, "dice_rolled")]
    fought.good("moderate", "rewind", "--to", "r1.japan", "--reason", "A wrong border")
    offers = {player: params["offered"] for player, params in _mails(fought, "rewound").items()}
    assert offers.pop("japan") == {"japan": ["3 infantry Kwangsi -> Yunnan", "buy 2 transport"]}
    assert offers == {"china": {}, "kim": {}, "mod": {}}, "nobody reads another's orders"
    fought.tick()
    assert "Kwangsi [japan]: japan 3 infantry" in fought.good("replay").out
    said = fought.good("mail", "receive", "--json", stdin=letter("japan", "same\nready\n")).json()
    assert [row["canonical"] for row in said["lines"]] == [
        "same", "3 infantry Kwangsi -> Yunnan", "buy 2 transport", "ready",
    ]  # fmt: skip
    fought.tick()
    new = [row["payload"]["purpose"] for row in _events(fought, "dice_rolled")][len(old) :]
    assert new and new[0] == old[0] + "\n2", "the dice are new ones, and say so"
    voided = [row["void"] for row in fought.good("log", "show", "--json").rows()]
    assert voided.count(True) > 20 and not voided[-1]


def test_back_to_a_closing_keeps_the_orders(fought: Cli) -> None:
    fought.good("moderate", "rewind", "--to", "r1.japan:moves", "--reason", "The battle was fought wrongly")
    assert _mails(fought, "rewound")["japan"]["offered"] == {}
    fought.tick()
    assert len([row for row in _events(fought, "battle_begun") if not row["void"]]) == 1
    assert fought.good("campaign", "show", "--json").json()["windows"][0]["window"] == "r1.japan:rest"


def test_the_same_word_offers_nothing_that_is_not_due(begun: Cli) -> None:
    said = begun.good("mail", "receive", "--dry-run", "--json", stdin=letter("japan", "same\n")).json()
    assert said["lines"][0]["status"] == "refused" and "nothing to confirm" in said["lines"][0]["reason"]


def test_standing_orders_of_the_void_stretch_are_offered_too(begun: Cli) -> None:
    begun.mail("japan", "3 infantry Kwangsi -> Yunnan\nretreat Yunnan to Kwangsi if odds < 90%\nready\n")
    begun.tick()
    begun.good("moderate", "rewind", "--to", "r1.japan", "--reason", "again")
    begun.tick()
    begun.mail("japan", "same\n")
    out = begun.good("replay", "--power", "japan").out
    assert "if odds < 90%: retreat Yunnan to Kwangsi" in out and "3 infantry Kwangsi -> Yunnan" in out


def test_a_second_rewind_reaches_behind_the_first(fought: Cli) -> None:
    for reason in ("first", "second"):
        fought.good("moderate", "rewind", "--to", "r1.japan", "--reason", reason)
        fought.tick()
        fought.mail("japan", "same\nready\n")
        fought.tick()
    purposes = [row["payload"]["purpose"].split("\n") for row in _events(fought, "dice_rolled")]
    first_fire = [lines[8:] for lines in purposes if lines[6:8] == ["1", "attackers_fire"]]
    assert first_fire == [[], ["2"], ["3"]]


# -- corrections and rulings ------------------------------------------------------------------------------------------


def test_a_correction_takes_effect_at_the_next_boundary(fought: Cli) -> None:
    fought.good(
        "moderate", "correct", "--reason", "Counted wrongly", "--money", "japan=26", "--control", "Yunnan=japan",
        "--add", "china 2 infantry Hunan", "--add", "japan 1 mechanized infantry Kwangsi",
        "--remove", "usa 1 fighter Hawaiian Islands",
    )  # fmt: skip
    assert set(_mails(fought, "correction")) == {"japan", "china", "kim", "mod"}
    assert fought.good("replay", "--json").json()["state"]["counters"]["japan/ipc"] == 12, "not yet"
    fought.mail("japan", "place 2 transport Sea Zone 6\nready\n")
    fought.tick()
    (made,) = _events(fought, "correction_made")
    assert made["payload"]["reason"] == "Counted wrongly"
    out = fought.good("replay", "--at", str(made["seq"])).out.splitlines()
    assert any(line.startswith("japan: ipc 26,") for line in out)
    (hunan,) = [line for line in out if line.startswith("Hunan ")]
    assert "china 4 infantry" in hunan
    assert any(line.startswith("Kwangsi ") and "1 mech_infantry" in line for line in out)
    assert any(line.startswith("Hawaiian Islands ") and "1 fighter" in line for line in out)
    assert any(line.startswith("Yunnan [japan]") for line in out)


def test_money_that_is_corrected_twice_is_set_once(fought: Cli) -> None:
    """What is recorded and has not taken effect yet counts: `japan=26` says what there should be."""
    for _ in range(2):
        fought.good("moderate", "correct", "--reason", "Counted wrongly", "--money", "japan=26")
    changes = [event["payload"]["facts"][0]["payload"]["by"] for event in _events(fought, "correction_requested")]
    assert changes == [14, 0]
    fought.mail("japan", "place 2 transport Sea Zone 6\nready\n")
    fought.tick()
    (last, *_) = reversed(_events(fought, "correction_made"))
    out = fought.good("replay", "--at", str(last["seq"])).out.splitlines()
    assert any(line.startswith("japan: ipc 26,") for line in out)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ([{"type": "dice_rolled", "payload": {}}], "cannot say 'dice_rolled'"),
        ([{"type": "units_created", "payload": {"space": "mars", "owner": "japan", "units": []}}], "'mars'"),
        ([{"type": "units_created", "payload": {"space": "japan", "owner": "x", "units": []}}], "no power 'x'"),
        (
            [{"type": "units_created", "payload": {"space": "japan", "owner": "japan", "units": [["u1", "tank"]]}}],
            "a piece u1 already",
        ),
        ([{"type": "units_removed", "payload": {"space": "japan", "units": ["u9999"]}}], "no piece u9999"),
        ([{"type": "counter_changed", "payload": {"power": "japan"}}], "counter_changed needs {power, counter, by"),
        ([], "at least one fact"),
        ({}, "a list of facts is expected"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_correction_that_the_board_cannot_take_is_refused(begun: Cli, facts: object, told: str) -> None:
    (begun.folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    said = begun("moderate", "correct", "--facts", "facts.json", "--reason", "x")
    assert said.code == 1 and told in said.err and said.err.count("\n") == 1
    assert _events(begun, "correction_requested") == []


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [("--money", "japan", 2), ("--money", "mars=3", 1), ("--control", "Kwangsii=china", 1), ("--add", "foo", 2),
     ("--add", "japan 0 tank Korea", 2), ("--remove", "japan 9 tank Korea", 1)],
)  # fmt: skip
def test_short_words_of_a_correction_are_checked(begun: Cli, option: str, value: str, code: int) -> None:
    said = begun("moderate", "correct", option, value, "--reason", "x")
    assert said.code == code and said.err.count("\n") == 1


def test_a_ruling_is_recorded_with_its_rules(fought: Cli) -> None:
    fought.good("moderate", "rule", "It stands.", "--about", "70", "--rule", "P40-6.9.1")
    (ruled,) = _events(fought, "dispute_ruled")
    assert (ruled["payload"], ruled["rules"], ruled["actor"]) == (
        {"about": 70, "text": "It stands."}, ["P40-6.9.1"], "moderator",
    )  # fmt: skip
    assert "there is no rule P40-99" in fought("moderate", "rule", "x", "--rule", "P40-99").err
    assert "there is no event 9999" in fought("moderate", "rule", "x", "--about", "9999").err


# -- people -----------------------------------------------------------------------------------------------------------


def test_a_player_is_replaced(begun: Cli) -> None:
    begun.good("moderate", "replace-player", "kim", "--by", "lee", "--address", "lee@players.example")
    row = begun.good("campaign", "show", "--json", "--addresses").json()
    people = {person["id"]: person for person in row["players"]}
    assert people["lee"]["powers"] == ["usa", "uk", "anzac"] and people["kim"]["powers"] == []
    assert set(_mails(begun, "replaced")) == {"japan", "china", "kim", "lee", "mod"}
    text = json.dumps(begun.good("log", "show", "--json").rows())
    assert "lee@players.example" not in text and "kim@players.example" not in text, "no address is in the log"
    old = begun.good("mail", "receive", "--dry-run", "--json", stdin=letter("kim", "scramble none\n")).json()
    assert old["authenticated"] is False and old["lines"] == []


def test_who_cannot_replace_or_be_replaced(begun: Cli) -> None:
    for arguments, told in (
        (["nobody", "--by", "lee", "--address", "l@x.example"], "nobody called nobody plays"),
        (["kim", "--by", "china", "--address", "l@x.example"], "there is a china"),
        (["kim", "--by", "lee", "--address", "nowhere"], "no mail address"),
        (["kim", "--by", "Lee Smith", "--address", "l@x.example"], "no name for a player"),
    ):
        said = begun("moderate", "replace-player", *arguments)
        assert said.code == 1 and told in said.err
    assert "lee" not in begun.good("campaign", "show").out


def test_a_new_secret_address_revokes_the_old_one(begun: Cli) -> None:
    begun.good("moderate", "new-address", "japan", "--address", "japan@new.example")
    row = begun.good("campaign", "show", "--json", "--addresses").json()
    (japan,) = [person for person in row["players"] if person["id"] == "japan"]
    assert japan["address"] == "japan@new.example" and "jp7k2q" not in japan["reply_address"]
    assert list(_mails(begun, "address")) == ["japan"]
    old = begun.good("mail", "receive", "--dry-run", "--json", stdin=letter("japan", "ready\n")).json()
    assert old["authenticated"] is False
    assert "nobody is called x" in begun("moderate", "new-address", "x").err


def test_a_held_mail_is_listed_and_released(begun: Cli) -> None:
    raw = letter("japan", "ready\n").replace(b"From: japan@players.example", b"From: china@players.example")
    begun.good("mail", "receive", stdin=raw)
    (row,) = begun.good("moderate", "held", "--json").json()
    assert begun.good("moderate", "held").out.startswith(f"{row['inbox']:>6}")
    said = begun.good("moderate", "release", str(row["inbox"]), "--json").json()
    assert (said["status"], said["player"]) == ("done", "japan")
    assert begun.good("moderate", "held").out == "no mail is held\n"
    assert begun("moderate", "release", "999").code == 1
