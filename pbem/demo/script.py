"""What the players of a demonstration say, turn by turn: recorded games as mails, and a few slips that people make."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from pbem.demo.habits import Habits, habits


@dataclass(frozen=True, slots=True)
class Script:
    """A demonstration: the game, its players, how many rounds, and each turn's mail by (round, power).

    `notes` says what the reader of the demonstration should look at. `segments` gives texts by segment
    (`r1.purchase.japan`) where a turn has several. `habits` are what players do with victory cards. `mid_battle` is
    what a power mails when it is asked in mid-battle. The first defender who is asked picks a line that begins with
    `first_defence` among those that his mail offers; with `kill_a_worker` a worker is killed between that question and
    its answer.
    """

    game: str
    edition: str | None
    variants: tuple[str, ...]
    title: str
    rounds: int
    seats: Mapping[str, tuple[str, ...]]
    turns: Mapping[tuple[int, str], str]
    languages: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    standing: Mapping[str, str] = field(default_factory=dict)
    mid_battle: Mapping[str, str] = field(default_factory=dict)
    first_defence: str = ""
    kill_a_worker: bool = False
    segments: Mapping[str, str] = field(default_factory=dict)
    actions: int = 0
    habits: Habits | None = None

    @property
    def length(self) -> int:
        """How many segments the script covers: its turns, or what `actions` says where a turn has several."""
        return self.actions or len(self.turns)

    def text(self, segment: str, round_: int, power: str) -> str:
        """What a power says in the first window of a segment; empty if the script has nothing for it."""
        if self.segments:
            lines = self.segments.get(segment, "")
            shared = any(power in powers and len(powers) > 1 for powers in self.seats.values())
            return lines if not shared or lines.lower().startswith(f"{power}:") else ""
        return self.turns.get((round_, power), "")


NOTHING = "nothing to do\nready"
"""What a player says whose turn is not in the script."""


def turns_of(game: str) -> dict[tuple[int, str], str]:
    """The recorded turns of a game as texts of mails."""
    text = resources.files("pbem.demo.data").joinpath(f"{game}.json").read_text(encoding="utf-8")
    return {(row["round"], row["power"]): row["text"] for row in json.loads(text)}


def pacific_1940() -> Script:
    """Two rounds of a recorded game of Pacific 1940, second edition; the dice are rolled anew."""
    turns = turns_of("p40")
    slip = turns[(1, "japan")]
    turns[(1, "japan")] = f"Good evening, my first turn:\n\n{slip}\n3 infx Kwangsi -> Yunnan\n2 inf Siam -> Atlantis"
    turns[(1, "china")] = f"{turns[(1, 'china')]}\n1 步兵 雲南 -> 緬甸"
    return Script(
        game="p40",
        edition="2e",
        variants=(),
        title="A demonstration of Pacific 1940",
        rounds=2,
        seats={power: (power,) for power in ("japan", "usa", "china", "uk", "anzac")},
        turns=turns,
        languages={"china": "zh"},
        standing={"uk": "retreat if odds < 30%", "china": "casualties: infantry first"},
        notes=(
            "Japan's first mail holds two lines that cannot be read or carried out; its answer says why.",
            "China's player writes one line in Chinese and gets his reports in Chinese.",
            "The recorded game's dice were not ours: later orders that no longer fit are refused with their rule.",
        ),
    )


def classic() -> Script:
    """Two rounds of a recorded Classic game under Enhanced Realism; the defender decides his retreats by mail."""
    turns = turns_of("classic")
    return Script(
        game="classic",
        edition="2e",
        variants=("err",),
        title="A demonstration of Classic with Enhanced Realism",
        rounds=2,
        seats={power: (power,) for power in ("ussr", "germany", "uk", "japan", "usa")},
        turns=turns,
        standing={"ussr": "ask me retreat", "germany": "ask me retreat"},
        mid_battle={"ussr": "press on", "germany": "press on"},
        first_defence="retreat",
        kill_a_worker=True,
        notes=(
            "The Soviet and German players are asked in mid-battle whether they retreat, and answer by mail.",
            "The first of them to be asked as a defender retreats, by a line that his mail offers him.",
            "A worker was killed between that question and its answer; nothing was lost or rolled twice.",
        ),
    )


def spring_1942() -> Script:
    """Two rounds of a recorded game of 1942 Second Edition, with the cards of Fortunes of Victory laid into it.

    Cards of chance are played out of the players' own mails (`pbem.demo.hand`); those that everybody starts with and
    that go with the moves stand in the script.
    """
    turns = turns_of("s42")
    turns[(1, "uk")] = f"{turns[(1, 'uk')]}\nplay atomic_bomb: 1 bomber Germany"
    return Script(
        game="s42",
        edition=None,
        variants=("fov",),
        title="A demonstration of 1942 Second Edition with Fortunes of Victory",
        rounds=2,
        seats={power: (power,) for power in ("ussr", "germany", "uk", "japan", "usa")},
        turns=turns,
        languages={"japan": "zh"},
        options={"interceptors": True},
        standing={"ussr": "ask me card"},
        habits=habits("fov_habits", {"ussr": "asked", "uk": "standing"}),
        notes=(
            "Who holds which cards only chance knows: each player reads his hand and the battles to come in his own"
            " mail, and writes the lines for cards that fit.",
            "The Soviet player is asked for cards after his moves (`ask me card`); the British one gives standing"
            " orders about his; Japan's mails are in Chinese.",
            "The British player orders a card that he does not hold: the answer to him says why it is refused, and"
            " nobody else hears of it.",
            "The recorded game's dice were not ours: later orders that no longer fit are refused with their rule.",
        ),
    )


def pacific_2001() -> Script:
    """Two rounds of Pacific (2001) under War Without Mercy: task forces, patrols, oil, actions in lock-step."""
    text = resources.files("pbem.demo.data").joinpath("p01.json").read_text(encoding="utf-8")
    return Script(
        game="p01",
        edition=None,
        variants=("wwm",),
        title="A demonstration of Pacific (2001) with War Without Mercy",
        rounds=2,
        seats={"japan": ("japan",), "usa": ("usa", "china"), "uk": ("uk",)},
        turns={},
        segments=json.loads(text),
        actions=18,
        notes=(
            "Japan's first mail holds its whole turn: purchases, patrols, four task forces and their voyages;"
            " a fifth one is refused by its rule. Each part stays sealed until its action comes.",
            "Every action is finished by all seats before the next begins.",
        ),
    )


SCRIPTS = {"p40": pacific_1940, "s42": spring_1942, "classic": classic, "p01": pacific_2001}
"""The games that can be demonstrated."""
