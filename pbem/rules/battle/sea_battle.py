"""Battles in sea zones: who takes part, transports without defence, aircraft that cannot find submarines."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.rules.battle import rounds, submarines
from pbem.rules.battle.end_of_battle import settle_decks
from pbem.rules.battle.losses import remove_lost
from pbem.rules.battle.model import (
    ATTACK,
    CLOSING,
    DEFEND,
    OPENING,
    STANDOFF,
    WON,
    Battle,
    BattleStep,
    announce,
    battle_id,
)
from pbem.rules.battle.retreat import press_or_retreat
from pbem.rules.battle.rounds import able_to_hit, end_test
from pbem.rules.marks import FOUGHT, FROM, INTERCEPTED, JOB, RETREATED, SCRAMBLED_FROM, SUBMERGED, TASK
from pbem.rules.query import can, is_air, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- who takes part -------------------------------------------------------------------------------------------------


def sea_attackers(rules: RuleSet, state: State, power: str, zone: str) -> tuple[Unit, ...]:
    """All ships of the active power in the zone and its aircraft there (P40-6.5.1, 4.4.7).

    Aircraft launched from an ally's carrier are among them, the carrier is not (P40-6.12.4).

    Own aircraft still on an own undamaged carrier rise with the others; guests of other powers are cargo
    (P40-4.5.2), and allies' units there take no part (P40-6.4.8), nor who fought elsewhere this turn (P40-6.1.4).
    Submarines that stay quiet in a hostile zone are not in it (P40-4.4.6, P40-DP-08).
    """
    found: list[Unit] = []
    for unit in state.units_in(zone):
        if unit.owner != power or any(unit.mark(mark) for mark in (SUBMERGED, JOB, FOUGHT)):
            continue
        if unit.mark(TASK) == "quiet":
            continue
        if "stays_out" in rules.judgements and rules.judge("stays_out", state, unit):
            continue
        if is_ship(rules, unit) or (is_air(rules, unit) and (unit.aboard is None or _flies_from(rules, state, unit))):
            found.append(unit)
    return tuple(found)


def _flies_from(rules: RuleSet, state: State, aircraft: Unit) -> bool:
    """Whether the ship an aircraft of its own power stands on lets it take off: not while damaged (P40-1.3.10)."""
    if aircraft.aboard is None:
        return True
    deck = state.units[aircraft.aboard]
    return deck.owner == aircraft.owner and _deck_works(rules, deck)


def _deck_works(rules: RuleSet, deck: Unit) -> bool:
    return not (deck.damage and can(rules, deck, "damaged_blocks_flight_ops"))


def sea_defenders(rules: RuleSet, state: State, power: str, zone: str) -> tuple[Unit, ...]:
    """All ships in the zone of powers at war with the active power, aircraft on their carriers, scramblers.

    All of them defend together (P40-6.4.9, P40-6.5.1, S42-10.2.2), submarines and transports to the end of a battle
    once it has begun (S42-5.6.16, P40-13-A20); units of powers at peace take no part (P40-2.3.8). Aircraft on a deck
    that was damaged before are cargo and do not fight (P40-6.5.14). Who retreated into the zone in this turn takes no
    part, where defenders can retreat (ERR-9.3, ERR-10.3).
    """
    found: list[Unit] = []
    for unit in state.units_in(zone):
        if not state.at_war(power, unit.owner) or any(unit.mark(mark) for mark in (SUBMERGED, INTERCEPTED, RETREATED)):
            continue
        if is_ship(rules, unit):
            found.append(unit)
        elif is_air(rules, unit):
            deck = state.units[unit.aboard] if unit.aboard is not None else None
            if deck is None or (state.at_war(power, deck.owner) and _deck_works(rules, deck)):
                found.append(unit)
    return tuple(found)


def new_sea_battle(rules: RuleSet, state: State, power: str, zone: str) -> Battle:
    """The battle of a zone, with the zones its attacking ships came from, in order."""
    attackers = sea_attackers(rules, state, power, zone)
    origins: list[str] = []
    for unit in attackers:
        came = unit.mark(FROM)
        if is_ship(rules, unit) and came is not None and came != zone and came not in origins:
            origins.append(came)
    defenders = sea_defenders(rules, state, power, zone)
    scrambled = any(unit.mark(SCRAMBLED_FROM) for unit in defenders)
    from_decks = any(is_air(rules, unit) and unit.aboard is not None for unit in defenders)
    return Battle(
        id=battle_id(state, f"sea:{zone}"),
        kind="sea",
        space=zone,
        attacker=power,
        attackers=[unit.id for unit in attackers],
        defenders=[unit.id for unit in defenders],
        origins=tuple(origins),
        topics=("sea.begin", *(["sea.scrambled"] if scrambled else []), *(["sea.from_decks"] if from_decks else [])),
    )


# -- steps ----------------------------------------------------------------------------------------------------------


def settle_at_once(game: Game, battle: Battle) -> None:
    """Whether there is anything to fight about before the first die (P40-6.5.9, 6.5.10)."""
    settle(game, battle)


def lone_transports(game: Game, battle: Battle) -> None:
    """After the strikes: if only transports are left to the defender they are lost at once (P40-6.5.9)."""
    defenders = battle.units(game.state, DEFEND)
    if defenders and all(_harmless(game.rules, unit) for unit in defenders) and able_to_hit(game, battle, ATTACK):
        _sink_transports(game, battle, "settle")
    elif not defenders or not battle.units(game.state, ATTACK):
        end_test(game, battle)


def settle(game: Game, battle: Battle) -> None:
    """The end test of a sea battle (P40-6.4.6) with its special cases; who is left shares the zone (P40-6.5.15).

    Defenceless transports are destroyed without dice, submarines that only aircraft without a destroyer face counted
    as submerged (P40-6.5.9, 6.5.12); such submarines are left alone (P40-6.5.10, P40-13-B9). Attacking transports
    left alone are lost only if they cannot retreat from defenders that can still fire (P40-6.5.11, see
    `press_or_retreat`).
    """
    rules, state = game.rules, game.state
    defenders = battle.units(state, DEFEND)
    if defenders and battle.units(state, ATTACK):
        helpless = [unit for unit in defenders if _harmless(rules, unit)]
        others = [unit for unit in defenders if not _harmless(rules, unit)]
        if helpless and able_to_hit(game, battle, ATTACK) and all(_out_of_reach(game, battle, unit) for unit in others):
            _sink_transports(game, battle, "settle")
            if battle.result is not None:
                return
    end_test(game, battle)


def _harmless(rules: RuleSet, unit: Unit) -> bool:
    return can(rules, unit, "no_combat_value")


def _out_of_reach(game: Game, battle: Battle, unit: Unit) -> bool:
    """A submarine that faces only aircraft: they cannot find it, nor can it hit them."""
    attackers = battle.units(game.state, ATTACK)
    return can(game.rules, unit, "air_needs_destroyer") and all(is_air(game.rules, enemy) for enemy in attackers)


def _sink_transports(game: Game, battle: Battle, step: str) -> None:
    lost = [unit.id for unit in battle.units(game.state, DEFEND) if _harmless(game.rules, unit)]
    announce(game, battle, step)
    battle.lost[DEFEND] += [(unit_id, game.state.units[unit_id].kind) for unit_id in lost]
    remove_lost(game, battle, lost, step, "defenceless")
    if battle.units(game.state, DEFEND):
        battle.result = STANDOFF
    else:
        battle.result = WON


SEA_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("settle_at_once", "Defenceless transports", settle_at_once, when=OPENING),
    BattleStep("submarines_choose", "Submarines strike or submerge", submarines.submarines_choose),
    BattleStep("attacking_submarines_strike", "Attacking submarines strike", submarines.attacking_submarines_strike),
    BattleStep("defending_submarines_strike", "Defending submarines strike", submarines.defending_submarines_strike),
    BattleStep("remove_struck", "Losses of the strikes are removed", submarines.remove_struck),
    BattleStep("lone_transports", "Defenceless transports", lone_transports),
    BattleStep("attackers_fire", "Attackers fire", rounds.attackers_fire),
    BattleStep("defenders_fire", "Defenders fire", rounds.defenders_fire),
    BattleStep("remove_casualties", "Casualties are removed", rounds.remove_casualties),
    BattleStep("settle", "Defenceless transports", settle),
    BattleStep("press_or_retreat", "The attacker presses on or retreats", press_or_retreat),
    BattleStep("settle_decks", "Aircraft without a deck", settle_decks, when=CLOSING),
)
"""A sea battle round by round (P40-6.4.2, P40-6.5)."""
