"""The small values that orders are made of: a choice of units, a condition, and the base of every order.

Nothing here reads text or judges; `order_model` collects these with the orders themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

ALL = "all"

# Sets of kinds that a Pick may name instead of one kind: any unit, the units of a domain, surface warships, complexes
# of either size, the parts of a combined assault (by land, from the ships), infantry dropped from the air.
KIND_CLASSES: tuple[str, ...] = (
    "unit", "land", "air", "sea", "warship", "industrial_complex", "overland", "landed", "paratrooper",
)  # fmt: skip

SUBJECTS: tuple[str, ...] = (
    "odds", "round", "own_lost", "enemy_lost", "own_left", "enemy_left", "own_land", "taken", "bombers", "escorts",
    "attackers", "own_hits", "enemy_hits", "landing", "breakthrough", "stock",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pick:
    """Some units by description: `3 infantry`, `2 anzac infantry`, `all fighters`, `1 tank (from Libya)`.

    `count` None means all. `owner` None means the power that speaks. `came_from` chooses among equals; `aboard`
    names the kind of carrier they stand on; `pool` takes from off the map; `ids` names pieces outright. With
    `count` None, `but` leaves that many behind (`all but 1 infantry`). `damage` means the hit that only damages
    (`battleship damage`), `empty` a carrier or transport with nothing aboard. `kind` is a unit or facility id of the
    facts or one of KIND_CLASSES, which name a set of kinds.
    """

    kind: str
    count: int | None = None
    owner: str | None = None
    came_from: str | None = None
    aboard: str | None = None
    pool: bool = False
    ids: tuple[str, ...] = ()
    but: int = 0
    damage: bool = False
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A test that a standing order waits for, as a small tree.

    `op` is `and`, `or`, `not` (then `of` holds the parts) or a comparison of `subject` with `value`:
    `lt le gt ge eq`. Subjects: `odds` (attacker's chance to win, parts per million, or the owner's own chance
    for a defender), `round` (battle rounds fought), `own_lost`, `enemy_lost`, `own_left`, `enemy_left` (units;
    `kind` narrows to one type), `own_land`, `taken` (a space: was it taken this turn; value 1 or 0), `bombers`,
    `escorts`.
    """

    op: str
    subject: str | None = None
    value: int | None = None
    kind: str | None = None
    space: str | None = None
    of: tuple[Condition, ...] = ()
    than: str | None = None
    than_kind: str | None = None
    times: int = 1
    per: int = 1


class Order:
    """Base of everything a player can say. `type` is its JSON name, `phase` the step it belongs to, if one."""

    __slots__ = ()
    type: ClassVar[str] = ""
    phase: ClassVar[str | None] = None
