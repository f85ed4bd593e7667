"""Winning: conditions that must hold for a complete round, and a side that concedes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.citations import cites
from pbem.rules.objectives import meets
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def victory_rules(rules: RuleSet) -> list[tuple[str, Mapping[str, Any], list[Mapping[str, Any]]]]:
    """(side, what must be held for the whole round, what must also be so at its end) for each side (P40-10.2, 10.3)."""
    rows: Mapping[str, Any] = rules.board.facts.get("victory", {})
    sides = [(side, rows[side]) for side in rows if side in rules.board.sides]
    return [(side, row["of"][0], list(row["of"][1:])) for side, row in sides if row.get("hold")]


def watch_victory(game: Game) -> None:
    """After a territory changed hands: note whose turn made a side's condition true, or that it is true no more.

    A complete round runs from that moment to the beginning of the same power's next turn (P40-10.4, P40-13-B24).
    """
    for side, held, _ in victory_rules(game.rules):
        key = marks.victory_since(side)
        true_now = meets(game.rules, game.state, held)
        if true_now and key not in game.state.marks:
            since = {"power": game.state.power, "round": game.state.round}
            game.emit("mark_set", {"key": key, "value": since}, (_rule(game.rules, side),))
        elif not true_now and key in game.state.marks:
            game.emit("mark_set", {"key": key, "value": None}, (_rule(game.rules, side),))


def victory_in_history(
    rules: RuleSet, state: State, captures: Sequence[tuple[int, str, str]]
) -> Iterator[tuple[str, Any]]:
    """The marks of conditions that hold since the last capture that mattered; captures are (round, space, by).

    A capture matters to the captor's side where the space has a victory city or is a capital.
    """
    for side, held, _ in victory_rules(rules):
        counted: list[dict[str, Any]] = [
            {"power": by, "round": round_number}
            for round_number, space, by in captures
            if rules.board.side_of(by) == side
            and (rules.board.spaces[space].victory_city or rules.board.spaces[space].capital_of)
        ]
        if counted and meets(rules, state, held):
            yield marks.victory_since(side), sorted(counted, key=lambda since: int(since["round"]))[-1]


def declare_victory(game: Game) -> None:
    """At the beginning of a turn: a side that held its condition for a complete round wins (P40-10.2 to P40-10.4).

    So a power whose capital fell gets its next turn to retake it first (P40-6.11.3).
    """
    watch_victory(game)
    for side, _, at_end in victory_rules(game.rules):
        since: Mapping[str, Any] | None = game.state.marks.get(marks.victory_since(side))
        if since is None or since["power"] != game.state.power or since["round"] >= game.state.round:
            continue
        if all(meets(game.rules, game.state, part) for part in at_end):
            cited = (_rule(game.rules, side), *cites(game.rules, "complete_round"))
            game.emit("game_won", {"side": side, "how": "victory"}, cited)
            return


def concession(game: Game) -> None:
    """A side all of whose players concede has lost (P40-10.5, P40-DP-35); nobody does so by default (P40-11.4)."""
    if game.state.winner is not None:
        return
    for side in game.board.sides:
        if side_concedes(game.rules, game.state, side):
            won = {"side": _other_side(game.rules, side), "how": "concession"}
            game.emit("game_won", won, cites(game.rules, "concession"))
            return


def side_concedes(rules: RuleSet, state: State, side: str) -> bool:
    """Whether every power of a side that has a player concedes."""
    players = [power for power in rules.board.sides[side] if rules.board.powers[power].playable]
    return bool(players) and all(state.marks.get(marks.conceded(power)) for power in players)


def _other_side(rules: RuleSet, side: str) -> str:
    return next(
        other
        for other, members in rules.board.sides.items()
        if other != side and any(rules.board.powers[power].playable for power in members)
    )


def _rule(rules: RuleSet, side: str) -> str:
    return str(rules.parameter("victory_rules")[side])
