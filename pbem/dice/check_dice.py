"""Check every die and every opened deck of a campaign's exported log, without this package and without its server.

    python check_dice.py campaign.jsonl        (or campaign.jsonl.gz)

One file, standard library only (Python 3.11 or newer): read it, copy it, run it where you like. The rules it checks
are in docs/dice.md. It says what the log proves about the dice; that the log itself was not rewritten is proved by the
checkpoints in your mails, which check_log.py checks.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

OTHER_SOURCES = ("hand", "recorded", "throwaway")


def sha256(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def canonical(value: Any) -> bytes:
    """RFC 8785 for what a log holds: integers only, names of members in ASCII."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def hashed_back(link: bytes, times: int) -> bytes:
    """The link hashed so many times."""
    for _ in range(times):
        link = sha256(link)
    return link


def stream(key: bytes) -> Iterator[bytes]:
    """The key's blocks: HMAC-SHA-256 of a counter, 4 bytes big-endian, from 0."""
    counter = 0
    while True:
        yield hmac.digest(key, counter.to_bytes(4, "big"), "sha256")
        counter += 1


def faces(key: bytes, count: int) -> list[int]:
    """Bytes from 252 on are skipped, the others are byte mod 6 + 1."""
    shown: list[int] = []
    for block in stream(key):
        shown += [byte % 6 + 1 for byte in block if byte < 252]
        if len(shown) >= count:
            break
    return shown[:count]


def pile_order(key: bytes, cards: list[str]) -> list[str]:
    """Fisher-Yates over the sorted cards from the last index down; the first is drawn first."""
    order = sorted(cards)
    words = (int.from_bytes(block[at : at + 4], "big") for block in stream(key) for at in range(0, 32, 4))
    for size in range(len(order), 1, -1):
        word = next(words)
        while word >= 2**32 - 2**32 % size:
            word = next(words)
        order[size - 1], order[word % size] = order[word % size], order[size - 1]
    return order


def split_purpose(campaign: str, text: str) -> tuple[str, int]:
    """A purpose without its attempt, and the attempt. Raises ValueError for what is no purpose of the campaign."""
    lines = text.split("\n")
    numbers = [lines[2], lines[6], *lines[8:]] if len(lines) in (8, 9) else []
    if lines[:2] != ["pbem/dice/v1", campaign] or not numbers or "" in lines or "\0" in text or "\r" in text:
        raise ValueError(f"{text!r} is no purpose of {campaign}")
    if any(str(int(number)) != number for number in numbers) or (len(lines) == 9 and int(lines[8]) < 2):
        raise ValueError(f"{text!r} is not spelled as purposes are")
    return "\n".join(lines[:8]), int(lines[8]) if len(lines) == 9 else 1


@dataclass
class Chain:
    """A published start, and how far the chain has been used: the last link known and its number."""

    start: bytes
    length: int
    last: bytes = b""
    k: int = 0

    def __post_init__(self) -> None:
        self.last = self.start


@dataclass
class Pile:
    """A pile that was laid out, and the cards drawn from it since, by the ids of their copies."""

    seq: int
    deck: str
    number: int
    cards: list[str]
    entropy: dict[str, str]
    drawn: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Checker:
    """Reads events in order and keeps what it finds wrong."""

    campaign: str = ""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    decks: dict[str, Chain] = field(default_factory=dict)
    closings: list[tuple[int, dict[str, str] | None]] = field(default_factory=list)
    piles: list[Pile] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    links: list[tuple[int, str, int, bytes]] = field(default_factory=list)
    rolls: int = 0
    dice: int = 0
    by_source: dict[str, int] = field(default_factory=dict)
    next_chain: int = 0
    purposes: dict[str, int] = field(default_factory=dict)
    void: list[tuple[int, int]] = field(default_factory=list)

    def wrong(self, seq: int, what: str) -> None:
        """Keep a finding."""
        self.problems.append(f"event {seq}: {what}")

    def entropy(self) -> dict[str, str] | None:
        """The map in force: the last value of each power among the closings that are not void; None if not known."""
        known: dict[str, str] = {}
        for _, values in self.closings:
            if values is None:
                return None
            known |= values
        return known

    def check_map(self, seq: int, entropy: Any, what: str) -> None:
        """The map that was used must be the one in force."""
        in_force = self.entropy()
        if in_force is None:
            self.notes.append(f"event {seq}: {what}'s entropy map could not be compared, a closing before it is erased")
        elif entropy != in_force:
            self.wrong(seq, f"{what}'s entropy map is not the one in force")

    def unreadable(self, seq: int, kind: str, erased: bool) -> None:
        """An event whose payload is not there; only an erasure is an excuse, and only where dice can do without."""
        if kind == "window_closed" and erased:
            self.closings.append((seq, None))
        elif kind in ("dice_rolled", "window_closed", "rewound", "campaign_created", "dice_chain_committed"):
            self.wrong(seq, f"the payload of this {kind} is missing, so nothing after it can be trusted")

    def event(self, seq: int, kind: str, payload: Any) -> None:
        """Take the next event; ``payload`` is what is readable of it."""
        handler = getattr(self, f"on_{kind}", None)
        if handler is None:
            return
        try:
            handler(seq, payload)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            self.wrong(seq, f"{kind} is malformed: {type(error).__name__} {error}")

    def on_campaign_created(self, seq: int, payload: Any) -> None:
        """Event 0 publishes the starts of all chains."""
        published = payload.get("dice", {})
        for chain in published.get("chains", []):
            self.chains.append(Chain(bytes.fromhex(chain["start"]), chain["length"]))
        for deck, chain in published.get("decks", {}).items():
            self.decks[deck] = Chain(bytes.fromhex(chain["start"]), chain["length"])

    def on_dice_chain_committed(self, seq: int, payload: Any) -> None:
        """A further chain, published before the one in use ends."""
        if payload["chain"] != len(self.chains):
            self.wrong(seq, f"chain {payload['chain']} is committed, expected chain {len(self.chains)}")
        if self.next_chain >= len(self.chains):
            self.wrong(seq, "this chain is committed after the one before it ran out")
        self.chains.append(Chain(bytes.fromhex(payload["start"]), payload["length"]))

    def on_window_closed(self, seq: int, payload: Any) -> None:
        """The texts in force are published with their hashes."""
        texts, values = payload.get("texts", {}), payload.get("entropy", {})
        if set(texts) != set(values):
            self.wrong(seq, f"texts of {sorted(texts)} are published with hashes of {sorted(values)}")
        for power, text in texts.items():
            if values.get(power) != sha256(text.encode("utf-8")).hex():
                self.wrong(seq, f"the hash of {power}'s text is not the one that is published")
        self.closings.append((seq, dict(values)))

    def on_rewound(self, seq: int, payload: Any) -> None:
        """Events from ``to`` on are void: windows are open again, cards undrawn. Links stay used."""
        to = payload["to"]
        self.void.append((to, seq))
        self.closings = [closing for closing in self.closings if closing[0] < to]
        self.piles = [pile for pile in self.piles if pile.seq < to]
        for pile in self.piles:
            pile.drawn = [draw for draw in pile.drawn if draw[0] < to]

    def on_dice_rolled(self, seq: int, payload: Any) -> None:
        """A batch: the next link, the map in force, the faces that follow."""
        source, shown = payload["source"], payload["faces"]
        self.rolls += 1
        self.dice += len(shown)
        self.by_source[source] = self.by_source.get(source, 0) + len(shown)
        if payload["count"] != len(shown):
            self.wrong(seq, f"{payload['count']} dice were asked for and {len(shown)} are shown")
        self.check_map(seq, payload["entropy"], "the roll")
        if source in OTHER_SOURCES:
            return
        if source != "chain":
            self.wrong(seq, f"the dice come from {source!r}, which this checker does not know")
            return
        link = bytes.fromhex(payload["link"])
        self.use_link(seq, payload["chain"], payload["k"], link)
        self.use_purpose(seq, payload["purpose"])
        message = payload["purpose"].encode("utf-8") + b"\0" + sha256(canonical(payload["entropy"]))
        if "beacon" in payload:
            message += b"\0" + bytes.fromhex(payload["beacon"])
        expected = faces(hmac.digest(link, message, "sha256"), len(shown))
        if shown != expected:
            self.wrong(seq, f"the faces should be {expected}, the log shows {shown}")

    def use_link(self, seq: int, number: int, k: int, link: bytes) -> None:
        """The link must be the next one, and hash to the one before it."""
        if number >= len(self.chains):
            self.wrong(seq, f"chain {number} was never published")
            return
        if number == self.next_chain + 1 and self.chains[self.next_chain].k == self.chains[self.next_chain].length:
            self.next_chain = number
        if number != self.next_chain:
            self.wrong(seq, f"a link of chain {number} is used while chain {self.next_chain} still has unused ones")
            return
        chain = self.chains[number]
        if k != chain.k + 1:
            self.wrong(seq, f"link {k} is used after link {chain.k}: links must be used one after the other")
        if not chain.k < k <= chain.length:
            return
        if hashed_back(link, k - chain.k) != chain.last:
            self.wrong(seq, f"link {k} does not hash back to the published start of chain {number}")
            return
        chain.last, chain.k = link, k

    def use_purpose(self, seq: int, text: str) -> None:
        """A void roll is made again under the next attempt, and only a void one is."""
        base, attempt = split_purpose(self.campaign, text)
        if text in self.purposes and self.is_void(self.purposes[text]):
            self.wrong(seq, f"this roll repeats the void one of event {self.purposes[text]} without a new attempt")
        if attempt > 1:
            before = self.purposes.get(base if attempt == 2 else f"{base}\n{attempt - 1}")
            if before is None or not self.is_void(before):
                self.wrong(seq, f"attempt {attempt} is made, and attempt {attempt - 1} is not void")
        self.purposes[text] = seq

    def is_void(self, seq: int) -> bool:
        """Whether a rewind has made this event void."""
        return any(first <= seq < end for first, end in self.void)

    def on_deck_changed(self, seq: int, payload: Any) -> None:
        """A pile is laid out, or its link is opened."""
        deck, contents = payload["deck"], payload["set"]
        if "cards" in contents and "entropy" in contents:
            self.check_map(seq, contents["entropy"], f"the pile of deck {deck}")
            self.piles.append(Pile(seq, deck, contents["pile"], list(contents["cards"]), dict(contents["entropy"])))
        if "link" in contents:
            self.links.append((seq, deck, contents["opened"], bytes.fromhex(contents["link"])))

    def on_card_drawn(self, seq: int, payload: Any) -> None:
        """A card comes from the top of the deck's newest pile, unless it was dealt from elsewhere."""
        if payload.get("name"):
            self.names[payload["card"]] = payload["name"]
        if payload.get("from", "pile") != "pile":
            return
        pile = next((pile for pile in reversed(self.piles) if pile.deck == payload["deck"]), None)
        if pile is not None:
            pile.drawn.append((seq, payload["card"]))

    def on_card_identified(self, seq: int, payload: Any) -> None:
        """Which card a drawn copy is: sealed to its holder, or public when played."""
        self.names[payload["card"]] = payload["name"]

    def finish(self) -> None:
        """Check all opened piles against the cards that were drawn from them."""
        for seq, deck, number, link in self.links:
            if deck not in self.decks:
                self.wrong(seq, f"deck {deck} has no published chain")
                continue
            if hashed_back(link, number) != self.decks[deck].start:
                self.wrong(seq, f"link {number} does not hash back to the published start of deck {deck}")
                continue
            for pile in self.piles:
                if (pile.deck, pile.number) == (deck, number):
                    self.check_pile(pile, link)

    def check_pile(self, pile: Pile, link: bytes) -> None:
        """The order that follows from the link, against the draws whose cards can be read."""
        listed = json.dumps(sorted(pile.cards), separators=(",", ":"))
        message = "\n".join(("pbem/deck/v1", self.campaign, pile.deck, str(pile.number), listed)).encode()
        key = hmac.digest(link, message + b"\0" + sha256(canonical(pile.entropy)), "sha256")
        order = pile_order(key, pile.cards)
        if len(pile.drawn) > len(order):
            self.wrong(pile.seq, f"pile {pile.number} of deck {pile.deck} gave more cards than it held")
        for (seq, card), expected in zip(pile.drawn, order, strict=False):
            if card in self.names and self.names[card] != expected:
                self.wrong(seq, f"the card drawn is {self.names[card]}, the pile's order says {expected}")

    def summary(self) -> str:
        """What was checked."""
        sources = ", ".join(f"{count} from {source}" for source, count in sorted(self.by_source.items()))
        used = ", ".join(f"chain {number}: {chain.k} of {chain.length}" for number, chain in enumerate(self.chains))
        return (
            f"{self.campaign}: {self.rolls} rolls, {self.dice} dice ({sources or 'none'}); "
            f"links used: {used or 'no chain'}; {len(self.links)} piles opened"
        )


@dataclass
class Line:
    """One event of an export: what its header says, and what of its payload this reader may see."""

    campaign: str
    seq: int
    kind: str
    payload: Any
    erased: bool
    fault: str | None


def read_events(lines: Iterable[str]) -> Iterator[Line]:
    """The events of an export, one JSON object a line (docs/log-format.md); other lines are skipped.

    A line holds the event's header, and salt and payload where the reader may see them; of a sealed event the payload
    is an envelope around the real one.
    """
    for line in lines:
        row = json.loads(line) if line.strip() else {}
        header = row.get("header")
        if not isinstance(header, dict):
            continue
        payload, salt = row.get("payload"), row.get("salt")
        fault = None
        if payload is not None:
            commitment = sha256(b"pbem/payload/v1\n" + bytes.fromhex(salt or "") + canonical(payload)).hex()
            if commitment != header["commitment"]:
                fault = "the payload is not the one that the header commits to"
        kind = header["type"]
        if kind == "sealed" and isinstance(payload, dict):
            kind, payload = payload["type"], payload["payload"]
        yield Line(header["campaign"], header["seq"], kind, payload, "erased" in row, fault)


def check(lines: Iterable[str]) -> Checker:
    """Check an exported log; the result holds all problems found, none if the dice are sound."""
    checker = Checker()
    expected = 0
    for line in read_events(lines):
        checker.campaign = checker.campaign or line.campaign
        if line.campaign != checker.campaign or line.seq != expected:
            found = f"this is {line.seq} of {line.campaign}"
            checker.wrong(line.seq, f"expected event {expected} of {checker.campaign}: {found}")
        expected = line.seq + 1
        if line.fault:
            checker.wrong(line.seq, line.fault)
        if line.payload is None:
            checker.unreadable(line.seq, line.kind, line.erased)
            continue
        checker.event(line.seq, line.kind, line.payload)
        if line.kind == "secret_opened" and line.payload["payload"].get("type") == "card_identified":
            checker.event(line.seq, "card_identified", line.payload["payload"]["payload"])
    checker.finish()
    if expected == 0:
        checker.problems.append("no event was found: is this an exported log, one JSON object a line?")
    return checker


def main(arguments: list[str] | None = None) -> int:
    """Check the file named; exit 1 where something is wrong."""
    names = sys.argv[1:] if arguments is None else arguments
    if len(names) != 1 or names[0].startswith("-"):
        print(__doc__)
        return 2
    opener = gzip.open if names[0].endswith(".gz") else open
    with opener(names[0], "rt", encoding="utf-8") as file:
        checker = check(file)
    print(checker.summary())
    for note in checker.notes:
        print(f"note   {note}")
    for problem in checker.problems:
        print(f"WRONG  {problem}")
    print("all dice are as they must be" if not checker.problems else f"{len(checker.problems)} problems")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
