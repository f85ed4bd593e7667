"""Write pbem/rules/texts/*.json from the rule books in docs/rules: for each rule id a title and its plain text.

The rule books are the source; this only reads anchors, cuts markdown and marks of provenance, and keeps the words.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ROOT / "docs" / "rules"
TEXTS = ROOT / "pbem" / "rules" / "texts"

ANCHOR = re.compile(r'<a id="([A-Z0-9]+-[A-Za-z0-9.-]+)"></a>')
HEADING = re.compile(r"^#{2,4} (?:<a id=\"[^\"]+\"></a>)?(?:\d+(?:\.\d+)*\.? |13-[AB] )?(.*)$")

# Marks of provenance that the two classic books put after a rule without brackets.
KEY = (
    r"(?:RC|NSO|AAMC|I\d+|IL[APB]|IIC|W\d+|ROG|WIKI|WAR|CON|J|WFAQ|PA|PEZ|UF|TECH|MOR|TA2|TA3|TAIB|TAE|A|M"
    r"|ER-(?:0|[IVX]+|[WQH])|DEF)"
)
PAGE = r"(?:p\.\d+(?:-\d+)?|F\d+|3e\d+(?:-\d+)?|part ?\d+)"
MARK = rf"(?:{KEY}|{PAGE}|CLA-\d[\d.]*|\([^()]*\))"
TRAILING_MARKS = re.compile(rf"(?<=[.)\]:;*\"])\s+{KEY}(?:[ ,;]+{MARK})*\s*$")
INNER_MARKS = re.compile(
    rf"(?<=[.)\]:;])\s+{KEY}(?:[ ,;]+(?:{KEY}|{PAGE}|\(\d+\)|\(its [^()]*\)))*\.?"
    r"(?= [\[(]| - | In mail| The | With |[\])])"
)
"""Marks in the middle: in front of brackets or a remark, or at the end of what stands in brackets."""
BRACKETED_MARKS = {
    "P40": re.compile(r"\s*\[(?:[CFQRUKM]|T1|T2|TG|DG|EN|13-[AB]\d+)\b[^\]]*\]"),
    "S42": re.compile(r"\s*\[(?:2nd|corr|new):[^\]]*\]|\s*\*\*\(u\)\*\*"),
    "FOV": re.compile(r"\s*\*\*\[R\d+\]\*\*"),
    "P01": re.compile(r"(?:^|\s)\*{0,2}\[[MFSETR](?:[^\]]*)\]\*{0,2}"),
    "WWM": re.compile(r"(?:^|\s)\*{0,2}\[[SR]\]\*{0,2}(?:\+\*{0,2}\[[SR]\]\*{0,2})*"),
}


def plain(text: str) -> str:
    """Markdown cut to plain text on one line; code and quotation marks stay readable."""
    text = ANCHOR.sub("", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    text = text.replace("**", "").replace("`", "")
    text = re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def without_marks(prefix: str, text: str) -> str:
    """The rule without the marks that say where it comes from; those stay in the rule book."""
    if prefix in ("CLA", "ERR"):
        text = INNER_MARKS.sub("", TRAILING_MARKS.sub("", plain(text)))
        return re.sub(r"[:;](?=\))", "", text).strip()
    pattern = BRACKETED_MARKS.get(prefix)
    return plain(text if pattern is None else pattern.sub(" ", text))


def entries(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Each anchored entry of a book as (rule id, title, raw text)."""
    title = ""
    header: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("```"):
            at = next(i for i in range(at, len(lines)) if lines[i].startswith("```")) + 1
            continue
        if line.startswith("#"):
            heading = HEADING.match(line)
            title = plain(heading[1]) if heading else title
            if found := ANCHOR.search(line):
                yield found[1], title, ""
            continue
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if at < len(lines) and re.match(r"^\|[-| :]+\|$", lines[at]):
                header = [plain(cell) for cell in cells]
            if found := ANCHOR.search(line):
                yield found[1], title, table_row(header, cells)
            continue
        if not (found := ANCHOR.search(line)):
            continue
        body = [line]
        while at < len(lines) and lines[at].startswith("  ") and not ANCHOR.search(lines[at]):
            body.append(lines[at].strip())
            at += 1
        text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(body))
        places = [*ANCHOR.finditer(text)]
        ends = [*(place.start() for place in places[1:]), len(text)]
        for place, end in zip(places, ends, strict=True):
            yield place[1], title, text[place.start() : end]


SOURCES = ("source", "source / certainty")
"""Columns that say only whence a ruling comes."""


def table_row(header: list[str], cells: list[str]) -> str:
    """A row of a table as a sentence: each further cell under its column's name, sources left out."""
    named = [*header, *[""] * len(cells)]
    told = [(name, cell) for name, cell in zip(named[1:], cells[1:], strict=False) if cell and name not in SOURCES]
    parts = [f"{name}: {cell}" if name else cell for name, cell in told]
    return "; ".join(parts)


def leading_id(rule: str, text: str) -> tuple[str, str]:
    """Cut the id in front of the text; a name in bold right after it becomes the title."""
    text = ANCHOR.sub("", text).strip()
    short = rule.split("-", 1)[1]
    named = re.match(rf"\*\*(?:{re.escape(rule)}|{re.escape(short)})\s*([^*]*)\*\*:?\s*", text)
    return (named[1].strip(), text[named.end() :]) if named else ("", text)


def read_book(path: Path) -> dict[str, dict[str, str]]:
    """All rules of one book, in the book's order."""
    rules: dict[str, dict[str, str]] = {}
    for rule, title, raw in entries(path.read_text(encoding="utf-8").splitlines()):
        if rule in rules:
            raise SystemExit(f"{path.name}: {rule} is there twice")
        name, text = leading_id(rule, raw)
        rules[rule] = {"title": name or title, "text": without_marks(rule.split("-")[0], text)}
    return rules


def rendered(path: Path) -> str:
    """The JSON file for one book."""
    return json.dumps(read_book(path), ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Write all files; with --check only say which are out of date."""
    check = "--check" in sys.argv[1:]
    stale = []
    for book in sorted(BOOKS.glob("*.md")):
        if book.name == "README.md":
            continue
        target = TEXTS / f"{book.stem}.json"
        text = rendered(book)
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(target.name)
        if not check:
            TEXTS.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    print(f"rule texts: {', '.join(stale) or 'nothing'} {'out of date' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
