"""Weapons that research brings are told by name and not by the word of the log."""

from __future__ import annotations

from pbem.report.model import Note
from pbem.report.phrases import note_line
from pbem.report.words import Words
from tests.report.kit import board


def test_a_weapon_won_is_named_in_the_readers_words() -> None:
    won = Note("technology_gained", "long_range_aircraft")
    assert note_line(won, Words(board())) == "Technology gained: long range aircraft"
    assert note_line(won, Words(board(), "zh")).endswith("：長程飛機")
