"""A territory changes hands: who gets it, what goes with it, what a fallen or freed capital means.

The act itself is here; who gets a territory is a judgement that games with allies in exile replace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.citations import cites
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


@dataclass(frozen=True, slots=True)
class Claim:
    """Who gets control of a territory that a power has won, and by which rules."""

    power: str
    rules: tuple[str, ...]


def capture(game: Game, space: str, power: str, land_units: Sequence[str] = ()) -> None:
    """A power's surviving land units hold a hostile territory (P40-6.10.1, P40-6.10.2): all that follows at once.

    `land_units` are the ids of the pieces that hold it: where none of them fought, it was taken undefended.
    """
    before = game.state.controller(space)
    game.run("territory_taken", space, power)
    claim: Claim = game.rules.judge("claim", game.state, power, space)
    fought = any(game.state.units[unit].mark(marks.FOUGHT) for unit in land_units if unit in game.state.units)
    with_facilities = ("facilities_pass",) if game.state.spaces[space].facilities else ()
    topic = "won" if fought else "undefended"
    if before is None and cites(game.rules, "neutral_taken"):
        topic = "neutral_taken"
    how = cites(game.rules, topic, *with_facilities)
    for key, value in game.rules.judgements["marks_of_capture"](
        game.rules, game.state.marks, space, power, game.segment
    ).items():
        game.emit("mark_set", {"key": key, "value": value})
    change_control(game, space, claim.power, "captured" if claim.power == power else "liberated", (*how, *claim.rules))
    take_guns(game, space, claim.power)
    game.run("facilities_taken", space, claim.power)
    if before is not None and game.board.spaces[space].capital_of == before:
        plunder(game, before, power)
    if game.board.spaces[space].capital_of == claim.power:
        restore_power(game, claim.power)


def change_control(game: Game, space: str, to: str | None, why: str, rules: Sequence[str]) -> None:
    """Control passes; who held the territory when the turn began is remembered (P40-1.2.10), victory is watched.

    Income levels follow by themselves: income is counted when it is collected (P40-6.10.10).
    """
    before = game.state.controller(space)
    if before == to:
        return
    if marks.taken(space) not in game.state.marks:
        game.emit("mark_set", {"key": marks.taken(space), "value": before or ""})
    game.emit("control_changed", {"space": space, "from": before, "to": to, "why": why}, rules)
    game.run("watch_victory")


def claim(rules: RuleSet, state: State, power: str, space: str) -> Claim:
    """Who gets a territory that `power` has won: its first owner if an ally whose capital is free, else the winner.

    P40-6.10.5 and P40-6.10.6; no two Allies can claim at once (P40-6.10.9). Land of the enemy's belongs to who took it
    last (S42-6.2.6), one's own is simply one's own again (S42-6.2.5), land without value is land (S42-6.1.6).
    """
    owner = rules.board.spaces[space].original_owner
    if owner is None or owner == power or not rules.judge("allies", state, power, owner):
        return Claim(power, ())
    if rules.judge("capital_lost", state, owner) and rules.board.spaces[space].capital_of != owner:
        return Claim(power, cites(rules, "kept_for_ally"))
    freed = ("capital_freed",) if rules.board.spaces[space].capital_of == owner else ()
    return Claim(owner, cites(rules, "liberated", *freed))


def marks_of_capture(rules: RuleSet, past: Mapping[str, Any], space: str, power: str, segment: str) -> dict[str, Any]:
    """What is kept for ever of a capture: nothing, in a game whose rules never ask."""
    return {}


def take_guns(game: Game, space: str, to: str) -> None:
    """AA guns that can be captured go to the new controller and may not be used or moved this turn (P40-6.10.3)."""
    guns = [
        unit.id
        for unit in game.state.units_in(space)
        if unit.aboard is None and can(game.rules, unit, "capturable") and game.state.at_war(unit.owner, to)
    ]
    if guns:
        taken = {"space": space, "units": guns, "owner": to, "why": "captured"}
        game.emit("units_converted", taken, cites(game.rules, "guns_taken"))
        game.emit("units_marked", {"units": guns, "set": {marks.CAPTURED: True}})


def facilities_taken(game: Game, space: str, to: str) -> None:
    """Facilities go to the new controller (P40-6.10.3); a major complex becomes a minor one (P40-6.10.4)."""
    for kind, damage in game.state.spaces[space].facilities:
        if game.board.units[kind].can("becomes_minor_when_captured"):
            limit = game.board.units["ic_minor"].figure("max_damage", damage)
            game.emit(
                "facility_changed",
                {"space": space, "kind": kind, "damage": min(damage, limit), "becomes": "ic_minor", "why": "captured"},
                cites(game.rules, "major_becomes_minor"),
            )


def plunder(game: Game, loser: str, captor: str) -> None:
    """The treasury of a power whose capital falls goes to the captor (P40-6.11.1, P40-6.11.6), never to come back.

    A second time like the first (S42-6.3.4); pieces and complexes elsewhere remain (S42-6.3.6).
    """
    money = game.state.counter(loser)
    if money > 0:
        for power, by in ((loser, -money), (captor, money)):
            moved = {"power": power, "counter": "ipc", "by": by, "why": "plunder"}
            game.emit("counter_changed", moved, cites(game.rules, "plunder"))


def restore_power(game: Game, power: str) -> None:
    """A capital is free: its power's own territories in friendly hands return, guns not (P40-6.11.5, P40-6.10.6).

    They return at once, without a choice (P40-13-B25).

    Income that allies collected meanwhile is not paid back (P40-6.11.7). The step `territory_returned` (space, from,
    to) does what else follows, if a rule set has it.
    """
    for space in game.board.spaces.values():
        holder = game.state.controller(space.id)
        if space.original_owner != power or holder in (None, power):
            continue
        if game.rules.judge("allies", game.state, power, holder):
            change_control(game, space.id, power, "returned", cites(game.rules, "restored"))
            if "territory_returned" in game.rules.steps:
                game.run("territory_returned", space.id, holder, power)
