"""Which code and which tests cite each rule of the rule books, and which rules nobody cites.

A citation is a rule's id in any text file: in full (``P40-4.2.1``), or shortened after a full one
(``P40-4.2.1, 4.2.3`` and ``P40-4.2.1-4.2.4``). That a rule is cited does not prove that it is kept; that it is not
cited shows where to look.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pbem.rules.texts import book  # noqa: E402

BOOKS = {"p40": "P40", "s42": "S42", "fov": "FOV", "classic": "CLA", "err": "ERR", "p01": "P01", "wwm": "WWM"}
CODE = ("pbem", "workers", "schemas", "templates")
TESTS = ("tests",)
SUFFIXES = {".py", ".json", ".jsonl", ".txt", ".toml", ".yaml", ".html"}
GENERATED = ROOT / "pbem" / "rules" / "texts"
BOOK_TESTS = ROOT / "tests" / "docs"

NUMBER = r"(?:[A-Z]{1,2}\d+|\d+(?:-[AB]\d+)?)(?:\.\d+)*"
CITATION = re.compile(
    rf"\b(P40|S42|FOV|CLA|ERR|P01|WWM)-(DP-\d+|WE-\d+|{NUMBER})((?:(?:, ?| and |-|–| to ){NUMBER}(?![\w-]))*)"
)
SHORT = re.compile(rf"(, ?| and |-|–| to )({NUMBER})")

# Sections that tell where rules come from, give examples or compare with others: nothing there asks to be cited.
NOT_RULES = re.compile(r"TripleA|Worked|worked|Sources|conventions|Which game|Map facts")
RULE = re.compile(r"-(?:[WTF]\d\d\.)?\d+(?:\.\d+)*$")
DECISION = re.compile(r"-(?:DP-|FD|D)\d+$")


def citations(text: str) -> Iterator[str]:
    """All rule ids that a text cites, shortened ones and ranges spelled out."""
    for match in CITATION.finditer(text):
        prefix, last = match[1], match[2]
        yield f"{prefix}-{last}"
        for joint, number in SHORT.findall(match[3]):
            if joint in ("-", "–", " to "):
                yield from (f"{prefix}-{between}" for between in between_numbers(last, number))
            yield f"{prefix}-{number}"
            last = number


def between_numbers(first: str, last: str) -> list[str]:
    """The numbers strictly between two that differ in their last part only."""
    stem, _, start = first.rpartition(".")
    other, _, end = last.rpartition(".")
    if stem != other or not (start.isdigit() and end.isdigit()):
        return []
    return [f"{stem}.{number}" if stem else str(number) for number in range(int(start) + 1, int(end))]


def cited_in(folders: tuple[str, ...]) -> dict[str, set[str]]:
    """Rule id -> the files under these folders that cite it."""
    found: dict[str, set[str]] = defaultdict(set)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if (
                path.suffix not in SUFFIXES
                or not {GENERATED, BOOK_TESTS}.isdisjoint(path.parents)
                or "__pycache__" in path.parts
            ):
                continue
            for rule in citations(path.read_text(encoding="utf-8", errors="replace")):
                found[rule].add(str(path.relative_to(ROOT)))
    return found


def wanted(prefix: str) -> list[str]:
    """The rules and decision points of a book, in its order."""
    return [
        rule
        for rule, text in book(prefix).items()
        if text.text and (RULE.search(rule) or DECISION.search(rule)) and not NOT_RULES.search(text.title)
    ]


def main() -> int:
    """Print totals and gaps for each book; with --strict exit 1 where a book named there has gaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", choices=[*BOOKS, []], help="which books (default: all)")
    parser.add_argument("--strict", nargs="+", default=[], choices=list(BOOKS), help="exit 1 on gaps in these books")
    parser.add_argument("--list", action="store_true", help="print for each rule the files that cite it")
    arguments = parser.parse_args()
    code, tests = cited_in(CODE), cited_in(TESTS)
    failed = False
    known: set[str] = set()
    for name, prefix in BOOKS.items():
        known |= set(book(prefix))
        if arguments.books and name not in arguments.books and name not in arguments.strict:
            continue
        rules = wanted(prefix)
        gaps = [rule for rule in rules if rule not in code and rule not in tests]
        in_code = sum(rule in code for rule in rules)
        in_tests = sum(rule in tests for rule in rules)
        share = 100 * (len(rules) - len(gaps)) // max(1, len(rules))
        print(f"{name:8} {len(rules):4} rules: {in_code:4} cited in code, {in_tests:4} in tests, {share:3}% in either")
        if arguments.list:
            for rule in rules:
                print(f"  {rule}: {', '.join(sorted(code.get(rule, set()) | tests.get(rule, set()))) or '-'}")
        elif gaps:
            print("  not cited: " + " ".join(rule.split("-", 1)[1] for rule in gaps))
        failed |= bool(gaps) and name in arguments.strict
    unknown = sorted((set(code) | set(tests)) - known)
    if unknown:
        print("cited and in no book: " + " ".join(unknown))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
