"""Phase 9 of Pacific (2001): what each country collects, the British convoy money, Japan's victory points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.p01.control import plunder_key
from pbem.games.p01.money import (
    capital_lost,
    centres_of,
    change_money,
    country_without_capital,
    production,
    purse,
    route_cut,
)
from pbem.games.p01.parameters import AUSTRALIA, CHINA, CONVOY_FUND, INDIA, JAPAN, TREASURIES, UK, USA
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import ControlMarker, NothingTo, SplitConvoys, StayAtPeace
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

POINTS = "victory_points"
IPC_PER_POINT = 10


def collect_income(game: Game, filed: Sequence[Filed]) -> None:
    """Every country of the seat but China collects its production level (P01-11.1.1, P01-12.1.2)."""
    seat = game.state.power or ""
    lines = _split_lines(game, filed, seat)
    for power in acting(game.rules, seat):
        if power == UK:
            _british(game, lines)
        elif power != CHINA:
            collect(game, power, game.run("paid_level", power))
    if seat == JAPAN:
        game.run("judge_points")


def paid_level(game: Game, power: str) -> int:
    """The IPCs a power is paid: its level; without its capital nothing for territories (P01-7.3.5)."""
    if capital_lost(game.rules, game.state, power):
        return centres_of(game.rules, game.state, USA) if power == USA else 0
    return production(game.rules, game.state, power)


def collect(game: Game, power: str, level: int) -> None:
    """Pay a power its level; Japan scores (P01-11.3.1)."""
    change_money(game, power, level, "income")
    told = {"power": power, "territories": level, "convoy_loss": _cut_off(game, power), "objectives": [],
            "total": level}  # fmt: skip
    game.emit("income_collected", told, _cited(game, power, level))
    if power == JAPAN:
        score(game, level)


def _cited(game: Game, power: str, level: int) -> tuple[str, ...]:
    topics = ["income"]
    if _cut_off(game, power):
        topics.append("route_cut")
    if capital_lost(game.rules, game.state, power):
        topics.append("no_capital_income")
    return cites(game.rules, *topics)


def _cut_off(game: Game, power: str) -> int:
    """What a power's land would pay but for convoy routes in enemy hands."""
    return sum(
        space.ipc
        for space in game.board.spaces.values()
        if not space.is_sea and game.state.controller(space.id) == power
        and route_cut(game.rules, game.state, space.id)
    )  # fmt: skip


def _split_lines(game: Game, filed: Sequence[Filed], seat: str) -> list[Filed]:
    lines = []
    for line in filed:
        if isinstance(line.order, SplitConvoys) and line.power == UK == seat:
            lines.append(line)
        elif not isinstance(line.order, NothingTo | StayAtPeace | ControlMarker) and not game.run("income_line", line):
            wrong = refuse(game.rules, "no_gifts", "There is nothing to order here: income is collected, never given.")
            game.refuse(line, "collect_income", wrong)
    return lines


def other_line(game: Game, line: Filed) -> bool:
    """Whether a line of this phase is somebody else's business; a variant knows some."""
    return False


# -- Britain ----------------------------------------------------------------------------------------------------------


def _british(game: Game, lines: Sequence[Filed]) -> None:
    """India and Australia collect apart (P01-11.1.5); the convoy money is divided between them (P01-11.2.2)."""
    rules, state = game.rules, game.state
    levels = {one: 0 if country_without_capital(state, one) else production(rules, state, one) for one in TREASURIES}
    convoys = centres_of(rules, state, UK)
    shares = shares_of(game, convoys, lines)
    for country in TREASURIES:
        change_money(game, country, levels[country] + shares[country], "income")
    told = {"power": UK, "territories": sum(levels.values()), "convoy_loss": _cut_off(game, UK), "objectives": [],
            "total": sum(levels.values()) + sum(shares.values()), "convoys": convoys,
            "treasuries": [[one, levels[one], shares[one]] for one in TREASURIES]}  # fmt: skip
    topics = ["income", "convoy_income"] + (["convoy_default"] if not lines else [])
    topics += ["route_cut"] if _cut_off(game, UK) else []
    topics += ["no_capital_income"] if any(country_without_capital(state, one) for one in TREASURIES) else []
    game.emit("income_collected", told, cites(rules, *topics))


def shares_of(game: Game, convoys: int, lines: Sequence[Filed]) -> dict[str, int]:
    """How the convoy money is divided: as the last legal line says, else by halves (P01-11.2.3, P01-D20).

    A country without its capital leaves all of it to the other (P01-7.3.6).
    """
    lost = [one for one in TREASURIES if country_without_capital(game.state, one)]
    if lost:
        other = [one for one in TREASURIES if one not in lost]
        return {one: convoys if one in other else 0 for one in TREASURIES}
    shares = {INDIA: convoys - convoys // 2, AUSTRALIA: convoys // 2}
    for line in lines:
        assert isinstance(line.order, SplitConvoys)
        said = _said(game, line.order, convoys)
        if isinstance(said, Refusal):
            game.refuse(line, "collect_income", said)
        else:
            shares = said
    return shares


def _said(game: Game, order: SplitConvoys, convoys: int) -> dict[str, int] | Refusal:
    wanted = dict.fromkeys(TREASURIES, 0)
    for treasury, number in order.shares:
        if treasury not in TREASURIES or number < 0:
            return refuse(game.rules, "convoy_split", "Convoy money goes to India and Australia, in whole IPCs.")
        wanted[treasury] += number
    total = sum(wanted.values())
    if order.ratio and total:
        australia = convoys * wanted[AUSTRALIA] // total
        return {INDIA: convoys - australia, AUSTRALIA: australia}
    if total != convoys:
        return refuse(
            game.rules, "convoy_split", f"The British convoy centres pay {convoys} IPC; this divides {total}.",
            f"`convoy india {convoys - convoys // 2}, australia {convoys // 2}`",
        )  # fmt: skip
    return wanted


def divide_fund(game: Game, lines: Sequence[Filed]) -> None:
    """Before the first purchase Britain divides the 12 IPCs of its convoy centres (P01-1.4.1, P01-1.4.4, P01-D01)."""
    fund = game.state.counter(*purse(CONVOY_FUND))
    if not fund:
        return
    shares = shares_of(game, fund, [line for line in lines if isinstance(line.order, SplitConvoys)])
    cited = cites(game.rules, "first_split", *(() if lines else ("convoy_default",)))
    change_money(game, CONVOY_FUND, -fund, "divided", cited)
    for country in TREASURIES:
        change_money(game, country, shares[country], "divided", cited)


# -- victory points -----------------------------------------------------------------------------------------------


def score(game: Game, collected: int) -> None:
    """One point for each full 10 IPCs collected, plunder added first (P01-11.3.1, P01-11.3.2); nothing carries over.

    With the switch `vp_floor` income and plunder are divided apart.
    """
    plunder: int = game.state.marks.get(plunder_key(), 0)
    if game.rules.parameter("points_counted_apart"):
        points = collected // IPC_PER_POINT + plunder // IPC_PER_POINT
    else:
        points = (collected + plunder) // IPC_PER_POINT
    if points:
        gained = {"power": JAPAN, "counter": POINTS, "by": points, "why": "income"}
        game.emit("counter_changed", gained, cites(game.rules, "points", *(("plunder_counts",) if plunder else ())))


def lose_points(game: Game, paid: int) -> None:
    """A raid that cost Japan full tens takes as many points away, never below none (P01-6.2.11, P01-6.2.12)."""
    points = min(paid // IPC_PER_POINT, game.state.counter(JAPAN, POINTS))
    if points:
        lost = {"power": JAPAN, "counter": POINTS, "by": -points, "why": "raid"}
        game.emit("counter_changed", lost, cites(game.rules, "points_lost"))


def totals(rules: RuleSet, state: State) -> Mapping[str, Any]:
    """Levels of all countries and the yield of the British centres, for reports and tests (P01-11.1.5, P01-11.2.1)."""
    countries = (JAPAN, *TREASURIES, USA)
    return {**{one: production(rules, state, one) for one in countries}, "convoys": centres_of(rules, state, UK)}
