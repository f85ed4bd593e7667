"""Which kinds of lines a game has: a line of another game, or of a variant that is not on, is refused as such.

Asked when lines come in, before any script runs: the phase that such a line belongs to may never be played.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.rules.citations import cite
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Move, Order, Retreat, Submerge
from pbem.rules.ruleset import RuleSet

OF_CARDS = frozenset(("play", "draw", "discard"))
OF_RESEARCH = frozenset(("research", "rocket"))
OF_TASK_FORCES = frozenset(
    ("form_task_force", "carrier_wing", "refit", "deploy", "give_oil", "pay_economy", "first_seat")
)
OF_PATROLS = frozenset(("cap", "commit", "convoy_split"))
OF_ADVANCED_RETREATS = frozenset(("withdraw", "evacuate", "retreat_of_defenders", "last_resort"))
OF_CLASSIC = frozenset(("scorch", "consent", "drop"))
"""Kinds of lines that one game, or one variant, has and most have not."""

SUBJECTS: Mapping[str, str] = {
    "research": "no research",
    "rocket": "no rockets",
    "play": "no cards",
    "draw": "no cards",
    "discard": "no cards",
    "deploy": "no deployment of aircraft",
    "form_task_force": "no task forces",
    "carrier_wing": "no task forces",
    "refit": "no task forces",
    "give_oil": "no oil",
    "pay_economy": "no oil",
    "cap": "no combat air patrols",
    "commit": "no combat air patrols",
    "convoy_split": "no convoy money",
    "first_seat": "no initiative",
    "stay_at_peace": "no powers at peace",
    "scramble": "no scrambling",
    "kamikaze": "no kamikaze strikes",
    "submarine_fire": "no fire of submarines at passing ships",
    "intercept": "no interception of raids",
    "parts": "no retreat in parts: all who may retreat go together",
    "withdraw": "no withdrawing of submarines to another zone; they submerge",
    "battle_plan": "no codes for a whole battle",
    "scorch": "no scorched earth",
    "drop": "no paratroopers",
    "consent": "no such leave to give or refuse",
    "last_resort": "no retreat of defenders",
    "retreat_of_defenders": "no retreat of defenders",
    "evacuate": "no evacuation by ships",
    "bomb_targets": "no choice of targets within a raid",
    "refund": "no refund: what was bought stays bought, and what finds no place is lost",
    "bid": "no bidding by mail: a bid is an option of the campaign, agreed upon when it is created",
    "marker": "no choice of control markers",
    "allow_cargo": "no need of leave: units of your side may board where there is room",
}
"""What a game has not whose parameter `lines_not_here` names the kind of line; in words for players."""


def foreign_line(rules: RuleSet, order: Order) -> Refusal | None:
    """Why this game does not know such a line (parameter `lines_not_here`); None if it does, or says nothing of it.

    The rule is that of the citation `no_line:KIND`, if the book has one.
    """
    absent: Collection[str] = rules.parameters.get("lines_not_here", ())
    kind = next((kind for kind in kinds_of(order) if kind in absent), None)
    if kind is None:
        return None
    return Refusal(f"This campaign has {SUBJECTS[kind]}.", cite(rules, f"no_line:{kind}"), "Leave the line out.")


def kinds_of(order: Order) -> tuple[str, ...]:
    """The kinds of line an order is: its type, and what is special about this one."""
    if isinstance(order, Move) and order.purpose == "deploy":
        return (order.type, "deploy")
    if isinstance(order, Retreat):
        return (order.type, *_kinds_of_retreat(order))
    if isinstance(order, Submerge) and order.to is not None:
        return (order.type, "withdraw")
    return (order.type,)


def _kinds_of_retreat(order: Retreat) -> tuple[str, ...]:
    evacuates = any(part.how == "evacuate" for part in order.parts)
    found = {"parts": bool(order.parts), "evacuate": evacuates, "retreat_of_defenders": order.side == "defend"}
    return tuple(kind for kind, is_so in found.items() if is_so)
