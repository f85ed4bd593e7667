"""Lines about the orders themselves: ready, add, cancel, the player's own entropy, and notes that order nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.rules.order_values import Order, Pick


@dataclass(frozen=True, slots=True)
class Ready(Order):
    """`ready` / `not ready`: the window need not wait for this player."""

    type: ClassVar[str] = "ready"
    is_ready: bool = True


@dataclass(frozen=True, slots=True)
class RestDefault(Order):
    """`rest default`: no second mail for the rest of the turn."""

    type: ClassVar[str] = "rest_default"


@dataclass(frozen=True, slots=True)
class AddOnly(Order):
    """`add` as first line: the lines below are added, nothing is replaced."""

    type: ClassVar[str] = "add"


@dataclass(frozen=True, slots=True)
class CancelPhase(Order):
    """`cancel combat_move`: empty that phase (`standing` empties the standing orders)."""

    type: ClassVar[str] = "cancel"
    of_phase: str


@dataclass(frozen=True, slots=True)
class Entropy(Order):
    """`ENTROPY any words`: the player's own share in the next dice."""

    type: ClassVar[str] = "entropy"
    words: str


@dataclass(frozen=True, slots=True)
class Same(Order):
    """`same`: confirm the orders that a ruling made void."""

    type: ClassVar[str] = "same"


@dataclass(frozen=True, slots=True)
class Concede(Order):
    """`concede`: all players of a side must say so."""

    type: ClassVar[str] = "concede"
    conceding: bool = True


@dataclass(frozen=True, slots=True)
class NothingTo(Order):
    """`buy nothing`, `place nothing`: no orders for that phase, and on purpose."""

    type: ClassVar[str] = "nothing"
    in_phase: str


@dataclass(frozen=True, slots=True)
class Bid(Order):
    """`bid 20: 1 tank, 1 infantry Libya; 4 infantry Eastern Europe`: money for a side, and where it is placed."""

    type: ClassVar[str] = "bid"
    phase: ClassVar[str | None] = "bid"
    ipc: int
    places: tuple[tuple[tuple[Pick, ...], str], ...] = ()
    side: str | None = None


@dataclass(frozen=True, slots=True)
class BattleNote(Order):
    """A line that only tells: a battle's header, the forces a player counts, the result he saw. It has no effect.

    The mail clubs write these beside their orders; the acknowledgement compares them with the board.
    """

    type: ClassVar[str] = "battle_note"
    number: int | None = None
    space: str | None = None
    attacker: str | None = None
    defender: str | None = None
    attacking: tuple[Pick, ...] = ()
    defending: tuple[Pick, ...] = ()
    winner: str | None = None
    captured: bool = False
    lost: tuple[Pick, ...] = ()
