"""The combat move: declarations of war, moves into battle, landings, and what is said about battles to come.

All moves of the phase are simultaneous (P40-4.1.2); the whole is planned on a sketch and then emitted line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.carrying_out import (
    Consents,
    ask_consents,
    carry_out_plan,
    condition_unmet,
    emit_deeds,
)
from pbem.rules.movement.combat_checks import check_combat_move
from pbem.rules.movement.declarations import declare
from pbem.rules.movement.orders import carry_out
from pbem.rules.movement.planning import Done, Plan, make_plan
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import (
    Assign,
    AttackHere,
    Bombard,
    DeclareWar,
    IgnoreHere,
    Load,
    Move,
    NothingTo,
    Order,
    PlayCard,
    Unload,
)
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game


def combat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 2 (P40-4.1.1-4.1.7): wars are declared, then all moves are made, then what was left unsaid is settled."""
    game.run("declare_war", filed)
    lines = sorted((line for line in filed if not isinstance(line.order, DeclareWar | NothingTo)), key=rank)
    power = game.state.power
    assert power is not None, "a turn belongs to a power"
    consents = Consents(game.rules.parameters.get("allied_cargo_needs_consent", True))
    plan = plan_combat(game.rules, game.state, power, lines, consents)
    if ask_consents(game, consents, COMBAT):
        plan = plan_combat(game.rules, game.state, power, lines, consents)
    finished = carry_out_plan(
        game, plan, COMBAT, lambda state, rest: plan_combat(game.rules, state, power, rest, consents)
    )
    game.run("combat_move_defaults")
    last = Sketch(game.rules, game.state, power, COMBAT)
    _note_sequence(last, finished)
    emit_deeds(game, last.deeds)
    if "attacks_ordered" in game.rules.steps:
        game.run("attacks_ordered")


def plan_combat(rules: RuleSet, state: State, power: str, lines: Sequence[Filed], consents: Consents) -> Plan:
    """What becomes of these lines in a position, without emitting anything.

    The parameter `special_lines` gives the function for types of lines that only this rule set knows.
    """
    special: SpecialLines = rules.parameters.get("special_lines", {})

    def act(sketch: Sketch, line: Filed) -> Refusal | None:
        order = line.order
        if isinstance(order, Move | Load | Unload):
            return condition_unmet(sketch, order.when) or carry_out(sketch, order, consents)
        if order.type in special:
            return special[order.type](sketch, line)
        return declare(sketch, order)

    return make_plan(rules, state, power, COMBAT, lines, act, check_combat_move)


_AFTER_MOVES: tuple[type[Order], ...] = (Assign, AttackHere, IgnoreHere)


SpecialLines = Mapping[str, Callable[[Sketch, Filed], Refusal | None]]


def rank(line: Filed) -> int:
    """Cards that change moves, the moves, what is said about their battles; bombardment last: it needs all landings."""
    if isinstance(line.order, Move | Load | Unload):
        return 0
    if isinstance(line.order, PlayCard):
        return -1
    if isinstance(line.order, _AFTER_MOVES):
        return 1 + _AFTER_MOVES.index(type(line.order))
    return 9 if isinstance(line.order, Bombard) else 8


def _note_sequence(sketch: Sketch, finished: Sequence[Done]) -> None:
    """Keep where the moves ended, in the order of the lines: battles are fought in it if no other is named."""
    spaces: dict[str, None] = {}
    for line in finished:
        for unit_id in line.units:
            unit = sketch.state.units.get(unit_id)
            if unit is None or unit.owner not in sketch.acting or unit.mark(marks.MOVED) != COMBAT:
                continue
            spaces[str(unit.mark(marks.LANDING) or unit.space)] = None
    if spaces:
        sketch.do("mark_set", {"key": marks.MOVE_SEQUENCE, "value": list(spaces)})
