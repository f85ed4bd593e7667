"""Scrambles: aircraft rise from an air base into a sea battle beside it.

Which bases, into which zones, how many and when are judged here; the battle itself is an ordinary sea battle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.amphibious import assaults_from, landings
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.naming import chosen, listed, space_name, words
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.battle.sea_battle import new_sea_battle
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Condition, Order, Scramble
from pbem.rules.query import can, count_by_kind, enemies_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

KEY = "scramble"

# -- from where, into which zones -----------------------------------------------------------------------------------


def base_works(rules: RuleSet, state: State, territory: str) -> bool:
    """Whether a territory has an operative air base: at most two damage (P40-1.2.7, P40-5.2.9)."""
    held = state.spaces.get(territory)
    if held is None:
        return False
    for kind, damage in held.facilities:
        facility = rules.board.units[kind]
        if facility.can("enables_scramble"):
            return damage < facility.figure("inoperative_at", 3)
    return False


def has_base(rules: RuleSet, state: State, territory: str) -> bool:
    """Whether there is an air base, operative or not."""
    held = state.spaces.get(territory)
    return held is not None and any(rules.board.units[kind].can("enables_scramble") for kind, _ in held.facilities)


def may_have_scrambles(rules: RuleSet, territory: str) -> bool:
    """Whether aircraft may scramble from this kind of territory: islands only, or any (P40-5.2.1)."""
    return rules.parameter("scramble_from") == "any" or rules.board.spaces[territory].island


def zones_open(rules: RuleSet, state: State, power: str, territory: str) -> tuple[str, ...]:
    """Zones into which a power's aircraft may scramble from a territory (P40-5.2.2).

    There the active power attacks the scrambler's side, or lands from there: on that very territory, or anywhere
    where the parameter `scramble_any_assault_in_zone` says so. Presence or passage is not enough.
    """
    active = state.power or ""
    if not state.at_war(power, active) or not base_works(rules, state, territory):
        return ()
    controller = state.controller(territory)
    if not may_have_scrambles(rules, territory) or controller is None or state.at_war(power, controller):
        return ()
    any_assault = rules.parameter("scramble_any_assault_in_zone")
    found = []
    for zone in rules.board.seas_beside(territory):
        targets = assaults_from(state, active, zone)
        if sea_battle_due(rules, state, active, zone) or (targets if any_assault else territory in targets):
            found.append(zone)
    return tuple(found)


def ready_aircraft(rules: RuleSet, state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """A power's fighters and tactical bombers standing in a territory (P40-5.2.1, P40-5.2.7)."""
    return tuple(
        unit
        for unit in state.units_in(territory)
        if unit.owner == power and unit.aboard is None and can(rules, unit, "scramble")
    )


def _threatened(rules: RuleSet, state: State) -> dict[str, None]:
    """Territories with an air base beside a zone where the active power has ships or aircraft, or lands from."""
    active = state.power or ""
    zones = {unit.space for unit in state.units.values() if unit.owner == active}
    zones |= {zone for start in landings(state, active).values() for zone in start}
    return {
        territory: None
        for zone in rules.board.in_board_order(zones)
        if rules.board.spaces[zone].is_sea
        for territory in rules.board.lands_beside(zone)
        if base_works(rules, state, territory)
    }


def openings(rules: RuleSet, state: State, power: str) -> dict[str, tuple[str, ...]]:
    """For each base from which a power has aircraft that may scramble, the zones they may go to."""
    found: dict[str, tuple[str, ...]] = {}
    for territory in _threatened(rules, state):
        if ready_aircraft(rules, state, power, territory):
            zones = zones_open(rules, state, power, territory)
            if zones:
                found[territory] = zones
    return found


# -- asking ---------------------------------------------------------------------------------------------------------


def scramble_decisions(game: Game) -> list[Decision]:
    """One decision for each defending power with aircraft that may scramble (P40-5.2.3, P40-5.2.7, P40-DP-11).

    Silent: nobody scrambles (P40-11.4).
    """
    rules, state = game.rules, game.state
    decisions = []
    for power in enemies_of(rules, state, state.power or ""):
        open_to = openings(rules, state, power)
        if open_to:
            decisions.append(_decision(game, power, open_to))
    return decisions


def _decision(game: Game, power: str, open_to: Mapping[str, tuple[str, ...]]) -> Decision:
    rules, state = game.rules, game.state

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, list[tuple[int, Refusal]]]:
        return read_scrambles(rules, state, power, [order for order in orders if isinstance(order, Scramble)])

    def interpret(order: Order) -> Any:
        value, refusals = interpret_all([order])
        return refusals[0][1] if refusals else value

    return Decision(
        key=f"{KEY}:{power}",
        power=power,
        kind="scramble",
        interpret=interpret,
        interpret_all=interpret_all,
        default=list,
        rules=rules_for(rules, "reactions"),
        public={
            "bases": [
                {"space": base, "zones": list(zones), "units": count_by_kind(ready_aircraft(rules, state, power, base))}
                for base, zones in open_to.items()
            ]
        },
        subject=_scramble_subject(game, power, open_to),
        reaction=True,
    )


def _scramble_subject(
    game: Game, power: str, open_to: Mapping[str, tuple[str, ...]]
) -> Callable[[Condition], int | None]:
    """As for every reaction; `odds` are the defenders' in the sea battle if all aircraft that may do scramble."""
    common = reaction_subject(game)

    def value(condition: Condition) -> int | None:
        if condition.subject != "odds" or "odds" not in game.rules.judgements:
            return common(condition)
        zones = dict.fromkeys(zone for spaces in open_to.values() for zone in spaces)
        if len(zones) != 1 and condition.space not in zones:
            return None
        zone = condition.space if condition.space in zones else next(iter(zones))
        state = game.state
        battle = new_sea_battle(game.rules, state, state.power or "", zone)
        for base, spaces in open_to.items():
            if zone in spaces:
                battle.defenders += [unit.id for unit in ready_aircraft(game.rules, state, power, base)]
        chance = game.rules.judge("odds", state, battle)
        return None if chance is None else 1_000_000 - int(chance)

    return value


def reaction_subject(game: Game) -> Callable[[Condition], int | None]:
    """Numbers a reaction's condition may test: attackers, bombers and escorts in a space, spaces taken."""

    def value(condition: Condition) -> int | None:
        state = game.state
        active = state.power or ""
        if condition.subject == "taken" and condition.space is not None:
            return int(state.controller(condition.space) == active)
        there = [
            unit
            for unit in state.units.values()
            if unit.owner == active and unit.aboard is None and condition.space in (None, unit.space)
        ]
        if condition.subject in ("bombers", "escorts"):
            job = "raid" if condition.subject == "bombers" else "escort"
            return sum(1 for unit in there if unit.mark(marks.JOB) == job)
        if condition.subject == "attackers":
            meant = [unit for unit in there if condition.kind in (None, "unit", unit.kind)]
            at_sea = [space.id for space in game.board.spaces.values() if space.is_sea]
            return sum(1 for unit in meant if unit.mark(marks.MOVED) or unit.space in at_sea)
        if condition.subject == "landing":
            return sum(1 for unit in state.units.values() if unit.owner == active and unit.mark(marks.LANDING))
        return None

    return value


def read_scrambles(
    rules: RuleSet, state: State, power: str, orders: Sequence[Scramble]
) -> tuple[list[list[str]], list[tuple[int, Refusal]]]:
    """What a power's scramble lines mean: [unit, base, zone] rows, and the refusals by line.

    Lines are read in order; each aircraft goes once, each base sends no more than its limit (P40-5.2.1).
    """
    rows: list[list[str]] = []
    refusals: list[tuple[int, Refusal]] = []
    for index, order in enumerate(orders):
        if not order.units:
            continue
        found = _one_line(rules, state, power, order, rows)
        if isinstance(found, Refusal):
            refusals.append((index, found))
        else:
            rows += found
    return rows, refusals


def _one_line(
    rules: RuleSet, state: State, power: str, order: Scramble, rows: Sequence[Sequence[str]]
) -> list[list[str]] | Refusal:
    wrong = scramble_refusal(rules, state, power, order)
    if wrong is not None:
        return wrong
    open_to = openings(rules, state, power)
    base = order.space or next(iter(open_to), "")
    zone = order.zone or (open_to.get(base) or ("",))[0]
    used = [row[0] for row in rows]
    ready = [unit for unit in ready_aircraft(rules, state, power, base) if unit.id not in used]
    taken, missing = chosen(rules, state, order.units, ready, power)
    if missing is not None:
        return refuse(
            rules,
            "scramble.who",
            f"There are not {words(rules, missing)} of yours left in {space_name(rules, base)} that can scramble.",
        )
    limit = rules.parameter("scramble_cap_per_base")
    gone = sum(1 for row in rows if row[1] == base)
    if limit is not None and gone + len(taken) > limit:
        return refuse(
            rules,
            "scramble.limit",
            f"At most {limit} aircraft may scramble from the air base of {space_name(rules, base)} in a turn.",
            f"scramble {max(limit - gone, 0)} fighter {space_name(rules, base)} -> {space_name(rules, zone)}",
        )
    return [[unit_id, base, zone] for unit_id in taken]


def scramble_refusal(
    rules: RuleSet, state: State, power: str, order: Scramble, *, later: bool = False
) -> Refusal | None:
    """Why a scramble is illegal whatever else is ordered: the aircraft, the base, the zone or the occasion.

    A standing order for `later` is refused only for what no moves of others can mend.
    """
    for pick in order.units:
        kind = rules.board.units.get(pick.kind)
        if kind is not None and not kind.can("scramble"):
            return refuse(rules, "scramble.who", f"{kind.plural} cannot scramble; fighters and tactical bombers can.")
    base = order.space
    if base is None:
        if order.units and not later and not openings(rules, state, power):
            return refuse(rules, "scramble.trigger", "Nothing calls for a scramble from any of your air bases.")
        return None
    here = space_name(rules, base)
    if not has_base(rules, state, base) or not may_have_scrambles(rules, base):
        what = "an island with an air base" if rules.parameter("scramble_from") != "any" else "an air base"
        return refuse(rules, "scramble.who", f"Aircraft scramble only from {what}; {here} is none.")
    if not later and not base_works(rules, state, base):
        return refuse(
            rules, "scramble.base", f"The air base of {here} has three or more damage and cannot launch aircraft."
        )
    if order.zone is not None and not rules.board.adjacent(base, order.zone):
        return refuse(
            rules,
            "scramble.who",
            f"Aircraft from {here} scramble only into {listed(rules, rules.board.seas_beside(base))}, "
            f"not into {space_name(rules, order.zone)}.",
        )
    return None if later else _occasion(rules, state, power, order)


def _occasion(rules: RuleSet, state: State, power: str, order: Scramble) -> Refusal | None:
    """Whether the active power's moves allow a scramble from that base into that zone (P40-5.2.2)."""
    base = order.space or ""
    zones = zones_open(rules, state, power, base)
    here = space_name(rules, base)
    wanted = order.zone
    if zones and (wanted is None or wanted in zones):
        return None
    there = space_name(rules, wanted) if wanted is not None else "any zone beside it"
    return refuse(
        rules,
        "scramble.trigger",
        f"Aircraft from {here} may not scramble into {there}: the enemy neither attacks there nor lands from there.",
        f"scramble from {here} into {listed(rules, zones)}" if zones else None,
    )


# -- flying ---------------------------------------------------------------------------------------------------------


def fly_scrambles(game: Game, answers: Mapping[str, Any]) -> None:
    """Scrambled aircraft go to their zones, where they defend in the sea battle and nowhere else (P40-5.2.4).

    The powers' choices were made apart: a base that all of them together would overtax sends the first in the
    board's order of powers.
    """
    limit = game.rules.parameters.get("scramble_cap_per_base")
    sent: dict[str, int] = {}
    groups: dict[tuple[str, str, str], list[str]] = {}
    for power in game.board.powers:
        for unit_id, base, zone in answers.get(f"{KEY}:{power}", ()):
            if limit is not None and sent.get(base, 0) >= limit:
                game.emit(
                    "scramble_held_back",
                    {"power": power, "unit": unit_id, "space": base, "zone": zone, "limit": limit},
                    rules_for(game.rules, "scramble.limit"),
                )
                continue
            sent[base] = sent.get(base, 0) + 1
            groups.setdefault((power, base, zone), []).append(unit_id)
    for (power, base, zone), units in groups.items():
        game.emit(
            "units_moved",
            {
                "units": units,
                "from": base,
                "to": zone,
                "why": "scramble",
                "power": power,
                "marks": {marks.SCRAMBLED_FROM: base},
            },
            rules_for(game.rules, "scramble.go"),
        )
