"""What a player is told about the lines he sent: one by one, what is in force now, and what the campaign waits for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.state import SEALED_PHASES, State, orders_key
from pbem.campaign.advance import waited_for
from pbem.campaign.asking import asking_lines
from pbem.campaign.load import Loaded
from pbem.campaign.play import Play, closing, last_answers
from pbem.campaign.timing import phases_of
from pbem.orders.read import UNSAID_POWER, LineResult
from pbem.rules.ruleset import RuleSet

ANSWERS = "answers"
"""The name under which answers to a question stand among what is in force."""


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """One line of the mail and what became of it: `accepted`, `refused`, `unreadable` or `ignored`."""

    line: int
    text: str
    status: str
    canonical: str | None = None
    reason: str | None = None
    rule: str | None = None
    suggestions: tuple[str, ...] = ()
    power: str | None = None
    condition: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The form the API, the command line and the outbox use."""
        return {
            "line": self.line, "text": self.text, "status": self.status, "canonical": self.canonical,
            "reason": self.reason, "rule": self.rule, "suggestions": list(self.suggestions),
            "power": self.power, "condition": self.condition,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What the player is told: every line, what is gone, everything now in force, and what the campaign waits for.

    `seq` is the number of events stored when it was made; `in_force` by power and phase (answers to an open question
    under `answers`), `standing` and `asks` by power, as texts; `texts` what would be opened if the window closed now
    (its SHA-256 is the power's share of dice).
    """

    campaign: str
    player: str
    powers: tuple[str, ...]
    lines: tuple[AnsweredLine, ...]
    gone: tuple[str, ...]
    in_force: Mapping[str, Mapping[str, tuple[str, ...]]]
    standing: Mapping[str, tuple[str, ...]]
    asks: Mapping[str, tuple[str, ...]]
    window: str | None
    deadline: int | None
    ready: tuple[str, ...]
    waiting_for: tuple[str, ...]
    seq: int
    notes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    window_kind: str = "orders"
    """What the window asks for: `orders`, `reactions` or `decisions`."""
    window_powers: tuple[str, ...] = ()
    """The powers that the window addresses."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON, for the outbox and the API. It holds the player's own orders: for his eyes only."""
        return {
            "campaign": self.campaign, "player": self.player, "powers": list(self.powers),
            "lines": [line.to_json() for line in self.lines], "gone": list(self.gone),
            "in_force": {power: {phase: list(lines) for phase, lines in phases.items()}
                         for power, phases in self.in_force.items()},
            "standing": {power: list(lines) for power, lines in self.standing.items()},
            "asks": {power: list(lines) for power, lines in self.asks.items()},
            "window": self.window, "deadline": self.deadline, "ready": list(self.ready),
            "waiting_for": list(self.waiting_for), "seq": self.seq, "notes": list(self.notes),
            "texts": dict(self.texts), "window_kind": self.window_kind, "window_powers": list(self.window_powers),
        }  # fmt: skip


def answered(result: LineResult, idle: str) -> AnsweredLine:
    """A line as it was read. `idle` is added where it does not say for whom it is, and none of the player's powers
    is awaited."""
    return AnsweredLine(
        line=result.line,
        text=result.text,
        status=result.status,
        canonical=result.canonical,
        reason=(f"{result.reason}{idle}" if result.reason.startswith(UNSAID_POWER) else result.reason)
        or result.note
        or None,
        rule=result.rule,
        suggestions=_whole_lines(result),
        power=result.power,
    )


_UNKNOWN = re.compile(r'(?:unknown \w+ )?"([^"]+)"')


def _whole_lines(result: LineResult) -> tuple[str, ...]:
    """Near spellings as the lines that they would make, so that a player can copy one; others as they are."""
    wrong = _UNKNOWN.match(result.reason)
    if wrong is None or result.text.count(wrong[1]) != 1:
        return tuple(result.suggestions)
    return tuple(result.text.replace(wrong[1], near) for near in result.suggestions)


def refused_line(line: AnsweredLine, reason: str, rule: str | None, suggestions: tuple[str, ...] = ()) -> AnsweredLine:
    """The line, refused for a reason."""
    return AnsweredLine(
        line.line, line.text, "refused", line.canonical, reason, rule, suggestions or line.suggestions, line.power
    )


def answer_to(
    loaded: Loaded,
    play: Play,
    player: str,
    powers: Sequence[str],
    lines: Sequence[AnsweredLine],
    gone: Sequence[str],
    notes: Sequence[str],
) -> Answer:
    """The whole answer: `loaded` is the campaign as stored, `play` the position with the new lines recorded."""
    state = play.now
    window = next((window for window in state.windows.values() if set(window.powers) & set(powers)), None) or next(
        iter(state.windows.values()), None
    )
    in_force = {power: _in_force(loaded.play.rules, state, power) for power in powers}
    if window is not None and window.kind != "orders":
        for power in powers:
            given = last_answers(play.tape, window.id, power)
            if given:
                in_force[power][ANSWERS] = tuple(line["text"] for line in given)
    texts: Mapping[str, str] = {}
    if window is not None:
        texts = {
            power: text
            for power, text in closing(play, window, "shown", powers).get("texts", {}).items()
            if power in powers
        }
    return Answer(
        campaign=play.campaign,
        player=player,
        powers=tuple(powers),
        lines=tuple(lines),
        gone=tuple(gone),
        in_force=in_force,
        standing={power: tuple(line["text"] for line in state.standing.get(power, ())) for power in powers},
        asks={power: asking_lines(state, power) for power in powers},
        window=window.id if window is not None else None,
        deadline=window.deadline if window is not None else None,
        ready=window.ready if window is not None else (),
        waiting_for=waited_for(state, window) if window is not None else (),
        seq=loaded.size,
        notes=tuple(notes),
        texts=texts,
        window_kind=window.kind if window is not None else "orders",
        window_powers=window.powers if window is not None else (),
    )


def _in_force(rules: RuleSet, state: State, power: str) -> dict[str, tuple[str, ...]]:
    """Everything a power has filed, by phase in the order of play; what belongs to no phase comes last."""
    start = orders_key(power, "")
    filed = {key[len(start) :]: lines for key, lines in state.orders.items() if key.startswith(start)}
    filed = {phase: lines for phase, lines in filed.items() if lines or phase not in SEALED_PHASES}
    play = [phase for phase in phases_of(rules, power) if phase in filed]
    last = [phase for phase in ("rest", "entropy") if phase in filed]
    between = [phase for phase in filed if phase not in play and phase not in last]
    return {phase: tuple(line["text"] for line in filed[phase]) for phase in (*play, *between, *last)}
