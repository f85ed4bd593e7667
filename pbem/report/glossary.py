"""Rules in a few words: the first sentence of a rule's text, for those who have no rule book at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources

_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")
SHORT = 160
"""A rule's few words are no longer than this many characters."""


@lru_cache(maxsize=16)
def _texts(prefix: str) -> Mapping[str, Mapping[str, str]]:
    file = resources.files("pbem.rules").joinpath("texts", f"{prefix}.json")
    try:
        loaded: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return loaded


def rule_text(rule: str | None) -> str:
    """A rule in a few words; its chapter's title where it has no text, empty for a rule nobody knows."""
    if not rule or not re.fullmatch(r"[A-Za-z0-9]+-[A-Za-z0-9.-]+", rule):
        return ""
    known = _texts(rule.partition("-")[0].lower()).get(rule)
    if known is None:
        return ""
    text = known.get("text", "")
    found = _SENTENCE.match(text)
    said = found.group() if found else text or known.get("title", "")
    return said if len(said) <= SHORT else f"{said[: SHORT - 1].rsplit(' ', 1)[0]}…"


def glossary(rules: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The rules that have a text, each in a few words."""
    return tuple((rule, text) for rule in rules if (text := rule_text(rule)))
