"""What came of a replayed turn against what is recorded: money, dice, battles, control, income and the whole board.

Every difference is one sentence that names the place, what came, and what is recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.audit.turns_dice import TurnDice
from pbem.audit.turns_record import Fought, Moved, Standing, Table, Turn
from pbem.board.map import Board
from pbem.board.state import State
from pbem.dice.purpose import Purpose
from pbem.rules.battle.dice_steps import side_of_step
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn as the rules played it."""

    rules: RuleSet
    turn: Turn
    before: State
    after: State
    events: tuple[Emitted, ...]
    dice: TurnDice


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference and the spaces or powers that it is about."""

    text: str
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


def differences(played: Replayed, expected: Table, undone: Sequence[Moved] = ()) -> list[Difference]:
    """All differences, in the order of the turn. `expected` is the board that must come without the moves `undone`."""
    untaken = frozenset(moved.path[-1] for moved in undone)
    return [
        *_money_bought(played),
        *_batches(played),
        *_battles(played),
        *_control(played, expected, untaken),
        *_income(played),
        *_money_after(played),
        *_board(played, expected),
    ]


# -- money ------------------------------------------------------------------------------------------------------------


def _money_bought(played: Replayed) -> Iterator[Difference]:
    turn = played.turn
    if turn.money_bought is None:
        return
    money = played.before.counter(turn.power)
    for event in played.events:
        if event.type == "counter_changed" and event.payload["power"] == turn.power:
            money += event.payload["by"] if event.payload["counter"] == "ipc" else 0
        elif event.type == "phase_ended" and event.payload["phase"] == "purchase":
            break
    if money != turn.money_bought:
        yield Difference(f"money after the purchase: {money}, recorded {turn.money_bought}", (turn.power,))


def _money_after(played: Replayed) -> Iterator[Difference]:
    for power, recorded in played.turn.money_after.items():
        money = played.after.counter(power)
        if money != recorded:
            name = played.rules.board.powers[power].name
            yield Difference(f"money of {name} after the turn: {money}, recorded {recorded}", (power,))


def _income(played: Replayed) -> Iterator[Difference]:
    recorded, turn = played.turn.income, played.turn
    account = next((e.payload for e in reversed(played.events) if e.type == "income_collected"), None)
    if account is None:
        if recorded.collected is not None:
            yield Difference("no income was collected", (turn.power,))
        return
    land = account["territories"] - account["convoy_loss"]
    if recorded.collected is not None and land != recorded.collected:
        yield Difference(
            f"income of the land less convoys: {land}, recorded {recorded.collected}", (turn.power, "income")
        )
    if recorded.convoy_lost is not None and account["convoy_loss"] != recorded.convoy_lost:
        yield Difference(
            f"convoy losses: {account['convoy_loss']}, recorded {recorded.convoy_lost}", (turn.power, "convoys")
        )
    paid = [ipc for name, ipc in account["objectives"] for ipc in _pieces(played.rules, name, ipc)]
    if recorded.objectives is not None and sorted(paid) != sorted(recorded.objectives):
        named = ", ".join(f"{name} {ipc}" for name, ipc in account["objectives"]) or "none"
        text = ", ".join(map(str, recorded.objectives)) or "none"
        yield Difference(f"objectives: {named}; recorded {text}", (turn.power, "objectives"))


def _pieces(rules: RuleSet, name: str, ipc: int) -> list[int]:
    """What an objective paid, in the sums in which it is recorded: one for each space that counts."""
    for row in rules.board.facts.get("national_objectives", ()):
        if row["id"] == name and row.get("kind") == "per_space" and row["ipc"]:
            return [int(row["ipc"])] * (ipc // int(row["ipc"]))
    return [ipc]


# -- dice and battles -------------------------------------------------------------------------------------------------


def _batches(played: Replayed) -> Iterator[Difference]:
    """Number needed and hits of each batch, and batches that only one of the two sides knows."""
    for event in played.events:
        if event.type != "dice_rolled":
            continue
        purpose = Purpose.parse(event.payload["purpose"])
        recorded = played.dice.given.get(event.payload["purpose"], ())
        if side_of_step(purpose.step) is None or not any(die.need for die in recorded):
            continue
        needs = sorted(die["need"] for die in event.payload["dice"])
        wanted = sorted(die.need for die in recorded)
        hits = sum(die["need"] >= face for die, face in zip(event.payload["dice"], event.payload["faces"], strict=True))
        told = played.dice.hits.get(event.payload["purpose"], hits)
        where = f"{_name(played, purpose.space)}, round {purpose.battle_round}, {purpose.step}"
        if needs != wanted:
            yield Difference(f"{where}: needed are {needs}, recorded {wanted}", (purpose.space or "",))
        if hits != told:
            yield Difference(f"{where}: {hits} hits, recorded {told}", (purpose.space or "",))
    for problem in played.dice.problems:
        yield Difference(problem, (problem.partition(",")[0],))
    for battle, entry in played.dice.unused():
        if _only_sank_the_helpless(played, battle, entry.round, entry.side):
            continue
        what = f"{len(entry.dice)} recorded dice ({entry.side or 'AA'}, round {entry.round})"
        yield Difference(f"{_name(played, battle.space)}: {what} were not rolled", (battle.space,))
    for zone, faces in played.dice.unused_convoys().items():
        yield Difference(f"{_name(played, zone)}: {len(faces)} recorded convoy dice were not rolled", (zone,))


def _only_sank_the_helpless(played: Replayed, battle: Fought, round_: int, side: str | None) -> bool:
    """Whether a recorded batch had nothing left to sink but transports, which the rules sink without dice."""
    if side != "attack" or battle.kind != "sea":
        return False
    units = played.rules.board.units
    later = [entry for entry in battle.entries if entry.what in ("lost", "damaged") and entry.side == "defend"]
    lost = [some for entry in later if entry.round >= round_ for some in entry.units]
    sunk = any(
        event.type == "units_removed" and event.payload.get("space") == battle.space
        and event.payload.get("step") in ("settle", "settle_at_once", "lone_transports")
        for event in played.events
    )  # fmt: skip
    return sunk and bool(lost) and units[lost[-1].kind].figure("transport_capacity") > 0


def _battles(played: Replayed) -> Iterator[Difference]:
    ended = [event.payload for event in played.events if event.type == "battle_ended"]
    begun = {e.payload["battle"]: e.payload for e in played.events if e.type == "battle_begun"}
    for battle in played.turn.battles:
        if battle.winner is None or battle.kind == "raid":
            continue
        fought = [row for row in ended if row["space"] == battle.space and not row["battle"].startswith("raid")]
        name = _name(played, battle.space)
        if not fought:
            yield Difference(f"{name}: no battle was fought", (battle.space,))
            continue
        yield from _outcome(played, battle, fought[-1])
    known = {battle.space for battle in played.turn.battles}
    for row in ended:
        if row["space"] not in known and begun[row["battle"]]["defenders"]:
            yield Difference(f"{_name(played, row['space'])}: a battle that is not recorded", (row["space"],))


def _outcome(played: Replayed, battle: Fought, row: Mapping[str, Any]) -> Iterator[Difference]:
    name = _name(played, battle.space)
    won = battle.winner == battle.attacker
    left = {side: _kinds(row["survivors"][side]) for side in ("attack", "defend")}
    if (row["result"] == "attacker") != won:
        yield Difference(
            f"{name}: the battle ended as {row['result']}, recorded winner {battle.winner}", (battle.space,)
        )
        return
    yield from _losses(played, battle)
    if battle.survivors is None:
        return
    wanted: Counter[str] = Counter()
    for some in battle.survivors:
        wanted[some.kind] += some.count
    came = left["attack" if won else "defend"]
    kinds = [kind for kind in {**wanted, **came} if _fights(played.rules.board, battle, kind)]
    if any(wanted[kind] != came[kind] for kind in kinds):
        yield Difference(f"{name}: survivors {_shown(came)}, recorded {_shown(wanted)}", (battle.space,))


def _losses(played: Replayed, battle: Fought) -> Iterator[Difference]:
    """Who was lost on both sides, cargo left out."""
    units = played.rules.board.units
    recorded = Counter(
        {(some.owner, some.kind): 0 for entry in battle.entries for some in entry.units if entry.what == "lost"}
    )
    for entry in battle.entries:
        for some in entry.units if entry.what == "lost" else ():
            recorded[(some.owner, some.kind)] += some.count
    came: Counter[tuple[str | None, str]] = Counter()
    for event in played.events:
        body = event.payload
        if event.type == "units_removed" and "battle" in body and body["space"] == battle.space:
            came.update((owner, kind) for _, kind, owner in body["lost"])
    for key in sorted({*recorded, *came}, key=str):
        owner, kind = key
        if battle.kind == "sea" and units[kind].domain == "land":
            continue
        if recorded[key] != came[key]:
            name = _name(played, battle.space)
            yield Difference(f"{name}: {owner} loses {came[key]} {kind}, recorded {recorded[key]}", (battle.space,))


def _fights(board: Board, battle: Fought, kind: str) -> bool:
    """Whether a kind of piece counts among survivors: no facilities, no guns that fire at aircraft only, no cargo."""
    if kind not in board.units:
        return False
    table = board.units[kind]
    idle = table.can("anti_air") and not table.attack and not table.defense
    return table.domain != "facility" and not idle and not (battle.kind == "sea" and table.domain == "land")


def _kinds(rows: Iterable[Sequence[str]]) -> Counter[str]:
    return Counter(kind for _, kind, _ in rows)


def _shown(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()) if count) or "none"


# -- control and the board --------------------------------------------------------------------------------------------


def _control(played: Replayed, expected: Table, untaken: frozenset[str]) -> Iterator[Difference]:
    listed = played.turn.control_changes
    changes = {space: (was, now) for space, was, now in listed or ()}
    for space, printed in played.rules.board.spaces.items():
        if printed.is_sea or space not in expected:
            continue
        was, now, wanted = played.before.controller(space), played.after.controller(space), expected[space].owner
        name = _name(played, space)
        if now != wanted:
            yield Difference(f"{name}: control goes to {now or 'nobody'}, recorded {wanted or 'nobody'}", (space,))
        elif listed is not None and space not in untaken and (was != now) != (space in changes):
            said = "is not listed" if was != now else "is listed and did not happen"
            yield Difference(f"{name}: this change of control {said}", (space,))


def table_of(board: Board, state: State) -> Table:
    """The whole board as it stands in a state."""
    units: dict[str, Counter[tuple[str, str, int]]] = {}
    for unit in state.units.values():
        units.setdefault(unit.space, Counter())[(unit.owner, unit.kind, unit.damage)] += 1
    table: Table = {}
    for space in board.spaces:
        held = state.spaces.get(space)
        facilities = dict(held.facilities) if held is not None else {}
        table[space] = Standing(state.controller(space), dict(units.get(space, {})), facilities)
    return table


def _board(played: Replayed, expected: Table) -> Iterator[Difference]:
    came = table_of(played.rules.board, played.after)
    for space, standing in came.items():
        wanted = expected.get(space, Standing(None))
        texts = [
            *_count_differences(standing.units, wanted.units),
            *_facility_differences(standing.facilities, wanted.facilities),
        ]
        for text in texts:
            yield Difference(f"{_name(played, space)}: {text}", (space,))


def _count_differences(came: Mapping[Any, int], wanted: Mapping[Any, int]) -> Iterator[str]:
    for key in sorted({*came, *wanted}):
        if came.get(key, 0) != wanted.get(key, 0):
            owner, kind, damage = key
            hit = f" with {damage} hit" if damage else ""
            yield f"{owner} has {came.get(key, 0)} {kind}{hit}, recorded {wanted.get(key, 0)}"


def _facility_differences(came: Mapping[str, int], wanted: Mapping[str, int]) -> Iterator[str]:
    for kind in sorted({*came, *wanted}):
        if came.get(kind) != wanted.get(kind):
            said = [("none" if row.get(kind) is None else f"damage {row[kind]}") for row in (came, wanted)]
            yield f"{kind}: {said[0]}, recorded {said[1]}"


def _name(played: Replayed, space: str | None) -> str:
    known = played.rules.board.spaces.get(space or "")
    return known.name if known is not None else str(space)


# -- what a refused move leaves undone --------------------------------------------------------------------------------


def without_moves(board: Board, turn: Turn, before: Table, expected: Table, refused: Sequence[Moved]) -> Table:
    """The expected board when these moves were never made: their units stay, what they alone entered is not taken."""
    table = dict(expected)
    gone = {moved.number for moved in refused}
    for moved in refused:
        for some in moved.units:
            key = (some.owner or turn.power, some.kind, some.damage)
            for space, change in ((moved.path[-1], -some.count), (moved.path[0], some.count)):
                held = table.get(space, Standing(None))
                count = held.units.get(key, 0) + change
                units = {known: n for known, n in held.units.items() if known != key}
                table[space] = replace(held, units={**units, key: count} if count > 0 else units)
        last = moved.path[-1]
        others = any(known.path[-1] == last and known.number not in gone for known in turn.moves)
        if not others:
            owner = before[last].owner if last in before else board.spaces[last].start_controller
            table[last] = replace(table.get(last, Standing(None)), owner=owner)
    return table
