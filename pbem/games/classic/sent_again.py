"""Moves and placements that ships which got out of a battle made impossible, though they were ordered before it.

The moves are sent again in a window of their own, for the pieces concerned and for nothing else (CLA-14.2); ships that
were to be placed there are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pbem.board.state import State, orders_key
from pbem.board.units import SEA
from pbem.games.classic.sea import SURFACED
from pbem.rules import marks
from pbem.rules.battle.naming import listed
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.carrying_out import Consents
from pbem.rules.movement.landing_room import homeless
from pbem.rules.movement.noncombat import plan_noncombat
from pbem.rules.movement.planning import Done, Fault, Plan
from pbem.rules.movement.ready import NONCOMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import NothingTo, Pick, Place, RestDefault
from pbem.rules.placement import Sites
from pbem.rules.query import count_by_kind, is_ship, names
from pbem.rules.script import Filed, Game

GOT_OUT = "turn/got_out"
"""Mark of the turn: enemy ships that got out of a battle after the orders for the rest of the turn had been filed."""
AGAIN = "turn/sent_again"
"""Mark of the turn: the pieces whose moves became impossible and may be sent again."""


def ordered_before(state: State, power: str, phases: Sequence[str]) -> bool:
    """Whether a power filed orders for the rest of its turn before its battles were fought."""
    return any(state.orders.get(orders_key(power, phase)) for phase in (*phases, "rest"))


def note_who_got_out(game: Game) -> None:
    """Write down which defending ships left a battle of this turn and lie at sea now (CLA-6.8.2, CLA-6.8.6)."""
    power = game.state.power or ""
    out = [
        unit.id
        for unit in game.state.units.values()
        if game.state.at_war(power, unit.owner)
        and is_ship(game.rules, unit)
        and (unit.mark(marks.RETREATED) or unit.mark(SURFACED))
    ]
    out = list(dict.fromkeys((*game.state.marks.get(GOT_OUT, ()), *out)))
    if out:
        game.emit("mark_set", {"key": GOT_OUT, "value": out}, cites(game.rules, "sent_again"))


def _as_if_sunk(state: State) -> State:
    """The position without the ships that got out."""
    gone = state.marks.get(GOT_OUT, ())
    return replace(state, units={unit_id: unit for unit_id, unit in state.units.items() if unit_id not in gone})


# -- moves ------------------------------------------------------------------------------------------------------------


@dataclass
class Stopped:
    """Lines that ships which got out made impossible, by their place among the lines, and the pieces concerned."""

    lines: dict[int, Refusal] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)


def stopped_moves(game: Game, lines: Sequence[Filed]) -> Stopped:
    """Which lines would hold if those ships were not there, and do not because they are (CLA-14.2).

    Aircraft that would have found a deck and now find none are among the pieces concerned, whoever moved them.
    """
    stopped = Stopped()
    moving = {index: line for index, line in enumerate(lines) if not isinstance(line.order, NothingTo | RestDefault)}
    if not game.state.marks.get(GOT_OUT):
        return stopped
    free = _planned(game, _as_if_sunk(game.state), moving.values())
    could = {id(line.filed): line for line in free.done}
    sheltered = set(homeless(free.sketch))
    while True:
        left = [line for index, line in moving.items() if index not in stopped.lines]
        now = _planned(game, game.state, left)
        wrong = {id(failed.filed): failed.refusal for failed in now.failed if id(failed.filed) in could}
        moved_by = {unit: line for line in now.done for unit in line.units}
        for unit in homeless(now.sketch):
            if unit in sheltered:
                continue
            stopped.units[unit] = None
            line = moved_by.get(unit)
            if line is not None:
                wrong.setdefault(id(line.filed), _no_deck(now.sketch, unit))
        if not wrong:
            return stopped
        for index, filed in moving.items():
            if id(filed) in wrong:
                stopped.lines[index] = wrong[id(filed)]
                stopped.units.update(dict.fromkeys(_with_cargo(game.state, could[id(filed)])))


def _planned(game: Game, state: State, lines: Iterable[Filed]) -> Plan:
    consents = Consents(game.rules.parameters.get("allied_cargo_needs_consent", True))
    return plan_noncombat(game.rules, state, state.power or "", list(lines), consents)


def _with_cargo(state: State, line: Done) -> list[str]:
    """The pieces a line moves, and what stands on its ships."""
    return [*line.units, *(cargo.id for unit in line.units for cargo in state.cargo_of(unit))]


def _no_deck(sketch: Sketch, aircraft: str) -> Refusal:
    unit = sketch.unit(aircraft)
    kind = sketch.board.units[unit.kind].name.lower()
    return refuse(sketch.rules, "sent_again", f"No deck is free for this {kind} in {sketch.name(unit.space)}.")


def send_again(game: Game, lines: Sequence[Filed], stopped: Stopped) -> tuple[Filed, ...]:
    """The lines lapse, and a window opens for new ones that move the pieces concerned; gives those lines (CLA-14.2)."""
    state, power = game.state, game.state.power or ""
    out = [state.units[ship] for ship in state.marks[GOT_OUT] if ship in state.units]
    zones = listed(game.rules, tuple(dict.fromkeys(ship.space for ship in out)))
    concerned = [unit_id for unit_id in stopped.units if unit_id in state.units]
    for index, refusal in sorted(stopped.lines.items()):
        why = f"{refusal.reason} Since this line was filed {names(game.rules, out)} withdrew from a battle, to {zones}."
        lapsed = refuse(game.rules, "sent_again", why, "A window is open in which these units are ordered anew.")
        game.refuse(lines[index], NONCOMBAT, lapsed, lapsed=True)
    if not concerned:
        return ()
    game.emit("mark_set", {"key": AGAIN, "value": concerned}, cites(game.rules, "sent_again"))
    asks = [
        {
            "key": f"again:{space}", "power": power, "kind": "sent_again", "space": space,
            "units": count_by_kind(state.units[unit] for unit in concerned if state.units[unit].space == space),
        }
        for space in dict.fromkeys(state.units[unit].space for unit in concerned)
    ]  # fmt: skip
    return game.orders("again", (power,), (NONCOMBAT,), may_skip=True, asks=asks)[NONCOMBAT]


def others_moved(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Lines of that window that move pieces whose moves had not become impossible (CLA-14.2)."""
    concerned: Sequence[str] | None = sketch.state.marks.get(AGAIN)
    if concerned is None:
        return []
    faults = []
    for line in done:
        others = [sketch.unit(unit) for unit in line.units if unit not in concerned]
        if others:
            ordered_anew = names(sketch.rules, (sketch.unit(unit) for unit in concerned if unit in sketch.state.units))
            wrong = (
                f"{names(sketch.rules, others)} did nothing that became impossible; only these units are ordered anew: "
                f"{ordered_anew}."
            )
            faults.append(Fault(line.filed, refuse(sketch.rules, "sent_again", wrong)))
    return faults


# -- placement --------------------------------------------------------------------------------------------------------


def placements_left(game: Game, filed: Sequence[Filed]) -> list[Filed]:
    """The lines of the placement less the ships whose zone those who got out have closed: these are lost (CLA-14.2).

    Nobody orders them anew, and no other zone takes them.
    """
    power = game.state.power or ""
    if not game.state.marks.get(GOT_OUT) or game.rules.judge("capital_lost", game.state, power):
        return list(filed)
    sites: Sites = game.rules.judge("sites", game.state, power)
    left = []
    for line in filed:
        order = line.order
        closed = _closed_to(game, sites, order) if isinstance(order, Place) else ()
        if not isinstance(order, Place) or not closed:
            left.append(line)
            continue
        _lose(game, line, order.space, closed)
        others = tuple(pick for pick in order.units if pick not in closed)
        if others:
            left.append(replace(line, order=replace(order, units=others)))
    return left


def _closed_to(game: Game, sites: Sites, order: Place) -> tuple[Pick, ...]:
    """The ships of a line that could be placed if those who got out were not there, and cannot as it is."""
    if not game.board.spaces[order.space].is_sea:
        return ()
    power, open_sea = game.state.power or "", _as_if_sunk(game.state)

    def may(state: State, kind: str) -> bool:
        return not isinstance(game.rules.judge("site", state, power, sites, kind, order.space), Refusal)

    ships = [pick for pick in order.units if pick.kind in game.board.units]
    ships = [pick for pick in ships if game.board.units[pick.kind].domain == SEA]
    return tuple(pick for pick in ships if may(open_sea, pick.kind) and not may(game.state, pick.kind))


def _lose(game: Game, line: Filed, zone: str, ships: Sequence[Pick]) -> None:
    """The line lapses, and what it would have placed is gone without money back (CLA-9.5)."""
    name = game.board.spaces[zone].name
    why = f"Since this line was filed enemy ships withdrew to {name}: what was to be placed there is lost."
    game.refuse(line, "mobilize", refuse(game.rules, "sent_again", why), lapsed=True)
    for pick in ships:
        waiting = game.state.purchased(line.power).get(pick.kind, 0)
        count = waiting if pick.count is None else min(pick.count, waiting)
        if count:
            gone = {"power": line.power, "items": {pick.kind: -count}, "why": "lost"}
            game.emit("purchases_changed", gone, cites(game.rules, "sent_again", "refund"))
