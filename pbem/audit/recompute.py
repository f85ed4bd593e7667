"""Recomputes a campaign from its inputs: the scripts run again from event 0 and must give the very same events.

Dice are derived again from the links that the log opened, so nothing but the log is needed. A difference is a value,
not an exception: the first place where log and rules disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.campaign.asking import must_ask
from pbem.campaign.load import rules_of, void_cards
from pbem.campaign.play import Play, run
from pbem.dice.deck import Pile, deck_message, shuffled
from pbem.dice.entropy import entropy_digest
from pbem.dice.faces import derive_key, faces
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.log.event import Event
from pbem.log.live import live, rewinds, void_ranges
from pbem.orders.respond import StandingResponder
from pbem.rules.tape import FOREIGN, INPUT, Emitted, VoidCards


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found: events compared, segments and rolls run again, and the first difference, if any."""

    events: int
    segments: int
    rolls: int
    difference: str | None
    seq: int | None

    @property
    def equal(self) -> bool:
        """Whether everything came out as recorded."""
        return self.difference is None


class OpenedLinks:
    """Dice from the links the log opened, in order of use; every face is derived, none is copied.

    Rolls from other sources (by hand, recorded) have no derivation: their recorded faces are taken and counted.
    """

    def __init__(self, rolls: Sequence[Event]) -> None:
        self.rolls = list(rolls)
        self.used = 0

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """The next recorded roll, derived again; what does not fit shows as a difference of the event."""
        if self.used == len(self.rolls):
            return Roll(None, None, None, purpose.text(), dict(entropy), (1,) * count, "nothing recorded")
        body = self.rolls[self.used].payload
        self.used += 1
        if body.get("link") is None:
            return Roll(
                None,
                None,
                None,
                purpose.text(),
                dict(entropy),
                tuple(body["faces"]),
                body["source"],
                body.get("beacon"),
            )
        beacon = bytes.fromhex(body["beacon"]) if body.get("beacon") else None
        key = derive_key(bytes.fromhex(body["link"]), purpose.message(), entropy_digest(entropy), beacon)
        return Roll(
            chain=body["chain"],
            k=body["k"],
            link=body["link"],
            purpose=purpose.text(),
            entropy=dict(entropy),
            faces=faces(key, count),
            source=body["source"],
            beacon=body.get("beacon"),
        )


class OpenedPiles:
    """Piles as the log shows them: derived from their links where those were opened, else in the order of the draws.

    Cards of a closed pile that nobody drew are in no order that anybody knows; nothing asks for it.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self.links: dict[tuple[str, int], str] = {}
        self.names: dict[str, str] = {}
        for event in events:
            if event.type == "deck_changed" and "link" in event.payload["set"]:
                self.links[event.payload["deck"], event.payload["set"]["opened"]] = event.payload["set"]["link"]
            elif event.type == "card_identified":
                self.names.setdefault(event.payload["card"], event.payload["name"])

    def pile(self, campaign: str, deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> Pile:
        """The pile's order, as far as it was ever known."""
        link = self.links.get((deck, number))
        if link is not None:
            message = deck_message(campaign, deck, number, cards)
            return Pile(
                deck,
                number,
                shuffled(derive_key(bytes.fromhex(link), message, entropy_digest(entropy)), cards),
                "chain",
            )
        left = sorted(cards)
        order = []
        for place in range(1, len(cards) + 1):
            name = self.names.get(f"{deck}-{number}-{place}")
            if name in left:
                left.remove(name)
                order.append(name)
        return Pile(deck, number, (*order, *left), "log")

    def link(self, deck: str, number: int) -> str | None:
        """The link as the log opened it."""
        return self.links.get((deck, number))


def recompute(campaign: str, events: Sequence[Event], progress: Callable[[int], None] = lambda done: None) -> Audit:
    """Run a whole campaign again from its inputs. `events` are all of its events, fully readable, from 0 on."""
    kept = live(events)
    known = rewinds(events)
    start = _setup_end(kept)
    base = fold(State(), kept[:start])
    play = Play(campaign, rules_of(base), base, (), kept[start - 1].seq + 1)
    dice = OpenedLinks([event for event in kept[start:] if event.type == "dice_rolled"])
    decks = OpenedPiles(kept[start:])
    position, segments = start, 0
    while position < len(kept):
        inputs = _inputs(kept, position)
        position += len(inputs)
        play = play.plus(inputs)
        progress(position)
        if position == len(kept):
            break
        seq = kept[position].seq
        play = Play(play.campaign, play.rules, play.base, play.tape, seq)
        void = _void_purposes(events, [rewind for rewind in known if rewind.seq < seq])
        outcome = run(
            play, dice, StandingResponder(), now=kept[position].at, must_ask=must_ask, void_purposes=void, decks=decks,
            void_cards=_void_cards(events, [rewind for rewind in known if rewind.seq < seq]),
        )  # fmt: skip
        if outcome is None:
            return Audit(position, segments, dice.used, "the game was over and events follow", seq)
        if outcome.difference is not None:
            return Audit(position, segments, dice.used, str(outcome.difference), outcome.difference.seq)
        if not outcome.events:
            return Audit(
                position, segments, dice.used, f"nothing follows here; recorded is {_shown(kept[position])}", seq
            )
        for made in outcome.events:
            if position == len(kept):
                break  # the log ends in the middle of what follows from it: nobody has advanced it yet
            recorded = kept[position]
            if not _same(made, recorded):
                return Audit(
                    position, segments, dice.used, f"recorded {_shown(recorded)}; computed {_shown(made)}", recorded.seq
                )
            play = play.plus([recorded])
            position += 1
            segments += recorded.type == "segment_ended"
            progress(position)
    return Audit(len(kept), segments, dice.used, None, None)


def _setup_end(events: Sequence[Event]) -> int:
    for index, event in enumerate(events):
        if event.type == "segment_ended":
            return index + 1
    raise ValueError("the log holds no set-up: it has no event segment_ended")


def _inputs(events: Sequence[Event], start: int) -> list[Event]:
    end = start
    while end < len(events) and (events[end].type in INPUT or events[end].type in FOREIGN):
        end += 1
    return list(events[start:end])


def _void_purposes(events: Sequence[Event], known: Sequence[Any]) -> frozenset[str]:
    if not known:
        return frozenset()
    ranges = void_ranges(known)
    return frozenset(
        event.payload["purpose"]
        for event in events
        if event.type == "dice_rolled" and any(first <= event.seq < end for first, end in ranges)
    )


def _void_cards(events: Sequence[Event], known: Sequence[Any]) -> VoidCards:
    return void_cards(events, void_ranges(known)) if known else VoidCards()


def _same(made: Emitted, recorded: Event) -> bool:
    return (
        made.type == recorded.type
        and made.payload == recorded.payload
        and tuple(made.rules) == tuple(recorded.rules)
        and made.readers == recorded.readers
    )


def _shown(event: Any) -> str:
    return f"{event.type} {dict(event.payload)} by {', '.join(event.rules) or 'no rule'}"


def states(events: Sequence[Event]) -> Iterator[tuple[int, State]]:
    """The position after every live event, for those who want to look at each (invariants, replays)."""
    from pbem.board.evolve import evolve

    state = State()
    for event in live(events):
        state = evolve(state, event)
        yield event.seq, state
