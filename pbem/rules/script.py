"""What a segment's script may touch: the position, orders, questions, dice and events. Nothing else of the world.

Scripts are plain functions in the order of the rule book. They may be stopped at any `orders` or `ask` and run again
from the segment's start against the tape; so they keep ids in local variables, never units or counts, across a call,
and iterate over nothing unordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pbem.board.map import Board
from pbem.board.state import State
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Order
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Filed:
    """One order line as it was filed: the power that speaks, the canonical text and the order."""

    power: str
    text: str
    order: Order


class Game(Protocol):
    """The script's view of the world; `pbem.rules.runner` implements it."""

    @property
    def state(self) -> State:
        """The position now; read it anew after every call."""
        ...

    @property
    def rules(self) -> RuleSet:
        """The campaign's rule set."""
        ...

    @property
    def board(self) -> Board:
        """The printed board."""
        ...

    @property
    def segment(self) -> str:
        """The segment's id."""
        ...

    def run(self, step: str, *args: Any) -> Any:
        """Run a named step of the rule set."""
        ...

    def orders(
        self,
        window: str,
        powers: Sequence[str],
        phases: Sequence[str],
        *,
        may_skip: bool = False,
        afresh: bool = False,
        asks: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, tuple[Filed, ...]]:
        """The lines filed for these phases, by phase, when the window closed; stops while it is open.

        With `may_skip` the window closes at once if every power has filed a line for one of the phases, or said
        `rest default`. Standing orders count for the segment as they are when its first window closes, and again when
        one closes that is `afresh`. `asks` tell in public what the orders are about, if not simply the phases.
        """
        ...

    def ask(self, decisions: Sequence[Decision]) -> dict[str, Any]:
        """Answers by key: one sealed window if anybody must be asked, else standing orders or defaults."""
        ...

    def roll(
        self,
        count: int,
        *,
        power: str,
        step: str,
        space: str | None = None,
        battle_round: int = 0,
        dice: Sequence[Mapping[str, Any]] = (),
    ) -> tuple[int, ...]:
        """`count` faces of 1 to 6, bound to their purpose; `dice` describes each die ({unit, need}) for the record."""
        ...

    def lay_pile(self, deck: str, cards: Sequence[str], rules: Iterable[str] = ()) -> None:
        """Lay out the next pile of a deck from these cards; its order is the service's secret."""
        ...

    def set_aside(self, deck: str, rules: Iterable[str] = ()) -> None:
        """Take cards off a deck's pile that somebody drew before a rewind: who knows them would know another's hand."""
        ...

    def draw(self, deck: str, power: str, rules: Iterable[str] = ()) -> tuple[str, str]:
        """A power draws the top card of a deck's pile: (id of this copy, its name); the name is sealed to the power."""
        ...

    def open_pile(self, deck: str, number: int, rules: Iterable[str] = ()) -> None:
        """Publish the link that made a pile's order, if the source of the piles has links."""
        ...

    def emit(
        self,
        event_type: str,
        payload: Mapping[str, Any],
        rules: Iterable[str] = (),
        *,
        readers: Iterable[str] | None = None,
    ) -> None:
        """State that something happened, and by which rules; the position changes at once."""
        ...

    def boundary(self, name: str) -> None:
        """A place where a moderator's corrections take effect."""
        ...

    def refuse(self, filed: Filed, phase: str, refusal: Refusal, *, lapsed: bool = False) -> None:
        """Record that an order was refused (or lapsed: it was legal when checked and is impossible now)."""
        ...
