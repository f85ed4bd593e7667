"""What a report says, as frozen values: ids, counts and sentences, in no language and no layout.

`tell` and its siblings build these from events; `text`, `html` and `pdf` print them. Nothing here is computed twice
for different readers: what only one reader may know stands in `Private`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pbem.report.card_model import CardNews, CardPile, HandCount, HeldCard
from pbem.report.card_model import Force as Force
from pbem.report.map.view import SpaceView

ATTACK, DEFEND = "attack", "defend"


@dataclass(frozen=True, slots=True)
class Die:
    """One die: whose, of which unit, the highest face that hits (None where the face itself counts), what it showed.

    `card` is the victory card under which it was thrown, or empty. Of a unit's dice marked `best` in one batch one hit
    counts at most; an `exact` die hits with its need only.
    """

    unit: str
    kind: str
    owner: str
    need: int | None
    face: int
    card: str = ""
    best: bool = False
    exact: bool = False

    @property
    def hit(self) -> bool:
        """Whether it scored; a die without a need never does."""
        return self.need is not None and (self.face == self.need if self.exact else self.face <= self.need)

    @property
    def owed(self) -> int:
        """Sixths of a hit that it owed."""
        return int(self.exact) if self.exact or self.need is None else min(max(self.need, 0), 6)


def die_of(row: Mapping[str, Any], face: int, card: str = "") -> Die:
    """A die of an event `dice_rolled`: its entry among the dice and what it showed."""
    return Die(
        row.get("unit", ""), row.get("kind", ""), row.get("owner", ""), row.get("need"), face, card,
        bool(row.get("best")), bool(row.get("exact")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Loss:
    """Units of one owner and kind that a step destroyed or damaged, and who chose them.

    `by` is `player`, `standing` or `default`, or empty where nobody had a choice.
    """

    owner: str
    kind: str
    count: int
    damaged: bool
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One decision that was taken: by whom, of which kind and place, what was chosen, and who chose."""

    power: str
    kind: str
    space: str | None
    round: int
    by: str
    value: Any
    force: Force
    places: tuple[str, ...]
    leaving: tuple[tuple[Force, str, str], ...] = ()
    """Of a retreat: who leaves, how (`land`, `fly`, `aboard`...), and to where."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a battle, or a roll outside battles: its dice, hits, losses, decisions and rules."""

    name: str
    title: str
    side: str
    space: str | None
    dice: tuple[Die, ...] = ()
    hits: tuple[tuple[str, int], ...] = ()
    losses: tuple[Loss, ...] = ()
    answers: tuple[Answer, ...] = ()
    rules: tuple[str, ...] = ()
    wasted: int = 0
    source: str = ""
    link: int | None = None
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class BattleRound:
    """One round; number 0 holds what comes before the first."""

    number: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """Hits of one power or side against what the dice owed: `expected` counts sixths of a hit.

    Dice of which the better one counts are one die.
    """

    who: str
    dice: int
    hits: int
    expected: Fraction | int
    lost: int = 0

    @property
    def over(self) -> Fraction | int:
        """Hits above expectation, in sixths."""
        return 6 * self.hits - self.expected


@dataclass(frozen=True, slots=True)
class BattleStory:
    """A whole battle. `luck` is the attacker's and the defender's; its `lost` is the IPC of their units destroyed."""

    id: str
    space: str
    kind: str
    attacker: str
    attackers: Force
    defenders: Force
    rounds: tuple[BattleRound, ...]
    result: str | None
    survivors: Force
    luck: tuple[Luck, Luck]
    rules: tuple[str, ...]

    @property
    def unopposed(self) -> bool:
        """Whether nobody was there to fight: an entry, no battle."""
        return not self.defenders and not self.rounds

    @property
    def swing(self) -> int:
        """IPC the defender lost less IPC the attacker lost."""
        return self.luck[1].lost - self.luck[0].lost


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order as it was opened, and what became of it: `done`, `refused` or `lapsed`."""

    power: str
    phase: str
    text: str
    status: str
    reason: str = ""
    rule: str | None = None
    suggestion: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """A space that changed hands; `unopposed`: nobody stood against those who came."""

    space: str
    before: str | None
    after: str | None
    why: str
    rules: tuple[str, ...]
    unopposed: bool = False


@dataclass(frozen=True, slots=True)
class Income:
    """The last phase of a turn, in IPC: land, convoy losses, objectives, the sum paid."""

    territories: int
    convoy_loss: int
    objectives: tuple[tuple[str, int], ...]
    total: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Money:
    """A treasury before and after, and every change between, in IPC; `changes` are (why, sum) in order."""

    power: str
    before: int
    changes: tuple[tuple[str, int], ...]
    after: int
    income: Income | None = None


@dataclass(frozen=True, slots=True)
class Bought:
    """What a power bought, by kind; what still waits to be placed, and what was given back for its money."""

    power: str
    items: tuple[tuple[str, int], ...]
    waiting: tuple[tuple[str, int], ...]
    returned: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """New units or facilities in a space; `why` as the rules wrote it."""

    power: str
    space: str
    units: tuple[tuple[str, int], ...]
    why: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two powers stand differently from now on."""

    one: str
    other: str
    to: str
    why: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """Units lost outside battles: aircraft without a landing place, ships scuttled..."""

    space: str
    force: Force
    why: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A space in which something stands differently now."""

    space: str
    before: Force
    after: Force
    controller_before: str | None
    controller_after: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """Units of one owner that went the same way in a phase; loading and unloading are told as moves too."""

    owner: str
    start: str
    via: tuple[str, ...]
    end: str
    force: Force
    phase: str


@dataclass(frozen=True, slots=True)
class FacilityChange:
    """A facility built, damaged, repaired, turned into another kind (`becomes`) or gone (`damage` None)."""

    space: str
    kind: str
    damage: int | None
    becomes: str | None
    why: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Something else that everybody should know: a pause, a correction, press... `text` is somebody's own words.

    `facts` are what a correction changes.
    """

    kind: str
    text: str = ""
    who: str = ""
    seq: int = -1
    facts: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTold:
    """One power's share of the stretch told, for the headline: what it took, its losses, what it destroyed."""

    power: str
    round: int
    took: tuple[str, ...]
    lost: int
    destroyed: int
    battles: int
    moved: bool
    ahead: bool = False
    """Whether the battles of its moves are still to come."""


@dataclass(frozen=True, slots=True)
class Headline:
    """What happened in one sentence, unsaid yet. `kind`: `turns`, `begun`, `won`."""

    kind: str
    turns: tuple[TurnTold, ...] = ()
    side: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """What the campaign waits for. `deadline` in ms UTC; `asks` as the window shows them to everybody."""

    window: str
    kind: str
    powers: tuple[str, ...]
    phases: tuple[str, ...]
    asks: tuple[Mapping[str, Any], ...]
    deadline: int | None
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """A battle or raid to come: who came to a space, and who is there; `raid` if all who came bomb or escort."""

    space: str
    owner: str | None
    attackers: Force
    defenders: Force
    raid: bool


@dataclass(frozen=True, slots=True)
class Private:
    """What only this reader is told: his powers, what is due from him and an example that would be accepted now.

    `in_force` are his filed orders by power and phase; `standing` and `asks` his standing orders and `ask me` lines.
    `refused` are his answers that the rules did not take; `hand` the victory cards that he holds.
    """

    powers: tuple[str, ...] = ()
    mine: bool = False
    example: tuple[str, ...] = ()
    in_force: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...] = ()
    standing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    hand: tuple[HeldCard, ...] = ()
    refused: tuple[OrderLine, ...] = ()
    delegated: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The public part of a turn report: the events `first` .. `end - 1` of one campaign, told.

    `at` is the time of the last of them (ms UTC). `spaces` is the map after them; `counters` are (power, name, before,
    after) of everything counted but money; `convoys` (power, zone, raw loss); `rules` all rule ids cited, sorted;
    `clashes` the battles that the open window is about, before the first of them is fought.
    """

    campaign: str
    title: str
    game: str
    edition: str
    board: str
    variants: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    first: int
    end: int
    at: int
    round: int
    power: str | None
    headline: Headline
    orders: tuple[OrderLine, ...] = ()
    reactions: tuple[Answer, ...] = ()
    battles: tuple[BattleStory, ...] = ()
    rolls: tuple[Step, ...] = ()
    captures: tuple[Capture, ...] = ()
    gone: tuple[Gone, ...] = ()
    relations: tuple[Relation, ...] = ()
    bought: tuple[Bought, ...] = ()
    placed: tuple[Placed, ...] = ()
    money: tuple[Money, ...] = ()
    convoys: tuple[tuple[str, str, int], ...] = ()
    luck: tuple[Luck, ...] = ()
    positions: tuple[Position, ...] = ()
    moves: tuple[Move, ...] = ()
    facilities: tuple[FacilityChange, ...] = ()
    counters: tuple[tuple[str, str, int, int], ...] = ()
    notes: tuple[Note, ...] = ()
    cards: tuple[CardNews, ...] = ()
    hand_counts: tuple[HandCount, ...] = ()
    piles: tuple[CardPile, ...] = ()
    clashes: tuple[Clash, ...] = ()
    due: Due | None = None
    winner: str | None = None
    spaces: Mapping[str, SpaceView] = field(default_factory=dict)
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and which orders window opened it: the thread to which a mail belongs."""

    power: str | None
    round: int
    phases: tuple[str, ...] = ()
