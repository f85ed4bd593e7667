"""Oil in War Without Mercy: what each side receives, how much the Allies may keep, and Japan's economy."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State
from pbem.games.p01 import income as base
from pbem.games.p01.convoys import route_of
from pbem.games.p01.parameters import JAPAN, UK, USA
from pbem.games.p01.wwm.forming import OIL
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import holds
from pbem.rules.order_model import Condition, GiveOil, PayEconomy
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

FIELDS = ("borneo", "sumatra")
"""Territories that yield Japan a marker in each turn while it controls them (WWM-11.2)."""
MORE_FIELDS = ("dutch-new-guinea",)
"""A third one with the option of the Japanese economy (WWM-13.5)."""
ALLIED_LIMIT = 4


def fields(rules: RuleSet) -> tuple[str, ...]:
    """The oil territories of this campaign."""
    return (*FIELDS, *MORE_FIELDS) if rules.parameter("wwm_economy") else FIELDS


def yield_of(rules: RuleSet, state: State) -> int:
    """Markers that Japan receives: control of the territory is enough, unless the switch asks for its route (11.3)."""
    held = [land for land in fields(rules) if state.controller(land) == JAPAN]
    if rules.parameter("wwm_oil_needs_route"):
        held = [land for land in held if (route := route_of(rules, land)) is None or state.controller(route) == JAPAN]
    return len(held)


def allotment(round_number: int) -> int:
    """What the Allies together receive: 0 on turn 1, 2 on turn 2, 3 afterwards (WWM-11.5)."""
    return 0 if round_number < 2 else 2 if round_number == 2 else 3


def income_line(game: Game, line: Filed) -> bool:
    """Lines of the income phase that this variant knows; what is wrong with them is said where they count."""
    if isinstance(line.order, PayEconomy):
        if line.power != JAPAN or not game.rules.parameter("wwm_economy"):
            wrong = refuse(game.rules, "economy_paid", "Oil for the economy is Japan's to pay, where the option is on.")
            game.refuse(line, "collect_income", wrong)
        return True
    if not isinstance(line.order, GiveOil):
        return False
    if line.power != USA or line.order.power != UK:
        wrong = refuse(game.rules, "oil_gifts", "Only the United States give oil, to Britain, as it is received.")
        game.refuse(line, "collect_income", wrong)
    return True


def collect_income(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 9: Japan's economy is settled, then IPCs and points, then oil (WWM-11.4, WWM-13.2)."""
    seat = game.state.power
    if seat == JAPAN:
        _pay_for_economy(game, filed)
    winner = game.state.winner
    base.collect_income(game, filed)
    if seat == JAPAN and winner is None:
        received = yield_of(game.rules, game.state)
        _credit(game, JAPAN, received, "oil_japan")
    elif seat == USA and game.rules.parameter("wwm_oil_timing") == "collect":
        allied_oil(game, filed)


def allied_oil(game: Game, filed: Sequence[Filed]) -> None:
    """The Allies' markers of this turn; the United States say whether Britain gets one (WWM-11.5 to WWM-11.8)."""
    received = allotment(game.state.round)
    gift = min(_gift(game, filed), received)
    _credit(game, USA, received - gift, "oil_allies")
    _credit(game, UK, gift, "oil_britain")
    excess = game.state.counter(USA, OIL) + game.state.counter(UK, OIL) - ALLIED_LIMIT
    for power in (USA, UK):
        lost = min(max(excess, 0), game.state.counter(power, OIL))
        excess -= lost
        _credit(game, power, -lost, "oil_limit")


def _credit(game: Game, power: str, by: int, topic: str) -> None:
    if by:
        why = "lost" if by < 0 else "received"
        game.emit("counter_changed", {"power": power, "counter": OIL, "by": by, "why": why}, cites(game.rules, topic))


def _gift(game: Game, filed: Sequence[Filed]) -> int:
    """One marker or none for Britain; silent, none (WWM-D13)."""
    gift = 0
    for line in filed:
        order = line.order
        if not isinstance(order, GiveOil) or line.power != USA or order.power != UK:
            continue
        if not holds(order.when, lambda test: _stock(game.state, test)):
            continue
        if order.amount not in (0, 1):
            wrong = refuse(game.rules, "oil_gifts", "Britain gets one marker of those received, or none.", "`oil uk 1`")
            game.refuse(line, "collect_income", wrong)
            continue
        gift = order.amount
    return gift


def _stock(state: State, test: Condition) -> int | None:
    """`stock`: the British markers."""
    return state.counter(UK, OIL) if test.subject == "stock" else None


# -- the Japanese economy -------------------------------------------------------------------------------------------

UNPAID = "turn/wwm/economy_unpaid"
"""Mark of the turn: Japan did not pay oil for its economy."""


def _pay_for_economy(game: Game, filed: Sequence[Filed]) -> None:
    """With the option Japan pays a marker in each turn but the first, before oil comes in (WWM-13.1, WWM-13.2).

    Silent, it pays if it can (WWM-13.6).
    """
    if not game.rules.parameter("wwm_economy") or game.state.round == 1:
        return
    pays = next((line.order.pays for line in reversed(filed) if isinstance(line.order, PayEconomy)), True)
    if pays and game.state.counter(JAPAN, OIL):
        spent = {"power": JAPAN, "counter": OIL, "by": -1, "why": "economy"}
        game.emit("counter_changed", spent, cites(game.rules, "economy_paid"))
    else:
        game.emit("mark_set", {"key": UNPAID, "value": True}, cites(game.rules, "economy_unpaid"))


def paid_level(game: Game, power: str) -> int:
    """The IPCs a power is paid: Japan's are halved, rounded down, if its economy got no oil (WWM-13.3)."""
    level = base.paid_level(game, power)
    return level // 2 if power == JAPAN and game.state.marks.get(UNPAID) else level
