"""The position before a recorded turn: the board, money, and what rules remember of the turns before it.

A record says what stands where, not which transport carries whom nor what was declared long ago. What earlier records
say is taken; what they do not say is concluded from the board and from what happens in the turn itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pbem.audit.turns_record import Table, Turn
from pbem.board.map import Board
from pbem.rules.printed import start_relations

Money = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Guess:
    """What may have happened before a turn whose earlier records are missing: wars, and who declared them.

    With `last_first` cargo stands on the last of several equal ships rather than on the first.
    """

    wars: tuple[tuple[str, str], ...] = ()
    declared: tuple[tuple[str, tuple[str, ...]], ...] = ()
    last_first: bool = False


def given(
    board: Board, turn: Turn, before: Table, money: Money, earlier: Sequence[Turn], guess: Guess
) -> dict[str, Any]:
    """The position as a ruling case describes one (`pbem.rules.position`), all names being ids."""
    spaces: dict[str, Any] = {}
    for space in board.spaces:
        held = before.get(space)
        row: dict[str, Any] = {
            "units": {} if held is None else _units(board, turn, space, before, guess),
            "facilities": {} if held is None else {kind: {"damage": n} for kind, n in held.facilities.items()},
        }
        if held is not None and not board.spaces[space].is_sea:
            row["controller"] = held.owner
        spaces[space] = row
    powers: dict[str, dict[str, int]] = {power: {"ipc": amount} for power, amount in money.items()}
    tokens = tokens_left(board, turn, earlier)
    if tokens is not None:
        powers.setdefault(board.facts["kamikaze"]["power"], {})["kamikaze"] = tokens
    return {
        "round": turn.round,
        "power": turn.power,
        "phase": "purchase",
        "spaces": spaces,
        "powers": powers,
        "relations": [[a, b, "war"] for a, b in _all_wars(board, turn, before, earlier, guess)],
        "history": [
            *({"declared": [by, *upon]} for by, upon in guess.declared),
            *history(board, turn, before, earlier),
        ],
    }


def tokens_left(board: Board, turn: Turn, earlier: Sequence[Turn]) -> int | None:
    """Kamikaze tokens before a turn: those of the start less those used, or as the record itself counts them."""
    said = board.facts.get("kamikaze")
    if not said or "tokens" not in said:
        return None
    if turn.tokens is not None:
        return turn.tokens
    left = int(said["tokens"])
    for past in earlier:
        left = past.tokens if past.tokens is not None else left
        left -= sum(strike.count for strike in past.strikes)
    return max(left, 0)


# -- pieces, and who is aboard whom -----------------------------------------------------------------------------------


def _units(
    board: Board, turn: Turn, space: str, before: Table, guess: Guess
) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """{owner: {kind: [state]}}; land units at sea stand aboard transports there."""
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    cargo: list[tuple[str, str]] = []
    at_sea = board.spaces[space].is_sea
    for (owner, kind, damage), count in before[space].units.items():
        if at_sea and board.units[kind].domain == "land":
            cargo += [(owner, kind)] * count
            continue
        states = rows.setdefault(owner, {}).setdefault(kind, [])
        states += [{"damage": damage} if damage else {} for _ in range(count)]
    _stow(board, rows, cargo, _parties(board, turn, space), guess)
    return rows


def _parties(board: Board, turn: Turn, space: str) -> list[tuple[str | None, list[tuple[str, str]]]]:
    """Groups that the record shows leaving a zone together: whose transport they share, if it says so, and who goes.

    Pieces are (owner, kind).
    """
    groups: list[tuple[str | None, list[tuple[str, str]]]] = []
    for moved in turn.moves:
        if moved.path[0] != space or moved.load:
            continue
        ship = any(board.units[some.kind].figure("transport_capacity") for some in moved.units)
        pieces = [(some.owner or turn.power, some.kind) for some in moved.units for _ in range(some.count)]
        groups.append((turn.power if ship else None, pieces))
    return groups


def _stow(
    board: Board,
    rows: dict[str, dict[str, list[dict[str, Any]]]],
    cargo: list[tuple[str, str]],
    parties: Sequence[tuple[str | None, Sequence[tuple[str, str]]]],
    guess: Guess,
) -> None:
    """Put cargo aboard: those who leave together first, then the largest, own ships before those of allies."""
    ships = [
        (owner, state, board.units[kind].figure("transport_capacity"))
        for owner, kinds in rows.items()
        for kind, states in kinds.items()
        for state in states
        if board.units[kind].figure("transport_capacity")
    ]
    room = [capacity for _, _, capacity in ships]

    def size(piece: tuple[str, str]) -> int:
        return board.units[piece[1]].figure("transport_cost", 1)

    def load(pieces: Sequence[tuple[str, str]], aboard: str | None = None) -> bool:
        needed = sum(size(piece) for piece in pieces)
        host = aboard or pieces[0][0]
        order = sorted(range(len(ships)), key=lambda i: (ships[i][0] != host, room[i] != ships[i][2]))
        if guess.last_first:
            order.sort(key=lambda i: (ships[i][0] != host, -i))
        for index in order:
            if room[index] >= needed:
                room[index] -= needed
                for owner, kind in pieces:
                    held = ships[index][1].setdefault("cargo", {}).setdefault(owner, {})
                    held[kind] = held.get(kind, 0) + 1
                return True
        return False

    left = list(cargo)
    for aboard, party in parties:
        pieces: list[tuple[str, str]] = []
        for piece in party:
            if left.count(piece) > pieces.count(piece):
                pieces.append(piece)
        if pieces and (len(pieces) > 1 or aboard) and load(pieces, aboard):
            for piece in pieces:
                left.remove(piece)
    for piece in sorted(left, key=lambda p: -size(p)):
        if not load([piece]):
            states = rows.setdefault(piece[0], {}).setdefault(piece[1], [])
            states.append({})


# -- war and what is remembered ---------------------------------------------------------------------------------------


def wars_before(board: Board, turn: Turn, before: Table, earlier: Sequence[Turn]) -> list[tuple[str, str]]:
    """Pairs at war when the turn begins, beyond those of the printed start.

    Told by earlier declarations; else concluded: powers that fought or took land from each other are at war, unless
    the turn itself tells of their going to war from peace.
    """
    peace = {frozenset(pair) for pair in turn.was_peace}
    found: dict[frozenset[str], tuple[str, str]] = {}

    def note(a: str | None, b: str | None) -> None:
        if a is None or b is None or not (_plays(board, a) and _plays(board, b)) or board.allied(a, b):
            return
        if frozenset((a, b)) not in peace:
            found.setdefault(frozenset((a, b)), (a, b))

    for past in earlier:
        for a, b in past.wars:
            note(a, b)
    for known in (*earlier, turn):
        for battle in known.battles:
            for owner in _fought_against(battle.attacker, battle.entries):
                note(battle.attacker, owner)
        for _, loser, by in known.takes:
            note(by, loser)
    for space, held in before.items():
        if _ever_changed(board, space, held.owner):
            note(held.owner, board.spaces[space].original_owner)
    return list(found.values())


def _all_wars(board: Board, turn: Turn, before: Table, earlier: Sequence[Turn], guess: Guess) -> list[tuple[str, str]]:
    return [*wars_before(board, turn, before, earlier), *guess.wars]


def guesses(board: Board, turn: Turn, before: Table, earlier: Sequence[Turn]) -> Iterator[Guess]:
    """Other pasts that the record leaves open, likelier ones first: who else is at war, and which side declared it."""
    known = [frozenset(pair) for pair in wars_before(board, turn, before, earlier)]
    start = [frozenset(row[:2]) for row in start_relations(board) if row[2] == "war"]
    powers = [power.id for power in board.powers.values() if power.playable]
    peace = {frozenset(pair) for pair in turn.was_peace}
    open_pairs = [
        (a, b)
        for index, a in enumerate(powers)
        for b in powers[index + 1 :]
        if not board.allied(a, b) and frozenset((a, b)) not in {*known, *start, *peace}
    ]
    told = {frozenset(pair) for past in earlier for pair in past.wars}
    for count in range(len(open_pairs) + 1):
        for wars in combinations(open_pairs, count):
            unclear = [*wars, *(tuple(sorted(pair)) for pair in known if pair not in told)]
            yield Guess(wars)
            for side in board.sides.values():
                declared = {
                    by: tuple(foe for pair in unclear if by in pair for foe in pair if foe != by) for by in side
                }
                said = tuple((by, upon) for by, upon in declared.items() if upon)
                if said:
                    yield Guess(wars, said)


def _plays(board: Board, power: str) -> bool:
    return power in board.powers and board.powers[power].playable


def _fought_against(attacker: str | None, entries: Iterable[Any]) -> Iterator[str]:
    for entry in entries:
        for some in entry.units:
            if some.owner is not None and some.owner != attacker:
                yield some.owner


def _ever_changed(board: Board, space: str, owner: str | None) -> bool:
    return owner is not None and owner != board.spaces[space].start_controller


def history(board: Board, turn: Turn, before: Table, earlier: Sequence[Turn]) -> Iterator[dict[str, Any]]:
    """Declarations and captures before the turn, in their order, as a ruling case lists them."""
    told: set[tuple[str, str]] = set()
    for past in earlier:
        upon: dict[str, list[str]] = {}
        for a, b in past.wars:
            if a == past.power and _plays(board, b):
                upon.setdefault(a, []).append(b)
        for by, foes in upon.items():
            yield {"round": past.round, "declared": [by, *foes]}
        for space, _, by in past.takes:
            if _plays(board, by):
                told.add((space, by))
                yield {"round": past.round, "captured": space, "by": by}
    for space in before:
        owner = before[space].owner
        if owner is None or (space, owner) in told or not _ever_changed(board, space, owner):
            continue
        start = board.spaces[space].start_controller
        if _plays(board, owner) and (start is None or not board.allied(owner, start)):
            yield {"round": max(turn.round - 1, 1), "captured": space, "by": owner}
