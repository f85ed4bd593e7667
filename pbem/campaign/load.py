"""From the log to a campaign in memory: live events, the last boundary, snapshots, and where the dice chain stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.evolve import fold
from pbem.board.state import State, state_from_json, state_to_json
from pbem.campaign.play import Play
from pbem.campaign.referee import Referee
from pbem.dice.deck import ChainDecks
from pbem.dice.source import ChainSource
from pbem.games.catalog import rule_set
from pbem.log.event import REWOUND, Event
from pbem.log.live import Rewind, live, rewinds, void_ranges
from pbem.log.store import NoSuchCampaign
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import VoidCards


@dataclass(frozen=True, slots=True)
class Loaded:
    """A campaign as stored: the play, the number of events stored, its rewinds, the dice used and the void rolls.

    `chains` are the starts of the chains committed so far, `chain` and `k` the last link that was used.
    """

    play: Play
    size: int
    rewinds: tuple[Rewind, ...]
    chains: tuple[tuple[str, int], ...]
    chain: int
    k: int
    void_purposes: frozenset[str]
    void_cards: VoidCards = field(default_factory=VoidCards)

    @property
    def settings(self) -> dict[str, Any]:
        """Event 0."""
        return dict(self.play.base.settings)

    def dice(self, referee: Referee) -> ChainSource:
        """The campaign's dice, at the next unused link."""
        chains = [referee.chain(self.play.campaign, number, length) for number, (_, length) in enumerate(self.chains)]
        return ChainSource(chains, self.chain, self.k)

    def decks(self, referee: Referee) -> ChainDecks:
        """The campaign's decks; none in a game without cards."""
        committed = self.settings["dice"].get("decks", {})
        return ChainDecks(
            {deck: referee.deck_chain(self.play.campaign, deck, row["length"]) for deck, row in committed.items()}
        )


@dataclass(slots=True)
class _Tally:
    """What must be known of every event ever stored, void ones too."""

    chains: list[tuple[str, int]]
    chain: int = 0
    k: int = 0

    def count(self, event: Event) -> None:
        if event.type == "dice_rolled" and event.readable and event.payload.get("k") is not None:
            self.chain, self.k = event.payload["chain"], event.payload["k"]
        elif event.type == "campaign_created":
            self.chains = [(row["start"], row["length"]) for row in event.payload["dice"]["chains"]]
        elif event.type == "dice_chain_committed":
            self.chains.append((event.payload["start"], event.payload["length"]))


def load(referee: Referee, campaign: str) -> Loaded:
    """Read a campaign, from its last usable snapshot on. Raises the store's NoSuchCampaign."""
    store = referee.store
    store.head(campaign)
    snapshot = store.get_snapshot(campaign)
    base, start, tally, void = State(), 0, _Tally([]), frozenset[str]()
    if snapshot is not None:
        cached = json.loads(snapshot.data)
        if cached.get("format") == SNAPSHOT_FORMAT:
            base, start = state_from_json(cached["state"]), snapshot.seq
            tally = _Tally([(row[0], row[1]) for row in cached["chains"]], cached["chain"], cached["k"])
    events = list(store.read(campaign, start))
    if start and any(event.type == REWOUND for event in events):
        # The snapshot may be of what is void now; none is kept after a rewind, so the log is read whole.
        base, start, tally = State(), 0, _Tally([])
        events = list(store.read(campaign))
    if not events and start == 0:
        raise NoSuchCampaign(f"there is no campaign {campaign!r}")
    known = tuple(rewinds(events))
    cards = VoidCards()
    for event in events:
        tally.count(event)
    if known:
        ranges = void_ranges(known)
        void = frozenset(
            event.payload["purpose"]
            for event in events
            if event.type == "dice_rolled" and any(first <= event.seq < end for first, end in ranges)
        )
        cards = void_cards(events, ranges)
    kept = live(events)
    play = assemble(campaign, base, kept, events[-1].seq + 1 if events else start)
    return Loaded(play, play.next_seq, known, tuple(tally.chains), tally.chain, tally.k, void, cards)


def void_cards(events: Sequence[Event], ranges: Sequence[tuple[int, int]]) -> VoidCards:
    """What void events did with decks: piles that were laid out, whose links are not used again, and places drawn.

    A copy's id tells its deck, pile and place (docs/dice.md).
    """
    piles: dict[str, int] = {}
    places: dict[tuple[str, int], int] = {}
    for event in events:
        if not event.readable or not any(first <= event.seq < end for first, end in ranges):
            continue
        if event.type == "deck_changed":
            deck, number = event.payload["deck"], event.payload["set"].get("pile", 0)
            piles[deck] = max(number, piles.get(deck, 0))
        elif event.type == "card_drawn" and "from" not in event.payload:
            deck, pile, place = event.payload["card"].rsplit("-", 2)
            places[deck, int(pile)] = max(int(place), places.get((deck, int(pile)), 0))
    return VoidCards(piles, places)


def assemble(campaign: str, base: State, events: list[Event], next_seq: int) -> Play:
    """A play from the state at some boundary and the live events since; rules come from the campaign's event 0."""
    boundary = 0
    for index in range(len(events) - 1, -1, -1):
        if events[index].type == "segment_ended":
            boundary = index + 1
            break
    base = fold(base, events[:boundary])
    return Play(campaign, rules_of(base), base, tuple(events[boundary:]), next_seq)


def rules_of(state: State) -> RuleSet:
    """The rule set that a campaign's settings name, in the version it is pinned to."""
    settings = state.settings
    return rule_set(
        settings["game"],
        settings["edition"],
        tuple(settings["variants"]),
        settings["options"],
        settings["rules_version"],
    )


SNAPSHOT_FORMAT = 1


def keep_snapshot(referee: Referee, loaded: Loaded) -> None:
    """Cache the position at the last boundary, where a load may begin. Campaigns with rewinds are read whole."""
    if loaded.rewinds:
        return
    # The dice position must be that of the boundary, not of the tape, for the tape is counted again when loading.
    rolls = [event for event in loaded.play.tape if event.type == "dice_rolled"]
    if rolls:
        return
    data = {
        "format": SNAPSHOT_FORMAT,
        "state": state_to_json(loaded.play.base),
        "chains": [list(row) for row in loaded.chains],
        "chain": loaded.chain,
        "k": loaded.k,
    }
    referee.store.put_snapshot(
        loaded.play.campaign,
        loaded.play.base.size,
        -1,
        loaded.play.rules.version,
        json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(),
    )
