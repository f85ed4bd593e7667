"""Rules in a few words: the first sentence of a rule's text, for those who have no rule book at hand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.rules.texts import rule as rule_of

_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")
TITLE = 3
"""A first sentence of so few words is a title (`Sea step.`); what it is the title of says more."""
SHORT = 160
"""A rule's few words are no longer than this many characters."""


def in_few_words(rule: str | None) -> str:
    """A rule's first sentence; its heading where it has no text, empty for a rule nobody knows."""
    known = rule_of(rule) if rule else None
    if known is None:
        return ""
    found = _SENTENCE.match(known.text)
    if found is not None and len(found.group().split()) <= TITLE:
        found = _SENTENCE.match(known.text, found.end()) or found
    said = found.group().strip() if found else known.text or known.title
    return said if len(said) <= SHORT else f"{said[: SHORT - 1].rsplit(' ', 1)[0]}…"


def glossary(rules: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The rules that have a text, each in a few words."""
    return tuple((rule, text) for rule in rules if (text := in_few_words(rule)))
