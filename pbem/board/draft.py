"""The working copy of a state, and the register of what each kind of event does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Protocol

from pbem.board.state import State, Unit

Payload = Mapping[str, Any]


class Fact(Protocol):
    """What the reducer needs of an event."""

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def at(self) -> int: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


class Draft:
    """A private, mutable copy of a state on which handlers work; `fold` reuses one for many events."""

    __slots__ = tuple(item.name for item in fields(State))
    size: int

    def __init__(self, state: State, touched: Iterable[str] | None = None) -> None:
        copy = set(touched) if touched is not None else None
        for name in self.__slots__:
            value = getattr(state, name)
            if isinstance(value, Mapping) and (copy is None or name in copy):
                value = dict(value)
            setattr(self, name, value)

    def freeze(self) -> State:
        """The state as a value again."""
        return State(**{name: getattr(self, name) for name in self.__slots__})


Handler = Callable[[Any, Payload, Fact], None]
HANDLERS: dict[str, tuple[Handler, tuple[str, ...]]] = {}


def on(event_type: str, *touches: str) -> Callable[[Handler], Handler]:
    """Register what a kind of event does; `touches` are the fields of the state that it changes in place."""

    def register(handler: Handler) -> Handler:
        HANDLERS[event_type] = (handler, touches)
        return handler

    return register


def marked(marks: tuple[tuple[str, Any], ...], changes: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """A piece's marks with some changed; None takes a mark away."""
    kept = dict(marks)
    for key, value in changes.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value
    return tuple(sorted(kept.items()))


def set_unit(draft: Any, unit: Unit) -> None:
    """Put a piece, new or changed, into the draft."""
    draft.units[unit.id] = unit
