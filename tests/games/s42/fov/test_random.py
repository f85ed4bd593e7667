"""Turns of chance with cards: nothing breaks, hands keep their limits, no card is lost, and all is recomputed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.audit.recompute import recompute
from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.campaign.filing import file_lines
from pbem.campaign.load import load
from pbem.campaign.play import Play, begin, run_on
from pbem.dice.check_dice import check
from pbem.dice.deck import ThrowawayDecks
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.table import DECKS, whole_deck
from pbem.log.event import Event
from pbem.log.export import write as export
from pbem.orders.gazetteer import gazetteer
from pbem.orders.respond import StandingResponder
from pbem.orders.write import write
from pbem.rules.order_model import Intercept, Order, Pick
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.testing.chance import wrong_books, wrong_places
from pbem.testing.random_play import _orders as random_orders
from tests.games.s42.fov.card_inspector import CardInspector
from tests.games.s42.fov.card_player import card_orders, dealt_rules, marches, raids, sorties
from tests.games.s42.fov.table import NAME, POWERS, Table
from tests.games.s42.fov.test_secrecy import opened_and_played

OPTIONS: tuple[dict[str, Any], ...] = (
    {"interceptors": True},
    {},
    {"interceptors": True, "rail_gun_exact": True, "weather_spares_landings": True},
    {"fog_as_reaction": True, "one_card_per_battle": True, "torpedoes_one_of_each": True, "black_sea_closed": True},
)
NAMES = gazetteer("s42", None)


def own_turn(chance: Random, rules: RuleSet, state: State, power: str) -> list[Order]:
    """Purchases and moves at random, with raids and marches into enemy land, so that cards find battles."""
    orders = [*raids(chance, rules, state, power), *marches(chance, rules, state, power)]
    orders += sorties(chance, rules, state, power, orders)
    return [*orders, *random_orders(chance, rules, state, power)]


def with_orders(play: Play, power: str, chance: Random) -> Play:
    """The same campaign after everybody has filed card orders, and who acts a turn."""
    cards = play.rules.parameter("cards_of_own_turn")
    for other in play.rules.board.powers:
        turn = own_turn(chance, play.rules, play.now, power) if other == power else []
        lines = [*turn, *card_orders(chance, play.rules, play.now, other, turn), Intercept(None, (Pick("fighter"),))]
        written = [(line, write(line, NAMES, "en")) for line in lines]
        filing = file_lines(other, written, play.now, turn=other == power, turn_cards=cards)
        play = play.with_facts(
            [
                ("orders_received", {"power": other, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": other, "orders": list(filing.standing or filing.answers)}),
            ],
            0,
        )
    return play


def check_cards(rules: RuleSet, state: State) -> None:
    """FOV-3.1.1, FOV-1.1, FOV-3.2.4: seven in a hand and five of a type; every card of a deck is somewhere once."""
    for power in rules.board.powers:
        held = hands.cards_of(state, power)
        assert len(held) <= 7, power
        assert max(Counter(card.deck for card in held).values(), default=0) <= 5, power
    for deck in DECKS:
        here = sum(card.deck == deck for card in state.cards.values())
        assert here + state.decks[deck]["left"] == len(whole_deck(deck)), deck


def turns_with_cards(seed: int, turns: int) -> CardInspector:
    """So many turns from hands of chance, each looked over; what was seen."""
    chance = Random(seed)
    options = OPTIONS[seed % len(OPTIONS)]
    rules = dealt_rules(rule_set("s42", variants=("fov",), options=options), chance)
    play = begin("chance", rules, start_events(rules))
    inspector = CardInspector(rules.board, options, play.now)
    for turn in range(turns):
        segment = rules.next_segment(rules, play.now)
        if segment is None:
            break
        play = with_orders(play, segment.seat[0], chance)
        before = play.now
        told = run_on(
            play, SeededThrowaway(seed * 100 + turn), StandingResponder(), now=0, may_close=lambda window: True,
            decks=ThrowawayDecks(seed),
        )  # fmt: skip
        assert told.outcome is not None and told.outcome.finished, told.outcome
        play = told.play
        inspector.state = before
        assert inspector.look_over(told.events) == []
        assert [*wrong_books(before, told), *wrong_places(rules, play.now)] == []
        assert not [unit for unit in play.now.units.values() if unit.damage], "battleships and heavy tanks are whole"
        check_cards(rules, play.now)
    return inspector


@pytest.mark.parametrize("seed", range(4))
def test_turns_of_chance_with_many_cards(seed: int) -> None:
    """FOV-1.8: the base rules' books stay right whatever is played, and the cards keep their own rules."""
    seen = turns_with_cards(seed, 12).seen
    assert seen["held"] > 15 and seen["limit"] > 50 and seen["extra dice"] > 20


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10, 50))
def test_many_turns_of_chance(seed: int) -> None:
    """FOV-1.8, FOV-3.1.1, FOV-5.1.1, FOV-5.1.2: the same for hundreds of turns."""
    assert turns_with_cards(seed, 15).seen["held"] > 15


def dealt(chance: Random, pile: int | None) -> dict[str, Any]:
    """The setup with six cards in every hand; the other cards, or so many of them, lie in piles."""
    piles = {deck: whole_deck(deck) for deck in DECKS}
    held: dict[str, Any] = {}
    for power in POWERS:
        some = [chance.choice(DECKS) for _ in range(6)]
        while max(Counter(some).values()) > 5:
            some = [chance.choice(DECKS) for _ in range(6)]
        held[power] = {"cards": [piles[deck].pop(chance.randrange(len(piles[deck]))) for deck in some]}
    decks = {deck: {"draw": names[:pile]} for deck, names in piles.items()}
    return {"round": 1, "power": "ussr", "phase": "purchase", "from": "setup", "spaces": {}, "powers": held,
            "decks": decks}  # fmt: skip


def play_live(folder: Path, turns: int, seed: int, pile: int | None = None) -> Table:
    """A campaign of mails: whole turns with card orders, and every question that comes up is answered."""
    chance = Random(seed)
    table = Table(folder, dealt(chance, pile), {"interceptors": True})
    for power in POWERS:
        table.say(power, "ask me card\nask me fighter_ace" if chance.random() < 0.5 else "play scramble if odds < 60%")
    ended = 0
    while ended < turns:
        window = table.go().window
        if window is None:
            break
        play = load(table.referee, NAME).play
        for power in window.powers:
            lines: list[str] = []
            if window.id.endswith(":moves"):
                ended += 1
                turn = own_turn(chance, play.rules, play.now, power)
                orders = [*turn, *card_orders(chance, play.rules, play.now, power, turn)]
                lines = [write(order, NAMES, "en") for order in orders]
            elif chance.random() < 0.8:
                held = [card.name or "" for card in hands.cards_of(play.now, power)]
                kinds = {ask["kind"] for ask in window.asks if ask["power"] == power}
                lines += [f"research {chance.randint(0, 3)}"] if "research" in kinds else []
                lines += [f"discard {chance.choice(held)}"] if "discard" in kinds and held else []
                if "card" in kinds:
                    lines += [write(one, NAMES, "en") for one in card_orders(chance, play.rules, play.now, power, [])]
            table.say(power, "\n".join([*lines, "rest default", "ready"]))
    return table


def check_openings(events: list[Event]) -> int:
    """FOV-6.1.7: when a link is opened nothing of its pile, nor of those whose links it gives away, lies hidden."""
    opened = 0
    for event in events:
        if event.type == "deck_changed" and "link" in event.payload["set"]:
            opened += 1
            state = fold(State(), events[: event.seq])
            for card in state.cards.values():
                deck, pile, _ = card.id.rsplit("-", 2)  # cards dealt at the start are of no pile, which is pile 0
                hidden = card.place == hands.HAND and not card.data.get("public")
                assert (
                    not hidden or deck != event.payload["deck"] or not 0 < int(pile) <= event.payload["set"]["opened"]
                )
    return opened


def settled(table: Table) -> None:
    """Everything comes out again from the log, whose dice and opened piles check with the stand-alone program."""
    events = table.events()
    audit = recompute(NAME, events)
    assert audit.equal, audit.difference
    log = table.folder / "log.jsonl"
    export(table.referee.store, NAME, log)
    assert check(log.read_text(encoding="utf-8").splitlines()).problems == []
    rules = load(table.referee, NAME).play.rules
    inspector = CardInspector(rules.board, {"interceptors": True}, State())
    assert inspector.look_over(events) == []
    assert inspector.seen["held"] > 3 and inspector.seen["limit"] > 20


def test_a_campaign_by_mail(tmp_path: Path) -> None:
    """FOV-10.4, FOV-6.1.7, FOV-3.1.1: turns through text, store and adjudication, and everything recomputed."""
    table = play_live(tmp_path, 7, 5)
    settled(table)
    types = Counter(event.type for event in table.events())
    assert types["card_played"] > 3 and types["answers_weighed"] > 3
    for _, opened, laid in opened_and_played(table):
        assert not Counter(opened) - Counter(laid), "what a window opens is played: else it would show a hand"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(2))
def test_long_campaigns_by_mail(tmp_path: Path, seed: int) -> None:
    """FOV-2.3.2, FOV-6.1.7: the same for many rounds with small piles, which run out, are laid anew and are opened."""
    table = play_live(tmp_path, 40, 100 + seed, pile=2)
    settled(table)
    rows = [event.payload["set"] for event in table.events() if event.type == "deck_changed"]
    assert max(row.get("pile", 0) for row in rows) > 1
    assert check_openings(table.events()) > 0
