"""One side's fire in one step: the dice in their order, and the hits with the kind of unit that scored them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import ATTACKERS_FIRE, DEFENDERS_FIRE
from pbem.rules.battle.model import ATTACK, Battle, announce, other_side
from pbem.rules.query import can, in_dice_order, is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

SUBMARINE, AIR, OTHER, SURFACE = "submarine", "air", "other", "surface"
"""Categories of hits, because what may take a hit depends on who scored it (P40-0.9); `surface` hits only warships."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One die of a unit and the highest face that hits.

    `category` replaces the unit's own category of hits. Of a unit's dice marked `best` only the best one counts. `card`
    names what gave it the die, for the record.
    """

    unit: str
    need: int
    category: str | None = None
    best: bool = False
    card: str | None = None


@dataclass(slots=True)
class Volley:
    """The hits of one side in one step: (unit that scored it, category) in the order of dice.

    `step` is the step's name in the record. `finds_submarines` tells whether aircraft of the firing side may hit
    submarines, because a destroyer of theirs was in the battle when they fired (P40-6.5.7). `topics` name what else
    told in its dice, for the rules cited. `shots` are the dice with the faces they showed.
    """

    side: str
    step: str
    hits: list[tuple[str, str]] = field(default_factory=list)
    finds_submarines: bool = True
    topics: tuple[str, ...] = ()
    shots: tuple[tuple[Shot, int], ...] = ()

    def by_category(self) -> dict[str, int]:
        """How many hits of each category, in the order of the categories."""
        counts = dict.fromkeys((SUBMARINE, AIR, OTHER, SURFACE), 0)
        for _, category in self.hits:
            counts[category] = counts.get(category, 0) + 1
        return {category: count for category, count in counts.items() if count}


def category_of(rules: RuleSet, unit: Unit) -> str:
    """Whose hit it is: a submarine's, an aircraft's, or another unit's (P40-0.9)."""
    if can(rules, unit, "no_hit_on_air"):
        return SUBMARINE
    return AIR if is_air(rules, unit) else OTHER


def has_destroyer(rules: RuleSet, state: State, battle: Battle, side: str) -> bool:
    """Whether a destroyer of a side is in the battle (P40-1.3.11).

    The attacker's must be the active power's own, the defenders' may be of any of them (P40-6.5.16).
    """
    return any(can(rules, unit, "anti_submarine") for unit in battle.units(state, side))


def may_take(rules: RuleSet, category: str, finds_submarines: bool, unit: Unit) -> bool:
    """Whether a unit may take a hit of a category (P40-6.5.7, 6.5.8, 6.8.2)."""
    if category == SUBMARINE:
        return not is_air(rules, unit)
    if category == SURFACE:
        return can(rules, unit, "surface_warship")
    if category == AIR and not finds_submarines:
        return not can(rules, unit, "air_needs_destroyer")
    return True


def can_hit_something(rules: RuleSet, state: State, battle: Battle, side: str, shooters: Iterable[Unit]) -> bool:
    """Whether any of the shooters could give a hit to any enemy unit that is not yet a casualty."""
    targets = battle.unhurt(state, other_side(side))
    if not targets:
        return False
    finds = has_destroyer(rules, state, battle, side)
    categories = dict.fromkeys(category_of(rules, unit) for unit in shooters)
    return any(may_take(rules, category, finds, target) for category in categories for target in targets)


def shooters(game: Game, battle: Battle, side: str, values: Mapping[str, int], *, behind: bool) -> dict[str, int]:
    """Who fires now with which value: value 1 or more, nothing done yet in this round (P40-6.4.3, P40-6.4.4).

    With `behind` units behind the casualty line fire too.
    """
    return {
        unit.id: values[unit.id]
        for unit in battle.units(game.state, side)
        if values.get(unit.id, 0) >= 1 and unit.id not in battle.acted and (behind or unit.id not in battle.behind)
    }


def with_targets(game: Game, battle: Battle, side: str, firing: Mapping[str, int]) -> dict[str, int]:
    """Those of `firing` whose dice are thrown: nobody's when all enemies are gone or already casualties.

    The parameter `fire_needs_target` narrows it: `side` throws none if no unit of the side could hit anybody
    (P01-6.1.11), `unit` leaves out each unit that could not (S42-5.2.7). Without it all others fire (P40-6.4.4).
    """
    rules, state = game.rules, game.state
    if not firing or not battle.unhurt(state, other_side(side)):
        return {}
    needs = rules.parameters.get("fire_needs_target")
    if needs is None:
        return dict(firing)
    able = {
        unit_id: value
        for unit_id, value in firing.items()
        if can_hit_something(rules, state, battle, side, [state.units[unit_id]])
    }
    return able if needs == "unit" or not able else dict(firing)


def fire(game: Game, battle: Battle, side: str, step: str, firing: Mapping[str, int]) -> Volley:
    """Roll one die for each unit of `firing` (id -> highest hitting face) and record the hits (P40-0.6, P40-0.7).

    The batch is announced, rolled in dice order, each die with its unit and need, and closed by `hits_scored`. The
    judgement `dice_of` (state, battle, unit) may give a unit several dice (CLA-3.13), `shots` list all dice outright.
    """
    rules = game.rules
    shots = shots_of(rules, game.state, battle, side, step, firing)
    finds = bool(rules.parameters.get("aircraft_find_submarines")) or has_destroyer(rules, game.state, battle, side)
    volley = Volley(side, step, finds_submarines=finds)
    volley.topics = _topics(game, battle, side, step, firing)
    announce(game, battle, step)
    units = game.state.units
    notes = [_note_of(shot) for shot in shots]
    faces = roll_for(game, battle, step, [(units[shot.unit], shot.need) for shot in shots], notes)
    volley.shots = tuple(zip(shots, faces, strict=True))
    volley.hits = hits_of(rules, game.state, volley.shots)
    if "dice_seen" in rules.steps:
        game.run("dice_seen", battle, volley)
    record_hits(game, battle, volley)
    return volley


def shots_of(
    rules: RuleSet, state: State, battle: Battle, side: str, step: str, firing: Mapping[str, int]
) -> list[Shot]:
    """The dice of a side's fire in their order: one for each unit, unless a judgement says otherwise."""
    if "shots" in rules.judgements:
        listed: list[Shot] = rules.judge("shots", state, battle, side, step, firing)
        return listed
    ordered = in_dice_order(rules, (state.units[unit_id] for unit_id in firing), lambda unit: firing[unit.id])
    return [Shot(unit.id, firing[unit.id]) for unit in ordered for _ in range(_dice_of(rules, state, battle, unit))]


def _dice_of(rules: RuleSet, state: State, battle: Battle, unit: Unit) -> int:
    if "dice_of" not in rules.judgements:
        return 1
    return int(rules.judge("dice_of", state, battle, unit))


def hits_of(rules: RuleSet, state: State, shots: Iterable[tuple[Shot, int]]) -> list[tuple[str, str]]:
    """The hits among dice that were rolled: (unit, category); of dice marked `best` a unit scores once."""
    hits: list[tuple[str, str]] = []
    scored: set[str] = set()
    for shot, face in shots:
        if face > shot.need or (shot.best and shot.unit in scored):
            continue
        scored.add(shot.unit)
        hits.append((shot.unit, shot.category or category_of(rules, state.units[shot.unit])))
    return hits


def _topics(game: Game, battle: Battle, side: str, step: str, firing: Mapping[str, int]) -> tuple[str, ...]:
    """What is special about a fire: units raised by support, submarines that a destroyer keeps from striking first."""
    units = [game.state.units[unit_id] for unit_id in firing]
    topics = []
    if side == ATTACK and any(firing[unit.id] > game.board.units[unit.kind].attack for unit in units):
        topics.append("fire.supported")
    if step in (ATTACKERS_FIRE, DEFENDERS_FIRE) and any(can(game.rules, unit, "surprise_strike") for unit in units):
        topics.append("fire.submarines_held")
    if "fire_topics" in game.rules.judgements:
        topics.extend(game.rules.judge("fire_topics", game.state, battle, side))
    return tuple(topics)


def skip_fire(game: Game, battle: Battle, side: str, step: str) -> None:
    """`fire_skipped`: a side has units that would fire but no target; told where the rule book says so (S42-5.2.7).

    A book may have a rule of its own for the case that no enemy is left at all.
    """
    left = battle.unhurt(game.state, other_side(side))
    rules = (() if left else rules_for(game.rules, "fire.nobody_left")) or rules_for(game.rules, "fire.no_target")
    if rules:
        skipped = {"battle": battle.id, "space": battle.space, "round": battle.round, "step": step, "side": side}
        game.emit("fire_skipped", skipped, rules)


def _note_of(shot: Shot) -> dict[str, object]:
    """What the record says of a die beside its unit and need: the card that gave it, that the better of two counts."""
    return {**({"card": shot.card} if shot.card is not None else {}), **({"best": True} if shot.best else {})}


def roll_for(
    game: Game,
    battle: Battle,
    step: str,
    dice: Sequence[tuple[Unit, int]],
    notes: Sequence[Mapping[str, object]] = (),
) -> tuple[int, ...]:
    """One batch of this battle: a die for each (unit, need), in the order given, each with its note in the record.

    Of a unit's dice noted as `best` one hit counts at most; a die noted as `exact` hits with its need only.
    """
    rows: list[dict[str, object]] = [
        {"unit": unit.id, "kind": unit.kind, "owner": unit.owner, "need": need} for unit, need in dice
    ]
    for row, note in zip(rows, notes, strict=False):
        row.update(note)
    return game.roll(
        len(dice),
        power=game.state.power or battle.attacker,
        step=step,
        space=battle.space,
        battle_round=battle.round,
        dice=rows,
    )


def record_hits(game: Game, battle: Battle, volley: Volley) -> None:
    """`hits_scored`: how many hits of each category a side scored in a step."""
    game.emit(
        "hits_scored",
        {
            "battle": battle.id,
            "space": battle.space,
            "round": battle.round,
            "step": volley.step,
            "side": volley.side,
            "hits": volley.by_category(),
            **({} if volley.finds_submarines or AIR not in volley.by_category() else {"submarines_safe": True}),
        },
        rules_for(
            game.rules,
            "fire.attack" if volley.side == ATTACK else "fire.defend",
            *(() if volley.finds_submarines or battle.kind != "sea" else ("fire.no_submarines",)),
            *volley.topics,
        ),
    )
