"""The rules in words: for each rule id of the rule books a title and a short plain text.

Generated data and one look-up; what a rule means for the board is the business of the chapters beside this one.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple

_BOOKS = {"P40": "p40", "S42": "s42", "FOV": "fov", "CLA": "classic", "ERR": "err", "P01": "p01", "WWM": "wwm"}


class RuleText(NamedTuple):
    """A rule's heading and its words."""

    title: str
    text: str


@cache
def book(prefix: str) -> dict[str, RuleText]:
    """All rules of one book by id, in the book's order. Raises KeyError for an unknown prefix."""
    data = resources.files(__name__).joinpath(f"{_BOOKS[prefix]}.json").read_text(encoding="utf-8")
    return {rule: RuleText(entry["title"], entry["text"]) for rule, entry in json.loads(data).items()}


def books() -> tuple[str, ...]:
    """The prefixes of all books."""
    return tuple(_BOOKS)


def rule(rule_id: str) -> RuleText | None:
    """Title and text of a rule, or None where no book has such an id."""
    prefix = rule_id.partition("-")[0]
    return book(prefix).get(rule_id) if prefix in _BOOKS else None


def rule_text(rule_id: str) -> str | None:
    """The words of a rule, its title where it has no more (a whole section), or None for an unknown id."""
    found = rule(rule_id)
    return None if found is None else found.text or found.title
