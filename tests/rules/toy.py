"""A game of one space for tests of the runner: two powers bet, one is asked, dice decide. It has every kind of stop."""

from __future__ import annotations

from typing import Any

from pbem.board.map import Board, Power
from pbem.board.state import State
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll, SeededThrowaway
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Buy, Order, PressOn, Retreat
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Game

POWERS = ("blue", "red")


def board() -> Board:
    powers = {p: Power(p, p.title(), p, None, 10, n, True, "#000") for n, p in enumerate(POWERS, 1)}
    return Board("toy", "Toy", "", "TOY", {}, {}, powers, {p: (p,) for p in POWERS}, {}, (), {})


def setup() -> list[tuple[str, dict[str, Any]]]:
    return [
        (
            "campaign_created",
            {"game": "toy", "edition": "", "variants": [], "options": {}, "rules_version": 1,
             "seats": {"ann": ["blue"], "bob": ["red"]}},
        ),
        ("board_set_up", {"spaces": {}, "counters": {p: {"ipc": 10} for p in POWERS}}),
    ]  # fmt: skip


def turn(game: Game) -> None:
    """Bet, be asked whether to go on, roll, pay; then a window that may be skipped."""
    me = game.segment.split(".")[1]
    other = "red" if me == "blue" else "blue"
    game.emit("phase_begun", {"power": me, "phase": "bet"})
    orders = game.orders("bets", (me,), ("purchase",))
    bet = 0
    for filed in orders["purchase"]:
        if isinstance(filed.order, Buy) and filed.order.count + bet <= game.state.counter(me):
            bet += filed.order.count
        else:
            game.refuse(filed, "purchase", Refusal("you have not that much", "TOY-1", "bet less"))
    game.boundary("before_dice")

    def stay(order: Order) -> Any:
        if isinstance(order, PressOn):
            return True
        if isinstance(order, Retreat) and order.to is None:
            return False
        return Refusal("there is nowhere to retreat to", "TOY-2")

    going = game.ask(
        [
            Decision(key=f"stay:{power}:1", power=power, kind="retreat", interpret=stay, default=lambda: True,
                     rules=("TOY-2",), reaction=power == other)
            for power in (me, other)
        ]
    )  # fmt: skip
    for battle_round in range(1, 3):
        if going[f"stay:{other}:1"] and bet:
            faces = game.roll(2, power=me, step="attackers_fire", battle_round=battle_round)
            won = sum(faces) % 2 == 0
            game.emit("counter_changed", {"power": me, "counter": "ipc", "by": bet if won else -bet}, ("TOY-3",))
            bet = min(bet, game.state.counter(me))
    rest = game.orders("rest", (me,), ("mobilize",), may_skip=True)
    for filed in rest["mobilize"]:
        game.emit("counter_changed", {"power": other, "counter": "gifts", "by": 1}, (filed.text,))
    game.emit("phase_ended", {"power": me, "phase": "bet"})


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    last = state.power
    if state.round > 2:
        return None
    if last is None:
        return Segment("r1.blue", 1, ("blue",), turn)
    if last == "blue":
        return Segment(f"r{state.round}.red", state.round, ("red",), turn)
    return Segment(f"r{state.round + 1}.blue", state.round + 1, ("blue",), turn)


def rules(version: int = 1) -> RuleSet:
    return RuleSet(
        "toy", "toy", "", (), {}, version, board(), {"phases": ("purchase", "mobilize")}, {}, {}, next_segment
    )


class CountingDice:
    """Throw-away dice that remember every purpose asked for."""

    def __init__(self, seed: int = 7) -> None:
        self.source = SeededThrowaway(seed)
        self.purposes: list[str] = []

    def roll(self, purpose: Purpose, entropy: Any, count: int) -> Roll:
        self.purposes.append(purpose.text())
        return self.source.roll(purpose, entropy, count)
