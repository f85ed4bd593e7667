"""What a name means in one game: spaces, units, powers, phases, technologies and cards, in English and Chinese.

A gazetteer is built from a game's facts and is never guessed into: a spelling means one thing, or several (then all are
handed back), or nothing (then near spellings are offered, and only near ones).
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import product
from typing import Any

from pbem.games.catalog import facts_id, load_facts
from pbem.orders import names
from pbem.orders.words import Kind, Token, joined_key, key_of
from pbem.rules.order_model import KIND_CLASSES

CATEGORIES = ("space", "unit", "power", "economy", "phase", "technology", "card", "nickname", "deck", "side")
_NEAR = 0.75
_MOST_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What a run of tokens means: how many tokens it takes, and the ids it may mean, in the order of the facts."""

    length: int
    ids: tuple[str, ...]
    key: str = ""


@dataclass(slots=True)
class _Shelf:
    """The spellings of one category. `prefixes` are the beginnings of all keys, so that a run can stop early."""

    ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prefixes: set[str] = field(default_factory=set)
    ranks: dict[str, int] = field(default_factory=dict)

    def add(self, spelling: str, name_id: str, rank: int) -> None:
        key = key_of(spelling)
        if not key:
            return
        held = self.ids.get(key, ())
        if held and self.ranks[key] < rank:
            return
        if held and self.ranks[key] > rank:
            held = ()
        if name_id not in held:
            self.ids[key] = (*held, name_id)
        self.ranks[key] = rank
        for end in range(1, len(key) + 1):
            self.prefixes.add(key[:end])


class Gazetteer:
    """The names of one game. Make it with `gazetteer(game, edition)` or, for other facts, `build(facts)`."""

    def __init__(
        self, facts: Mapping[str, Any], chinese: Mapping[str, Sequence[str]], terms: Mapping[str, Any]
    ) -> None:
        self.facts_id: str = facts["id"]
        self.spaces: dict[str, str] = {space["id"]: space["name"] for space in facts["spaces"]}
        self.seas: frozenset[str] = frozenset(space["id"] for space in facts["spaces"] if space["kind"] == "sea")
        table = {**facts.get("optional_units", {}), **facts["units"]}
        self.units: dict[str, str] = {unit_id: unit["domain"] for unit_id, unit in table.items()}
        self.powers: dict[str, str] = {power["id"]: power["name"] for power in facts["powers"]}
        self._shelves: dict[str, _Shelf] = {category: _Shelf() for category in CATEGORIES}
        self._chinese: dict[tuple[str, str], str] = {}
        self._english: dict[tuple[str, str], str] = {}
        self._near: dict[tuple[str, str], tuple[str, ...]] = {}
        self._fill(facts, chinese, terms)

    # -- looking up -------------------------------------------------------------------------------------------------

    def find(self, category: str, tokens: Sequence[Token], at: int) -> Found | None:
        """The longest run of words from `at` that is a name of this category, or None."""
        shelf = self._shelves[category]
        key, best = "", None
        previous: Token | None = None
        for index in range(at, len(tokens)):
            token = tokens[index]
            if token.kind not in (Kind.WORD, Kind.NUMBER):
                break
            if previous is not None and token.start > previous.end and not _may_stand_apart(previous, token):
                break
            key = joined_key(key, token.key)
            if key not in shelf.prefixes:
                break
            if key in shelf.ids:
                best = Found(index - at + 1, shelf.ids[key], key)
            previous = token
        return best

    def lookup(self, category: str, text: str) -> tuple[str, ...]:
        """The ids that a whole text names in this category; empty if none."""
        return self._shelves[category].ids.get(key_of(text), ())

    def near(self, category: str, text: str) -> tuple[str, ...]:
        """Printed names spelled nearly like this text, nearest first; none if nothing is near."""
        key = key_of(text)
        cached = self._near.get((category, key))
        if cached is not None:
            return cached
        answer: tuple[str, ...] = ()
        if 2 < len(key) <= 40:
            shelf = self._shelves[category]
            keys = difflib.get_close_matches(key, shelf.ids, n=_MOST_SUGGESTIONS * 3, cutoff=_NEAR)
            # `add` is not nearly `dd`: an abbreviation is that short only when it is written out.
            keys = [other for other in keys if len(other) > 2]
            if len(key) >= 4:
                keys += sorted(other for other in shelf.ids if other.startswith(key) and other not in keys)
            found: dict[str, None] = {}
            for other in keys:
                for name_id in shelf.ids[other]:
                    found.setdefault(self.name(category, name_id))
            answer = tuple(list(found)[:_MOST_SUGGESTIONS])
        if len(self._near) < 4096:
            self._near[category, key] = answer
        return answer

    # -- printing ---------------------------------------------------------------------------------------------------

    def name(self, category: str, name_id: str, language: str = "en") -> str:
        """The spelling to print, which reads back to the same id: canonical English, or Traditional Chinese."""
        if language == "zh":
            printed = self._chinese.get((category, name_id))
            if printed is not None:
                return printed
        return self._english.get((category, name_id), name_id)

    def known(self, category: str, name_id: str) -> bool:
        """Whether this game has such a thing."""
        return (category, name_id) in self._english

    # -- building ---------------------------------------------------------------------------------------------------

    def _file(
        self, category: str, name_id: str, english: Iterable[str], chinese: Iterable[str] = (), id_too: bool = True
    ) -> None:
        shelf = self._shelves[category]
        spellings = list(english)
        chinese_spellings = list(chinese)
        self._english.setdefault((category, name_id), spellings[0])
        for spelling in (*spellings, *((name_id,) if id_too else ()), *chinese_spellings):
            shelf.add(spelling, name_id, 0)
        if chinese_spellings:
            self._chinese.setdefault((category, name_id), chinese_spellings[0])

    def _fill(self, facts: Mapping[str, Any], chinese: Mapping[str, Sequence[str]], terms: Mapping[str, Any]) -> None:
        for space in facts["spaces"]:
            spellings = [space["name"], *space["aliases"], *_zone_spellings(space)]
            self._file("space", space["id"], spellings, chinese.get(space["id"], ()))
        space_shelf = self._shelves["space"]
        for space in facts["spaces"]:
            for spelling in (*names.MORE_SPACE_NAMES.get(space["id"], ()), *_shortened(space["name"])):
                space_shelf.add(spelling, space["id"], 1)
        for space in facts["spaces"]:
            for spelling in (*_bare_zone(space), *_chinese_zone(chinese.get(space["id"], ()))):
                space_shelf.add(spelling, space["id"], 2)
        self._fill_units(facts, terms["units"])
        for power in facts["powers"]:
            spellings = [power["id"], power["name"], *names.POWER_NAMES.get(power["id"], ()), *power.get("aliases", ())]
            self._file("power", power["id"], spellings, terms["powers"].get(power["id"], ()))
        for economy in facts.get("economies", ()):
            if economy["id"] in names.ECONOMY_NAMES:
                english = (economy["id"], *names.ECONOMY_NAMES[economy["id"]])
                self._file("economy", economy["id"], english, names.ECONOMY_NAMES_ZH[economy["id"]])
        for phase, english in names.PHASE_NAMES.items():
            self._file("phase", phase, (phase, *english), names.PHASE_NAMES_ZH[phase])
        for alias, generic in names.GENERIC_PHASE.items():
            self._shelves["phase"].add(alias, generic, 0)
        self._fill_plain("technology", names.TECHNOLOGY_NAMES, names.TECHNOLOGY_NAMES_ZH)
        cards = {card: (card,) for card in names.CARD_NAMES_ZH}
        self._fill_plain("card", cards, names.CARD_NAMES_ZH)
        chinese_cards = {card: (*names.CARD_NAMES_ZH[card], *names.CARD_NICKNAMES_ZH[card]) for card in cards}
        self._fill_plain("nickname", names.CARD_NICKNAMES, chinese_cards)
        self._fill_plain("deck", names.DECK_NAMES, names.DECK_NAMES_ZH)
        self._fill_plain("side", names.SIDE_NAMES, terms["sides"])

    def _fill_plain(
        self, category: str, english: Mapping[str, tuple[str, ...]], chinese: Mapping[str, Sequence[str]]
    ) -> None:
        for name_id, spellings in english.items():
            self._file(category, name_id, (name_id, *spellings), chinese[name_id])

    def _fill_units(self, facts: Mapping[str, Any], chinese: Mapping[str, Sequence[str]]) -> None:
        shelf = self._shelves["unit"]
        two_complexes = "ic_minor" in facts["units"]
        for unit_id, unit in {**facts["units"], **facts.get("optional_units", {})}.items():
            spellings = (unit_id, unit["name"], unit["plural"], *names.UNIT_NAMES.get(unit_id, ()), f"{unit_id}s")
            words = [word for word in chinese.get(unit_id, ()) if not (two_complexes and word == "工廠")]
            self._file("unit", unit_id, spellings, words)
        if "ic_minor" not in facts["units"]:
            for spelling in (*names.UNIT_NAMES["ic_minor"], *names.UNIT_NAMES["ic_major"]):
                if "industrial_complex" in facts["units"] and " " in spelling:
                    shelf.add(spelling, "industrial_complex", 1)
        else:
            spellings = ("industrial_complex", *names.UNIT_NAMES["industrial_complex"], "industrial complex")
            self._file("unit", "industrial_complex", spellings, names.KIND_CLASS_NAMES_ZH["industrial_complex"])
        if "artillery" not in facts["units"]:
            self._file("unit", "artillery", ("artillery", *names.UNIT_NAMES["artillery"]), chinese.get("artillery", ()))
        for kind in KIND_CLASSES:
            if kind in names.KIND_CLASS_NAMES:
                english = names.KIND_CLASS_NAMES[kind]
                self._file("unit", kind, english, names.KIND_CLASS_NAMES_ZH[kind], id_too=kind != "sea")
        for spelling, meanings in names.AMBIGUOUS_UNITS.items():
            held = [unit_id for unit_id in meanings if unit_id in facts["units"]]
            for unit_id in held:
                shelf.add(spelling, unit_id, 0)


def _may_stand_apart(previous: Token, token: Token) -> bool:
    """Whether a blank between two tokens may lie inside a name: never between two ideographs."""
    return Kind.NUMBER in (previous.kind, token.kind) or (token.text + previous.text).isascii()


def _zone_spellings(space: Mapping[str, Any]) -> tuple[str, ...]:
    if space["kind"] != "sea":
        return ()
    number = space["id"].removeprefix("sz-")
    if number.isdigit():
        return (f"sea zone {number}", f"sz {number}", f"z {number}", f"zone {number}", f"{number} sea zone",
                f"sea {number}", f"{number} sz", f"seazone {number}")  # fmt: skip
    plain = space["name"].removesuffix(" Sea Zone")
    return (f"{plain} Sea Zone", f"{plain} SZ", f"SZ {plain}", f"{plain} SeaZone", f"{plain} Zone")


def _bare_zone(space: Mapping[str, Any]) -> tuple[str, ...]:
    """A sea zone without the words that say so, where no land has that name: `East Med`, `West Spain`, `E US SZ`."""
    plain = space["name"].removesuffix(" Sea Zone")
    if space["kind"] != "sea" or plain.startswith("Sea Zone"):
        return ()
    short = _shortened(plain)
    return (plain, *short, *(f"{spelling} SZ" for spelling in short))


def _chinese_zone(spellings: Sequence[str]) -> list[str]:
    """The other usual word for a sea zone."""
    return [f"{name.removesuffix('海區')}海域" for name in spellings if name.endswith("海區")]


def _shortened(name: str) -> list[str]:
    """Shorter spellings of a place name: `W Eur` for Western Europe, `Caroline` for Caroline Islands."""
    words = name.replace("-", " ").split()
    choices = [(word, *names.SHORTENED.get(word.lower(), ())) for word in words]
    if all(len(choice) == 1 for choice in choices) or len(words) > 5:
        return []
    spellings = [" ".join(part for part in parts if part) for parts in product(*choices)]
    return [spelling for spelling in spellings[1:] if len(spelling) > 2]


def _resource(name: str) -> Any:
    source = resources.files("pbem.board").joinpath("names", name)
    return json.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}


def build(facts: Mapping[str, Any]) -> Gazetteer:
    """A gazetteer for any facts in the project's form; Chinese names as far as the board package has them."""
    return Gazetteer(facts, _resource(f"zh_{facts['id']}.json"), _resource("zh_terms.json"))


@cache
def _for_facts(game: str, edition: str | None) -> Gazetteer:
    return build(load_facts(game, edition))


@cache
def gazetteer(game: str, edition: str | None = None) -> Gazetteer:
    """The gazetteer of a game's edition; raises UnknownGame for one that does not exist."""
    facts_id(game, edition)
    return _for_facts(game, edition)
