"""What a battle leaves behind: aircraft without a deck, and territory that changes hands."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.model import ATTACK, WON, Battle
from pbem.rules.marks import CAP, SCRAMBLED_FROM, STRANDED
from pbem.rules.query import can, is_air, is_land, type_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def settle_decks(game: Game, battle: Battle) -> None:
    """Find decks for aircraft that flew from carriers now damaged or sunk (P40-6.5.13, P40-4.5.5).

    A defender lands on his own carrier if he can, else on another deck in the zone; if there is none he is stranded
    and lands when the noncombat move begins. The attacker's aircraft stay in the air.
    """
    for unit in battle.units(game.state, ATTACK):
        if is_air(game.rules, unit) and unit.aboard is not None and deck_closed(game.rules, game.state, unit):
            game.emit(
                "units_unloaded",
                {"units": [unit.id], "from": battle.space, "to": battle.space, "why": "deck_damaged"},
                rules_for(game.rules, "decks.attacker"),
            )
    for unit_id in list(battle.defenders):
        if unit_id not in game.state.units:
            continue
        unit = game.state.units[unit_id]
        if not can(game.rules, unit, "carrier_capable") or unit.mark(SCRAMBLED_FROM) or unit.mark(CAP):
            continue
        if unit.aboard is not None and not deck_closed(game.rules, game.state, unit):
            continue
        _find_deck(game, battle, unit)


def deck_closed(rules: RuleSet, state: State, aircraft: Unit) -> bool:
    """Whether the ship an aircraft stands on takes no aircraft any more (P40-1.3.10)."""
    deck = state.units[aircraft.aboard or ""]
    return bool(deck.damage) and can(rules, deck, "damaged_blocks_flight_ops")


def _find_deck(game: Game, battle: Battle, unit: Unit) -> None:
    deck = _free_deck(game.rules, game.state, unit, battle)
    rules = rules_for(game.rules, "decks.defender")
    if unit.aboard is not None:
        game.emit(
            "units_unloaded",
            {"units": [unit.id], "from": battle.space, "to": battle.space, "why": "deck_damaged"},
            rules,
        )
    if deck is None:
        game.emit("units_marked", {"units": [unit.id], "set": {STRANDED: True}, "why": "no_deck",
                                   "battle": battle.id, "space": battle.space}, rules)  # fmt: skip
    else:
        game.emit("units_loaded", {"units": [unit.id], "onto": deck.id, "from": battle.space, "zone": battle.space,
                                   "why": "deck_changed"}, rules)  # fmt: skip


def _free_deck(rules: RuleSet, state: State, unit: Unit, battle: Battle) -> Unit | None:
    for ship in state.units_in(battle.space):
        kind = type_of(rules, ship)
        if not kind.can("carries_aircraft") or (ship.damage and kind.can("damaged_blocks_flight_ops")):
            continue
        if ship.owner != unit.owner and not rules.judge("allies", state, ship.owner, unit.owner):
            continue
        room = kind.figure("carrier_capacity") - sum(
            type_of(rules, guest).figure("carrier_cost", 1) for guest in state.cargo_of(ship.id)
        )
        if room >= type_of(rules, unit).figure("carrier_cost", 1):
            return ship
    return None


def capture_if_won(game: Game, battle: Battle) -> None:
    """The attacker gains the territory if he won and a land unit of his survives in it (P40-6.10.1).

    Aircraft and ships never take control; otherwise control does not change.
    """
    if battle.result != WON:
        return
    walkers = [unit.id for unit in battle.units(game.state, ATTACK) if is_land(game.rules, unit)]
    if walkers:
        game.run("capture", battle.space, battle.attacker, tuple(walkers))
