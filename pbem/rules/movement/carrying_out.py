"""From a plan to events: what holds is emitted line by line, what does not is refused, and dice may change the rest.

Shared by both move phases. When submarines sink passing transports, the lines that are left are planned anew, and
those that have become impossible lapse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.decisions import Decision, Refusal, holds
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.passing_fire import fire_on_passing, routes_of_escorts
from pbem.rules.movement.planning import Done, Plan
from pbem.rules.movement.sketch import Deed, Sketch
from pbem.rules.order_model import AllowCargo, Condition, Order
from pbem.rules.script import Filed, Game

Replan = Callable[[State, Sequence[Filed]], Plan]


class Consents(dict[str, bool]):
    """Answers of allies whose transports may carry the mover's units; remembers who would have to be asked."""

    def __init__(self, needed: bool = True) -> None:
        super().__init__()
        self.needed = needed
        self.wanted: dict[str, None] = {}

    def get(self, key: str, default: object = None) -> bool:
        """Whether an ally allows it; False as long as he was not asked, True where nobody needs to be (S42-10.5.1)."""
        if not self.needed:
            return True
        if key not in self:
            self.wanted[key] = None
        return bool(super().get(key, False))


def ask_consents(game: Game, consents: Consents, phase: str) -> bool:
    """Ask the allies whose transports the lines need (P40-4.6.11, P40-DP-34); whether anybody was asked."""
    power = game.state.power or ""
    missing = [ally for ally in consents.wanted if ally not in consents]
    if not missing:
        return False
    decisions = [_consent(game, ally, power, phase) for ally in missing]
    answers = game.ask(decisions)
    for ally, decision in zip(missing, decisions, strict=True):
        consents[ally] = bool(answers[decision.key])
    return True


def _consent(game: Game, ally: str, power: str, phase: str) -> Decision:
    def interpret(order: Order) -> bool | Refusal:
        if isinstance(order, AllowCargo) and order.power == power:
            return order.allowed
        return refuse(game.rules, "allied_cargo", f"The question is whether units of {power} may board.")

    return Decision(
        key=f"allow_cargo/{ally}/{phase}",
        power=ally,
        kind="allow_cargo",
        interpret=interpret,
        default=lambda: False,
        rules=cites(game.rules, "allied_cargo"),
        public={"guest": power},
    )


def carry_out_plan(game: Game, plan: Plan, phase: str, replan: Replan) -> list[Done]:
    """Emit a plan; gives the lines that were carried out."""
    for failure in plan.failed:
        game.refuse(failure.filed, phase, failure.refusal, lapsed=failure.lapsed)
    power = game.state.power or ""
    finished: list[Done] = []
    left = list(plan.done)
    routes = routes_of_escorts(game.rules, plan.sketch.state, power, phase)
    while left:
        line = left.pop(0)
        sunk = 0
        for place, deed in enumerate(line.deeds):
            if deed.type == "units_moved":
                path = (deed.payload["from"], *deed.payload.get("via", ()), deed.payload["to"])
                tag = f"{phase}/{len(finished)}.{place}"
                sunk += fire_on_passing(game, deed.payload["units"], path, routes, tag)
            _emit(game, deed, power)
        finished.append(line)
        if sunk and left:
            again = replan(game.state, [rest.filed for rest in left])
            for failure in again.failed:
                game.refuse(failure.filed, phase, failure.refusal, lapsed=True)
            left = list(again.done)
    return finished


def emit_deeds(game: Game, deeds: Sequence[Deed]) -> None:
    """Emit what was planned without a line: defaults, forced moves."""
    for deed in deeds:
        _emit(game, deed, game.state.power or "")


def _emit(game: Game, deed: Deed, power: str) -> None:
    payload = dict(deed.payload)
    if payload.get("units"):
        payload["units"] = [unit for unit in payload["units"] if unit in game.state.units]
        if not payload["units"]:
            return
    if deed.type == "capture":
        game.run("capture", payload["space"], power, payload["units"])
    else:
        game.emit(deed.type, payload, deed.rules)


def condition_unmet(sketch: Sketch, condition: Condition | None) -> Refusal | None:
    """Why a line with a condition is not carried out; None if it is (or has none)."""

    def subject(test: Condition) -> int | None:
        if test.subject == "taken" and test.space is not None:
            friendly = sketch.rules.judge("friendly_territory", sketch.state, sketch.power, test.space)
            return int(bool(friendly) and marks.taken(test.space) in sketch.state.marks)
        if test.subject == "round":
            return sketch.state.round
        return None

    if holds(condition, subject):
        return None
    return Refusal("The condition of this line is not met.", None)
