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
        arrows=arrows_of(report, attacked, words),
        battles=tuple(space for space in words.board.spaces if space in fought),
        language=cast(Literal["en", "zh"], words.language),
        title=title(report, words),
        note=words.say("pdf.map.note"),
    )


def title(report: Report, words: Words) -> str:
    """`Japan, round 3`."""
    if report.headline.kind == "begun" or report.power is None:
        return words.say("subject.begun")
    return words.say("subject.turn", power=words.power(report.power), round=report.round)


def arrows_of(report: Report, attacked: set[str], words: Words) -> tuple[Arrow, ...]:
    """This turn's moves; those of one power from one place to another are one arrow, whatever way they took."""
    bundles: dict[tuple[str, str, str, ArrowKind, bool], list[Move]] = {}
    for move in report.moves:
        if move.force and move.start != move.end:
            key = (move.owner, move.start, move.end, _kind(move, attacked, words), move.phase not in COMBAT_PHASES)
            bundles.setdefault(key, []).append(move)
    return tuple(
        Arrow(owner, start, moves[0].via, end, kind=kind, units=_units(moves, words), quiet=quiet)
        for (owner, start, end, kind, quiet), moves in bundles.items()
    )


def _units(moves: list[Move], words: Words) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for move in moves:
        for _, unit, count in move.force:
            counts[unit] = counts.get(unit, 0) + count
    ranks = {unit: known.rank for unit, known in words.board.units.items()}
    return tuple(sorted(counts.items(), key=lambda row: (ranks.get(row[0], 99), row[0])))


def _kind(move: Move, attacked: set[str], words: Words) -> ArrowKind:
    domains = {words.board.units[kind].domain for _, kind, _ in move.force if kind in words.board.units}
    if domains == {AIR}:
        return "air"
    if SEA in domains:
        return "sea"
    return "attack" if move.phase in COMBAT_PHASES and move.end in attacked else "move"
