"""What a batch of dice is for: the lines that make its purpose, and the bytes they become.

A purpose names the place of a roll in a campaign so exactly that no two rolls share one; it knows nothing about
chains, players' texts or faces.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

HEADING = "pbem/dice/v1"
_ABSENT = "-"


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of one batch: one side's fire in one step of one battle, a research roll, and so on.

    ``power`` is the first power of the seat whose segment runs, None for rolls that belong to none (initiative);
    ``phase`` is None between phases, ``space`` None and ``battle_round`` 0 outside battles; ``step`` names its
    object where it has one (``facility_fire:naval_base``); ``attempt`` counts new rolls for the same purpose after
    a rewind or a ruling.

    Raises ValueError for a field that would change the number of lines, or a number out of range.
    """

    campaign: str
    round: int
    power: str | None
    phase: str | None
    space: str | None
    battle_round: int
    step: str
    attempt: int = 1

    def __post_init__(self) -> None:
        for name, text in (
            ("campaign", self.campaign),
            ("power", self.power),
            ("phase", self.phase),
            ("space", self.space),
            ("step", self.step),
        ):
            if text is None:
                continue
            if not text or text == _ABSENT:
                raise ValueError(f"purpose: {name} is {text!r}; leave it out as None where that is allowed")
            if any(character in text for character in "\n\r\0"):
                raise ValueError(f"purpose: {name} {text!r} holds a line break or a zero byte")
        if self.round < 0 or self.battle_round < 0 or self.attempt < 1:
            raise ValueError(f"purpose: round {self.round}, battle round {self.battle_round}, attempt {self.attempt}")

    def lines(self) -> tuple[str, ...]:
        """The lines in order; the attempt is a line of its own from the second attempt on."""
        lines = (
            HEADING,
            self.campaign,
            str(self.round),
            self.power or _ABSENT,
            self.phase or _ABSENT,
            self.space or _ABSENT,
            str(self.battle_round),
            self.step,
        )
        return lines if self.attempt == 1 else (*lines, str(self.attempt))

    def text(self) -> str:
        """The lines joined by LF, with no LF at the end: what the log records."""
        return "\n".join(self.lines())

    def message(self) -> bytes:
        """The text in UTF-8: the first part of the message that is signed with a link."""
        return self.text().encode("utf-8")

    def first_attempt(self) -> Purpose:
        """This purpose without its attempt, by which rolls for the same thing are found."""
        return replace(self, attempt=1)

    @classmethod
    def parse(cls, text: str) -> Purpose:
        """Read back what ``text`` wrote. Raises ValueError for anything else."""
        lines = text.split("\n")
        if len(lines) not in (8, 9) or lines[0] != HEADING:
            raise ValueError(f"not a purpose: {text!r}")
        purpose = cls(
            campaign=lines[1],
            round=int(lines[2]),
            power=None if lines[3] == _ABSENT else lines[3],
            phase=None if lines[4] == _ABSENT else lines[4],
            space=None if lines[5] == _ABSENT else lines[5],
            battle_round=int(lines[6]),
            step=lines[7],
            attempt=int(lines[8]) if len(lines) == 9 else 1,
        )
        if purpose.text() != text:
            raise ValueError(f"not a purpose in its canonical spelling: {text!r}")
        return purpose


def numbered(purpose: Purpose, used: Collection[str]) -> Purpose:
    """The purpose with its step numbered from the second use on: ``attackers_fire``, ``attackers_fire#2``, ...

    ``used`` holds the texts (first attempts) already used in the segment.
    """
    candidate, number = purpose, 1
    while candidate.text() in used:
        number += 1
        candidate = replace(purpose, step=f"{purpose.step}#{number}")
    return candidate


def first_free_attempt(purpose: Purpose, recorded: Collection[str]) -> Purpose:
    """The purpose with the lowest attempt under which nothing was recorded yet, void rolls included."""
    candidate = purpose
    while candidate.text() in recorded:
        candidate = replace(candidate, attempt=candidate.attempt + 1)
    return candidate
