"""Every example of the player's guide is read as orders, each line of it, in the game its block names."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^( *)```orders ([a-z0-9 ]+)\n(.*?)^ *```", flags=re.DOTALL | re.MULTILINE)
GUIDE = (ROOT / "docs" / "player.md").read_text(encoding="utf-8")
EXAMPLES = [(found[2].split(), dedent(found[3])) for found in BLOCK.finditer(GUIDE)]
EDITIONS = {"p40": "2e", "classic": "2e"}
POWERS = {"p40": ("japan",), "s42": ("germany",), "classic": ("germany",), "p01": ("japan",)}


@pytest.mark.parametrize(("words", "text"), EXAMPLES, ids=[text.splitlines()[0][:40] for _, text in EXAMPLES])
def test_every_line_is_understood(words: list[str], text: str) -> None:
    game, *variants = words
    two = "USA:" in text
    context = ReadContext(
        game=game,
        edition=EDITIONS.get(game),
        variants=tuple(variants),
        powers=("usa", "uk") if two else POWERS[game],
        phase="combat_move",
    )
    results = read_orders(text, gazetteer(game, EDITIONS.get(game)), context)
    shown = {result.text: (result.status, result.reason) for result in results}
    headings = [line for line in text.splitlines() if line.endswith(":")]
    assert len(results) >= len(text.strip().splitlines())
    assert {line: told for line, told in shown.items() if told[0] != "accepted" and line not in headings} == {}


def test_there_are_examples_of_every_game_and_nothing_is_left_out() -> None:
    assert {words[0] for words, _ in EXAMPLES} == set(POWERS)
    assert GUIDE.count("```orders") == len(EXAMPLES)
