"""Retreats at sea: any adjacent zone, occupied or not, or breaking off contact, ship by ship, on either side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.classic.err.moving import leave
from pbem.games.classic.err.reading import STAYS, Reading, before_any_round, first_legal, meant, refuse, stands
from pbem.games.classic.err.terms import BREAK_OFF, FLY, SEA, Goes, by_name, zones_open
from pbem.games.classic.withdrawal import SUBMERGES, common_places, is_submarine
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject, odds_now
from pbem.rules.battle.model import ATTACK, DEFEND, WON, Battle, BattleStep, other_side
from pbem.rules.battle.model import RETREAT as RETREATED_RESULT
from pbem.rules.battle.naming import listed, space_name
from pbem.rules.battle.plans import plan_presses_on, retreat_planned
from pbem.rules.battle.press_on import default_presses_on
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import BattlePlan, Order, Retreat, Submerge
from pbem.rules.query import can, count_by_kind, is_air, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

LEFT = "left"
"""Note of a battle: the defending powers whose ships retreated from it."""

# -- what is open -----------------------------------------------------------------------------------------------------


def ships_of(rules: RuleSet, state: State, battle: Battle, side: str, power: str) -> list[Unit]:
    """A power's ships in a sea battle."""
    return [unit for unit in battle.units(state, side) if unit.owner == power and is_ship(rules, unit)]


def places(rules: RuleSet, state: State, battle: Battle, side: str, power: str) -> dict[str, tuple[Goes, ...]]:
    """For each ship every zone it may go to, and breaking off (ERR-9.1 to 9.4, 10.2); attacking aircraft stay over it.

    It does not matter where ships came from, nor who lies in the zone.
    """
    zones = zones_open(rules, state, power, battle.space)
    found = {
        ship.id: (*(Goes(ship.id, SEA, zone) for zone in zones), Goes(ship.id, BREAK_OFF, battle.space))
        for ship in ships_of(rules, state, battle, side, power)
    }
    if side == ATTACK:
        for unit in _aircraft(rules, state, battle):
            found[unit.id] = (Goes(unit.id, FLY, battle.space),)
    return found


def _aircraft(rules: RuleSet, state: State, battle: Battle) -> list[Unit]:
    guests = battle.notes.get("guests", ())
    return [unit for unit in battle.units(state, ATTACK) if is_air(rules, unit) and unit.id not in guests]


def offered(rules: RuleSet, state: State, battle: Battle, side: str, power: str) -> list[dict[str, Any]]:
    """The options as the window shows them: for ships the zones and breaking off, attacking aircraft stop fighting."""
    zones = by_name(rules, zones_open(rules, state, power, battle.space))
    to = [{"how": SEA, "space": zone} for zone in zones] + [{"how": BREAK_OFF, "space": battle.space}]
    ships = count_by_kind(ships_of(rules, state, battle, side, power))
    own = (unit for unit in battle.units(state, side) if unit.owner == power and is_air(rules, unit))
    aircraft = count_by_kind(own) if side == ATTACK else {}
    stop = [{"how": FLY, "space": battle.space}]
    return [
        *({"kind": kind, "count": count, "to": to} for kind, count in ships.items()),
        *({"kind": kind, "count": count, "to": stop} for kind, count in aircraft.items()),
    ]


# -- the steps --------------------------------------------------------------------------------------------------------


def attackers_retreat(game: Game, battle: Battle) -> None:
    """The attacker's decision, before the defender's (ERR-3.4, 3.5, 9.1); silence presses on (ERR-D09)."""
    power = battle.attacker
    decision = _question(game, battle, ATTACK, power)
    answer = game.ask([decision])[decision.key]
    if answer["goes"]:
        leave(game, battle, [Goes(*row) for row in answer["goes"]], ATTACK)
    guests = battle.notes.get("guests", ())
    left = battle.units(game.state, ATTACK)
    if all(unit.id in guests for unit in left):
        battle.leave([unit.id for unit in left])
        battle.result = RETREATED_RESULT


def defenders_retreat(game: Game, battle: Battle) -> None:
    """If the attacker stays, each defending power decides (ERR-10.1, 10.9, 3.7); silence stands (ERR-D10).

    When all have left or broken off the battle is over and the attackers hold the zone (ERR-10.7, ERR-10.10). Fighters
    for whom retreating carriers have no room are orphans then (ERR-10.5); those who only lost their carrier fight on
    (ERR-3.8).
    """
    owners = dict.fromkeys(unit.owner for unit in battle.units(game.state, DEFEND) if is_ship(game.rules, unit))
    decisions = [_question(game, battle, DEFEND, owner) for owner in owners]
    answers = game.ask(decisions)
    for decision in decisions:
        plan = [Goes(*row) for row in answers[decision.key]["goes"]]
        if plan:
            _take_orphans_aboard(game, battle, plan)
            aboard = {goes.unit for goes in plan}
            wings = [u.id for u in battle.units(game.state, DEFEND) if is_air(game.rules, u) and u.aboard in aboard]
            leave(game, battle, plan, DEFEND)
            battle.leave(wings)
            battle.notes.setdefault(LEFT, []).append(decision.power)
    left = battle.units(game.state, DEFEND)
    if all(is_air(game.rules, unit) and unit.owner in battle.notes.get(LEFT, ()) for unit in left):
        battle.leave([unit.id for unit in left])
        battle.result = WON


def _take_orphans_aboard(game: Game, battle: Battle, plan: Sequence[Goes]) -> None:
    """Fighters without a deck go along on retreating carriers, two to a carrier; others are orphans (ERR-10.5)."""
    for goes in plan:
        carrier = game.state.units[goes.unit]
        room = game.board.units[carrier.kind].figure("carrier_capacity") - sum(
            1 for unit in game.state.cargo_of(carrier.id) if is_air(game.rules, unit)
        )
        for unit in battle.units(game.state, DEFEND):
            if room > 0 and unit.aboard is None and can(game.rules, unit, "carrier_capable"):
                landed = {"units": [unit.id], "onto": carrier.id, "from": battle.space, "zone": battle.space}
                game.emit("units_loaded", landed, rules_for(game.rules, "err.wings"))
                room -= 1


def _question(game: Game, battle: Battle, side: str, power: str) -> Decision:
    rules, state = game.rules, game.state

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        return first_legal(orders, lambda order: read(rules, game.state, battle, side, power, order))

    def default() -> dict[str, Any]:
        if side == DEFEND or default_presses_on(game, battle):
            return STAYS
        return silent_plan(rules, game.state, battle)

    return Decision(
        key=f"{battle.id}:{battle.round}:retreat:{side}:{power}",
        power=power,
        kind="retreat",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=default,
        space=battle.space,
        round=battle.round,
        rules=rules_for(rules, f"err.sea.{side}"),
        public={
            "battle": battle.id,
            "side": side,
            "domain": "sea",
            "to": list(by_name(rules, zones_open(rules, state, power, battle.space))),
            "options": offered(rules, state, battle, side, power),
            "own": count_by_kind(unit for unit in battle.units(state, side) if unit.owner == power),
            "enemy": count_by_kind(battle.units(state, other_side(side))),
            "silent": "stand" if side == DEFEND else "press_on" if default_presses_on(game, battle) else "retreat",
        },
        subject=battle_subject(game, battle, power),
        when_asked=odds_now(game, battle, power),
        about=lambda order: _speaks(rules, game.state, battle, side, power, order),
    )


def _speaks(rules: RuleSet, state: State, battle: Battle, side: str, power: str, order: Order) -> bool:
    """Whether a line speaks of the whole force: one that names submarines alone does only where there are no others."""
    if isinstance(order, BattlePlan):
        return side == ATTACK and retreat_planned(order, battle.round)
    return not about_submarines(rules, state, battle, side, power, order)


# -- submarines alone -------------------------------------------------------------------------------------------------


def withdrawal_places(rules: RuleSet, state: State, battle: Battle, side: str, owner: str) -> tuple[str, ...]:
    """Where submarines may go alone: any adjacent zone, or breaking off (ERR-9.7, ERR-10.8); submerging stays open.

    The zones that the base game leaves them come first, so that silence means what it means there.
    """
    base = [place for place in common_places(rules, state, battle, side, owner) if place != SUBMERGES]
    zones = zones_open(rules, state, owner, battle.space)
    under = (SUBMERGES,) if side == DEFEND and rules.parameter("submersible_subs") else ()
    return (*dict.fromkeys((*base, *zones, battle.space)), *under)


def about_submarines(rules: RuleSet, state: State, battle: Battle, side: str, owner: str, order: Order) -> bool:
    """Whether a line lets submarines alone retreat or break off while other ships of theirs stay."""
    if not isinstance(order, Retreat) or not order.parts:
        return False
    if any(pick.kind != "submarine" for part in order.parts for pick in part.units):
        return False
    return any(not is_submarine(rules, ship) for ship in ships_of(rules, state, battle, side, owner))


def submarine_lines(rules: RuleSet, state: State, battle: Battle, order: Order) -> list[Submerge]:
    """Such a line in the form of withdrawals: each part to its zone, or to the zone of the battle itself."""
    assert isinstance(order, Retreat)
    return [
        Submerge(battle.space, part.units, order.after_round, part.to if part.how is None else battle.space)
        for part in order.parts
    ]


# -- reading a line ---------------------------------------------------------------------------------------------------


def read(
    rules: RuleSet, state: State, battle: Battle, side: str, power: str, order: Order, *, early: bool = False
) -> Reading:
    """What a line means for a power's ships now; `early`: before the battle."""
    if stands(order):
        return STAYS, []
    if isinstance(order, BattlePlan):
        stays = plan_presses_on(rules, state, battle, order)
        return (STAYS if stays else silent_plan(rules, state, battle)), []
    assert isinstance(order, Retreat)
    here = space_name(rules, battle.space)
    if before_any_round(order):
        wrong = f"Nobody retreats from {here} before one full round of battle."
        return None, [refuse(rules, "err.after_round", wrong, f"retreat {here} after round 1")]
    open_to = places(rules, state, battle, side, power)
    goes: dict[str, Goes] = {}
    for part in order.parts:
        for pick in part.units:
            left = [state.units[unit_id] for unit_id in open_to if unit_id not in goes]
            for unit in meant(rules, state, battle, pick, left):
                found = _one(rules, state, battle, side, power, open_to[unit.id], part.to, part.how)
                if isinstance(found, Refusal):
                    return None, [found]
                goes[unit.id] = found
    if not order.parts:
        to = order.to or _first_choice(rules, state, battle, side, power)
        for unit_id, ways in open_to.items():
            found = _one(rules, state, battle, side, power, ways, to, None)
            if isinstance(found, Refusal):
                return None, [found]
            goes[unit_id] = found
    problem = None if early else _whole(rules, state, battle, open_to, goes)
    if problem is not None:
        return None, [problem]
    return {"goes": [list(goes[unit_id]) for unit_id in open_to if unit_id in goes]}, []


def _one(
    rules: RuleSet,
    state: State,
    battle: Battle,
    side: str,
    power: str,
    ways: Sequence[Goes],
    to: str | None,
    how: str | None,
) -> Goes | Refusal:
    """The way that a part names for one unit."""
    if ways[0].how == FLY:
        return ways[0]
    if how == BREAK_OFF or to == battle.space:
        return ways[-1]
    for one in ways:
        if how is None and one.how == SEA and one.to == to:
            return one
    here = space_name(rules, battle.space)
    if how is not None or to is None:
        return refuse(rules, f"err.sea.{side}", f"Ships in {here} go to a zone, or break off.")
    zones = by_name(rules, (one.to for one in ways if one.how == SEA))
    hint = f"Open are: {listed(rules, zones)}, or break off." if zones else "They may break off."
    if to in rules.board.seas_beside(battle.space):
        return refuse(rules, "err.canal", f"The passage from {here} to {space_name(rules, to)} is closed.", hint)
    return refuse(rules, f"err.sea.{side}", f"{space_name(rules, to)} is no sea zone beside {here}.", hint)


def _whole(
    rules: RuleSet, state: State, battle: Battle, open_to: dict[str, tuple[Goes, ...]], goes: dict[str, Goes]
) -> Refusal | None:
    """All ships leave or break off together, aircraft with them (ERR-3.6, ERR-9.9)."""
    here = space_name(rules, battle.space)
    partial = bool(rules.parameter("err_partial_retreat"))
    for unit_id, ways in open_to.items():
        if unit_id not in goes and ways[0].how == FLY and not partial:
            goes[unit_id] = ways[0]
    if not goes:
        return refuse(rules, "err.no_place", f"Nobody of yours in {here} retreats by this line.")
    behind = [] if partial else [unit_id for unit_id in open_to if unit_id not in goes]
    if behind:
        wrong = f"A retreat from {here} covers all ships; each goes to a zone or breaks off, none is left to fight."
        return refuse(rules, "err.whole", wrong, "Say what the other ships do.")
    return None


def _first_choice(rules: RuleSet, state: State, battle: Battle, side: str, power: str) -> str:
    """Where ships go that are told no zone: where some came from, else a zone without enemies, else they stay."""
    zones = by_name(rules, zones_open(rules, state, power, battle.space))
    if side == ATTACK:
        came = [zone for zone in battle.origins if zone in zones]
        if came:
            return came[0]
    safe = [zone for zone in zones if not rules.judge("hostile_zone", state, power, zone)]
    return safe[0] if safe else battle.space


def silent_plan(rules: RuleSet, state: State, battle: Battle) -> dict[str, Any]:
    """A retreat of the attacker of which nothing more was said."""
    answer, _ = read(rules, state, battle, ATTACK, battle.attacker, Retreat(battle.space))
    return answer if answer is not None else STAYS


ATTACKERS_RETREAT = BattleStep("press_or_retreat", "The attacker presses on or leaves", attackers_retreat)
DEFENDERS_RETREAT = BattleStep("defenders_retreat", "The defenders stand or leave", defenders_retreat)
