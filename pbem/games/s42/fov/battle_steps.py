"""Steps that cards add to battles: rail guns, checks when round 1 starts, Supreme Excellence, Severe Weather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import Unit
from pbem.games.s42.fov import plays
from pbem.games.s42.fov.fire import fire_power, matched
from pbem.games.s42.fov.plays import CARD, Play, tell
from pbem.games.s42.fov.seen import without_fog
from pbem.games.s42.fov.subjects import enemy_fighters, ships_barred
from pbem.rules import marks
from pbem.rules.battle import retreat, rounds, submarines
from pbem.rules.battle.amphibious import LANDED_FROM
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.firing import OTHER, Volley, has_destroyer, record_hits, roll_for
from pbem.rules.battle.losses import remove_behind, remove_lost, take_losses
from pbem.rules.battle.model import (
    ATTACK,
    BOTH_GONE,
    CLOSING,
    DEFEND,
    OPENING,
    RETREAT,
    STANDOFF,
    WON,
    Battle,
    BattleStep,
    StepFunction,
    Steps,
    after,
    announce,
    before,
    wrapped,
)
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Order, Retreat
from pbem.rules.query import can, is_air, is_land, units_of
from pbem.rules.script import Game

# -- before round 1 ---------------------------------------------------------------------------------------------------


def rail_gun(game: Game, battle: Battle) -> None:
    """Each rail gun fires up to three dice, one for each defender; who is hit is gone at once (FOV-W01.2 to W01.6)."""
    for number, play in enumerate(plays.in_force(game.state, "rail_gun", battle.space), start=1):
        gun = game.state.units.get(play.units[0])
        targets = battle.unhurt(game.state, DEFEND)
        if battle.result is not None or gun is None or not targets:
            continue
        step = "rail_gun" if number == 1 else f"rail_gun:{number}"
        announce(game, battle, step)
        exact = bool(game.rules.parameter("rail_gun_exact"))
        note = {"card": "rail_gun", **({"exact": True} if exact else {})}
        faces = roll_for(game, battle, step, [(gun, 2)] * min(3, len(targets)), [note] * 3)
        hits = sum(1 for face in faces if face == 2 or (face < 2 and not exact))
        volley = Volley(ATTACK, step, [(gun.id, OTHER)] * hits, topics=("card.rail_gun",))
        record_hits(game, battle, volley)
        take_losses(game, battle, volley, at_once=True)


def round_one_begins(game: Game, battle: Battle) -> None:
    """What cards ask of the moment when round 1 starts is settled now (FOV-T01.2, FOV-T02.1, FOV-R33)."""
    if battle.result is not None:
        return
    found = plays.in_force(game.state, "air_supremacy", battle.space)
    if found:
        free = not enemy_fighters(game.rules, game.state, battle)
        battle.notes["air_supremacy"] = free
        tell(game, found[0], "in_force" if free else "nothing", ("FOV-T01.3",) if free else ("FOV-T01.2",))
    arms = plays.in_force(game.state, "combined_arms", battle.space)
    if arms:
        dice, units = matched(game.rules, game.state, battle)
        battle.notes["combined_arms"] = {"dice": dice, "units": units}
        tell(game, arms[0], "in_force" if dice else "nothing", ("FOV-T02.1", "FOV-T02.2"), {"sets": len(dice)})


def supreme_excellence(game: Game, battle: Battle) -> None:
    """With three times the fire power the attacker need not roll: the defenders fire once and are gone (FOV-F03.4).

    It is checked again now (FOV-F03.3); the ground is taken only if a land unit survives (FOV-F03.5).
    """
    found = plays.in_force(game.state, "supreme_excellence", battle.space)
    if battle.result is not None or not found:
        return
    own, theirs = (fire_power(game.rules, game.state, battle, side) for side in (ATTACK, DEFEND))
    if own < 3 * theirs:
        tell(game, found[0], "nothing", ("FOV-F03.3",), {"own": own, "theirs": theirs})
        return
    tell(game, found[0], "in_force", ("FOV-F03.1", "FOV-F03.4"), {"own": own, "theirs": theirs})
    battle.round = 1
    game.emit("battle_round_begun", {"battle": battle.id, "space": battle.space, "round": 1})
    _submerge_who_may(game, battle)
    rounds.defenders_fire(game, battle)
    remove_behind(game, battle, "supreme_excellence")
    announce(game, battle, "supreme_excellence")
    lost = [unit.id for unit in battle.units(game.state, DEFEND)]
    if lost:
        battle.lost[DEFEND] += [(unit_id, game.state.units[unit_id].kind) for unit_id in lost]
        remove_lost(game, battle, lost, "supreme_excellence", "overrun")
    battle.result = WON if battle.units(game.state, ATTACK) else BOTH_GONE


def _submerge_who_may(game: Game, battle: Battle) -> None:
    """Defending submarines may submerge before they would fire, if no destroyer bars it (FOV-F03.4, FOV-R32)."""
    if has_destroyer(game.rules, game.state, battle, ATTACK):
        return
    under = [unit.id for unit in battle.units(game.state, DEFEND) if can(game.rules, unit, "submerge")]
    if under:
        submarines.ask_to_submerge(game, battle, DEFEND, under)


# -- fog in the order of a round --------------------------------------------------------------------------------------


def _fog_spares(base: StepFunction) -> StepFunction:
    """Units lost in the fog go with the round's casualties, not with those of the strikes (FOV-F02.2)."""

    def step(game: Game, battle: Battle) -> None:
        lost = without_fog(battle)
        base(game, battle)
        battle.behind += [unit_id for unit_id in lost if unit_id in game.state.units]

    return step


def _fog_fires(base: StepFunction) -> StepFunction:
    """Attackers lost in the fog fire at their normal time if they have not fired yet (FOV-F02.2)."""

    def step(game: Game, battle: Battle) -> None:
        spared = [unit_id for unit_id in battle.notes.get("fog", ()) if unit_id in battle.attackers]
        lost = [unit_id for unit_id in spared if unit_id in battle.behind]
        for unit_id in lost:
            battle.behind.remove(unit_id)
        base(game, battle)
        battle.behind += [unit_id for unit_id in lost if unit_id in game.state.units and unit_id not in battle.behind]

    return step


# -- after round 1 ----------------------------------------------------------------------------------------------------


def severe_weather(game: Game, battle: Battle) -> None:
    """After round 1 all attackers must retreat, if a defender is left (FOV-F09.1, FOV-F09.2, FOV-F09.5, FOV-R28)."""
    found = plays.in_force(game.state, "severe_weather", battle.space)
    if battle.round != 1 or not found or not battle.units(game.state, DEFEND):
        return
    battle.notes["weather"] = True
    tell(game, found[0], "in_force", ("FOV-F09.1",))
    announce(game, battle, "severe_weather")
    if not game.rules.parameter("weather_spares_landings"):
        _re_embark(game, battle, found[0])
    dropped = _dropped(game, battle)
    going = list(retreat.movers(game.rules, game.state, battle))
    walkers = [unit for unit in going if not is_air(game.rules, unit) and unit.id not in dropped]
    to = _destination(game, battle, walkers) if walkers else None
    if not walkers or to is None:
        _fly_home(game, battle, dropped)
    leaving = [unit for unit in retreat.movers(game.rules, game.state, battle) if to is not None or _flies(game, unit)]
    if leaving:
        retreat.retreat(game, battle, leaving, to)
    if battle.units(game.state, ATTACK) and not battle.landed:
        battle.result = STANDOFF
    elif battle.result is None and not battle.units(game.state, ATTACK):
        battle.result = RETREAT


def weather_passes(game: Game, battle: Battle) -> None:
    """If no defender was left after round 1 the card had no effect (FOV-F09.5)."""
    found = plays.in_force(game.state, "severe_weather", battle.space)
    if found and not battle.notes.get("weather"):
        tell(game, found[0], "nothing", ("FOV-F09.5",))


def _flies(game: Game, unit: Unit) -> bool:
    return is_air(game.rules, unit)


def _dropped(game: Game, battle: Battle) -> list[str]:
    return [unit.id for unit in battle.units(game.state, ATTACK) if unit.mark(marks.DROPPED)]


def _fly_home(game: Game, battle: Battle, dropped: Sequence[str]) -> None:
    """Paratroopers without comrades who came overland go back to where they took off (FOV-F09.4)."""
    for unit_id in dropped:
        home = game.state.units[unit_id].mark(marks.DROPPED)
        back = {"units": [unit_id], "from": battle.space, "to": home, "why": "retreat", "battle": battle.id,
                "marks": {marks.RETREATED: True}}  # fmt: skip
        game.emit("units_moved", back, ("FOV-F09.4",))
    battle.leave(dropped)


def _re_embark(game: Game, battle: Battle, play: Play) -> None:
    """Who came ashore goes back aboard the ship that carried it; the ships unload no more this turn (FOV-F09.3)."""
    ships: dict[str, list[str]] = {}
    for unit_id, ship in play.data.get("ships", {}).items():
        if unit_id in battle.landed and unit_id in game.state.units and ship in game.state.units:
            ships.setdefault(ship, []).append(unit_id)
    for ship, units in ships.items():
        zone = game.state.units[ship].space
        game.emit(
            "units_loaded",
            {
                "units": units, "onto": ship, "from": battle.space, "zone": zone, "why": "weather",
                "marks": {marks.RETREATED: True, LANDED_FROM: None},
            },
            ("FOV-F09.3",),
        )  # fmt: skip
        battle.leave(units)


def _destination(game: Game, battle: Battle, walkers: Sequence[Unit]) -> str | None:
    """Where ships or land units go: as in any retreat, else any friendly space beside (FOV-F09.2, FOV-FD10)."""
    open_to = retreat.destinations(game.rules, game.state, battle) or _friendly_beside(game, battle, walkers)
    if not open_to:
        return None

    def interpret(order: Order) -> Any:
        if isinstance(order, Retreat) and (order.to is None or order.to in open_to):
            return order.to or open_to[0]
        names = ", ".join(game.board.spaces[space].name for space in open_to)
        return Refusal(f"The weather drives the attackers out; they can go to {names}.", "FOV-F09.2")

    decision = Decision(
        key=f"{battle.id}:{battle.round}:weather:{battle.attacker}",
        power=battle.attacker,
        kind="retreat",
        interpret=interpret,
        default=lambda: open_to[0],
        space=battle.space,
        round=battle.round,
        rules=("FOV-F09.2", "FOV-FD10"),
        public={"battle": battle.id, "side": ATTACK, "to": list(open_to), "forced": True},
        subject=battle_subject(game, battle, battle.attacker),
        has_choice=len(open_to) > 1,
    )
    return str(game.ask([decision])[decision.key])


def _friendly_beside(game: Game, battle: Battle, walkers: Sequence[Unit]) -> tuple[str, ...]:
    at_sea = game.board.spaces[battle.space].is_sea
    power, state = battle.attacker, game.state
    near = game.board.neighbours[battle.space]
    fit = [
        space
        for space in near
        if game.board.spaces[space].is_sea == at_sea
        and (
            not game.rules.judge("hostile_zone", state, power, space)
            and ships_barred(game.rules, state, power, walkers, battle.space, space) is None
            if at_sea
            else game.rules.judge("friendly_territory", state, power, space)
        )
    ]
    return tuple(sorted(fit, key=lambda space: (-len(units_of(state, power, space)), game.board.spaces[space].name)))


def paratroopers_stay(base: StepFunction) -> StepFunction:
    """Paratroopers retreat only with units that came overland, to the same space (FOV-T05.5)."""

    def step(game: Game, battle: Battle) -> None:
        dropped = _dropped(game, battle)
        overland = [
            unit
            for unit in battle.units(game.state, ATTACK)
            if is_land(game.rules, unit) and unit.id not in battle.landed and unit.id not in dropped
        ]
        stuck = dropped if dropped and not overland else []
        battle.landed += stuck
        base(game, battle)
        for unit_id in stuck:
            if unit_id in battle.landed:
                battle.landed.remove(unit_id)

    return step


def land_battle_begins(game: Game, power: str, territory: str, landed: Sequence[str]) -> None:
    """A drop is called off if no other land attacker reaches the land battle (FOV-T05.6, FOV-R21)."""
    own = [unit for unit in game.state.units_in(territory) if unit.owner == power and is_land(game.rules, unit)]
    dropped = [unit for unit in own if unit.mark(marks.DROPPED)]
    if not dropped or len(dropped) < len(own):
        return
    for unit in dropped:
        home = unit.mark(marks.DROPPED)
        back = {"units": [unit.id], "from": territory, "to": home, "why": "called_off", "marks": {marks.DROPPED: None}}
        game.emit("units_moved", back, ("FOV-T05.6",))


# -- when it is over --------------------------------------------------------------------------------------------------


def restore_tanks(game: Game, battle: Battle) -> None:
    """A heavy tank that survived with one hit is whole again (FOV-W09.3)."""
    for play in plays.in_force(game.state, "heavy_tank", battle.space):
        for unit_id in play.units:
            unit = game.state.units.get(unit_id)
            if unit is not None and unit.damage and unit.mark(CARD) == "heavy_tank":
                whole = {"space": unit.space, "damage": {unit.id: 0}, "why": "repair", "battle": battle.id}
                game.emit("units_damaged", whole, ("FOV-W09.3",))


def note_tanks(game: Game, battle: Battle) -> None:
    """Whether an enemy tank was destroyed in the battle for a territory, by any cause (FOV-F08.1)."""
    if any(kind == "tank" for _, kind in battle.lost[DEFEND]):
        game.emit("mark_set", {"key": plays.tank_lost(battle.space), "value": True})


# -- the lists --------------------------------------------------------------------------------------------------------

RAIL_GUN = BattleStep("rail_gun", "Rail guns fire", rail_gun, ("FOV-W01.2", "FOV-W01.3"), OPENING)
ROUND_ONE = BattleStep("round_one_begins", "Cards are checked", round_one_begins, (), OPENING)
EXCELLENCE = BattleStep(
    "supreme_excellence", "Supreme Excellence", supreme_excellence, ("FOV-F03.4", "FOV-F03.5"), OPENING
)
WEATHER = BattleStep("severe_weather", "Severe weather", severe_weather, ("FOV-F09.1", "FOV-F09.4"))
WEATHER_PASSES = BattleStep("weather_passes", "The weather clears", weather_passes, ("FOV-F09.5",), CLOSING)
RESTORE_TANKS = BattleStep("restore_tanks", "Heavy tanks are restored", restore_tanks, ("FOV-W09.3",), CLOSING)
NOTE_TANKS = BattleStep("note_tanks", "Tanks destroyed", note_tanks, (), CLOSING)


def land_steps(steps: Steps) -> Steps:
    """The steps of a land battle with what cards add."""
    steps = after(steps, "aa_fire", RAIL_GUN)
    steps = after(steps, "nobody_defends", ROUND_ONE, EXCELLENCE)
    steps = wrapped(steps, "attackers_fire", _fog_fires)
    steps = before(steps, "press_or_retreat", WEATHER)
    steps = wrapped(steps, "press_or_retreat", paratroopers_stay)
    return before(steps, "capture", RESTORE_TANKS, NOTE_TANKS, WEATHER_PASSES)


def sea_steps(steps: Steps) -> Steps:
    """The steps of a sea battle with what cards add."""
    steps = after(steps, "settle_at_once", ROUND_ONE, EXCELLENCE)
    steps = wrapped(steps, "remove_struck", _fog_spares)
    steps = wrapped(steps, "attackers_fire", _fog_fires)
    return (*before(steps, "press_or_retreat", WEATHER), WEATHER_PASSES)
