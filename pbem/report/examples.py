"""Examples of how to answer, taken from the reader's own position: guesses that somebody else tries out.

The candidates come from what the reader may see; whether one would be accepted now is asked of the very function that
takes orders in. So an example is never a line that would be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.board.units import LAND, SEA
from pbem.report import ways_out
from pbem.report.model import Due

ALTERNATIVES = 4
"""Answers to a question shown at most."""
TRIES = 16
"""Candidates tried at most: each costs a dry run."""
CARD_QUESTIONS = ("card", "fighter_ace", "fog_of_war", "hidden_factory")
"""Questions about cards: that nothing is played now is always an answer."""
MOMENTS: Mapping[str, str] = {"attack": "ATT", "defence": "DEF"}
"""The moment of cards that a question before the battles is about, by how the question names it."""


def example_for(
    state: State,
    board: Board,
    powers: Sequence[str],
    due: Due | None,
    accepted: Callable[[Sequence[str]], bool],
    moments: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[str, ...]:
    """The first orders whose every line would be accepted; for a question a few lines each of which would be.

    () if there is none, or nothing to answer. `moments` are those at which each victory card may be played.
    """
    if due is None:
        return ()
    mine = [power for power in powers if power in due.powers]
    if not mine:
        return ()
    power = mine[0]
    heading = [f"{power}:"] if len(powers) > 1 else []
    if due.kind != "orders":
        asks = [ask for ask in due.asks if ask.get("power") == power]
        lines = _in_turn([*_answers(ask, board), *_card_answers(ask, state, power, moments)] for ask in asks)
        each = (line for line in islice(lines, TRIES) if accepted([*heading, line]))
        found = list(islice(each, ALTERNATIVES))
        if any(ask.get("kind") in CARD_QUESTIONS for ask in asks) and accepted([*heading, "ready"]):
            found.append("ready")
        return (*heading, *found) if found else ()
    for orders in islice(_candidates(state, board, power, due), TRIES):
        if accepted([*heading, *orders]):
            return (*heading, *orders)
    return ()


def _in_turn(asks: Iterable[Sequence[str]]) -> Iterator[str]:
    """The first line for each question, then the second for each, and so on: each question has its example."""
    for row in zip_longest(*asks):
        yield from (line for line in row if line is not None)


def _candidates(state: State, board: Board, power: str, due: Due) -> Iterator[list[str]]:
    if "combat_move" in due.phases:
        yield from _combat(state, board, power)
    elif "noncombat_move" in due.phases or "mobilize" in due.phases:
        yield from _rest(state, board, power, [ask["space"] for ask in due.asks])
    yield ["ready"]


def _combat(state: State, board: Board, power: str) -> Iterator[list[str]]:
    """A purchase with an attack over a border; for a power that has no enemy beside it, with a move of its own."""
    buy = "buy 1 infantry"
    attacks = list(islice(border_moves(state, board, power, hostile=True), 5))
    own = border_moves(state, board, power, hostile=False)
    quiet = [f"noncombat: {move}" for move in (*islice(own, 2), *islice(sea_moves(state, board, power), 2))]
    for move in (*attacks, *quiet):
        yield [buy, move, "ready"]
    for move in (*attacks[:2], *quiet[:2]):
        yield [move, "ready"]
    yield [buy, "ready"]


def _rest(state: State, board: Board, power: str, asked: Sequence[str]) -> Iterator[list[str]]:
    """Moves among friends; of the spaces that are `asked` about first, where a window asks for less than the phase."""
    for move in (move for zone in asked for move in islice(sea_moves(state, board, power, zone), 2)):
        yield [move, "ready"]
    for move in islice(border_moves(state, board, power, hostile=False), 4):
        yield [move, "ready"]
    for move in islice(sea_moves(state, board, power), 2):
        yield [move, "ready"]
    yield ["rest default"]


def border_moves(state: State, board: Board, power: str, *, hostile: bool) -> Iterator[str]:
    """Moves of one land unit kind over one border: into enemy land, or between the power's own territories.

    Attacks come in the order of their promise: where nobody stands first, then where the attackers outnumber most.
    """
    found: list[tuple[int, str]] = []
    for space in board.spaces.values():
        strongest = None if space.is_sea else _most(state, board, power, space.id, LAND, fights=hostile)
        if strongest is None:
            continue
        kind, count = strongest
        for there in board.lands_beside(space.id):
            holder = state.controller(there)
            enemy = holder is not None and state.at_war(power, holder)
            if not (enemy if hostile else holder == power):
                continue
            foes = sum(1 for unit in state.units_in(there) if state.at_war(power, unit.owner)) if hostile else 0
            number = min(count, 2 * foes or 2)
            found.append((foes - number if foes else -1000, _move(board, number, kind, space.id, there)))
    return iter([text for _, text in sorted(found, key=lambda row: row[0])])


def sea_moves(state: State, board: Board, power: str, only: str | None = None) -> Iterator[str]:
    """Moves of one ship (from `only` that zone) into a zone beside it in which no enemy sails."""
    for space in board.spaces.values() if only is None else (board.spaces[only],):
        strongest = _most(state, board, power, space.id, SEA) if space.is_sea else None
        if strongest is None:
            continue
        for there in board.neighbours[space.id]:
            free = not any(state.at_war(power, unit.owner) for unit in state.units_in(there))
            if board.spaces[there].is_sea and free:
                yield _move(board, 1, strongest[0], space.id, there)


def _most(
    state: State, board: Board, power: str, space: str, domain: str, *, fights: bool = False
) -> tuple[str, int] | None:
    """The kind of which a power has most in a space, of those that may move from there (and attack), and how many."""
    counts: dict[str, int] = {}
    for unit in state.units_in(space):
        kind = board.units.get(unit.kind)
        fits = kind is not None and kind.domain == domain and kind.move > 0 and (kind.attack > 0 or not fights)
        if fits and unit.owner == power and unit.aboard is None and not unit.spent:
            counts[unit.kind] = counts.get(unit.kind, 0) + 1
    if not counts:
        return None
    most = max(counts, key=lambda name: (counts[name], -board.units[name].rank))
    return most, counts[most]


def _move(board: Board, number: int, kind: str, start: str, end: str) -> str:
    """`2 infantry Jehol -> Anhwe`."""
    unit = board.units[kind]
    name = (unit.name if number == 1 else unit.plural).lower()
    return f"{number} {name} {board.spaces[start].name} -> {board.spaces[end].name}"


def _card_answers(
    ask: Mapping[str, Any], state: State, power: str, moments: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Lines that may answer a question about victory cards, from the reader's own hand."""
    kind = ask.get("kind")
    held = [card for card in state.cards.values() if card.power == power and card.name]
    if kind == "research":
        yield f"research {min(3, max(state.counter(power), 0))}"
        yield "research 0"
    elif kind == "discard":
        for card in held:
            if ask.get("limit") != "type" or card.deck == ask.get("deck"):
                yield f"discard {card.name}"
        yield "draw none"
    elif kind == "draw":
        yield "roll victory die"
        yield "draw none"
    elif kind in CARD_QUESTIONS:
        now = MOMENTS.get(str(ask.get("moment")))
        for card in held:
            fits = card.name == kind if kind != "card" else now is None or now in moments.get(card.name or "", (now,))
            if card.place == "hand" and fits:
                yield f"play {card.name}"


def _answers(ask: Mapping[str, Any], board: Board) -> Iterator[str]:
    """Lines that may answer a question, from what it shows to everybody."""
    kind, place = str(ask.get("kind")), str(ask.get("space"))
    where = board.spaces[place].name if place in board.spaces else ""
    if kind in ("casualties", "air_losses", "aa_losses", "choose"):
        word = {"aa_losses": "aa losses", "air_losses": "air losses"}.get(kind, kind)
        for owner, units in (ask.get("owners") or {"": ask.get("units", ())}).items():
            for unit in units:
                if unit in board.units:
                    yield f"{word} {where}: {owner}{' ' if owner else ''}{board.units[unit].name.lower()} first"
    elif kind in ways_out.KINDS or (kind == "retreat" and "options" in ask):
        yield from ways_out.answers(ask, board)
    elif kind == "retreat":
        for target in ask.get("to", ()):
            if target in board.spaces:
                yield f"retreat {where} to {board.spaces[target].name}"
        yield f"press on {where}"
    elif kind == "submerge":
        yield f"submerge {where}: all"
    elif kind == "intercept":
        yield f"intercept {where}: 1 fighter"
        yield f"intercept {where}: none"
    elif kind == "scramble":
        for base in ask.get("bases", ()):
            for zone in base.get("zones", ()):
                for unit in base.get("units", ()):
                    if unit in board.units and zone in board.spaces and base.get("space") in board.spaces:
                        name, start = board.units[unit].name.lower(), board.spaces[base["space"]].name
                        yield f"scramble 1 {name} {start} -> {board.spaces[zone].name}"
        yield "scramble none"
    elif kind == "kamikaze":
        for zone in ask.get("zones", ()):
            for unit in zone.get("targets", ()):
                if unit in board.units and zone.get("zone") in board.spaces:
                    yield f"kamikaze {board.spaces[zone['zone']].name}: 1 on {board.units[unit].name.lower()}"
        yield "kamikaze none"
