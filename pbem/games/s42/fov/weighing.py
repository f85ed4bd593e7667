"""Weighing a power's card orders at one moment: which are played, which are refused to their sender, which wait.

Each line is tried in the order written against the position at that moment; what one card's own text asks for is in
the chapters that check it (`CHECKS`), what all cards have in common is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.s42.fov import hands, plays
from pbem.games.s42.fov.plays import Play
from pbem.games.s42.fov.subjects import attacked, battle_at, subject_for
from pbem.games.s42.fov.table import ATT, CARDS, DEF, DMG, MOVE, TACTICS, CardKind
from pbem.rules.battle.model import Battle
from pbem.rules.battle.naming import chosen, space_name, words
from pbem.rules.decisions import Refusal, holds
from pbem.rules.order_model import NO_CARD, Condition, Order, Pick, PlayCard, from_json, to_json
from pbem.rules.ruleset import RuleSet

ORDERS, PLAYER, STANDING = "orders", "player", "standing"
"""Where a line comes from: orders for this turn, an answer to a window, standing orders."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a player about cards, and where it comes from."""

    by: str
    text: str
    order: Order


def lines_of(rows: Iterable[Mapping[str, Any]], by: str | None = None) -> list[Line]:
    """Lines from their JSON ({text, order}, and `by` unless it is given); `play none` is no line of a card."""
    return [Line(by or row["by"], row["text"], from_json(row["order"])) for row in rows if not says_none(row)]


def answers_of(rows: Sequence[Mapping[str, Any]]) -> list[Line]:
    """The lines that answer a question: behind `play none` nothing counts, no standing order either (FOV-4.2.1)."""
    end = next((place for place, row in enumerate(rows) if says_none(row)), len(rows))
    return lines_of(rows[:end])


def says_none(row: Mapping[str, Any]) -> bool:
    """Whether a line says that no card is played."""
    return bool(row["order"]["type"] == PlayCard.type and row["order"]["card"] == NO_CARD)


@dataclass(frozen=True, slots=True)
class Targets:
    """What a card is played on: see `plays.Play`."""

    space: str | None = None
    units: tuple[str, ...] = ()
    facility: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Weighing:
    """A power's lines at one moment and what has come of them so far; `texts` are the lines of what is `played`.

    `spent` are lines in force no more, `faulty` the lines of what is `refused`; a line written twice is two lines.
    """

    rules: RuleSet
    state: State
    power: str
    moment: str
    played: list[Play] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    spent: list[Line] = field(default_factory=list)
    faulty: list[Line] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    _battles: dict[str, Battle | None] = field(default_factory=dict)

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.state.power or ""

    def name(self, space: str) -> str:
        """A space's printed name."""
        return space_name(self.rules, space)

    def battle(self, space: str) -> Battle | None:
        """The battle to come in a space, if there is one."""
        if space not in self._battles:
            self._battles[space] = battle_at(self.rules, self.state, space)
        return self._battles[space]

    def is_free(self, unit: Unit) -> bool:
        """Whether no card of its side affects a unit yet (FOV-5.1.1); the enemy's never block it (FOV-5.1.4)."""
        return not plays.under_card(unit) and not any(unit.id in play.units for play in self.played)

    def pick(
        self, picks: Sequence[Pick], among: Sequence[Unit], what: str, rule: str, most: int = 1
    ) -> tuple[str, ...] | Refusal:
        """The units a line names among those that the card may be played on, free ones first (FOV-4.1.6, 4.2.2)."""
        if any(pick.owner not in (None, self.power) for pick in picks):
            return Refusal("A card is played on units of your own.", "FOV-4.2.2")
        free = [unit for unit in among if self.is_free(unit)]
        taken, missing = chosen(self.rules, self.state, picks, free, self.power)
        if missing is not None:
            if chosen(self.rules, self.state, picks, among, self.power)[1] is None:
                return Refusal(
                    f"{words(self.rules, missing).capitalize()}: a card of yours affects that unit already, and no "
                    "unit is under two cards of its own side.",
                    "FOV-5.1.1",
                )  # fmt: skip
            return Refusal(f"There is not {words(self.rules, missing)} of yours {what}.", rule)
        if not taken or len(taken) > most:
            return Refusal(f"The card is played on {'one unit' if most == 1 else f'one to {most} units'} {what}.", rule)
        return tuple(taken)

    # -- the lines

    def weigh(self, lines: Sequence[Line], used: Sequence[str] = ()) -> None:
        """Try all lines that are meant for this moment; `used` are copies already played.

        Supreme Excellence comes last, for it counts what is laid with it (FOV-F03.1).
        """
        for line in sorted(lines, key=lambda line: getattr(line.order, "card", None) == "supreme_excellence"):
            order = line.order
            if isinstance(order, PlayCard) and meant_for(self.rules, order, self.moment):
                self._weigh(line, order, used)

    def _weigh(self, line: Line, order: PlayCard, used: Sequence[str]) -> None:
        kind = CARDS[order.card]
        copies = [*used, *(play.copy for play in self.played)]
        spaces = self.spaces_for(order, line.by)
        if order.when is not None:
            spaces = [at for at in spaces if holds(order.when, subject_for(self.rules, self.state, self.power, at))]
            if not spaces:
                return
        missing = hands.not_in_hand(self.state, self.power, order.card, copies)
        idle = line.by == STANDING and not self._concerns(order)
        if missing is not None:
            self.refuse(line, missing, idle=idle)
            return
        why: Refusal | None = None
        for space in spaces:
            targets = self._targets(kind, order, space)
            if isinstance(targets, Refusal):
                why = why or targets
                continue
            copy = next(c for c in hands.ready_copies(self.state, self.power, order.card) if c not in copies)
            self.accept(line, order, Play(
                order.card, self.power, copy, targets.space, targets.units, targets.facility, targets.data
            ))  # fmt: skip
            return
        if why is not None and not (line.by == STANDING and named_space(order) is None):
            self.refuse(line, why, idle=idle)

    def accept(self, line: Line, order: Order, play: Play) -> None:
        """A card is played by a line, which is used up unless it says `always`."""
        self.played.append(play)
        self.texts.append(line.text)
        if "always" not in getattr(order, "words", ()):
            self.spend(line)

    def spend(self, line: Line) -> None:
        """A line has done what it was for."""
        if not any(line is one for one in self.spent):
            self.spent.append(line)

    def _targets(self, kind: CardKind, order: PlayCard, space: str | None) -> Targets | Refusal:
        found = CHECKS[kind.id](self, order, space)
        return found if isinstance(found, Refusal) else self.stacked(kind, found) or found

    def stacked(self, kind: CardKind, targets: Targets) -> Refusal | None:
        """What may not be combined (FOV-5.1.1, FOV-5.1.2, FOV-5.1.6, FOV-5.1.7, FOV-R11, FOV-R12)."""
        if targets.space is None:
            return None
        own = [play for play in (*plays.plays(self.state), *self.played) if play.power == self.power]
        if targets.facility is not None and any(play.facility == targets.facility for play in own):
            return Refusal(
                f"A card of yours already affects the complex in {self.name(targets.facility)}.", "FOV-5.1.7"
            )
        raid = plays.is_in_raid(self.state, targets.facility, targets.units)
        here = [
            play
            for play in own
            if play.space == targets.space
            and CARDS[play.card].for_battle
            and plays.is_in_raid(self.state, play.facility, play.units) == raid
        ]
        if kind.deck == TACTICS and any(CARDS[play.card].deck == TACTICS for play in here):
            return Refusal(
                f"You play a tactics card in {self.name(targets.space)} already; one is the most in one battle.",
                "FOV-5.1.2",
            )
        if here and kind.for_battle and self.rules.parameter("one_card_per_battle"):
            return Refusal(
                f"You play a card in {self.name(targets.space)} already; this campaign allows one for each battle.",
                "FOV-R11",
            )
        return None

    def spaces_for(self, order: PlayCard, by: str) -> list[str | None]:
        """The spaces for which a line may be meant: the one it names, or all that are attacked."""
        named = named_space(order)
        if named is not None:
            return [named]
        if self.moment not in (ATT, DEF, DMG) or order.power is not None:
            return [None]
        about = [space for space in _condition_spaces(order.when) if space in self.rules.board.spaces]
        return [*(about or attacked(self.rules, self.state))]

    def _concerns(self, order: PlayCard) -> bool:
        """Whether a line for the defence names a space that is attacked now."""
        space = named_space(order)
        return self.moment != DEF or (space is not None and space in attacked(self.rules, self.state))

    def refuse(
        self, line: Line, refusal: Refusal, *, by_chance: bool = False, lapsed: bool = False, idle: bool = False
    ) -> None:
        """Tell the sender only (FOV-6.1.8); the card stays in the hand (FOV-4.1.5).

        `by_chance`: other dice would have made it legal; `lapsed`: another line decided it; `idle`: a standing order
        whose time has not come.
        """
        row: dict[str, Any] = {
            "text": line.text, "order": to_json(line.order), "reason": refusal.reason, "rule": refusal.rule,
            "suggestion": refusal.suggestion,
        }  # fmt: skip
        marks = {"by_chance": by_chance, "lapsed": lapsed, "idle": idle}
        self.refused.append({**row, **{name: True for name, given in marks.items() if given}})
        self.faulty.append(line)
        if line.by != STANDING:
            self.spend(line)

    def note(self) -> dict[str, Any]:
        """The sealed record of what the lines came to."""
        return {
            "power": self.power, "moment": self.moment, "played": self.texts, "refused": self.refused,
            "spent": [line.text for line in self.spent if line.by != ORDERS],
            "ordered": [line.text for line in self.spent if line.by == ORDERS],
        }  # fmt: skip


Check = Callable[[Weighing, PlayCard, str | None], Targets | Refusal]
CHECKS: dict[str, Check] = {}
"""For each card that is played on a battle, raid or power: what its own text asks of a play."""


def checks(card: str) -> Callable[[Check], Check]:
    """Register the function that judges plays of a card."""

    def register(function: Check) -> Check:
        CHECKS[card] = function
        return function

    return register


def meant_for(rules: RuleSet, order: PlayCard, moment: str) -> bool:
    """Whether a play belongs to a moment (FOV-4.1.3): Super Bombers move only `with move`, late plays wait."""
    moments = CARDS[order.card].moments_under(rules.parameters)
    if moment not in moments:
        return False
    if MOVE in moments and ATT in moments:
        return ("with_move" in order.words) == (moment == MOVE)
    return moment != DEF or "late" not in order.words


def named_space(order: PlayCard) -> str | None:
    """The space of a play's battle; where units move, the end of their path (for those that leave a battle: its start).

    A play that names a power has none.
    """
    if order.path:
        return order.path[0] if order.card == "signals_intelligence" else order.path[-1]
    return order.space


def _condition_spaces(condition: Condition | None) -> list[str]:
    if condition is None:
        return []
    own = [condition.space] if condition.space is not None and condition.subject != "taken" else []
    return [*own, *(space for part in condition.of for space in _condition_spaces(part))]


def with_units(order: PlayCard, units: tuple[Pick, ...]) -> PlayCard:
    """A play with the units it means where it names none."""
    return order if order.units else replace(order, units=units)
