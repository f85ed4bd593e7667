"""Combined Bomber Offensive: a partner commands the holder's bombers in its next turn.

Ownership never changes by the rules; on the board they count as the partner's from its combat move until they have
landed, so that battles, losses and landings are the partner's (FOV-T04.3, FOV-R20).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.board.state import State
from pbem.games.s42.fov.plays import LENT, lent_by
from pbem.rules import marks
from pbem.rules.order_model import Load, Move, Pick, Unload
from pbem.rules.query import can
from pbem.rules.script import Filed, Game

LENDING = ("FOV-T04.3", "FOV-T04.4", "FOV-T04.6")


def lenders(game: Game, partner: str) -> list[str]:
    """Powers whose bombers a power commands this turn."""
    return [power for power in game.board.powers if game.state.marks.get(lent_by(power, partner))]


def hand_over(game: Game, partner: str) -> None:
    """The lenders' bombers are the partner's to move, from where they stand (FOV-T04.3, FOV-T04.4)."""
    for power in lenders(game, partner):
        bombers = [
            unit.id
            for unit in game.state.units.values()
            if unit.owner == power and can(game.rules, unit, "strategic_bombing") and unit.space in game.board.spaces
        ]
        _convert(game, bombers, partner, power, "lent")


def give_back(game: Game, partner: str, *, unused_only: bool) -> None:
    """Bombers that did not move stay put, and all are the lender's again in the end (FOV-T04.5)."""
    for power in lenders(game, partner):
        bombers = [
            unit.id
            for unit in game.state.units.values()
            if unit.mark(LENT) == power and not (unused_only and unit.mark(marks.MOVED))
        ]
        _convert(game, bombers, power, None, "returned")


def end_lending(game: Game, partner: str) -> None:
    """After the partner's turn the card is spent, used or not (FOV-T04.7, FOV-4.5.1)."""
    for power in lenders(game, partner):
        game.emit("mark_set", {"key": lent_by(power, partner), "value": None}, ("FOV-T04.7",))


def _convert(game: Game, ids: Sequence[str], owner: str, lent: str | None, why: str) -> None:
    for space in dict.fromkeys(game.state.units[unit_id].space for unit_id in ids):
        here = [unit_id for unit_id in ids if game.state.units[unit_id].space == space]
        changed = {"space": space, "units": here, "owner": owner, "why": why}
        game.emit("units_converted", changed, LENDING if lent else ("FOV-T04.5",))
    if ids:
        game.emit("units_marked", {"units": list(ids), "set": {LENT: lent}})


def with_lent(state: State, filed: Iterable[Filed]) -> list[Filed]:
    """Lines in which `1 uk bomber` means a bomber lent by that power, `1 bomber` one of one's own (FOV-FD11)."""
    lent = {unit.id: str(unit.mark(LENT)) for unit in state.units.values() if unit.mark(LENT)}
    return [_with_lent(state, line, lent) for line in filed] if lent else list(filed)


def _with_lent(state: State, line: Filed, lent: dict[str, str]) -> Filed:
    order = line.order
    if not isinstance(order, Move | Load | Unload):
        return line
    units = tuple(_pick(state, line.power, pick, lent) for pick in order.units)
    return replace(line, order=replace(order, units=units))


def _pick(state: State, power: str, pick: Pick, lent: dict[str, str]) -> Pick:
    if pick.kind != "bomber" or pick.ids:
        return pick
    if pick.owner in lent.values():
        return replace(pick, owner=None, ids=tuple(one for one, owner in lent.items() if owner == pick.owner))
    own = tuple(u.id for u in state.units.values() if u.kind == "bomber" and u.owner == power and u.id not in lent)
    return replace(pick, ids=own) if own else pick
