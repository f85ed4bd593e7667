"""From a report to the map it shows: who stands where, this turn's moves as arrows, battles and captures."""

from __future__ import annotations

from typing import Literal, cast

from pbem.board.units import AIR, SEA
from pbem.report.map.view import Arrow, ArrowKind, MapView
from pbem.report.model import Move, Report
from pbem.report.words import Words

COMBAT_PHASES = frozenset(("combat_move", "conduct_combat"))


def map_view(report: Report, words: Words) -> MapView:
    """The whole map after the turn, in the reader's language."""
    fought = {battle.space for battle in report.battles}
    attacked = fought | {capture.space for capture in report.captures}
    return MapView(
        board=report.board,
        spaces=report.spaces,
        arrows=tuple(_arrow(move, attacked, words) for move in report.moves if len(move.force)),
        battles=tuple(space for space in words.board.spaces if space in fought),
        language=cast(Literal["en", "zh"], words.language),
        title=title(report, words),
    )


def title(report: Report, words: Words) -> str:
    """`Japan, round 3`."""
    if report.headline.kind == "begun" or report.power is None:
        return words.say("subject.begun")
    return words.say("subject.turn", power=words.power(report.power), round=report.round)


def _arrow(move: Move, attacked: set[str], words: Words) -> Arrow:
    return Arrow(move.owner, move.start, move.via, move.end, words.force(move.force), _kind(move, attacked, words))


def _kind(move: Move, attacked: set[str], words: Words) -> ArrowKind:
    domains = {words.board.units[kind].domain for _, kind, _ in move.force if kind in words.board.units}
    if domains == {AIR}:
        return "air"
    if move.phase in COMBAT_PHASES and move.end in attacked:
        return "attack"
    return "sea" if SEA in domains else "move"
