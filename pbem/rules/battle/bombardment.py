"""Ships bombard the coast before a landing: which of them may, at which territory, and whom their hits reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.amphibious import LANDED_FROM
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import BOMBARDMENT
from pbem.rules.battle.firing import OTHER, Volley, record_hits, roll_for
from pbem.rules.battle.losses import take_losses
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, announce
from pbem.rules.query import can, in_dice_order, is_land, type_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

BOMBARDED = "bombarded"
"""Mark of a ship: the territory it bombarded this turn."""


def may_bombard_from(rules: RuleSet, state: State, zone: str) -> bool:
    """No ship bombards from a zone with a sea battle or a kamikaze in this turn (P40-6.3.3, P40-5.1.9, 6.3.17).

    The parameter `kamikaze_stops_bombard` may take the latter back (P01-13.1.9).
    """
    struck = rules.parameters.get("kamikaze_stops_bombard", True) and state.marks.get(marks.kamikaze_used(zone))
    return not state.marks.get(marks.sea_battle(zone)) and not struck


def bombarding_ships(rules: RuleSet, state: State, power: str, territory: str, zones: Sequence[str]) -> list[Unit]:
    """Ships that may and shall bombard a territory from these zones, highest value first (P40-6.3.4, P40-DP-17).

    Battleships and cruisers may (P40-1.3.9, P40-1.3.11).

    Ships told to bombard elsewhere are left out; without a word all that may bombard do. None does for an ally's
    landing (S42-5.5.6).
    """
    told = state.marks.get(marks.bombarders(territory))
    elsewhere = {
        ship
        for key, ships in state.marks.items()
        if key.startswith(marks.bombarders("")) and key != marks.bombarders(territory)
        for ship in ships
    }
    ships = [
        unit
        for zone in zones
        if may_bombard_from(rules, state, zone)
        for unit in state.units_in(zone)
        if unit.owner == power
        and can(rules, unit, "shore_bombard")
        and unit.mark(BOMBARDED) is None
        and ("may_bombard" not in rules.judgements or rules.judge("may_bombard", state, unit))
        and unit.mark(marks.RETREATED) is None
        and unit.mark(marks.UNLOADED_TO) is None
        and (unit.id in told if told is not None else unit.id not in elsewhere)
    ]
    return sorted(ships, key=lambda unit: (-bombard_value(rules, unit), int(unit.id[1:])))


def bombard_value(rules: RuleSet, ship: Unit) -> int:
    """The highest hitting face of a bombarding ship: its attack, unless the table gives another figure."""
    kind = type_of(rules, ship)
    return kind.figure("bombard_value", kind.attack)


def bombardment(game: Game, battle: Battle) -> None:
    """Each bombarding ship fires one die; units hit wait behind the casualty line and still fire (P40-6.3.6, 6.4.1).

    No more ships than land units that landed here from transports, all zones together (P40-6.3.5, 6.3.17). Hits
    beyond the units that may take them are lost (P40-6.3.7). The ships are not in the land battle (P40-6.3.16).
    """
    rules, state = game.rules, game.state
    allowed = _eligible(rules)
    exposed = [unit for unit in battle.units(state, DEFEND) if allowed is None or allowed(unit)]
    if not battle.landed or all(can(rules, unit, "anti_air") for unit in exposed):
        return
    for zone in battle.zones:
        _note_barred(game, battle, zone)
    ships = ships_that_fire(rules, state, battle)
    if not ships:
        return
    announce(game, battle, BOMBARDMENT)
    values = {ship.id: bombard_value(rules, ship) for ship in ships}
    ordered = in_dice_order(rules, ships, lambda ship: values[ship.id])
    game.emit(
        "units_marked", {"units": [ship.id for ship in ordered], "set": {BOMBARDED: battle.space, marks.FOUGHT: True}}
    )
    faces = roll_for(game, battle, BOMBARDMENT, [(ship, values[ship.id]) for ship in ordered])
    volley = Volley(ATTACK, BOMBARDMENT)
    for ship, face in zip(ordered, faces, strict=True):
        if face <= values[ship.id]:
            volley.hits.append((ship.id, OTHER))
    record_hits(game, battle, volley)
    at_once = not rules.parameters.get("bombard_return_fire", True)
    take_losses(game, battle, volley, at_once=at_once, allowed=allowed)


def ships_that_fire(rules: RuleSet, state: State, battle: Battle) -> list[Unit]:
    """The ships that fire: no more than units landed, counted zone by zone where the rule set says so (S42-5.5.5)."""
    if rules.parameters.get("bombard_unlimited"):
        return bombarding_ships(rules, state, battle.attacker, battle.space, battle.zones)
    if not rules.parameters.get("bombardment_by_zone"):
        return bombarding_ships(rules, state, battle.attacker, battle.space, battle.zones)[: len(battle.landed)]
    ships: list[Unit] = []
    for zone in battle.zones:
        landed = sum(1 for unit_id in battle.landed if _landed_from(state, battle, unit_id) == zone)
        ships += bombarding_ships(rules, state, battle.attacker, battle.space, (zone,))[:landed]
    return ships


def _landed_from(state: State, battle: Battle, unit_id: str) -> str:
    """The zone a unit came ashore from, or will; the only zone of an assault where nothing was written down."""
    unit = state.units[unit_id]
    known: str = unit.mark(LANDED_FROM) or (unit.space if unit.space in battle.zones else battle.zones[0])
    return known


def _eligible(rules: RuleSet) -> Callable[[Unit], bool] | None:
    """Who may take a bombardment hit: land units only, or any defender (P40-6.3.6)."""
    if rules.parameter("bombard_targets") == "land":
        return lambda unit: is_land(rules, unit)
    return None


def _note_barred(game: Game, battle: Battle, zone: str) -> None:
    """Say why ships in a zone do not bombard: `bombardment_barred`."""
    state = game.state
    cited: tuple[str, ...] = ()
    if state.marks.get(marks.sea_battle(zone)):
        cited += rules_for(game.rules, "bombardment.sea_battle")
    if state.marks.get(marks.kamikaze_used(zone)):
        cited += rules_for(game.rules, "bombardment.kamikaze")
    ships = [
        unit.id
        for unit in state.units_in(zone)
        if unit.owner == battle.attacker and can(game.rules, unit, "shore_bombard")
    ]
    if ships and not may_bombard_from(game.rules, state, zone):
        barred = {"battle": battle.id, "space": battle.space, "zone": zone, "ships": ships}
        game.emit("bombardment_barred", barred, cited)
