"""Canonical JSON: the bytes that are hashed and stored (RFC 8785, integers only).

Knows nothing of events. A value that has no canonical form is named by its path.
"""

from __future__ import annotations

import json
from typing import Any, Final

import rfc8785

LARGEST: Final = 2**53 - 1
"""Largest integer, up or down, that every JSON reader keeps exactly (RFC 8785 section 3.2.2.3, RFC 7493)."""
DEEPEST: Final = 64
"""Nesting allowed; nothing in a log comes near, and a stack overflow is no answer."""

# The C encoder writes RFC 8785 for integers, strings and literals; only its order of keys (by code point) differs,
# and only where a key holds a character beyond the BMP (RFC 8785 sorts by UTF-16 unit). Those go to rfc8785.
_encode = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


class CanonicalError(ValueError):
    """A value has no canonical form; `path` says which, in the way of a JSON path (`$.units[3]`)."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def canonical(value: object) -> bytes:
    """JCS (RFC 8785) of a JSON value made of dict, list or tuple, str, int, bool and None.

    Raises CanonicalError for a float, an integer beyond +-(2^53-1), a key that is not text, text with half a
    surrogate pair, deep nesting and every other type.
    """
    simple = _check(value, 0)
    if simple is None:
        _explain(value, "$", 0)
    try:
        return _encode(value).encode() if simple else rfc8785.dumps(value)  # type: ignore[arg-type]
    except UnicodeEncodeError:
        _explain(value, "$", 0)
        raise
    except rfc8785.CanonicalizationError:
        _explain(value, "$", 0)
        raise


def parse(data: bytes | str) -> Any:
    """The value of canonical (or any) JSON text that holds integers only; raises CanonicalError for anything else."""
    try:
        value = json.loads(data, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        if isinstance(error, CanonicalError):
            raise
        raise CanonicalError("$", f"not JSON: {error}") from None
    canonical(value)  # raises for numbers beyond the range, half a surrogate pair and deep nesting
    return value


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise CanonicalError("$", f"a key stands twice in one object: {sorted(key for key, _ in pairs)}")
    return value


def _check(value: object, depth: int) -> bool | None:
    """True: the C encoder's order of keys is right. False: it may not be. None: something is wrong."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return True if -LARGEST <= value <= LARGEST else None  # type: ignore[operator]
    if depth >= DEEPEST:
        return None
    depth += 1
    simple = True
    if kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                return None
            if not key.isascii():
                simple = False
            inner = _check(item, depth)
            if inner is None:
                return None
            simple = simple and inner
        return simple
    if kind is list or kind is tuple:
        for item in value:  # type: ignore[attr-defined]
            inner = _check(item, depth)
            if inner is None:
                return None
            simple = simple and inner
        return simple
    return None


def _explain(value: object, path: str, depth: int) -> None:
    """Raise CanonicalError for the first bad value in order of writing; return if there is none."""
    if depth > DEEPEST:
        raise CanonicalError(path, f"nested deeper than {DEEPEST}")
    if type(value) is bool or value is None:
        return
    if type(value) is int:
        if not -LARGEST <= value <= LARGEST:
            raise CanonicalError(path, f"the integer {value} is beyond +-(2^53-1); write it as text")
    elif type(value) is float:
        raise CanonicalError(path, f"{value!r} is not an integer; use a smaller unit (parts per million, ms)")
    elif type(value) is str:
        _explain_text(value, path, "text")
    elif type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise CanonicalError(path, f"the key {key!r} is not text but {type(key).__name__}")
            _explain_text(key, path, "key")
            _explain(item, f"{path}.{key}", depth + 1)
    elif type(value) is list or type(value) is tuple:
        for index, item in enumerate(value):
            _explain(item, f"{path}[{index}]", depth + 1)
    else:
        raise CanonicalError(path, f"{type(value).__name__} is not a JSON value (dict, list, str, int, bool, None)")


def _explain_text(text: str, path: str, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise CanonicalError(path, f"half a surrogate pair at character {error.start} of the {what}") from None
