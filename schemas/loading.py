"""Bytes to JSON values, the same for every way in: limits, then strict UTF-8 (a byte order mark may lead), then JSON.

Every refusal is one sentence that can be sent to whoever sent the bytes.
"""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 4_000_000
MOST_DEPTH = 40


class JsonRefused(ValueError):
    """The bytes hold no JSON value that is read here; the message says what, where and what would be right."""


def load_json_bytes(data: bytes, *, most_bytes: int = MOST_BYTES, most_depth: int = MOST_DEPTH) -> Any:
    """The JSON value of some bytes; JsonRefused says why there is none.

    UTF-8 with or without a byte order mark. Refused: more than `most_bytes`, nesting beyond `most_depth`, a key given
    twice, numbers that JSON does not have (NaN, Infinity) and integers of more than 18 digits.
    """
    if len(data) > most_bytes:
        raise JsonRefused(f"the document has {len(data)} bytes; at most {most_bytes} are read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JsonRefused(f"byte {error.start + 1} is not UTF-8; save the document as UTF-8") from None
    depth = _depth(text)
    if depth > most_depth:
        raise JsonRefused(f"the document nests {depth} levels deep; at most {most_depth} are read")
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer, parse_float=_no_float
        )
    except json.JSONDecodeError as error:
        raise JsonRefused(f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None


def _depth(text: str) -> int:
    """How deep brackets nest outside strings, without recursion."""
    depth = deepest = 0
    in_string = escaped = False
    for letter in text:
        if in_string:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == '"':
                in_string = False
        elif letter == '"':
            in_string = True
        elif letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise JsonRefused(f"the key {key[:60]!r} stands twice in one object")
        found[key] = value
    return found


def _no_constant(text: str) -> Any:
    raise JsonRefused(f"{text} is no number in JSON")


def _no_float(text: str) -> Any:
    raise JsonRefused(f"{text[:40]} is no whole number; orders hold whole numbers only")


def _integer(text: str) -> int:
    if len(text) > 19:
        raise JsonRefused(f"{text[:20]}... has too many digits")
    return int(text)
