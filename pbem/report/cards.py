"""Victory cards as everybody may see them: what was played and what it did, draws, discards, sizes of hands and piles.

Which cards a hand holds is told to its owner alone, by `pbem.report.private`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.report.card_model import CardNews, CardOrigin, CardPile, CardResult, HandCount
from pbem.report.ledger import Ledger, Seen
from pbem.report.model import die_of

PLAYED, ROLLED, DRAWN, DISCARDED, RESEARCHED, NOTHING = (
    "played", "rolled", "drawn", "discarded", "researched", "nothing",
)  # fmt: skip
AT_COMPLEXES = frozenset(("radar_fire_control",))
"""Cards that change the dice of a complex where no unit is named."""
ON_RAIDS = frozenset(("hidden_factory", "atomic_bomb", "super_bombers"))
"""Cards that change the damage of a raid."""
DICE, CREATED, SETS = "dice", "created", "sets"
"""Results of a card that are read off other events than `card_worked`."""


class CardBook:
    """Reads events in order and keeps what they say of cards."""

    def __init__(self, ledger: Ledger, before: State) -> None:
        self.ledger = ledger
        self._told: list[tuple[str, CardNews]] = []
        self._names: dict[str, str] = {card.id: card.name for card in before.cards.values() if card.name}
        self._owners: dict[str, str] = {card.id: card.power for card in before.cards.values() if card.power}
        self._played: dict[str, int] = {}
        self._units: dict[str, tuple[str, ...]] = {}
        self._complexes: dict[str, str] = {}
        self._opened: dict[str, tuple[int, int]] = {}
        self._last = ""

    @property
    def news(self) -> tuple[CardNews, ...]:
        """Everything that happened with cards, in order; plays with all that they did later."""
        return tuple(
            replace(row, origin=origin_of(card, *self._opened.get(card, (None, None)))) if card else row
            for card, row in self._told
        )

    def see(self, event: Seen) -> None:
        """Take in one public event."""
        reader = _READERS.get(event.type)
        if reader is not None:
            reader(self, event)

    def _say(self, kind: str, event: Seen, card: str = "", **more: Any) -> None:
        power = more.pop("power", None) or event.payload["power"]
        self._told.append((card, CardNews(kind, power, rules=tuple(event.rules), **more)))

    def _result(self, card: str, result: CardResult, rules: tuple[str, ...] = ()) -> None:
        place = self._played.get(card)
        if place is None:
            return
        _, row = self._told[place]
        known = row.results
        if result.kind == DICE and known and known[-1].kind == DICE:
            result = replace(result, dice=(*known[-1].dice, *result.dice))
            known = known[:-1]
        cited = tuple(dict.fromkeys((*row.rules, *rules)))
        self._told[place] = (card, replace(row, results=(*known, result), rules=cited))

    # -- one reader for each kind of event

    def _drawn(self, event: Seen) -> None:
        body = event.payload
        if body.get("name"):
            self._names[body["card"]] = body["name"]
        if body.get("power"):
            self._owners[body["card"]] = body["power"]
        if body.get("from", "pile") == "pile" and body.get("power"):  # else it was set aside after a rewind
            self._say(DRAWN, event, body["card"], deck=body["deck"])

    def _identified(self, event: Seen) -> None:
        self._names[event.payload["card"]] = event.payload["name"]

    def _opened_draw(self, event: Seen) -> None:
        inner = event.payload["payload"]
        if inner["type"] == "card_identified":
            self._opened[inner["payload"]["card"]] = (event.payload["of"], event.seq)

    def _on_played(self, event: Seen) -> None:
        body = event.payload
        self._last = body["card"]
        self._played[body["card"]] = len(self._told)
        seen = body.get("moment") == "ROLL"  # the die is seen: what these units roll later is not the card's doing
        self._units[body["card"]] = () if seen else tuple(body.get("ids", ()))
        if body["name"] in AT_COMPLEXES and not body.get("ids"):
            self._complexes[body["card"]] = str(body.get("space"))
        force = self.ledger.sorted_force((row[0], row[1], row[2]) for row in body.get("units", ()))
        self._say(
            PLAYED, event, body["card"], name=body["name"], deck=body["deck"], space=body.get("space"), force=force
        )

    def _on_worked(self, event: Seen) -> None:
        body = event.payload
        number = body.get("amount", body.get("counted", body.get("sets", 0)))
        kind = SETS if "sets" in body and body["sets"] else body["result"]
        self._result(body["card"], CardResult(kind, number, body.get("rolled", 0)), tuple(event.rules))

    def _on_dice(self, event: Seen) -> None:
        """Dice of units under a card, by the units' ids, or thrown for the card itself."""
        body = event.payload
        space = [*str(body["purpose"]).split("\n"), *[""] * 6][5]
        for row, face in zip(body.get("dice", ()), body["faces"], strict=False):
            for card in self._units:
                if self._threw(card, row, space):
                    self._result(card, CardResult(DICE, dice=((die_of(row, face).hit, face),)))

    def _threw(self, card: str, row: Mapping[str, Any], space: str) -> bool:
        """Whether a die is the doing of a card: of its units, its own, its complex's, or of units it raised there."""
        unit, (_, play) = row.get("unit"), self._told[self._played[card]]
        if unit in self._units[card] or unit == card:
            return True
        if unit == row.get("kind"):
            return self._complexes.get(card) == space
        return (row.get("card"), row.get("owner"), space) == (play.name, play.power, play.space)

    def _on_created(self, event: Seen) -> None:
        body = event.payload
        if body.get("why") == "card":
            force = self.ledger.sorted_force((body["owner"], row[1], 1) for row in body["units"])
            self._result(self._last, CardResult(CREATED, space=body["space"], force=force), tuple(event.rules))

    def _on_bombed(self, event: Seen) -> None:
        body = event.payload
        if body.get("why") != "bombed":
            return
        for card, place in self._played.items():
            _, play = self._told[place]
            if play.name in ON_RAIDS and play.space == body["space"]:
                done = (body["damage"] or 0) - body.get("before", 0)
                self._result(card, CardResult("damage", done), tuple(event.rules))

    def _on_moved(self, event: Seen) -> None:
        card = event.payload["card"]
        if event.payload.get("place") == "discard" and card not in self._played:
            name = self._names.get(card, "")
            self._say(DISCARDED, event, card, power=self._owners.get(card, "") or "-", name=name)

    def _on_rolled(self, event: Seen) -> None:
        self._say(ROLLED, event, deck=event.payload["deck"], number=event.payload["face"])

    def _on_researched(self, event: Seen) -> None:
        result = "success" if event.payload["success"] else "failure"
        self._say(RESEARCHED, event, number=event.payload["dice"], result=result)

    def _on_nothing(self, event: Seen) -> None:
        self._say(NOTHING, event, deck=event.payload["deck"], result=event.payload["why"])


_READERS: Mapping[str, Callable[[CardBook, Seen], None]] = {
    "card_drawn": CardBook._drawn,
    "card_identified": CardBook._identified,
    "secret_opened": CardBook._opened_draw,
    "card_played": CardBook._on_played,
    "card_worked": CardBook._on_worked,
    "dice_rolled": CardBook._on_dice,
    "units_created": CardBook._on_created,
    "facility_changed": CardBook._on_bombed,
    "card_moved": CardBook._on_moved,
    "victory_die_rolled": CardBook._on_rolled,
    "weapon_researched": CardBook._on_researched,
    "nothing_drawn": CardBook._on_nothing,
}


def origin_of(card: str, sealed: int | None = None, opened: int | None = None) -> CardOrigin | None:
    """Where a copy came from, by its id (`tactics-1-7`: the seventh card of pile 1); None for other ids."""
    _, _, rest = card.partition("-")
    pile, _, place = rest.partition("-")
    if not (pile.isdigit() and place.isdigit()):
        return None
    return CardOrigin(int(pile), int(place), sealed, opened)


def hand_counts(board: Board, public: State) -> tuple[HandCount, ...]:
    """How many cards of each deck each power holds, and those of them that everybody knows."""
    rows = []
    for power in board.powers:
        held = [card for card in public.cards.values() if card.power == power and card.place in ("hand", "table")]
        if not held:
            continue
        decks = tuple((deck, sum(card.deck == deck for card in held)) for deck in public.decks)
        known = tuple((card.name, card.ready) for card in held if card.name)
        rows.append(HandCount(power, tuple(row for row in decks if row[1]), known))
    return tuple(rows)


def piles(public: State) -> tuple[CardPile, ...]:
    """The draw pile's size and the discards of every deck."""
    rows = []
    for deck, held in public.decks.items():
        names: dict[str, int] = {}
        for card in public.cards.values():
            if card.deck == deck and card.place == "discard" and card.name:
                names[card.name] = names.get(card.name, 0) + 1
        rows.append(CardPile(deck, held.get("left", 0), tuple(names.items())))
    return tuple(rows)
