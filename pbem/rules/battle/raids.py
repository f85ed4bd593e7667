"""Bombing raids: one round of air battle against interceptors, fire of the facilities, then the bombs.

A raid is two battles in the record: `raid_air` and `raid_bombing`, because all air battles of a turn come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rule_for, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.dice_steps import AIR_ATTACKERS, AIR_DEFENDERS, BOMBS, FACILITY_FIRE
from pbem.rules.battle.firing import OTHER, Volley, fire, record_hits
from pbem.rules.battle.losses import remove_behind, take_losses
from pbem.rules.battle.model import ATTACK, DEFEND, LOST, OPENING, OVER, Battle, BattleStep, announce
from pbem.rules.battle.naming import chosen, space_name, words
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.facilities import figure_there
from pbem.rules.marks import FOUGHT, INTERCEPTED, JOB, SINGLED_OUT, TARGET, facility_aim
from pbem.rules.order_model import BombTargets, Order
from pbem.rules.query import can, count_by_kind, is_air, type_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

COMPLEXES = "industrial_complex"
"""What players may say for the complex that stands in a territory, of either size."""

# -- who takes part -------------------------------------------------------------------------------------------------


def raiders(state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """Bombers and escorts of the power over a territory, from wherever they came (P40-6.2.1)."""
    return tuple(unit for unit in state.units_in(territory) if unit.owner == power and unit.mark(JOB))


def interceptors(rules: RuleSet, state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """Fighters that rose against a raid (P40-5.3.3)."""
    return tuple(
        unit
        for unit in state.units_in(territory)
        if unit.mark(INTERCEPTED) and is_air(rules, unit) and state.at_war(power, unit.owner)
    )


def new_air_battle(rules: RuleSet, state: State, power: str, territory: str) -> Battle | None:
    """The air battle of a raid, only if an interceptor was committed (P40-6.2.3)."""
    defenders = interceptors(rules, state, power, territory)
    attackers = raiders(state, power, territory)
    if not defenders or not attackers:
        return None
    return _raid(f"raid_air:{territory}", "raid_air", territory, power, attackers, defenders)


def new_bombing(rules: RuleSet, state: State, power: str, territory: str) -> Battle | None:
    """The bombing itself, by the bombers that are left; escorts have left the raid (P40-6.2.5)."""
    bombers = [unit for unit in raiders(state, power, territory) if unit.mark(JOB) == "raid"]
    if not bombers:
        return None
    return _raid(f"raid_bombing:{territory}", "raid_bombing", territory, power, bombers, ())


def _raid(
    battle_id: str, kind: str, space: str, power: str, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Battle:
    return Battle(battle_id, kind, space, power, [unit.id for unit in attackers], [unit.id for unit in defenders])


# -- the air battle -------------------------------------------------------------------------------------------------


def air_attackers_fire(game: Game, battle: Battle, first: bool = False) -> None:
    """Escorts, and bombers where the rule set lets them, fire once; losses fire back (P40-6.2.3, 6.2.4).

    The values are the parameter `raid_air_values` {escort, bomber, interceptor}.
    """
    values = game.rules.parameter("raid_air_values")
    firing = {
        unit.id: values["escort" if unit.mark(JOB) == "escort" else "bomber"]
        for unit in battle.units(game.state, ATTACK)
    }
    _air_fire(game, battle, ATTACK, AIR_ATTACKERS, firing, at_once=first)


def air_attackers_fire_first(game: Game, battle: Battle) -> None:
    """The same, but interceptors hit are gone before they could fire (S42-5.4.3)."""
    air_attackers_fire(game, battle, first=True)


def air_defenders_fire(game: Game, battle: Battle) -> None:
    """Interceptors fire once, also those just hit (P40-6.2.3, P40-6.2.4)."""
    value = game.rules.parameter("raid_air_values")["interceptor"]
    firing = {unit.id: value for unit in battle.units(game.state, DEFEND)}
    _air_fire(game, battle, DEFEND, AIR_DEFENDERS, firing)


def _air_fire(
    game: Game, battle: Battle, side: str, step: str, values: dict[str, int], *, at_once: bool = False
) -> None:
    firing = {unit_id: value for unit_id, value in values.items() if value >= 1}
    if firing:
        take_losses(game, battle, fire(game, battle, side, step, firing), at_once=at_once, kind="air_losses")


def end_air_battle(game: Game, battle: Battle) -> None:
    """Losses of both sides are removed; there is one round only (P40-6.2.3)."""
    remove_behind(game, battle, "end_air_battle")
    battle.result = OVER if battle.units(game.state, ATTACK) else LOST
    escorts = [unit.id for unit in battle.units(game.state, ATTACK) if unit.mark(JOB) == "escort"]
    if escorts:
        game.emit("units_marked", {"units": escorts, "set": {FOUGHT: True}})


RAID_AIR_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("air_attackers_fire", "Escorts fire", air_attackers_fire),
    BattleStep("air_defenders_fire", "Interceptors fire", air_defenders_fire),
    BattleStep("end_air_battle", "Losses of the air battle are removed", end_air_battle),
)
"""One round, both sides at once (P40-6.2.3)."""


# -- targets --------------------------------------------------------------------------------------------------------


def bombable(rules: RuleSet, state: State, territory: str, unit: Unit) -> tuple[str, ...]:
    """Facilities in a territory that a bomber may bomb, complexes first: full ones too (P40-6.2.10).

    Strategic bombers bomb any (P40-1.3.8), others only bases (P40-1.3.7, P40-6.2.1).
    """
    there = [kind for kind, _ in state.spaces[territory].facilities] if territory in state.spaces else []
    found = [kind for kind in there if rules.board.units[kind].can("bombable")]
    if not can(rules, unit, "strategic_bombing"):
        found = [kind for kind in found if not rules.board.units[kind].can("produces_units")]
    return tuple(sorted(found, key=lambda kind: _priority(rules, kind)))


def bombing_bonus(rules: RuleSet, unit: Unit) -> int:
    """What a bomber adds to each die of damage: the parameter `raid_bomber_bonus` by kind (P40-6.2.7)."""
    bonus = rules.parameter("raid_bomber_bonus").get(unit.kind, 0)
    assert isinstance(bonus, int)
    return bonus


def _priority(rules: RuleSet, kind: str) -> int:
    """Complexes, then naval bases, then others: the default order of targets (P40-DP-15)."""
    if rules.board.units[kind].can("produces_units"):
        return 0
    return 1 if rules.board.units[kind].can("sea_move_bonus") else 2


def choose_targets(game: Game, battle: Battle) -> None:
    """The attacker divides the surviving bombers over the facilities, each bomber to one (P40-6.2.5, P40-4.7.3)."""
    state = game.state
    bombers = battle.units(state, ATTACK)
    open_to = {unit.id: bombable(game.rules, state, battle.space, unit) for unit in bombers}
    options = list(dict.fromkeys(kind for kinds in open_to.values() for kind in kinds))
    default = _default_targets(game, battle, bombers, open_to)
    if len(options) > 1:
        decision = _target_decision(game, battle, bombers, open_to, options, default)
        battle.notes["targets"] = dict(game.ask([decision])[decision.key])
    else:
        battle.notes["targets"] = default
    game.emit("units_marked", {"units": [unit.id for unit in bombers], "set": {FOUGHT: True}})


def _default_targets(
    game: Game, battle: Battle, bombers: Sequence[Unit], open_to: dict[str, tuple[str, ...]]
) -> dict[str, str]:
    """What the orders named; else complexes up to the room left for damage, then naval base, then air base.

    A bomber is counted with half of 7 plus its bonus, in halves (P40-DP-15).
    """
    rules, state = game.rules, game.state
    room: dict[str, int] = {}
    for kind, damage in state.spaces[battle.space].facilities:
        room[kind] = 2 * (figure_there(rules, kind, "max_damage", battle.space) - damage)
    targets: dict[str, str] = {}
    for unit in bombers:
        kinds = open_to[unit.id]
        if not kinds:
            continue
        named = unit.mark(TARGET)
        wanted = [kind for kind in kinds if kind == named or (named == COMPLEXES and _priority(rules, kind) == 0)]
        target = (wanted or [kind for kind in kinds if room[kind] > 0] or [*kinds])[0]
        targets[unit.id] = target
        room[target] -= 7 + 2 * bombing_bonus(rules, unit)
    return targets


def _target_decision(
    game: Game,
    battle: Battle,
    bombers: Sequence[Unit],
    open_to: dict[str, tuple[str, ...]],
    options: Sequence[str],
    default: dict[str, str],
) -> Decision:
    def interpret(order: Order) -> Any:
        assert isinstance(order, BombTargets)
        return targets_meant(game.rules, game.state, battle.space, bombers, order, default)

    return Decision(
        key=f"{battle.id}:bomb_targets:{battle.attacker}",
        power=battle.attacker,
        kind="bomb_targets",
        interpret=interpret,
        default=lambda: default,
        space=battle.space,
        rules=rules_for(game.rules, "raid.targets"),
        public={"battle": battle.id, "side": ATTACK, "facilities": list(options), "units": count_by_kind(bombers)},
        subject=battle_subject(game, battle, battle.attacker),
        has_choice=any(len(open_to[unit.id]) > 1 and unit.mark(TARGET) is None for unit in bombers),
    )


def targets_meant(
    rules: RuleSet,
    state: State,
    territory: str,
    bombers: Sequence[Unit],
    order: BombTargets,
    default: dict[str, str],
) -> dict[str, str] | Refusal:
    """Which bomber bombs what by an order; bombers it does not name keep their default."""
    targets = dict(default)
    used: list[str] = []
    for pick, facility in order.groups:
        left = [unit for unit in bombers if unit.id not in used]
        taken, missing = chosen(rules, state, (pick,), left)
        if missing is not None:
            return Refusal(
                f"There are not {words(rules, missing)} in the raid on {space_name(rules, territory)}.",
                rule_for(rules, "raid.targets"),
            )
        for unit_id in taken:
            kinds = bombable(rules, state, territory, state.units[unit_id])
            fitting = [k for k in kinds if k == facility or (facility == COMPLEXES and _priority(rules, k) == 0)]
            if not fitting:
                unit = type_of(rules, state.units[unit_id])
                name = rules.board.units[facility].name.lower() if facility in rules.board.units else facility
                return Refusal(
                    f"A {unit.name.lower()} cannot bomb a {name} in {space_name(rules, territory)}.",
                    rule_for(rules, "raid.who_bombs_what"),
                    f"It may bomb: {', '.join(kinds) or 'nothing there'}.",
                )
            targets[unit_id] = fitting[0]
        used += taken
    return targets


def _groups(battle: Battle, state: State) -> list[tuple[str, list[Unit]]]:
    """Facilities that are bombed, each with its surviving bombers, in order of the facilities named first."""
    groups: dict[str, list[Unit]] = {}
    for unit in battle.units(state, ATTACK):
        target = battle.notes["targets"].get(unit.id)
        if target is not None:
            groups.setdefault(target, []).append(unit)
    return list(groups.items())


# -- bombs ----------------------------------------------------------------------------------------------------------


def facility_fire(game: Game, battle: Battle) -> None:
    """Each facility fires one die at each of its bombers, never at escorts; a 1 removes one (P40-6.2.6).

    Guns in the territory do not fire in a raid.
    """
    rules = game.rules
    for facility, group in _groups(battle, game.state):
        if not rules.board.units[facility].can("built_in_aa"):
            continue
        step = f"{FACILITY_FIRE}:{facility}"
        need = game.state.marks.get(facility_aim(battle.space), rules.board.units[facility].figure("hits_on", 1))
        singled = [unit for unit in group if unit.mark(SINGLED_OUT)]
        group = [*singled, *(unit for unit in group if unit not in singled)]
        announce(game, battle, step)
        faces = game.roll(
            len(group),
            power=game.state.power or battle.attacker,
            step=step,
            space=battle.space,
            dice=[{"unit": facility, "kind": facility, "need": need, "at": unit.id} for unit in group],
        )
        volley = Volley(DEFEND, step, [(facility, OTHER) for face in faces if face <= need])
        record_hits(game, battle, volley)
        for unit, face in zip(singled, faces, strict=False):
            if face <= need:
                _bombers_lost(game, battle, step, facility, 1, [unit.id])
        hits = sum(1 for face in faces[len(singled) :] if face <= need)
        _bombers_lost(game, battle, step, facility, hits, [unit.id for unit in group[len(singled) :]])


def _bombers_lost(game: Game, battle: Battle, step: str, facility: str, hits: int, members: Sequence[str]) -> None:
    """Hits of a facility are given to these bombers."""
    volley = Volley(DEFEND, step, [(facility, OTHER)] * hits)
    take_losses(game, battle, volley, at_once=True, allowed=lambda unit: unit.id in members, kind="air_losses")


def bombs(game: Game, battle: Battle) -> None:
    """Each surviving bomber rolls one die; pips and bonus are damage, up to the facility's maximum (P40-6.2.7, 1.2.8).

    A raid never changes control and hurts nobody on the ground (P40-6.2.9); what the damage does is told by the
    rules of bases and complexes (P40-6.2.8, P40-13-B18): less production, never less income (S42-5.3.7). What falls
    to the raider later in the phase keeps it (S42-5.3.8).
    """
    rules = game.rules
    for facility, group in _groups(battle, game.state):
        step = f"{BOMBS}:{facility}"
        announce(game, battle, step)
        dice = [(unit, bombing_bonus(rules, unit)) for unit, count in _loads(game, group) for _ in range(count)]
        faces = game.roll(
            len(dice),
            power=game.state.power or battle.attacker,
            step=step,
            space=battle.space,
            dice=[{"unit": unit.id, "kind": unit.kind, "owner": unit.owner, "bonus": bonus} for unit, bonus in dice],
        )
        total = sum(face + bonus for face, (_, bonus) in zip(faces, dice, strict=True))
        cited = rules_for(rules, "raid.damage")
        if "bomb_damage" in rules.judgements:
            thrown = [(unit, face + bonus) for face, (unit, bonus) in zip(faces, dice, strict=True)]
            total, more = rules.judge("bomb_damage", game.state, battle, thrown)
            cited = (*cited, *more)
        before = game.state.spaces[battle.space].facility(facility) or 0
        after = min(before + total, figure_there(rules, facility, "max_damage", battle.space, before + total))
        game.emit(
            "facility_changed",
            {
                "space": battle.space,
                "kind": facility,
                "damage": after,
                "why": "bombed",
                "battle": battle.id,
                "before": before,
                "rolled": total,
                **({"lost": total - (after - before)} if total > after - before else {}),
            },
            cited,
        )


def _loads(game: Game, bombers: Sequence[Unit]) -> list[tuple[Unit, int]]:
    """How many dice of damage each bomber rolls, in the order of the dice; the judgement `bomb_loads` may say it."""
    if "bomb_loads" in game.rules.judgements:
        loads: list[tuple[Unit, int]] = game.rules.judge("bomb_loads", game.state, bombers)
        return loads
    return [(unit, type_of(game.rules, unit).figure("bombing_dice", 1)) for unit in bombers]


def end_bombing(game: Game, battle: Battle) -> None:
    """The raid is over; bombers and escorts land in the noncombat move (P40-6.2.11)."""
    battle.result = OVER if battle.units(game.state, ATTACK) else LOST


RAID_BOMBING: tuple[BattleStep, ...] = (
    BattleStep("choose_targets", "Targets", choose_targets, when=OPENING),
    BattleStep("facility_fire", "Facilities fire at the bombers", facility_fire, when=OPENING),
    BattleStep("bombs", "Bombs", bombs, when=OPENING),
    BattleStep("end_bombing", "The raid is over", end_bombing, when=OPENING),
)
"""Targets, fire of the facilities, damage (P40-6.2.5-6.2.7)."""
