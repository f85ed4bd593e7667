"""Dry runs: what would become of these orders, without dice and without touching the log.

Dice of a dry run are as kind as can be to the side that moves (all its dice hit, none of the others), so that a line
for a later phase is refused only if it could never be legal; what depends on battles is answered with its condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.rules.ruleset import RuleSet


class Optimistic:
    """Every die of the active side shows 1, every die of the others 6, unless the rule set names other faces."""

    def __init__(self, own_steps: frozenset[str], faces: Mapping[str, Sequence[int]]) -> None:
        self.own_steps = own_steps
        self.faces = faces

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """Faces by whose dice they are, told by the name of the step (before `:` and `#`)."""
        name, _, number = purpose.step.partition("#")
        step = name.split(":", 1)[0]
        kind = self.faces.get(step, (1,) if step in self.own_steps else (6,))
        first = int(number) if number.isdigit() else 0
        shown = tuple(kind[(first + place) % len(kind)] for place in range(count))
        return Roll(None, None, None, purpose.text(), dict(entropy), shown, "throwaway")


def optimistic_dice(rules: RuleSet) -> Optimistic:
    """The dice of a dry run under a rule set; its parameter `own_dice_steps` names the active side's own steps.

    The parameter `dry_run_faces` gives the faces of steps in which others are kinder, one after the other.
    """
    own = frozenset(rules.parameters.get("own_dice_steps", ()))
    return Optimistic(own, rules.parameters.get("dry_run_faces", {}))


def sober_dice(rules: RuleSet) -> Optimistic:
    """The same, but research brings nothing, as it mostly does: faces by the parameter `dry_run_sober_faces`."""
    kind = optimistic_dice(rules)
    return Optimistic(kind.own_steps, {**kind.faces, **rules.parameters.get("dry_run_sober_faces", {})})
