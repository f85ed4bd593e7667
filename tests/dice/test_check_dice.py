"""The stand-alone checker passes sound logs and names every way of cheating that it claims to catch."""

import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice import (
    Chain,
    ChainDecks,
    ChainSource,
    DiceSource,
    HandSource,
    Purpose,
    check_dice,
    faces,
    laid,
    opened,
    shuffled,
    text_hash,
)
from pbem.log.canonical import canonical
from pbem.log.checkpoint import public_key, verifier_key
from pbem.log.commitment import commitment
from pbem.log.event import NewEvent
from pbem.log.export import write
from pbem.log.sqlite import SqliteStore

Events = list[tuple[str, dict[str, Any]]]
CARDS = ["ace", "bomb", "jet", "jet", "radar", "rockets"]


def fire(step: str, battle_round: int = 1, attempt: int = 1) -> Purpose:
    return Purpose("c1", 1, "japan", "conduct_combat", "yunnan", battle_round, step, attempt)


def exported(events: Events) -> list[str]:
    """The events as lines of an export, each payload under its commitment."""
    lines = []
    for seq, (kind, payload) in enumerate(events):
        salt = hashlib.sha256(str(seq).encode()).digest()[:16]
        bind = commitment(salt, canonical(payload))
        header = {"campaign": "c1", "seq": seq, "version": 1, "type": kind, "commitment": bind}
        lines.append(json.dumps({"header": header, "salt": salt.hex(), "payload": payload}))
    return lines


def closing(**texts: str) -> tuple[str, dict[str, Any]]:
    return "window_closed", {
        "window": "w",
        "why": "all ready",
        "texts": texts,
        "entropy": {power: text_hash(text) for power, text in texts.items()},
    }


def sound() -> Events:
    """A short campaign: two short chains, a rewind, a roll by hand, and a deck whose link is opened."""
    chains = [Chain(bytes([1]) * 32, 3), Chain(bytes([2]) * 32, 300)]
    red = Chain(bytes([3]) * 32, 64)
    decks = ChainDecks({"red": red})
    dice = ChainSource(chains)
    first = {"japan": text_hash("3 infantry Kwangsi -> Yunnan\n"), "china": text_hash("")}
    second = {**first, "china": text_hash("hold\n")}

    def rolled(
        purpose: Purpose, entropy: dict[str, str], count: int, by: DiceSource = dice
    ) -> tuple[str, dict[str, Any]]:
        body = {"purpose": purpose.text(), "entropy": entropy, "count": count, "dice": []}
        return "dice_rolled", {**body, **by.roll(purpose, entropy, count).result()}

    order = decks.pile("c1", "red", 1, CARDS, second).order
    hand = HandSource({fire("defenders_fire", 2).text(): [6, 1]})
    return [
        (
            "campaign_created",
            {
                "dice": {
                    "chains": [{"start": chains[0].start.hex(), "length": 3}],
                    "decks": {"red": {"start": red.start.hex(), "length": 64}},
                }
            },
        ),
        rolled(Purpose("c1", 1, None, None, None, 0, "initiative"), {}, 2),
        closing(japan="3 infantry Kwangsi -> Yunnan\n", china=""),
        rolled(fire("attackers_fire"), first, 3),
        ("dice_chain_committed", {"chain": 1, "start": chains[1].start.hex(), "length": 300}),
        closing(china="stay\n"),
        rolled(fire("defenders_fire"), {**first, "china": text_hash("stay\n")}, 2),
        ("rewound", {"to": 5}),
        closing(china="hold\n"),
        rolled(fire("defenders_fire", attempt=2), second, 2),
        rolled(fire("defenders_fire", 2), second, 2, hand),
        ("deck_changed", laid("red", 1, CARDS, second)),
        ("card_drawn", {"card": "red-1", "deck": "red", "power": "japan", "place": "hand"}),
        ("card_drawn", {"card": "red-2", "deck": "red", "power": "china", "place": "hand"}),
        ("card_identified", {"card": "red-1", "name": order[0]}),
        ("deck_changed", opened("red", 1, decks.link("red", 1))),
    ]


def problems(events: Events) -> list[str]:
    return check_dice.check(exported(events)).problems


def test_a_sound_log_has_no_problems() -> None:
    checker = check_dice.check(exported(sound()))
    assert checker.problems == []
    assert (checker.rolls, checker.dice) == (5, 11)
    assert checker.by_source == {"chain": 9, "hand": 2}


def change(seq: int, **values: Any) -> Callable[[Events], None]:
    def apply(events: Events) -> None:
        events[seq][1].update(values)

    return apply


def drop(seq: int) -> Callable[[Events], None]:
    return lambda events: events.__delitem__(seq)


def exchange_faces(events: Events) -> None:
    shown = events[3][1]["faces"]
    shown[0] = shown[0] % 6 + 1


def exchange_order_of_draws(events: Events) -> None:
    order = shuffled_names(events)
    events[14][1]["name"] = next(name for name in order if name != order[0])


def shuffled_names(events: Events) -> list[str]:
    return [events[14][1]["name"], *sorted(set(CARDS))]


def another_text(events: Events) -> None:
    events[8][1]["texts"]["china"] = "hold, please\n"


CHEATS = {
    "a face changed": (exchange_faces, "event 3: the faces should be"),
    "a text changed after its hash": (another_text, "event 8: the hash of china's text"),
    "a map that is not in force": (change(9, entropy={}), "event 9: the roll's entropy map is not the one in force"),
    "a purpose changed": (change(3, purpose=fire("attackers_fire", 2).text()), "event 3: the faces should be"),
    "a purpose of another campaign": (
        change(3, purpose=fire("attackers_fire").text().replace("c1", "c2")),
        "event 3: dice_rolled is malformed",
    ),
    "a purpose spelled in another way": (
        change(3, purpose=fire("attackers_fire").text().replace("\n1\n", "\n01\n")),
        "event 3: dice_rolled is malformed",
    ),
    "a link skipped": (change(3, k=3), "event 3: link 3 is used after link 1"),
    "a link of another chain": (change(3, link="00" * 32), "event 3: link 2 does not hash back"),
    "a link that is no hex": (change(3, link="xyz"), "event 3: dice_rolled is malformed"),
    "a chain that was never published": (change(9, chain=7), "event 9: chain 7 was never published"),
    "the next chain before its time": (change(6, chain=1, k=1), "event 6: a link of chain 1 is used while chain 0"),
    "too few dice": (change(3, count=4), "event 3: 4 dice were asked for and 3 are shown"),
    "dice from nowhere": (change(3, source="luck"), "event 3: the dice come from 'luck'"),
    "a roll left out": (drop(3), "link 3 is used after link 1"),
    "a rewind left out": (drop(7), "event 8: attempt 2 is made, and attempt 1 is not void"),
    "a void roll made again as if it were the first": (
        change(9, purpose=fire("defenders_fire").text()),
        "event 9: this roll repeats the void one of event 6",
    ),
    "a committed chain left out": (drop(4), "chain 1 was never published"),
    "a card exchanged": (exchange_order_of_draws, "event 12: the card drawn is"),
    "a pile laid out with another map": (
        lambda events: events[11][1]["set"].update(entropy={}),
        "event 11: the pile of deck red's entropy map is not the one in force",
    ),
    "a deck's link exchanged": (
        lambda events: events[15][1]["set"].update(link="11" * 32),
        "event 15: link 1 does not hash back to the published start of deck red",
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_found(cheat: str) -> None:
    apply, expected = CHEATS[cheat]
    events = copy.deepcopy(sound())
    apply(events)
    assert any(expected in problem for problem in problems(events)), problems(events)


def test_a_payload_that_does_not_match_its_header_is_found() -> None:
    lines = exported(sound())
    row = json.loads(lines[3])
    row["payload"]["dice"] = [{"unit": "u1"}]
    lines[3] = json.dumps(row)
    assert any("event 3: the payload is not the one" in problem for problem in check_dice.check(lines).problems)


def test_a_missing_event_and_an_empty_file_are_found() -> None:
    lines = exported(sound())
    assert any("expected event 4" in problem for problem in check_dice.check(lines[:4] + lines[5:]).problems)
    assert check_dice.check([]).problems


def test_a_missing_payload_of_a_roll_is_found() -> None:
    lines = exported(sound())
    row = json.loads(lines[3])
    del row["payload"], row["salt"]
    lines[3] = json.dumps(row)
    assert any("the payload of this dice_rolled is missing" in problem for problem in check_dice.check(lines).problems)


def test_an_erased_closing_is_noted_and_not_held_against_the_dice() -> None:
    lines = exported(sound())
    row = json.loads(lines[8])
    del row["payload"], row["salt"]
    lines[8] = json.dumps({**row, "erased": 15})
    checker = check_dice.check(lines)
    assert checker.problems == []
    assert [note.split(":")[0] for note in checker.notes] == ["event 9", "event 10", "event 11"]


def test_the_export_of_a_stored_campaign_is_read(tmp_path: Path) -> None:
    log = SqliteStore(str(tmp_path / "log.db"))
    signing = bytes(range(32))
    facts = sound()
    facts[0][1].update(origin="pbem.example/c/c1", log_key=verifier_key("pbem.example/c/c1", public_key(signing)))
    events = [NewEvent(type=kind, payload=payload, at=seq) for seq, (kind, payload) in enumerate(facts)]
    events[14] = NewEvent(type=facts[14][0], payload=facts[14][1], at=14, readers=["japan"])
    log.create_campaign("c1", salt_key=bytes(32), signing_key=signing, events=events)
    write(log, "c1", tmp_path / "all.jsonl.gz")
    write(log, "c1", tmp_path / "china.jsonl", frozenset(["china"]))
    assert check_dice.main([str(tmp_path / "all.jsonl.gz")]) == 0
    assert check_dice.main([str(tmp_path / "china.jsonl")]) == 0
    checker = check_dice.check((tmp_path / "china.jsonl").read_text(encoding="utf-8").splitlines())
    assert (checker.rolls, checker.names) == (5, {})


def test_sealed_cards_count_when_they_are_opened() -> None:
    events = copy.deepcopy(sound())
    identity = events[14][1]
    envelope = {"type": "card_identified", "payload": {**identity, "name": "no such card"}}
    events[14] = ("secret_opened", {"of": 13, "payload": envelope, "salt": "00"})
    assert any("event 12: the card drawn is no such card" in problem for problem in problems(events))
    envelope["payload"] = identity
    assert problems(events) == []


@given(st.binary(min_size=32, max_size=32), st.integers(0, 90), st.lists(st.sampled_from(CARDS), max_size=40))
def test_two_writings_of_the_same_rules_agree(key: bytes, count: int, cards: list[str]) -> None:
    assert check_dice.faces(key, count) == list(faces(key, count))
    assert check_dice.pile_order(key, cards) == list(shuffled(key, cards))


def test_it_runs_alone(tmp_path: Path) -> None:
    script = tmp_path / "check_dice.py"
    script.write_text(Path(check_dice.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    log = tmp_path / "campaign.jsonl"
    log.write_text("\n".join(exported(sound())), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(script), str(log)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "5 rolls, 11 dice (9 from chain, 2 from hand)" in run.stdout
    events = copy.deepcopy(sound())
    exchange_faces(events)
    log.write_text("\n".join(exported(events)), encoding="utf-8")
    assert check_dice.main([str(log)]) == 1
    assert check_dice.main([]) == 2
