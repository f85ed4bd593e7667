"""A battle as data: who is in it, and the list of named steps by which it is fought.

A rule set lists the steps of each kind of battle in `RuleSet.battles`; editions and variants choose, replace, insert
or wrap steps with the helpers at the end. Nothing here knows what a step does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rules_for
from pbem.rules.marks import COMBAT_PART
from pbem.rules.query import choose
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

ATTACK, DEFEND = "attack", "defend"
OPENING, ROUND, CLOSING = "opening", "round", "closing"

WON, LOST, BOTH_GONE, STANDOFF, RETREAT, OVER = "attacker", "defender", "both_gone", "standoff", "retreat", "over"
"""How a battle may end: `over` for raids, which nobody wins; `standoff` where neither side can hit the other."""

OPENED = "opened"
"""Note of a battle: the names of the opening steps that have begun, for odds asked in the midst of them."""

MOST_ROUNDS = 200
"""A battle still undecided then ends as a standoff: only dice that never hit, as in dry runs, come so far."""


def other_side(side: str) -> str:
    """The side that faces this one."""
    return DEFEND if side == ATTACK else ATTACK


@dataclass(slots=True)
class Battle:
    """What the script knows of a battle while it is fought. It holds ids, never units or counts.

    `id` is unique in a segment, `kind` the key of its steps in the rule set. `behind` are units hit that still fire
    (behind the casualty line), `acted` those that fired or submerged in this round's first step, `strikers` those
    that strike in it, by side. `landed` attackers came ashore from `zones`. `origins` are the spaces attackers came
    from, in order. `lost` lists (id, kind) by side. `used` counts, for each list of losses that is consumed name by
    name, the names already used. `notes` belongs to steps and variants, `topics` say why the battle is fought.
    """

    id: str
    kind: str
    space: str
    attacker: str
    attackers: list[str]
    defenders: list[str]
    round: int = 0
    behind: list[str] = field(default_factory=list)
    acted: list[str] = field(default_factory=list)
    strikers: dict[str, list[str]] = field(default_factory=dict)
    landed: list[str] = field(default_factory=list)
    zones: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    result: str | None = None
    lost: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {ATTACK: [], DEFEND: []})
    used: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    topics: tuple[str, ...] = ()

    def ids(self, side: str) -> list[str]:
        """The ids of a side's units in the battle."""
        return self.attackers if side == ATTACK else self.defenders

    def units(self, state: State, side: str) -> tuple[Unit, ...]:
        """A side's units that are still in the battle, those behind the line included."""
        return choose(state, self.ids(side))

    def unhurt(self, state: State, side: str) -> tuple[Unit, ...]:
        """A side's units that are not behind the casualty line."""
        return tuple(unit for unit in self.units(state, side) if unit.id not in self.behind)

    def leave(self, unit_ids: Iterable[str]) -> None:
        """Units leave the battle: destroyed, submerged or retreated."""
        for unit_id in unit_ids:
            for ids in (self.attackers, self.defenders, self.behind, self.landed):
                if unit_id in ids:
                    ids.remove(unit_id)

    def side_of(self, unit_id: str) -> str:
        """The side on which a unit fights."""
        return ATTACK if unit_id in self.attackers else DEFEND


def battle_id(state: State, name: str) -> str:
    """The id of a battle: the same place may be fought for again in each combat of a turn that has several."""
    part = state.marks.get(COMBAT_PART)
    return name if part is None else f"{name}:{part}"


StepFunction = Callable[[Game, Battle], None]


@dataclass(frozen=True, slots=True)
class BattleStep:
    """One step of a battle: its name (in events and dice purposes), its title for players, what it does, its rules.

    `when` is `opening` (once, before round 1), `round` (in every round) or `closing` (once, when it is decided).
    A step ends the battle by setting `battle.result`; opening and round steps after it are then left out.
    """

    name: str
    title: str
    function: StepFunction
    rules: tuple[str, ...] = ()
    when: str = ROUND


def steps_of(rules: RuleSet, kind: str) -> tuple[BattleStep, ...]:
    """The steps of a kind of battle in this rule set."""
    return rules.battles[kind]


def step_named(rules: RuleSet, kind: str, name: str) -> BattleStep:
    """One step by its name; KeyError if this kind of battle has none of that name here."""
    for step in rules.battles[kind]:
        if step.name == name:
            assert isinstance(step, BattleStep)
            return step
    raise KeyError(f"battle {kind!r} of {rules.id} has no step {name!r}")


def fight(game: Game, battle: Battle) -> str:
    """Fight a battle to its end (P40-6.1.3, P40-6.4.2) and tell how it ended.

    With standing orders or defaults for everything it runs in one go (P40-11.2).
    """
    steps = steps_of(game.rules, battle.kind)
    emit_begun(game, battle)
    for step in steps:
        if step.when == OPENING and battle.result is None:
            battle.notes.setdefault(OPENED, []).append(step.name)
            step.function(game, battle)
    rounds = [step for step in steps if step.when == ROUND]
    while battle.result is None:
        battle.round += 1
        battle.acted.clear()
        battle.strikers.clear()
        game.emit("battle_round_begun", {"battle": battle.id, "space": battle.space, "round": battle.round})
        for step in rounds:
            if battle.result is None:
                step.function(game, battle)
        if battle.result is None and battle.round == MOST_ROUNDS:
            battle.result = STANDOFF
    emit_ended(game, battle)
    for step in steps:
        if step.when == CLOSING:
            step.function(game, battle)
    return battle.result


def emit_begun(game: Game, battle: Battle) -> None:
    """`battle_begun`: who meets whom, for the record."""
    game.emit(
        "battle_begun",
        {
            "battle": battle.id,
            "space": battle.space,
            "kind": battle.kind,
            "attacker": battle.attacker,
            "attackers": [[unit.id, unit.kind, unit.owner] for unit in battle.units(game.state, ATTACK)],
            "defenders": [[unit.id, unit.kind, unit.owner] for unit in battle.units(game.state, DEFEND)],
            **({"landed": list(battle.landed)} if battle.landed else {}),
        },
        rules_for(game.rules, *(battle.topics or (f"{battle.kind}.begin",))),
    )


def emit_ended(game: Game, battle: Battle) -> None:
    """`battle_ended`: the result and who is left."""
    game.emit(
        "battle_ended",
        {
            "battle": battle.id,
            "space": battle.space,
            "result": battle.result,
            "rounds": battle.round,
            "survivors": {
                side: [[unit.id, unit.kind, unit.owner] for unit in battle.units(game.state, side)]
                for side in (ATTACK, DEFEND)
            },
        },
        (*_rules_of_the_end(game, battle), *rules_for(game.rules, *_how_it_ended(game, battle))),
    )


def _rules_of_the_end(game: Game, battle: Battle) -> tuple[str, ...]:
    """What the book says of this result in this kind of battle, or in any."""
    end = f"end.{battle.result}"
    return rules_for(game.rules, f"{battle.kind}.{end}") or rules_for(game.rules, end)


def _how_it_ended(game: Game, battle: Battle) -> tuple[str, ...]:
    """A territory that only aircraft are left to take is not taken."""
    on_land = not game.board.spaces[battle.space].is_sea
    aircraft = [game.board.units[unit.kind].domain == "air" for unit in battle.units(game.state, ATTACK)]
    return ("end.aircraft_only",) if battle.result == WON and on_land and aircraft and all(aircraft) else ()


def announce(game: Game, battle: Battle, name: str) -> None:
    """`step_begun`: a step that really does something says its name, so that reports can print it."""
    step = step_named(game.rules, battle.kind, name.partition(":")[0])
    game.emit(
        "step_begun",
        {"battle": battle.id, "space": battle.space, "round": battle.round, "step": name, "name": step.title},
        step.rules,
    )


# -- composing ------------------------------------------------------------------------------------------------------

Steps = tuple[BattleStep, ...]


def _index(steps: Steps, name: str) -> int:
    for index, step in enumerate(steps):
        if step.name == name:
            return index
    raise KeyError(f"there is no step {name!r}; there are {', '.join(step.name for step in steps)}")


def replaced(steps: Steps, name: str, new: BattleStep) -> Steps:
    """The list with one step replaced."""
    index = _index(steps, name)
    return (*steps[:index], new, *steps[index + 1 :])


def before(steps: Steps, name: str, *new: BattleStep) -> Steps:
    """The list with steps inserted before the named one."""
    index = _index(steps, name)
    return (*steps[:index], *new, *steps[index:])


def after(steps: Steps, name: str, *new: BattleStep) -> Steps:
    """The list with steps inserted after the named one."""
    index = _index(steps, name) + 1
    return (*steps[:index], *new, *steps[index:])


def without(steps: Steps, *names: str) -> Steps:
    """The list without the named steps."""
    for name in names:
        _index(steps, name)
    return tuple(step for step in steps if step.name not in names)


def wrapped(steps: Steps, name: str, wrap: Callable[[StepFunction], StepFunction]) -> Steps:
    """The list with one step's function wrapped by another."""
    step = steps[_index(steps, name)]
    return replaced(steps, name, replace(step, function=wrap(step.function)))


def citing(steps: Steps, rules: Mapping[str, tuple[str, ...]]) -> Steps:
    """The list with the rule ids that a game gives for its steps, by their names."""
    return tuple(replace(step, rules=rules.get(step.name, step.rules)) for step in steps)
