"""Piles: drawn from committed chains, laid anew from discards, opened when nothing is hidden, provable by anybody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.recompute import recompute
from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.campaign.load import load
from pbem.campaign.moderate import rewind
from pbem.campaign.play import Play, begin, run
from pbem.dice.chain import Chain
from pbem.dice.check_dice import check
from pbem.dice.deck import ChainDecks
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.table import CARDS, DECKS, draw_pile_at_start, whole_deck
from pbem.log.event import visible
from pbem.log.export import write
from pbem.log.live import live
from pbem.orders.respond import StandingResponder
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Game
from pbem.rules.setup import start_events
from pbem.rules.tape import Outcome
from tests.games.s42.fov.table import NAME, Table

CHAINS = {deck: Chain(bytes([place]) * 32, 64) for place, deck in enumerate(DECKS)}
TWO_CARDS = {"weapons": ["rail_gun"], "tactics": ["scramble", "entrenchment"], "fortune": ["donation"]}


def scripted(script: Callable[[Game], None], piles: dict[str, list[str]]) -> tuple[Play, Outcome]:
    """One segment that does what a script says, with small piles."""
    rules = rule_set("s42", variants=("fov",))

    def segment(rules: RuleSet, state: State) -> Segment:
        return Segment("r1.ussr", 1, ("ussr",), script)

    rules = rules.but(parameters={"setup_facts": hands.pile_facts(piles)}, next_segment=segment)
    play = begin("piles", rules, start_events(rules))
    outcome = run(play, SeededThrowaway(1), StandingResponder(), now=0, decks=ChainDecks(CHAINS))
    assert outcome is not None and outcome.finished, outcome
    return play, outcome


def changes(outcome: Outcome, deck: str) -> list[dict[str, Any]]:
    return [dict(e.payload["set"]) for e in outcome.events if e.type == "deck_changed" and e.payload["deck"] == deck]


def test_the_decks_hold_what_is_printed() -> None:
    """FOV-1.1, FOV-1.3: 33, 35 and 35 cards; the six starting cards come out of the weapons."""
    assert [len(whole_deck(deck)) for deck in DECKS] == [33, 35, 35]
    assert [len(draw_pile_at_start(deck, False)) for deck in DECKS] == [27, 35, 35]
    assert [len(draw_pile_at_start(deck, True)) for deck in DECKS] == [33, 35, 35]
    assert len(CARDS) == 31


def test_a_pile_is_drawn_in_the_order_of_its_link() -> None:
    """FOV-1.4, FOV-2.3.1, FOV-6.1.7: the names are those of the shuffled pile, sealed to who drew them."""

    def script(game: Game) -> None:
        for power in ("ussr", "germany"):
            hands.draw(game, power, "tactics", ("FOV-2.3.1",))

    _, outcome = scripted(script, TWO_CARDS)
    order = ChainDecks(CHAINS).pile("piles", "tactics", 1, TWO_CARDS["tactics"], {}).order
    named = [event for event in outcome.events if event.type == "card_identified"]
    assert [event.payload["name"] for event in named] == list(order)
    assert [event.readers for event in named] == [("ussr",), ("germany",)]
    drawn = [event.payload for event in outcome.events if event.type == "card_drawn"]
    assert [body["card"] for body in drawn] == ["tactics-1-1", "tactics-1-2"] and all("name" not in b for b in drawn)


def test_an_exhausted_pile_stays_closed_as_long_as_one_of_its_cards_is_hidden() -> None:
    """FOV-6.1.7, FOV-6.1.2: opening the link earlier would show the hands."""
    seen: list[int] = []

    def script(game: Game) -> None:
        copies = [hands.draw(game, "ussr", "tactics", ())[0] for _ in range(2)]
        for copy in copies:
            seen.append(sum("link" in row for row in game.state.decks["tactics"]))
            hands.put_away(game, copy, ("FOV-3.1.2",))
        seen.append(len(game.state.decks["tactics"]["unopened"]))

    _, outcome = scripted(script, TWO_CARDS)
    opened = [row for row in changes(outcome, "tactics") if "link" in row]
    assert [row["opened"] for row in opened] == [1] and opened[0]["link"] == CHAINS["tactics"].link(1).hex()
    assert seen[-1] == 0
    places = [event.type for event in outcome.events]
    assert places.index("card_moved") < len(places) - places[::-1].index("deck_changed") - 1


def test_a_link_stays_closed_while_an_earlier_pile_has_a_hidden_card(tmp_path: Path) -> None:
    """FOV-6.1.7, FOV-6.1.2: a link hashes to the one before it, so it would show that pile's hands."""
    seen: list[int] = []

    def script(game: Game) -> None:
        kept, shown = (hands.draw(game, "ussr", "tactics", ())[0] for _ in range(2))
        hands.put_away(game, shown, ())
        again, _ = hands.draw(game, "uk", "tactics", ())
        hands.put_away(game, again, ())
        seen.append(sum("link" in row for row in game.state.decks.values()))
        hands.put_away(game, kept, ())

    _, outcome = scripted(script, TWO_CARDS)
    opened = [(row["opened"], row["link"]) for row in changes(outcome, "tactics") if "link" in row]
    assert seen == [0], "the second pile is used up and nothing of it is hidden, but of the first one is"
    assert opened == [(number, CHAINS["tactics"].link(number).hex()) for number in (1, 2)]


def test_discards_make_the_next_pile() -> None:
    """FOV-2.3.2: shuffled with the next link; the old copies leave play."""

    def script(game: Game) -> None:
        for _ in range(2):
            hands.put_away(game, hands.draw(game, "ussr", "tactics", ())[0], ())
        hands.draw(game, "uk", "tactics", ())

    _, outcome = scripted(script, TWO_CARDS)
    piles = [row for row in changes(outcome, "tactics") if "cards" in row]
    assert [row["pile"] for row in piles] == [1, 2]
    assert sorted(piles[1]["cards"]) == sorted(TWO_CARDS["tactics"])
    assert [card.id for card in outcome.state.cards.values()] == ["tactics-2-1"]


def test_all_piles_are_opened_when_the_game_ends() -> None:
    """FOV-6.1.7."""

    def script(game: Game) -> None:
        hands.draw(game, "ussr", "tactics", ())
        hands.draw(game, "ussr", "fortune", ())
        hands.open_all(game)

    _, outcome = scripted(script, TWO_CARDS)
    opened = [row["opened"] for deck in ("tactics", "fortune") for row in changes(outcome, deck) if "link" in row]
    assert opened == [1, 1]


# -- live --

WALK_IN: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "setup",
    "spaces": {"West Russia": {"controller": "ussr", "units": {}}},
    "decks": {deck: {"draw": [name]} for deck, name in zip(DECKS, ("rail_gun", "scramble", "donation"), strict=True)},
}  # fmt: skip


def play_a_turn(table: Table) -> None:
    table.go()
    table.say("germany", "1 infantry Belorussia -> West Russia\nresearch 4\nrest default\nready")
    while (window := table.go().window) is not None and not window.id.startswith("r2.uk"):
        for power in window.powers:
            table.say(power, "ready")


def test_a_draw_can_be_proved_once_the_card_is_known(tmp_path: Path) -> None:
    """FOV-6.1.3, FOV-6.1.7: a card that is discarded or played opens the event that named it when it was drawn."""
    table = Table(tmp_path, WALK_IN)
    play_a_turn(table)
    events = table.events()
    drawn = [event for event in events if event.type == "card_identified" and event.sealed and event.seq > 100]
    public = [event for event in events if event.type == "card_identified" and not event.sealed]
    opened = {event.payload["of"] for event in events if event.type == "secret_opened"}
    assert len(drawn) == 1
    assert (drawn[0].seq in opened) == bool(public)
    assert [one.closed for one in visible(events, frozenset()) if one.seq == drawn[0].seq] == [not public]


def test_the_log_checks_with_the_stand_alone_program_and_is_recomputed(tmp_path: Path) -> None:
    """FOV-6.1.7: piles that were opened are checked card by card; a card exchanged in the log is found."""
    table = Table(tmp_path, WALK_IN)
    play_a_turn(table)
    events = table.events()
    audit = recompute(NAME, events)
    assert audit.equal, audit.difference
    write(table.referee.store, NAME, tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert check(lines).problems == []


def test_after_a_rewind_the_next_pile_has_a_number_of_its_own(tmp_path: Path) -> None:
    """A link that was used, void or not, is never used again."""
    table = Table(tmp_path, WALK_IN)
    play_a_turn(table)
    first = [event for event in table.events() if event.type == "deck_changed" and event.payload["set"].get("pile")]
    assert len(first) == 1
    start = next(event.seq for event in table.events() if event.type == "segment_begun")
    rewind(table.referee, NAME, start, "to try it again")
    play_a_turn(table)
    later = [
        event
        for event in table.events()
        if event.type == "deck_changed" and event.payload["set"].get("pile") and event.seq > first[0].seq
    ]
    deck = first[0].payload["deck"]
    numbers = [event.payload["set"]["pile"] for event in later if event.payload["deck"] == deck]
    assert 1 not in numbers
    assert recompute(NAME, table.events()).equal
    assert load(table.referee, NAME).void_cards.piles == {deck: 1}


def known_hands(events: list[Any], power: str) -> list[str]:
    """Cards hidden in other hands that a power can name from what it was ever shown, void events too."""
    shown = {
        event.payload["card"]: event.payload["name"]
        for event in visible(events, frozenset((power,)))
        if event.type == "card_identified" and not event.closed
    }
    held = fold(State(), live(events)).cards.values()
    return [card.id for card in held if card.power not in (None, power) and card.place == "hand" and card.id in shown]


THREE_WALK_IN: dict[str, Any] = {
    **WALK_IN,
    "spaces": {
        "West Russia": {"controller": "ussr", "units": {}},
        "France": {"controller": "uk", "units": {"uk": {"tank": 1}}},
        "Northwestern Europe": {"controller": "germany", "units": {}},
        "Buryatia S.S.R.": {"controller": "ussr", "units": {}},
    },
    "powers": {power: {"cards": []} for power in ("ussr", "germany", "uk", "japan", "usa")},
    "decks": {"tactics": {"draw": ["fortification", "entrenchment", "scramble", "air_supremacy"]}},
}  # fmt: skip
"""Germany, the United Kingdom and Japan can each walk into a territory and draw."""
INTO = {
    "r2.germany:moves": "1 infantry Belorussia -> West Russia", "r2.uk:moves": "1 tank France -> Northwestern Europe",
    "r2.japan:moves": "1 infantry Manchuria -> Buryatia S.S.R.",
}  # fmt: skip


def walk_in(table: Table, until: str, nobody: str = "") -> None:
    """Turns in which everybody walks in and draws, but for one who draws nothing."""
    while (window := table.go().window) is not None and not window.id.startswith(until):
        for power in window.powers:
            first = "draw none" if power == nobody else "roll victory die"
            orders = [first, INTO[window.id]] if window.id in INTO else []
            table.say(power, "\n".join([*orders, "rest default", "ready"]))


@pytest.mark.parametrize("cards", [4, 2])
def test_what_was_drawn_before_a_rewind_is_drawn_by_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cards: int
) -> None:
    """FOV-6.1.2: who saw a card that a rewind took out of his hand must not know it in another's.

    It is set aside, and shuffled again with the discards; with two cards that happens at once.
    """
    monkeypatch.setattr("pbem.games.s42.fov.draw.deck_of_face", lambda face: "tactics")
    pile = THREE_WALK_IN["decks"]["tactics"]["draw"][:cards]
    table = Table(tmp_path, {**THREE_WALK_IN, "decks": {"tactics": {"draw": pile}}})
    walk_in(table, "r2.japan")
    (seen,) = table.hand("uk")
    start = max(
        event.seq for event in table.events() if event.type == "segment_begun" and event.payload["power"] == "uk"
    )
    rewind(table.referee, NAME, start, "to try it again")
    walk_in(table, "r2.usa", nobody="uk")
    events = table.events()
    assert [len(table.hand(power)) for power in ("germany", "uk", "japan")] == [1, 0, 1]
    assert known_hands(events, "uk") == []
    (aside,) = [event.payload for event in events if event.type == "card_drawn" and event.payload["place"] == "aside"]
    assert aside["card"] == "tactics-1-2" and aside["power"] is None
    (japans,) = [
        event.payload for event in live(events) if event.type == "card_drawn" and event.payload["power"] == "japan"
    ]
    assert japans["card"] == ("tactics-1-3" if cards == 4 else "tactics-2-1")
    if cards == 2:
        assert table.hand("japan") == [seen], "nothing else was left, and it was shuffled"
    for viewer in (frozenset[str](), frozenset(("uk",))):
        state = fold(State(), live(visible(events, viewer)))
        assert all(card.name is None for card in state.cards.values() if card.place in ("hand", "aside"))
    assert recompute(NAME, events).equal
    write(table.referee.store, NAME, tmp_path / "log.jsonl")
    assert check((tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()).problems == []
