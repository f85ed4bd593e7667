"""The one place that decides what a viewer may see of a position: everything that leaves the service passes it.

Events are cut by `pbem.log` (a sealed payload is readable by the powers it names); this file cuts the state that was
folded from them, so that a state folded with everything readable can be shown to one viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.board.state import State

Viewer = frozenset[str] | None
"""The powers somebody plays (empty for a spectator); None sees everything (the service, or a moderator not playing)."""


def view(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: orders and standing orders of others and names of hidden cards are gone."""
    if viewer is None:
        return state
    return replace(
        state,
        orders=_own(state.orders, viewer),
        standing=_own(state.standing, viewer),
        cards={
            key: card if card.power in viewer or card.place not in HIDDEN_PLACES or card.data.get("public") else
            replace(card, name=None)
            for key, card in state.cards.items()
        },
    )  # fmt: skip


HIDDEN_PLACES = frozenset(("hand", "pile", "aside"))
"""Places of cards that only their holder may look at, or nobody."""


def public_view(state: State) -> State:
    """What everybody may see."""
    return view(state, frozenset())


def _own(table: Mapping[str, Any], viewer: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key.split("/", 1)[0] in viewer}
