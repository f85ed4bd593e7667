"""How units under cards fire: their hit numbers, their dice and the order of these in a batch.

The base rules' values hold for everybody else (FOV-1.8); what comes of dice once they are seen is in `seen`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.s42.fov import plays
from pbem.games.s42.fov.plays import CARD, PAIRED
from pbem.games.s42.fov.subjects import enemy_fighters
from pbem.rules import marks
from pbem.rules.battle import values
from pbem.rules.battle.dice_steps import ATTACKERS_FIRE, DEFENDERS_FIRE
from pbem.rules.battle.firing import SURFACE, Shot
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.values import effective_values
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet

HEAVY = "heavy"
"""Category of a Heavy Artillery's hits (FOV-W08.2)."""

OF_ALL_ROUNDS = ("jet_fighter", "super_bombers", "heavy_artillery", "heavy_tank")
"""Cards on a unit that tell in its fire as long as the battle lasts."""
FIRST_ROUND = ("air_supremacy", "combined_arms", "entrenchment")
"""Cards for a whole battle that tell in the dice of its first round only (FOV-T01.3, FOV-T02.2, FOV-T08.1)."""

# -- hit numbers ------------------------------------------------------------------------------------------------------


def attack_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Attack values with cards in force: W08, W09, T01 and the infantry of T03, which artillery raises no further.

    A paired infantry attacks at 2 as long as a paired tank is there for it (FOV-T03.4); heavy artillery goes on
    supporting (FOV-W08.4).
    """
    present = list(units)
    raised = _paired_infantry(present)
    found = values.attack_values(rules, state, battle, [unit for unit in present if unit.id not in raised])
    result = {unit.id: 2 if unit.id in raised else found[unit.id] for unit in present}
    _heavy(present, result)
    if _until_round_one(battle) and supremacy_holds(rules, state, battle):
        for unit in present:
            if _free_fighter(rules, unit):
                result[unit.id] = 5
    return result


def _until_round_one(battle: Battle) -> bool:
    """Whether what cards do in round 1 may still count: before it and in it."""
    return battle.round <= 1


def _paired_infantry(present: Sequence[Unit]) -> list[str]:
    """The infantry of a Mechanized Offensive that have a paired tank left beside them (FOV-T03.4)."""
    infantry = [unit.id for unit in present if unit.mark(PAIRED) and unit.kind == "infantry"]
    tanks = sum(1 for unit in present if unit.mark(PAIRED) and unit.kind == "tank")
    return infantry[:tanks]


def _heavy(present: Sequence[Unit], result: dict[str, int]) -> None:
    """Heavy Artillery hits on 3, Heavy Tank on 4, in all rounds (FOV-W08.1, FOV-W09.1)."""
    for unit in present:
        if unit.mark(CARD) == "heavy_artillery":
            result[unit.id] = 3
        elif unit.mark(CARD) == "heavy_tank":
            result[unit.id] = 4


def defense_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Defence values with cards in force: W08, W09, and in round 1 entrenched infantry at 3 (FOV-T08.1)."""
    present = list(units)
    result = dict(values.defense_values(rules, state, battle, present))
    _heavy(present, result)
    if _until_round_one(battle):
        dug_in = {play.power for play in plays.in_force(state, "entrenchment", battle.space)}
        for unit in present:
            if unit.owner in dug_in and _free_infantry(unit):
                result[unit.id] = 3
    return result


def supremacy_holds(rules: RuleSet, state: State, battle: Battle) -> bool:
    """Whether Air Supremacy works: no enemy fighter defends when round 1 starts (FOV-T01.2, FOV-T01.3)."""
    if not plays.in_force(state, "air_supremacy", battle.space) or battle.kind not in ("land", "sea"):
        return False
    known = battle.notes.get("air_supremacy")
    return bool(known) if known is not None else not enemy_fighters(rules, state, battle)


# -- dice -------------------------------------------------------------------------------------------------------------


def shots(rules: RuleSet, state: State, battle: Battle, side: str, step: str, firing: Mapping[str, int]) -> list[Shot]:
    """All dice of a fire in their order: by hit number, units under a card first, then as S42-5.2.3 has it.

    A jet fires twice (FOV-W05.2), a super bomber twice with the better die counting (FOV-W04.2), a torpedo boat twice
    in round 1 at surface warships (FOV-W10.2), matched arms have dice more in round 1 (FOV-T02.1).
    """
    found: list[Shot] = []
    raised = raised_by_battle_cards(rules, state, battle, side)
    for unit_id, need in firing.items():
        found += _of_unit(rules, state, battle, side, state.units[unit_id], need, raised.get(unit_id))
    if side == ATTACK and step == ATTACKERS_FIRE and _in_round_one(battle):
        found += [Shot(unit_id, 3, card="combined_arms") for unit_id in matched(rules, state, battle)[0]]
    order: Sequence[str] = rules.parameter("dice_order")
    rank = {kind: place for place, kind in enumerate(order)}
    touched = under_battle_cards(rules, state, battle, side)

    def place(shot: Shot) -> tuple[int, bool, int, int]:
        unit = state.units[shot.unit]
        extra = -1 if shot.card == "combined_arms" else rank.get(unit.kind, len(rank))
        carded = shot.card is not None or plays.under_card(unit) or unit.id in touched
        return shot.need, not carded, extra, int(unit.id[1:])

    return sorted(found, key=place)


def _of_unit(
    rules: RuleSet, state: State, battle: Battle, side: str, unit: Unit, need: int, raised: str | None
) -> list[Shot]:
    """The dice of one unit; `raised` is the card for the whole battle that gives it its number, if one does."""
    card = unit.mark(CARD)
    if card == "jet_fighter" and side == DEFEND:
        return [Shot(unit.id, need, card=card)] * 2
    if card == "super_bombers" and side == ATTACK and battle.kind in ("land", "sea"):
        return [Shot(unit.id, need, best=True, card=card)] * 2
    if card == "heavy_artillery" and battle.kind == "land":
        return [Shot(unit.id, need, category=HEAVY, card=card)]
    enemy = other_side(side)
    if card == "powerful_torpedoes" and _in_round_one(battle) and surface_warships(rules, state, battle, enemy):
        return [Shot(unit.id, need, category=SURFACE, card=card)] * 2
    return [Shot(unit.id, need, card=raised)]


def _in_round_one(battle: Battle) -> bool:
    """Whether what cards do in round 1 counts now."""
    return battle.round == 1


def round_is_unlike(rules: RuleSet, state: State, battle: Battle) -> bool:
    """Whether cards make the dice of this round others than those of later rounds, for odds."""
    if not _in_round_one(battle):
        return False
    if any(plays.in_force(state, card, battle.space) for card in FIRST_ROUND):
        return True
    units = (*battle.units(state, ATTACK), *battle.units(state, DEFEND))
    return any(unit.mark(CARD) == "powerful_torpedoes" for unit in units)


def surface_warships(rules: RuleSet, state: State, battle: Battle, side: str) -> bool:
    """Whether a side has a surface warship in the battle: without one a torpedo boat rolls as ever (FOV-W10.3)."""
    return any(can(rules, unit, "surface_warship") for unit in battle.units(state, side))


def matched(rules: RuleSet, state: State, battle: Battle) -> tuple[list[str], list[str]]:
    """For Combined Arms: an infantry for each set of infantry, tank and fighter, and all units of these sets.

    Units under another card are left out (FOV-T02.1, FOV-5.1.1). Once round 1 began the sets are fixed (FOV-R33).
    """
    known = battle.notes.get("combined_arms")
    if known is not None:
        return list(known["dice"]), list(known["units"])
    owners = {play.power for play in plays.in_force(state, "combined_arms", battle.space)}
    if not owners or battle.kind != "land":
        return [], []
    own = [unit for unit in battle.units(state, ATTACK) if unit.owner in owners and not plays.under_card(unit)]
    rows = [[unit.id for unit in own if unit.kind == kind] for kind in ("infantry", "tank", "fighter")]
    sets = min(len(row) for row in rows)
    return rows[0][:sets], [unit_id for row in rows for unit_id in row[:sets]]


def under_battle_cards(rules: RuleSet, state: State, battle: Battle, side: str) -> set[str]:
    """Units of a side that a card for the whole battle affects now, in round 1 (FOV-5.1.1, FOV-5.1.5).

    Fighters under Air Supremacy, the sets of Combined Arms, entrenched infantry; who is under a card of its own is not
    among them.
    """
    if not _in_round_one(battle):
        return set()
    found = set(raised_by_battle_cards(rules, state, battle, side))
    return found | set(matched(rules, state, battle)[1]) if side == ATTACK else found


def raised_by_battle_cards(rules: RuleSet, state: State, battle: Battle, side: str) -> dict[str, str]:
    """Units to which a card for the whole battle gives another hit number in round 1, with the card.

    Fighters under Air Supremacy (FOV-T01.3) and entrenched infantry (FOV-T08.1).
    """
    if not _in_round_one(battle):
        return {}
    if side == ATTACK:
        holds = supremacy_holds(rules, state, battle)
        fighters = [unit for unit in battle.units(state, ATTACK) if holds and _free_fighter(rules, unit)]
        return {unit.id: "air_supremacy" for unit in fighters}
    dug_in = {play.power for play in plays.in_force(state, "entrenchment", battle.space)}
    infantry = [unit for unit in battle.units(state, DEFEND) if unit.owner in dug_in and _free_infantry(unit)]
    return {unit.id: "entrenchment" for unit in infantry}


def _free_fighter(rules: RuleSet, unit: Unit) -> bool:
    return can(rules, unit, "carrier_capable") and not plays.under_card(unit)


def _free_infantry(unit: Unit) -> bool:
    return unit.kind == "infantry" and not plays.under_card(unit)


# -- fire power -------------------------------------------------------------------------------------------------------


def fire_power(rules: RuleSet, state: State, battle: Battle, side: str) -> int:
    """Dice times hit numbers of a side in round 1, cards in force included (FOV-F03.1, FOV-R26)."""
    before, battle.round = battle.round, 1
    step = ATTACKERS_FIRE if side == ATTACK else DEFENDERS_FIRE
    firing = {uid: value for uid, value in effective_values(rules, state, battle, side).items() if value >= 1}
    power = sum(shot.need for shot in shots(rules, state, battle, side, step, firing))
    battle.round = before
    return power


def fire_topics(rules: RuleSet, state: State, battle: Battle, side: str) -> list[str]:
    """Which cards tell in a side's fire now, for the rules cited with its hits."""
    found: dict[str, Any] = {}
    for unit in battle.units(state, side):
        card = unit.mark(CARD)
        if card in OF_ALL_ROUNDS or (card == "powerful_torpedoes" and _in_round_one(battle)):
            found[f"card.{card}"] = None
    units = battle.units(state, side)
    if side == ATTACK and _paired_infantry(units):
        found["card.mechanized_offensive"] = None
    if battle.round == 1 and side == ATTACK:
        if supremacy_holds(rules, state, battle):
            found["card.air_supremacy"] = None
        if matched(rules, state, battle)[0]:
            found["card.combined_arms"] = None
    if battle.round == 1 and side == DEFEND and plays.in_force(state, "entrenchment", battle.space):
        found["card.entrenchment"] = None
    if any(unit.mark(marks.DROPPED) for unit in units):
        found["card.airborne_assault"] = None
    return list(found)


def bomb_loads(rules: RuleSet, state: State, bombers: Sequence[Unit]) -> list[tuple[Unit, int]]:
    """Dice of damage: an atomic bomber four, a super bomber two, in this order, then the others (FOV-W03.3, 8)."""
    loads = {"atomic_bomb": (0, 4), "super_bombers": (1, 2)}
    ranked = sorted(bombers, key=lambda unit: loads.get(unit.mark(CARD, ""), (2, 1))[0])
    return [(unit, loads.get(unit.mark(CARD, ""), (2, 1))[1]) for unit in ranked]


def bomb_damage(
    rules: RuleSet, state: State, battle: Battle, thrown: Sequence[tuple[Unit, int]]
) -> tuple[int, tuple[str, ...]]:
    """All dice added, of a super bomber's two the better one; halved, rounded down, where the factory is hidden.

    FOV-W03.3, FOV-W04.3, FOV-T09.1; the cap comes after it (FOV-T09.1).
    """
    sums: dict[str, list[int]] = {}
    by_card = {unit.id: unit.mark(CARD) for unit, _ in thrown}
    for unit, damage in thrown:
        sums.setdefault(unit.id, []).append(damage)
    total = sum(max(dice) if by_card[one] == "super_bombers" else sum(dice) for one, dice in sums.items())
    cited = [rule for card, rule in (("atomic_bomb", "FOV-W03.3"), ("super_bombers", "FOV-W04.3"))
             if card in by_card.values()]  # fmt: skip
    if any(play.facility == battle.space for play in plays.in_force(state, "hidden_factory", battle.space)):
        return total // 2, (*cited, "FOV-T09.1", "FOV-T09.3")
    return total, tuple(cited)
