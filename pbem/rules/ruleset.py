"""A rule set: one game's board, figures and named pieces of behaviour, put together by `pbem.games`.

Editions and variants differ in what is registered here. Code that runs under a rule set calls steps and judgements
by name and reads parameters by name; it never asks which edition or variant is on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pbem.board.map import Board
from pbem.board.state import State

if TYPE_CHECKING:
    from pbem.rules.script import Game


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of play run by one script: its id (`r3.japan`), round, seat (powers that act together), script."""

    id: str
    round: int
    seat: tuple[str, ...]
    run: Callable[[Game], None]


@dataclass(frozen=True)
class RuleSet:
    """A base game plus chosen edition, variants and options.

    `steps` are the acts of play, called by `game.run(name, ...)` with the game as first argument; `judgements` are
    pure questions, called by `judge(name, state, ...)` with the rule set as first argument; `battles` lists the
    steps of each kind of battle in order. `version` rises whenever an old tape would run differently.
    """

    id: str
    game: str
    edition: str
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    version: int
    board: Board
    parameters: Mapping[str, Any]
    steps: Mapping[str, Callable[..., Any]]
    judgements: Mapping[str, Callable[..., Any]]
    next_segment: Callable[[RuleSet, State], Segment | None]
    battles: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def parameter(self, name: str) -> Any:
        """A figure or choice of this rule set; KeyError names one that was never given."""
        return self.parameters[name]

    def judge(self, name: str, state: State, *args: Any) -> Any:
        """The answer of a named judgement in a position."""
        return self.judgements[name](self, state, *args)

    def but(
        self,
        *,
        parameters: Mapping[str, Any] | None = None,
        steps: Mapping[str, Callable[..., Any]] | None = None,
        judgements: Mapping[str, Callable[..., Any]] | None = None,
        battles: Mapping[str, tuple[Any, ...]] | None = None,
        **other: Any,
    ) -> RuleSet:
        """This rule set with some parts added or replaced: how editions and variants compose."""
        return replace(
            self,
            parameters={**self.parameters, **(parameters or {})},
            steps={**self.steps, **(steps or {})},
            judgements={**self.judgements, **(judgements or {})},
            battles={**self.battles, **(battles or {})},
            **other,
        )
