"""The attacker on land: overland units to any friendly neighbours, landed ones back aboard and ashore elsewhere.

A decision to retreat covers everybody who has somewhere to go; who has not fights on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.classic.err.landings import berths_aboard
from pbem.games.classic.err.moving import leave
from pbem.games.classic.err.reading import STAYS, Reading, before_any_round, first_legal, meant, refuse, stands
from pbem.games.classic.err.terms import ABOARD, ASHORE, BREAK_OFF, FLY, LAND, Goes, by_name, friendly, is_assault
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject, odds_now
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.battle.model import RETREAT as RETREATED_RESULT
from pbem.rules.battle.naming import listed, space_name
from pbem.rules.battle.plans import plan_presses_on, retreat_planned
from pbem.rules.battle.press_on import default_presses_on
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import BattlePlan, Order, Pick, Retreat, RetreatPart
from pbem.rules.query import count_by_kind, is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- what is open -----------------------------------------------------------------------------------------------------


def neighbours(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Adjacent territories that are friendly now, wherever the units came from (ERR-4.1, ERR-4.8, ERR-2.5)."""
    lands = rules.board.lands_beside(battle.space)
    return by_name(rules, (land for land in lands if friendly(rules, state, battle.attacker, land)))


def beaches(rules: RuleSet, state: State, battle: Battle, ship: str) -> tuple[str, ...]:
    """Friendly territories beside a transport's zone, where its units may go ashore again at once (ERR-4.5, 4.8)."""
    lands = rules.board.lands_beside(state.units[ship].space)
    return by_name(rules, (land for land in lands if friendly(rules, state, battle.attacker, land)))


def places(rules: RuleSet, state: State, battle: Battle) -> dict[str, tuple[Goes, ...]]:
    """Everything that is open to each attacking unit (ERR-4.1 to ERR-4.15, ERR-5.4).

    Overland units go to neighbours, landed units aboard or, from there, ashore; aircraft stop fighting and land later.
    Units without anything fight on (ERR-3.8).
    """
    berths = berths_aboard(rules, state, battle)
    near = neighbours(rules, state, battle)
    found: dict[str, tuple[Goes, ...]] = {}
    for unit in battle.units(state, ATTACK):
        if is_air(rules, unit):
            found[unit.id] = (Goes(unit.id, FLY, battle.space),)
        elif unit.id not in battle.landed:
            found[unit.id] = tuple(Goes(unit.id, LAND, land) for land in near)
        else:
            ships = (berths.own[unit.id],) if unit.id in berths.own else tuple(berths.free)
            found[unit.id] = tuple(way for ship in ships for way in _by_ship(rules, state, battle, unit, ship))
    return found


def _by_ship(rules: RuleSet, state: State, battle: Battle, unit: Unit, ship: str) -> tuple[Goes, ...]:
    ashore = (Goes(unit.id, ASHORE, land, ship) for land in beaches(rules, state, battle, ship))
    return (Goes(unit.id, ABOARD, state.units[ship].space, ship), *ashore)


def offered(rules: RuleSet, state: State, battle: Battle) -> list[dict[str, Any]]:
    """The options as the window shows them: for each sort of unit how many there are and where they may go."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for unit_id, open_to in places(rules, state, battle).items():
        unit = state.units[unit_id]
        sort = "air" if is_air(rules, unit) else "landed" if unit_id in battle.landed else "overland"
        row = rows.setdefault((sort, unit.kind), {"sort": sort, "kind": unit.kind, "count": 0, "to": []})
        row["count"] += 1
        for goes in open_to:
            said = {"how": goes.how, "space": goes.to}
            if said not in row["to"]:
                row["to"].append(said)
    return list(rows.values())


# -- the step ---------------------------------------------------------------------------------------------------------


def attackers_retreat(game: Game, battle: Battle) -> None:
    """After a complete round, before the defender is asked: press on, or leave by any of the open ways (ERR-3.4, 3.5).

    Silence presses on (ERR-D01) as in the base game, so aircraft left alone break off.
    """
    rules = game.rules

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        return first_legal(orders, lambda order: read(rules, game.state, battle, order))

    def default() -> dict[str, Any]:
        return STAYS if default_presses_on(game, battle) else silent_plan(rules, game.state, battle)

    decision = Decision(
        key=f"{battle.id}:{battle.round}:retreat:{battle.attacker}",
        power=battle.attacker,
        kind="retreat",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=default,
        space=battle.space,
        round=battle.round,
        rules=rules_for(rules, "err.attack_land"),
        public={
            "battle": battle.id,
            "side": ATTACK,
            "domain": "land",
            "to": list(neighbours(rules, game.state, battle)),
            "options": offered(rules, game.state, battle),
            "own": count_by_kind(battle.units(game.state, ATTACK)),
            "enemy": count_by_kind(battle.units(game.state, DEFEND)),
            "silent": "press_on" if default_presses_on(game, battle) else "retreat",
        },
        subject=battle_subject(game, battle, battle.attacker),
        when_asked=odds_now(game, battle, battle.attacker),
        has_choice=any(places(rules, game.state, battle).values()),
        about=lambda order: speaks_of_retreat(rules, battle, order),
    )
    answer = game.ask([decision])[decision.key]
    if answer["goes"]:
        leave(game, battle, [Goes(*row) for row in answer["goes"]], ATTACK)
        if not battle.units(game.state, ATTACK):
            battle.result = RETREATED_RESULT


def speaks_of_retreat(rules: RuleSet, battle: Battle, order: Order) -> bool:
    """Whether a line speaks of this decision: aircraft that leave an assault have a moment of their own (ERR-5.1)."""
    if isinstance(order, BattlePlan):
        return retreat_planned(order, battle.round)
    return not (is_assault(battle) and only_aircraft_break_off(rules, order))


def only_aircraft_break_off(rules: RuleSet, order: Order) -> bool:
    """Whether a line lets aircraft break off, and nothing else: `1 fighter break off Okinawa at start of round 2`."""
    if not isinstance(order, Retreat) or not order.parts:
        return isinstance(order, Retreat) and order.scope == "air" and order.to is None
    return all(part.how == BREAK_OFF and all(_flies(rules, pick) for pick in part.units) for part in order.parts)


def _flies(rules: RuleSet, pick: Pick) -> bool:
    kind = rules.board.units.get(pick.kind)
    return pick.kind == "air" or (kind is not None and kind.domain == "air")


# -- reading a line ---------------------------------------------------------------------------------------------------


def read(rules: RuleSet, state: State, battle: Battle, order: Order, *, early: bool = False) -> Reading:
    """What a line of the attacker means now; `early`: before the battle, when nobody knows who will be left."""
    if stands(order):
        return STAYS, []
    if isinstance(order, BattlePlan):
        return (STAYS if plan_presses_on(rules, state, battle, order) else silent_plan(rules, state, battle)), []
    assert isinstance(order, Retreat)
    here = space_name(rules, battle.space)
    if before_any_round(order):
        wrong = f"Nobody retreats from {here} before one full round of battle."
        return None, [refuse(rules, "err.after_round", wrong, f"retreat {here} after round 1")]
    ways = places(rules, state, battle)
    others = any(ways[unit.id] and not is_air(rules, unit) for unit in battle.units(state, ATTACK))
    if others and not is_assault(battle) and only_aircraft_break_off(rules, order) and not _partial(rules):
        wrong = f"Aircraft break off alone from an assault only; in {here} they retreat with the others."
        return None, [refuse(rules, "err.air_alone", wrong)]
    plan = _Plan(rules, state, battle)
    problem = plan.take_scope(order)
    for part in order.parts if problem is None else ():
        problem = plan.take(part)
        if problem is not None:
            break
    if problem is None:
        problem = plan.finish(order, early)
    if problem is not None:
        return None, [problem]
    return {"goes": [list(goes) for goes in plan.rows()]}, plan.partly


def _partial(rules: RuleSet) -> bool:
    return bool(rules.parameter("err_partial_retreat"))


class _Plan:
    """Destinations as the parts of a line name them, one after the other."""

    def __init__(self, rules: RuleSet, state: State, battle: Battle) -> None:
        self.rules, self.state, self.battle = rules, state, battle
        self.open = places(rules, state, battle)
        self.berths = berths_aboard(rules, state, battle)
        self.goes: dict[str, Goes] = {}
        self.partly: list[Refusal] = []
        self.silent = False

    def rows(self) -> list[Goes]:
        """The plan in the order of the battle's units."""
        return [self.goes[unit_id] for unit_id in self.open if unit_id in self.goes]

    def left(self) -> list[Unit]:
        """Attackers of whom nothing was said yet."""
        return [unit for unit in self.battle.units(self.state, ATTACK) if unit.id not in self.goes]

    def take_scope(self, order: Retreat) -> Refusal | None:
        """A retreat to one place, or without any: overland units go there, landed ones aboard (ERR-4.9)."""
        if order.parts:
            return None
        scope = order.scope or "all"
        for unit in self.left():
            flies, came = is_air(self.rules, unit), unit.id in self.battle.landed
            wanted = {"air": flies, "landed": came, "overland": not flies and not came,
                      "overland_and_air": not came}.get(scope, True)  # fmt: skip
            if not wanted:
                continue
            problem = self._one(unit, order.to)
            if problem is not None:
                return problem
        return None

    def _one(self, unit: Unit, to: str | None) -> Refusal | None:
        """One unit of a line that names a single place, or none."""
        open_to = self.open[unit.id]
        if is_air(self.rules, unit):
            self.goes[unit.id] = open_to[0]
        elif unit.id in self.battle.landed:
            by_ship = self._with_room(unit)
            if by_ship:
                self.goes[unit.id] = next((one for one in by_ship if one.how == ASHORE and one.to == to), by_ship[0])
                self.silent = self.silent or self.goes[unit.id].how == ABOARD
        elif to is None:
            if open_to:
                self.goes[unit.id] = _first_choice(self.battle, open_to)
        else:
            chosen = [one for one in open_to if one.to == to]
            if not chosen:
                return self._closed(to)
            self.goes[unit.id] = chosen[0]
        return None

    def take(self, part: RetreatPart) -> Refusal | None:
        """One part of a line; what cannot be put ashore is refused, its units stay aboard (ERR-4.5)."""
        for pick in part.units:
            if part.how == "unload":
                self._unload(pick, part.to or "")
                continue
            if part.how == "aboard":
                self._stay_aboard()
                continue
            units = meant(self.rules, self.state, self.battle, pick, self.left())
            for unit in units:
                problem = self._send(unit, part, pick)
                if problem is not None:
                    return problem
        return None

    def _send(self, unit: Unit, part: RetreatPart, pick: Pick) -> Refusal | None:
        rules, here = self.rules, space_name(self.rules, self.battle.space)
        landed = unit.id in self.battle.landed
        if is_air(rules, unit):
            self.goes[unit.id] = self.open[unit.id][0]
            return None
        if part.how == "re_embark":
            if not landed:
                return refuse(rules, "err.own_way", f"Units that came overland into {here} board no ship.")
            self._board(unit, part.via)
            return None
        if part.how is not None:
            return refuse(rules, "err.attack_land", f"In {here} land units retreat to a place, or go back aboard.")
        if landed:
            if pick.kind == "unit":
                self._board(unit)
                return None
            return refuse(
                rules, "err.own_way", f"Units that landed in {here} go back to their transports, not overland.",
                f"re-embark {here}",
            )  # fmt: skip
        return self._one(unit, part.to)

    def _board(self, unit: Unit, zone: str | None = None) -> None:
        """A landed unit goes back aboard, in the zone that was named if it may choose."""
        ways = [one for one in self._with_room(unit) if one.how == ABOARD]
        if ways:
            self.goes[unit.id] = next((one for one in ways if one.to == zone), ways[0])
            self.silent = True

    def _with_room(self, unit: Unit) -> list[Goes]:
        """What is open to a unit while others take the places of ships they did not come in (ERR-4.3)."""
        if unit.id in self.berths.own or unit.id not in self.battle.landed:
            return list(self.open[unit.id])
        taken = [goes.ship for uid, goes in self.goes.items() if uid not in self.berths.own and uid != unit.id]
        return [one for one in self.open[unit.id] if taken.count(one.ship) < self.berths.free.get(one.ship or "", 0)]

    def _unload(self, pick: Pick, to: str) -> None:
        """Units that are back aboard go ashore beside their zone; heavy weapons count as the infantry they became."""
        rules = self.rules
        waiting = self._landed_left() if _partial(rules) else []
        if not _partial(rules):
            self._stay_aboard()
        self.silent = False
        waiting += [self.state.units[uid] for uid, goes in self.goes.items() if goes.how == ABOARD]
        named = meant(rules, self.state, self.battle, pick, waiting)
        if len(named) < (pick.count or 0) and pick.kind == "infantry":
            more = [unit for unit in waiting if unit not in named]
            named += more[: (pick.count or 0) - len(named)]
        elif pick.count is None and pick.kind in ("infantry", "unit", "landed"):
            named = waiting
        refused = False
        for unit in named:
            ashore = [one for one in self._with_room(unit) if one.how == ASHORE and one.to == to]
            aboard = self.goes.get(unit.id)
            if ashore:
                on_it = [one for one in ashore if aboard is not None and one.ship == aboard.ship]
                self.goes[unit.id] = (on_it or ashore)[0]
            else:
                refused = True
        if refused:
            there, ships = space_name(rules, to), {self.open[unit.id][0].ship for unit in named}
            lands = by_name(rules, (one.to for u in named for one in self.open[u.id] if one.how == ASHORE))
            self.partly.append(
                refuse(
                    rules,
                    "err.unload",
                    f"{there} is not friendly, or not beside the zone of the transport{'s' if len(ships) > 1 else ''}: "
                    "these units stay aboard.",
                    f"Open are: {listed(rules, lands)}.",
                    partly=True,
                )  # fmt: skip
            )

    def _stay_aboard(self) -> None:
        for unit in self._landed_left():
            self._board(unit)
        self.silent = False

    def _landed_left(self) -> list[Unit]:
        return [unit for unit in self.left() if unit.id in self.battle.landed]

    def finish(self, order: Retreat, early: bool) -> Refusal | None:
        """Everybody who has somewhere to go must go (ERR-3.6); aircraft stop fighting with the others (ERR-4.13)."""
        if self.silent:
            self._put_ashore_by_default()
        if not self.goes and not early:
            here = space_name(self.rules, self.battle.space)
            return refuse(self.rules, "err.no_place", f"Nobody of yours in {here} has a place to retreat to.")
        if _partial(self.rules):
            return None
        for unit in self.left():
            if is_air(self.rules, unit):
                self.goes[unit.id] = self.open[unit.id][0]
        behind = [unit for unit in self.left() if self._with_room(unit)]
        if behind and not early:
            here = space_name(self.rules, self.battle.space)
            wrong = f"A retreat from {here} covers all units that have a place to go to; nobody stays by choice."
            return refuse(self.rules, "err.whole", wrong, "Say where the rest goes.")
        return None

    def _put_ashore_by_default(self) -> None:
        """Re-embarked units of whom nothing was said go ashore in own original land beside them (ERR-D02)."""
        for unit_id, goes in list(self.goes.items()):
            if goes.how == ABOARD:
                owner = self.state.units[unit_id].owner
                home = [
                    one
                    for one in self.open[unit_id]
                    if one.how == ASHORE and self.rules.board.spaces[one.to].original_owner == owner
                ]
                self.goes[unit_id] = home[0] if home else goes

    def _closed(self, to: str) -> Refusal:
        here, there = space_name(self.rules, self.battle.space), space_name(self.rules, to)
        near = neighbours(self.rules, self.state, self.battle)
        hint = f"Open are: {listed(self.rules, near)}." if near else "They fight on."
        wrong = f"Land units cannot retreat from {here} to {there}: it must be an adjacent territory, friendly now."
        return refuse(self.rules, "err.overland", wrong, hint)


def _first_choice(battle: Battle, open_to: Sequence[Goes]) -> Goes:
    """Where units go that are told no place: back where some came from if they can, else the first by name."""
    came = [one for one in open_to if one.to in battle.notes.get("origins", battle.origins)]
    return came[0] if came else open_to[0]


def silent_plan(rules: RuleSet, state: State, battle: Battle) -> dict[str, Any]:
    """A retreat of which nothing more was said."""
    answer, _ = read(rules, state, battle, Retreat(battle.space))
    return answer if answer is not None else STAYS
