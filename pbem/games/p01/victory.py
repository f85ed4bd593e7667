"""Winning Pacific (2001): victory points, a starved Japan, and capitals held through a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.p01.control import captured_key
from pbem.games.p01.income import POINTS
from pbem.games.p01.money import CAPITALS, production
from pbem.games.p01.parameters import JAPAN, UK, USA
from pbem.rules.citations import cites
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

POINTS_TO_WIN = 22
STARVED = 9
PRIZES = (*CAPITALS.values(), "united-states")
"""Capitals whose fall wins for Japan (P01-1.3.2); Szechwan's never does (P01-1.3.7)."""
SEATS = (JAPAN, UK, USA)
"""First powers of the three seats in the order of a round (P01-1.2.1)."""


def judge_points(game: Game) -> None:
    """At the end of Japan's turn only (P01-1.3.5, P01-11.3.3): 22 points win (P01-1.3.1), a level of 9 loses (1.3.4).

    Both at once: Japan wins (P01-1.3.6). The level counts without plunder (P01-11.3.4).
    """
    if game.state.winner is not None:
        return
    if game.state.counter(JAPAN, POINTS) >= POINTS_TO_WIN:
        _won(game, JAPAN, "victory", "points_win")
    elif production(game.rules, game.state, JAPAN) <= STARVED:
        _won(game, USA, "victory", "starved")


def _won(game: Game, power: str, how: str, topic: str) -> None:
    side = game.board.side_of(power)
    game.emit("game_won", {"side": side, "how": how}, cites(game.rules, topic))


def capitals_taken(game: Game) -> None:
    """With the switch `capital_hold` a capital's fall decides the game at once (P01-1.3.9)."""
    if not game.rules.parameter("capital_falls_at_once") or game.state.winner is not None:
        return
    for space in (*PRIZES, JAPAN):
        if captured_key(space) in game.state.marks:
            power = game.state.marks[captured_key(space)]["power"]
            _won(game, power, "victory", "at_once")
            return


def turn_completed(game: Game, seat: str) -> None:
    """A seat has completed a full turn: capitals held since through a turn of every enemy seat win the game.

    Japan needs one of three (P01-1.3.2), the Allies the territory Japan (P01-1.3.3).
    """
    if game.state.winner is not None:
        return
    for space in (*PRIZES, JAPAN):
        held: Mapping[str, Any] | None = game.state.marks.get(captured_key(space))
        if held is None:
            continue
        holder = game.state.controller(space)
        if holder is None or not game.board.allied(holder, held["power"]):
            game.emit("mark_set", {"key": captured_key(space), "value": None})
            continue
        if seat in enemies(game.rules, held["power"]) and seat not in held["done"]:
            held = {**held, "done": [*held["done"], seat]}
            game.emit("mark_set", {"key": captured_key(space), "value": held})
        if set(enemies(game.rules, held["power"])) <= set(held["done"]):
            _won(game, held["power"], "victory", "held_japan" if holder == JAPAN else "held_allies")
            return


def enemies(rules: RuleSet, power: str) -> tuple[str, ...]:
    """Seats of the other side."""
    return tuple(seat for seat in SEATS if not rules.board.allied(seat, power))


def marks_of_history(
    rules: RuleSet, captures: Sequence[tuple[int, str, str]], round_now: int, power_now: str
) -> dict[str, Any]:
    """Marks of capitals that were taken before a case begins: who took them, and which seats have had a turn since."""
    found: dict[str, Any] = {}
    order: Sequence[str] = rules.parameters.get("seats_in_order", SEATS)
    place = {power: order.index(seat_of(power)) for power in rules.board.powers}
    now = round_now * len(order) + place[power_now]
    for round_number, space, by in captures:
        if space not in (*PRIZES, JAPAN):
            continue
        since = round_number * len(order) + place[by]
        done = [order[turn % len(order)] for turn in range(since + 1, now)]
        wanted = [seat for seat in dict.fromkeys(done) if seat in enemies(rules, by)]
        found[captured_key(space)] = {"power": by, "round": round_number, "done": wanted}
    return found


def seat_of(power: str) -> str:
    """The seat that plays a power: the American one also plays China (P01-1.1.2, P01-1.2.2)."""
    return power if power in SEATS else USA
