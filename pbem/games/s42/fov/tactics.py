"""What the tactics cards ask of a play on a battle, a raid or a partner; those that move units are in `moves`."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.games.s42.fov.subjects import attacked, enemy_fighters, of_power, raided, ships_barred
from pbem.games.s42.fov.weapons import any_fight, defends, holds_complex, land_fight
from pbem.games.s42.fov.weighing import Targets, Weighing, checks
from pbem.rules import marks
from pbem.rules.battle.model import ATTACK
from pbem.rules.decisions import Refusal
from pbem.rules.movement.berths import decks_in
from pbem.rules.order_model import Pick, PlayCard
from pbem.rules.query import can, is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet


@checks("air_supremacy")
def air_supremacy(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A battle on land or at sea in which no enemy fighter defends (FOV-T01.1)."""
    battle = any_fight(w, space)
    if space is None or battle is None or not of_power(w.state, battle, w.power):
        return Refusal(f"You attack nobody in {w.name(space or '')}.", "FOV-T01.1")
    if enemy_fighters(w.rules, w.state, battle):
        return Refusal(f"An enemy fighter defends in {w.name(space)}.", "FOV-T01.1")
    return Targets(space)


@checks("combined_arms")
def combined_arms(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A land battle in which the holder attacks (FOV-T02.1)."""
    battle = land_fight(w, space)
    if space is None or battle is None or not of_power(w.state, battle, w.power):
        return Refusal(f"You attack in no land battle in {w.name(space or '')}.", "FOV-T02.1")
    return Targets(space)


@checks("combined_bomber_offensive")
def combined_bomber_offensive(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A fellow power, if no own bomber made a combat move this turn (FOV-T04.1, FOV-T04.2)."""
    partner = w.rules.board.powers.get(order.power or "")
    if partner is None or partner.id == w.power or not w.rules.judge("allies", w.state, w.power, partner.id):
        return Refusal("Name a power of your own side: `play combined_bomber_offensive: POWER`.", "FOV-T04.1")
    flown = [
        unit
        for unit in w.state.units.values()
        if unit.owner == w.power and can(w.rules, unit, "strategic_bombing") and unit.mark(marks.MOVED) == "combat_move"
    ]
    if flown:
        where = w.name(flown[0].space)
        return Refusal(f"A bomber of yours made a combat move this turn (to {where}).", "FOV-T04.2")
    return Targets(None, data={"partner": partner.id})


# -- scramble ---------------------------------------------------------------------------------------------------------


@checks("scramble")
def scramble(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """One or two own fighters of one territory beside a space where there will be a fight (FOV-T06.1 to T06.3).

    They may leave a territory that is attacked itself (FOV-R22).
    """
    if space is None:
        return Refusal("Say where to: `play scramble: 2 fighter TERRITORY -> SPACE`.", "FOV-T06.1")
    if w.battle(space) is None:
        what = "is only raided" if raided(w.rules, w.state, space) else "sees no battle"
        return Refusal(f"{w.name(space)} {what}: nobody scrambles there.", "FOV-T06.2")
    base = order.path[0] if len(order.path) > 1 else best_base(w, space)
    if base is None or not w.rules.board.adjacent(base, space):
        return Refusal(f"Fighters scramble from one territory beside {w.name(space)}.", "FOV-T06.1")
    if w.rules.board.spaces[base].is_sea:
        return Refusal("Fighters on carriers cannot scramble.", "FOV-T06.5")
    ready = ready_fighters(w.rules, w.state, w.power, base)
    picks = order.units or (Pick("fighter", min(2, max(len(ready), 1))),)
    found = w.pick(picks, ready, f"ready in {w.name(base)} (fighters scramble)", "FOV-T06.1", most=2)
    return found if isinstance(found, Refusal) else Targets(space, found, data={"from": base})


def ready_fighters(rules: RuleSet, state: State, power: str, territory: str) -> list[Unit]:
    """A power's fighters in a territory that do not intercept."""
    return [
        unit
        for unit in state.units_in(territory)
        if unit.owner == power
        and unit.aboard is None
        and is_air(rules, unit)
        and can(rules, unit, "carrier_capable")
        and not unit.mark(marks.INTERCEPTED)
    ]


def best_base(w: Weighing, space: str) -> str | None:
    """The territory beside a space with the most own fighters."""
    lands = w.rules.board.lands_beside(space)
    counts = {land: len(ready_fighters(w.rules, w.state, w.power, land)) for land in lands}
    held = [land for land in lands if counts[land]]
    return max(held, key=lambda land: counts[land]) if held else None


# -- for the defence --------------------------------------------------------------------------------------------------


@checks("fortification")
def fortification(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A battle in which the holder has defending units, on land or at sea (FOV-T07.1, FOV-R23)."""
    if space is not None and w.rules.parameter("fortification_land_only") and w.rules.board.spaces[space].is_sea:
        return Refusal("In this campaign Fortification is played on land only.", "FOV-R23")
    battle = any_fight(w, space)
    if space is None or not defends(w, battle):
        return Refusal(f"You have no defending units in a battle in {w.name(space or '')}.", "FOV-T07.1")
    return Targets(space)


@checks("entrenchment")
def entrenchment(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A territory that the holder controls and that is attacked (FOV-T08.1, FOV-R30)."""
    if space is None or w.rules.board.spaces[space].is_sea or w.state.controller(space) != w.power:
        return Refusal(f"{w.name(space or '')} is no territory that you control.", "FOV-T08.1")
    battle = w.battle(space)
    if battle is None or not any(is_land(w.rules, u) or is_air(w.rules, u) for u in battle.units(w.state, ATTACK)):
        return Refusal(f"No battle comes to {w.name(space)}.", "FOV-T08.1")
    return Targets(space)


@checks("hidden_factory")
def hidden_factory(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """An own complex under a raid; rockets and disasters are none (FOV-T09.1, FOV-T09.3, FOV-R15)."""
    if space is None or not holds_complex(w, w.power, space):
        return Refusal(f"{w.name(space or '')} holds no complex of yours.", "FOV-T09.1")
    if not raided(w.rules, w.state, space):
        return Refusal(f"{w.name(space)} is not raided.", "FOV-T09.3")
    return Targets(space, facility=space)


# -- signals intelligence ---------------------------------------------------------------------------------------------


@checks("signals_intelligence")
def signals_intelligence(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """Own units leave an attacked space for one beside it; one at least stays (FOV-T10.1, FOV-T10.3, FOV-R24)."""
    if space is None or len(order.path) < 2 or not order.units:
        return Refusal("Say who goes where: `play signals_intelligence: 2 infantry FROM -> TO`.", "FOV-T10.1")
    if space not in attacked(w.rules, w.state) or w.battle(space) is None:
        return Refusal(f"{w.name(space)} is not attacked.", "FOV-T10.1")
    goal = order.path[-1]
    if len(order.path) > 2 or not w.rules.board.adjacent(space, goal):
        return Refusal(f"They go one space only, and {w.name(goal)} does not touch {w.name(space)}.", "FOV-T10.3")
    present = [unit for unit in w.state.units_in(space) if unit.owner == w.power]
    own = [unit for unit in present if unit.aboard is None or is_air(w.rules, unit)]
    found = w.pick(order.units, own, f"in {w.name(space)}", "FOV-T10.1", most=len(own))
    if isinstance(found, Refusal):
        return found
    moved = {*found, *(unit.id for unit in present if unit.aboard in found)}
    if len(moved) == len(present):
        return Refusal(f"At least one unit of yours must stay in {w.name(space)}.", "FOV-T10.1",
                       "Leave one behind: `all but 1 infantry`.")  # fmt: skip
    wrong = _may_withdraw(w, [w.state.units[unit_id] for unit_id in found], space, goal)
    return wrong or Targets(space, found, data={"to": goal})


def _may_withdraw(w: Weighing, units: list[Unit], space: str, goal: str) -> Refusal | None:
    """As in the noncombat move, and not into another attacked space (FOV-T10.2, FOV-T10.3)."""
    name, at_sea = w.name(goal), w.rules.board.spaces[goal].is_sea
    if goal in attacked(w.rules, w.state):
        return Refusal(f"{name} is under attack itself.", "FOV-T10.2")
    if at_sea and w.rules.judge("hostile_zone", w.state, w.power, goal):
        return Refusal(f"{name} is a hostile sea zone.", "FOV-T10.2")
    if not at_sea and not w.rules.judge("friendly_territory", w.state, w.power, goal):
        return Refusal(f"{name} is not friendly.", "FOV-T10.2")
    barred = ships_barred(w.rules, w.state, w.power, units, space, goal)
    if barred is not None:
        return barred
    flyers = 0
    for unit in units:
        if is_land(w.rules, unit) and at_sea or is_ship(w.rules, unit) and not at_sea:
            return Refusal("Nothing is loaded or unloaded: land units stay on land, ships at sea.", "FOV-T10.3")
        if is_air(w.rules, unit):
            flyers += 1 if at_sea and unit.aboard not in {u.id for u in units} else 0
            if at_sea and not can(w.rules, unit, "carrier_capable"):
                return Refusal(f"A bomber finds no landing place in {name}.", "FOV-T10.2")
    if flyers and deck_places(w.rules, w.state, w.power, goal) < flyers:
        return Refusal(f"There is no carrier with room for {flyers} aircraft in {name}.", "FOV-T10.2")
    return None


def deck_places(rules: RuleSet, state: State, power: str, zone: str) -> int:
    """How many aircraft the carriers in a zone can still take."""
    room = 0
    for berth in decks_in(rules, state, power, {zone: 0}):
        ship = state.units[berth.deck or ""]
        taken = sum(1 for _ in state.cargo_of(ship.id))
        room += rules.board.units[ship.kind].figure("carrier_capacity") - taken
    return room


def scrambling(rules: RuleSet, state: State, power: str) -> bool:
    """Whether a power has fighters in some territory beside a space where there will be a battle."""
    spaces = attacked(rules, state)
    lands = dict.fromkeys(land for space in spaces for land in rules.board.lands_beside(space))
    return any(ready_fighters(rules, state, power, land) for land in lands)
