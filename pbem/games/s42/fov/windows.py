"""When card orders are weighed: with the moves, after them by the attacker, then by all defenders at once.

What a power plays is revealed together; what it cannot play is told to it alone, in one sealed event that comes
whether or not there is anything to tell, so that nobody learns from it (FOV-6.1.6, FOV-6.1.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.state import CARD_ORDERS, State, orders_key
from pbem.games.s42.fov import hands, moves
from pbem.games.s42.fov.effects import disaster, take_effect
from pbem.games.s42.fov.lending import give_back, hand_over, with_lent
from pbem.games.s42.fov.plays import Play, lay
from pbem.games.s42.fov.subjects import attacked, battle_at, raided
from pbem.games.s42.fov.table import ATT, CARDS, DEF, MOVE, TACTICS
from pbem.games.s42.fov.tactics import scrambling
from pbem.games.s42.fov.weapons import COMPLEX
from pbem.games.s42.fov.weighing import (
    ORDERS,
    Line,
    Targets,
    Weighing,
    answers_of,
    lines_of,
    meant_for,
    says_none,
)
from pbem.rules.battle.model import DEFEND
from pbem.rules.decisions import Decision, Refusal, holds
from pbem.rules.movement.carrying_out import Consents
from pbem.rules.movement.combat_move import plan_combat, rank
from pbem.rules.movement.noncombat import plan_noncombat
from pbem.rules.movement.ready import COMBAT, NONCOMBAT
from pbem.rules.order_model import DeclareWar, NothingTo, PlayCard, RestDefault
from pbem.rules.query import enemies_of
from pbem.rules.reactions.intercept import fly_interceptions
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

Step = Callable[..., Any]

# -- lines and records ------------------------------------------------------------------------------------------------


def sealed(key: str, power: str, kind: str, **more: Any) -> Decision:
    """A question whose answer stays secret but for what is played (FOV-6.1.5)."""
    return Decision(key=key, power=power, kind=kind, interpret=lambda order: None, default=list, sealed=True, **more)


def turn_lines(state: State, power: str, phase: str = CARD_ORDERS) -> list[Line]:
    """A power's card orders for its own turn; they may be replaced until their window closes (FOV-10.3)."""
    return lines_of(state.orders.get(orders_key(power, phase), ()), ORDERS)


def asked(game: Game, decision: Decision) -> list[Line]:
    """The lines that may answer a sealed question: orders for the turn, answers, standing orders.

    After `play none` there are only the answers before it.
    """
    rows: Sequence[Mapping[str, Any]] = game.ask([decision])[decision.key]
    said = answers_of(rows)
    if decision.power != game.state.power or any(says_none(row) for row in rows):
        return said
    return [*turn_lines(game.state, decision.power), *said]


def conclude(game: Game, w: Weighing, rules: Sequence[str] = ("FOV-6.1.8",)) -> None:
    """The sealed record for the power itself."""
    game.emit("answers_weighed", w.note(), rules, readers=(w.power,))


def played_with(game: Game, w: Weighing) -> list[Play]:
    """Lay everything that a weighing plays, in its order; effects come after all are laid (FOV-4.1.2)."""
    for play in w.played:
        lay(game, play, w.moment)
    return list(w.played)


# -- with the moves ---------------------------------------------------------------------------------------------------


def combat_move(base: Step) -> Step:
    """Cards laid with the combat moves, and the moves they make possible (FOV-4.1.3 MOVE, FOV-FD01, FOV-R29)."""

    def step(game: Game, filed: Sequence[Filed]) -> None:
        power = game.state.power or ""
        hand_over(game, power)
        lines = with_lent(game.state, filed)
        left, cards = _cards_with_moves(game, lines, COMBAT)
        base(game, [*left, *cards])
        give_back(game, power, unused_only=True)

    return step


def noncombat_move(base: Step) -> Step:
    """Long-Range Fighters may also go with the noncombat moves; lent bombers land and are returned (FOV-W06.3)."""

    def step(game: Game, filed: Sequence[Filed]) -> None:
        lines = with_lent(game.state, filed)
        left, cards = _cards_with_moves(game, lines, NONCOMBAT)
        base(game, [*left, *cards])
        give_back(game, game.state.power or "", unused_only=False)

    return step


def _cards_with_moves(game: Game, filed: Sequence[Filed], phase: str) -> tuple[list[Filed], list[Filed]]:
    """Weigh the cards that go with the moves of a phase: the moves that are left, and the plays as lines among them."""
    power = game.state.power or ""
    rows = game.ask([sealed(f"cards:{phase}", power, "card", has_choice=False)])[f"cards:{phase}"]
    lines = [*turn_lines(game.state, power), *lines_of(rows)]
    w = Weighing(game.rules, game.state, power, MOVE)
    wanted = [line for line in lines if _goes_with(line, phase, filed, w)]
    cards = [Filed(power, line.text, line.order) for line in wanted if not _is(line, "force_majeure")]
    kept, refused, lapsed = moves.settle(
        game.rules, game.state, _movable(filed), cards, phase, _planner(game, power, phase)
    )
    bound = _weigh_moves(w, wanted, kept, refused)
    conclude(game, w)
    for play in played_with(game, w):
        if play.card == "force_majeure":
            disaster(game, play)
    for line, refusal in lapsed:
        game.refuse(line, phase, refusal, lapsed=True)
    gone = {id(line) for line, _ in lapsed}
    return [line for line in filed if id(line) not in gone], bound


def _is(line: Line, card: str) -> bool:
    return isinstance(line.order, PlayCard) and line.order.card == card


def _goes_with(line: Line, phase: str, filed: Sequence[Filed], w: Weighing) -> bool:
    """Whether a line is a card for this phase; Long-Range Fighters wait for the move that starts where they stand."""
    order = line.order
    if not isinstance(order, PlayCard) or not meant_for(w.rules, order, MOVE):
        return False
    if not holds(order.when, lambda test: None):
        return False
    missing = hands.not_in_hand(w.state, w.power, order.card, [play.copy for play in w.played])
    if order.card == "long_range_fighters":
        start = order.path[0] if order.path else None
        moving = any(getattr(one.order, "path", ("",))[0] == start for one in filed)
        if not moving and phase == COMBAT and missing is None:
            return False
    elif phase != COMBAT:
        return False
    if missing is not None:
        w.refuse(line, missing)
        return False
    return True


def _movable(filed: Sequence[Filed]) -> list[Filed]:
    return [line for line in filed if not isinstance(line.order, DeclareWar | NothingTo | RestDefault)]


def _planner(game: Game, power: str, phase: str) -> moves.Planner:
    rules, state = game.rules, game.state
    plan = plan_combat if phase == COMBAT else plan_noncombat

    def planned(lines: Sequence[Filed]) -> Any:
        return plan(rules, state, power, sorted(lines, key=rank), Consents(False))

    return planned


def _weigh_moves(
    w: Weighing, wanted: Sequence[Line], kept: Mapping[int, Filed], refused: Mapping[int, Refusal]
) -> list[Filed]:
    """Turn what the planning gave into plays and refusals; the plays that hold, as lines of the phase."""
    bound: list[Filed] = []
    place = -1
    for line in wanted:
        order = line.order
        assert isinstance(order, PlayCard)
        if order.card == "force_majeure":
            _weigh_disaster(w, line, order)
            continue
        place += 1
        if place in refused:
            w.refuse(line, refused[place])
            continue
        fitted = kept[place].order
        assert isinstance(fitted, PlayCard)
        if _accept(w, line, fitted):
            bound.append(kept[place])
    return bound


def _accept(w: Weighing, line: Line, order: PlayCard) -> bool:
    missing = hands.not_in_hand(w.state, w.power, order.card, [play.copy for play in w.played])
    if missing is not None:
        w.refuse(line, missing)
        return False
    goal = order.path[-1] if order.path else order.space
    ids = tuple(unit_id for pick in order.units for unit_id in pick.ids)
    stacked = w.stacked(CARDS[order.card], Targets(goal, ids))
    if stacked is not None:
        w.refuse(line, stacked)
        return False
    copies = [play.copy for play in w.played]
    copy = next(one for one in hands.ready_copies(w.state, w.power, order.card) if one not in copies)
    w.accept(line, order, Play(order.card, w.power, copy, goal, ids))
    return True


def _weigh_disaster(w: Weighing, line: Line, order: PlayCard) -> None:
    """Three damage on any complex that an enemy controls (FOV-F10.1)."""
    held = w.state.spaces.get(order.space or "")
    enemy = held is not None and held.controller is not None and w.state.at_war(w.power, held.controller)
    if held is None or not enemy or held.facility(COMPLEX) is None:
        w.refuse(line, Refusal(f"{w.name(order.space or '')} holds no enemy complex.", "FOV-F10.1"))
        return
    _accept(w, line, replace(order, units=()))


# -- after the moves --------------------------------------------------------------------------------------------------


def reactions(game: Game) -> None:
    """The attacker plays all its cards, then the defenders theirs, knowing them (FOV-4.1.1, FOV-FD02).

    Interceptions are decided in the defenders' window.
    """
    attackers_cards(game)
    defenders_cards(game)


def attackers_cards(game: Game) -> None:
    """All cards of the attacker for all battles, at once (FOV-4.1.1, FOV-4.1.2); nobody is obliged (FOV-4.2.1)."""
    power = game.state.power or ""
    question = sealed(
        "cards:attack", power, "card", has_choice=hands.unused(game.state, power) > 0, public={"moment": "attack"}
    )
    lines = asked(game, question)
    w = Weighing(game.rules, game.state, power, ATT)
    w.weigh(lines)
    conclude(game, w)
    for play in played_with(game, w):
        take_effect(game, play)


def defenders_cards(game: Game) -> None:
    """All defending powers at once: who leaves goes first, then who arrives, then all others (FOV-4.1.4, FOV-R09)."""
    may = concerned(game.rules, game.state)
    powers = enemies_of(game.rules, game.state, game.state.power or "")
    questions = [
        sealed(
            f"cards:defence:{power}", power, "card", reaction=True, has_choice=power in may,
            public={"moment": "defence"},
        )
        for power in powers
    ]  # fmt: skip
    answers = game.ask([*game.run("reaction_decisions"), *questions])
    fly_interceptions(game, answers)
    weighed = []
    for power, question in zip(powers, questions, strict=True):
        w = Weighing(game.rules, game.state, power, DEF)
        w.weigh(answers_of(answers[question.key]))
        weighed.append(w)
    for w in weighed:
        conclude(game, w)
    laid = [play for w in weighed for play in played_with(game, w)]
    for play in sorted(laid, key=_order_of_effect):
        take_effect(game, play)


def _order_of_effect(play: Play) -> int:
    order = ("signals_intelligence", "scramble")
    return order.index(play.card) if play.card in order else len(order)


def concerned(rules: RuleSet, state: State) -> list[str]:
    """Enemy powers with a face-down card that could be concerned by position alone (FOV-6.1.6, FOV-4.3.1).

    Public information decides it: they have units in an attacked space or a raided complex, or with a tactics card
    fighters next door (FOV-R10).
    """
    found = []
    spaces = attacked(rules, state)
    for power in enemies_of(rules, state, state.power or ""):
        if not hands.unused(state, power):
            continue
        there = any(_is_in(rules, state, power, space) for space in spaces)
        if there or (hands.unused(state, power, TACTICS) and scrambling(rules, state, power)):
            found.append(power)
    return found


def _is_in(rules: RuleSet, state: State, power: str, space: str) -> bool:
    if state.controller(space) == power and (raided(rules, state, space) or battle_at(rules, state, space) is not None):
        return True
    battle = battle_at(rules, state, space)
    return battle is not None and any(unit.owner == power for unit in battle.units(state, DEFEND))


# -- the end of the turn -----------------------------------------------------------------------------------------------


def spend_rest(game: Game, power: str, phases: Iterable[str]) -> list[str]:
    """The texts of a power's card orders that are left at the end of its turn."""
    return [line.text for phase in phases for line in turn_lines(game.state, power, phase)]
