"""How reports name things and say things, in a player's language: printed names, counted units, catalogue sentences.

The catalogues are templates/messages/LANGUAGE.json; words of players and rules go in as values and are never formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import pbem
from pbem.board.map import Board
from pbem.orders.names import CARD_NAMES_ZH, TECHNOLOGY_NAMES_ZH
from pbem.report.model import Answer, Force, Headline, TurnTold
from pbem.report.orderlines import shown
from pbem.report.times import both, moment

TEMPLATES = Path(pbem.__file__).resolve().parent.parent / "templates"
"""The templates lie beside the package, in a checkout as in an installation."""
LANGUAGES = ("en", "zh")
"""Languages with a catalogue; any other is answered in the first."""


@lru_cache(maxsize=4)
def catalogue(language: str) -> Mapping[str, str]:
    """The sentences of a language, by key; those about victory cards stand in a file of their own."""
    files = (TEMPLATES / "messages" / f"{name}.json" for name in (language, f"cards_{language}"))
    return {key: said for file in files for key, said in json.loads(file.read_text("utf-8")).items()}


@lru_cache(maxsize=32)
def _table(name: str) -> Mapping[str, Any]:
    folder = resources.files("pbem.board").joinpath("names")
    try:
        loaded: dict[str, Any] = json.loads(folder.joinpath(f"{name}.json").read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return loaded


class Words:
    """The names and sentences for one reader: a language, a board and a time zone."""

    def __init__(self, board: Board, language: str = "en", time_zone: str = "UTC") -> None:
        self.board = board
        self.language = language if language in LANGUAGES else LANGUAGES[0]
        self.time_zone = time_zone
        self._says = catalogue(self.language)
        self._spaces = _table(f"zh_{board.id}") if self.language == "zh" else {}
        self._terms = _table("zh_terms") if self.language == "zh" else {}

    # -- sentences

    def say(self, key: str, **values: Any) -> str:
        """A sentence of the catalogue with its values; KeyError for a key that is not there."""
        return self._says[key].format(**values)

    def known(self, key: str, otherwise: str) -> str:
        """A sentence without values if the catalogue has it, else the other words."""
        return self._says.get(key, otherwise)

    def listed(self, items: Iterable[str]) -> str:
        """`a, b and c`."""
        rows = list(items)
        if self.language == "zh":
            return "、".join(rows)
        if len(rows) < 3:
            return " and ".join(rows)
        return f"{', '.join(rows[:-1])} and {rows[-1]}"

    def joined(self, items: Iterable[str]) -> str:
        """`a, b, c`."""
        return ("、" if self.language == "zh" else ", ").join(items)

    def apart(self, items: Iterable[str]) -> str:
        """`a; b; c`, for items that hold commas."""
        return ("\uff1b" if self.language == "zh" else "; ").join(items)

    def many(self, count: int, thing: str) -> str:
        """`1 unit`, `3 units`, by the keys THING.one and THING.many."""
        return self.say(f"{thing}.one" if count == 1 else f"{thing}.many", n=count)

    # -- names

    def order(self, text: str) -> str:
        """A canonical order line in the reader's words; it reads back to the same order."""
        return shown(text, self.board, self.language)

    def _term(self, group: str, key: str) -> str | None:
        words = self._terms.get(group, {}).get(key)
        return str(words[0]) if words else None

    def power(self, power: str | None) -> str:
        """A power's name; a dash for nobody."""
        if power is None or power == "":
            return self.say("nobody")
        known = self.board.powers.get(power)
        return self._term("powers", power) or (known.name if known else power)

    def side(self, side: str) -> str:
        """A side's name."""
        return self._term("sides", side) or self.known(f"side.{side}", side.replace("_", " ").capitalize())

    def space(self, space: str | None) -> str:
        """A space's printed name."""
        if space is None:
            return ""
        names = self._spaces.get(space)
        if names:
            return str(names[0])
        known = self.board.spaces.get(space)
        return known.name if known else space

    def spaces(self, spaces: Iterable[str]) -> str:
        """Several names in a sentence."""
        return self.listed(self.space(space) for space in spaces)

    def unit(self, kind: str, count: int = 1) -> str:
        """A kind of unit, in the number of the count: `tanks`."""
        term = self._term("units", kind)
        if term:
            return term
        known = self.board.units.get(kind)
        if known is None:
            said = self.card(kind) if kind in CARD_NAMES_ZH else kind.replace("_", " ")
            return self.known(f"unit.{kind}", said)
        return (known.name if count == 1 else known.plural).lower()

    def units(self, kind: str, count: int) -> str:
        """`2 tanks`, `2 坦克`."""
        return f"{count} {self.unit(kind, count)}"

    def kinds(self, rows: Iterable[tuple[str, int]]) -> str:
        """`2 tanks, 1 fighter`."""
        return self.joined(self.units(kind, count) for kind, count in rows) or self.say("nothing")

    def force(self, force: Force, owner: str | None = None) -> str:
        """`2 infantry, 1 tank`; units of others than `owner` are said to be theirs. None: nothing is said of owners."""
        parts: list[str] = []
        last: str | None = owner
        for power, kind, count in force:
            name = "" if owner is None or power == last else f"{self.power(power)} "
            parts.append(f"{name}{self.units(kind, count)}")
        return self.joined(parts) or self.say("nothing")

    def by_owner(self, force: Force) -> str:
        """`Japan 2 infantry, 1 tank; China 1 infantry`."""
        owners: dict[str, list[tuple[str, int]]] = {}
        for power, kind, count in force:
            owners.setdefault(power, []).append((kind, count))
        if not owners:
            return self.say("nothing")
        return self.apart(f"{self.power(power)} {self.kinds(rows)}" for power, rows in owners.items())

    def change(self, before: Force, after: Force) -> str:
        """`Japan +3 infantry, −1 fighter; China −2 infantry`."""
        old = {(owner, kind): count for owner, kind, count in before}
        new = {(owner, kind): count for owner, kind, count in after}
        owners: dict[str, list[str]] = {}
        for owner, kind in dict.fromkeys((*new, *old)):
            by = new.get((owner, kind), 0) - old.get((owner, kind), 0)
            if by:
                said = f"{self.signed(by)} {self.unit(kind, abs(by))}"
                owners.setdefault(owner, []).append(said)
        return self.apart(f"{self.power(owner)} {self.joined(parts)}" for owner, parts in owners.items())

    def phase(self, phase: str) -> str:
        """A phase's name."""
        return self._term("phases", phase) or self.known(f"phase.{phase}", phase.replace("_", " "))

    def phases(self, phases: Iterable[str]) -> str:
        """Several phases in a sentence."""
        return self.listed(self.phase(phase) for phase in phases)

    def step(self, name: str, title: str) -> str:
        """A step of a battle or a roll, and what it is aimed at."""
        base, _, aim = name.partition("#")[0].partition(":")
        said = self.known(f"step.{base}", title or base.replace("_", " ").capitalize())
        return f"{said} ({self.unit(aim)})" if aim else said

    def decision(self, kind: str) -> str:
        """A kind of decision."""
        return self.known(f"decision.{kind}", kind.replace("_", " "))

    def card(self, name: str) -> str:
        """A victory card's name, as it may be written in orders."""
        if self.language == "zh" and name in CARD_NAMES_ZH:
            return CARD_NAMES_ZH[name][0]
        plain = " ".join(word if word in ("of", "and") else word.capitalize() for word in name.split("_"))
        return self.known(f"card_name.{name}", plain)

    def technology(self, name: str) -> str:
        """A weapon that research brings, as it may be written in conditions."""
        if self.language == "zh" and name in TECHNOLOGY_NAMES_ZH:
            return TECHNOLOGY_NAMES_ZH[name][0]
        return name.replace("_", " ")

    def card_effect(self, name: str) -> str:
        """What a victory card does, in short."""
        return self.known(f"card_effect.{name}", self.card(name))

    def deck(self, deck: str) -> str:
        """A deck of cards."""
        return self.known(f"deck.{deck}", deck)

    def by(self, by: str) -> str:
        """Who chose: the player, a standing order, the default."""
        return self.known(f"by.{by}", by)

    def why(self, why: str) -> str:
        """Why something happened, as the rules wrote it in one word."""
        return self.known(f"why.{why}", why.replace("_", " ").replace("-", " "))

    def objective(self, objective: str) -> str:
        """An objective's name."""
        return self.known(f"objective.{objective}", objective.replace("-", " ").replace("_", " "))

    def counter(self, name: str) -> str:
        """A power's count of something."""
        return self.known(f"counter.{name}", name.replace("_", " "))

    def value(self, answer: Answer) -> str:
        """What was decided, in units and places, as far as they stand in it."""
        parts = [self.force(answer.force, answer.power)] if answer.force else []
        places = [space for space in answer.places if space != answer.space]
        if places:
            parts.append(self.say("towards", places=self.spaces(places)))
        if parts:
            return " ".join(parts)
        value = answer.value
        if isinstance(value, Mapping):
            flags = [item for item in value.values() if isinstance(item, bool)]
            value = flags[0] if flags else value
        if isinstance(value, bool) or value is None:
            return self.say("yes") if value else self.say("no")
        if isinstance(value, str | int):
            return self.known(f"value.{value}", str(value).replace("_", " "))
        return self.say("nothing") if not value else self.say("as_ordered")

    # -- numbers and times

    def sixths(self, sixths: Fraction | int, sign: bool = False) -> str:
        """Sixths of a hit as a number with one decimal, half away from zero."""
        tenths = int((abs(Fraction(sixths)) * 10 * 2 + 6) // 12)
        text = f"{tenths // 10}.{tenths % 10}"
        if not sign:
            return text
        return f"+{text}" if sixths > 0 else f"−{text}" if sixths < 0 and tenths else f"±{text}"

    def signed(self, number: int) -> str:
        """`+5`, `−3`, `0`."""
        return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"

    def time(self, at: int) -> str:
        """A moment in the reader's zone and in UTC."""
        return both(at, self.language, self.time_zone)

    def utc(self, at: int) -> str:
        """A moment in UTC."""
        return f"{moment(at, self.language)} UTC"

    def options(self, rows: Iterable[tuple[str, Any]]) -> str:
        """Named options of the rules with what they are set to: `interceptors: on`."""
        return self.joined(f"{name}: {self._setting(value)}" for name, value in rows)

    def _setting(self, value: Any) -> str:
        if isinstance(value, bool):
            return self.say("option.on" if value else "option.off")
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {self._setting(part)}" for name, part in value.items())
        return str(value)

    # -- headlines

    def headline(self, headline: Headline) -> str:
        """What happened, in one sentence (two where somebody won)."""
        if headline.kind == "begun":
            return self.say("headline.begun")
        said = self.say("headline.end").join(self._turn(turn) for turn in headline.turns[:3])
        said = f"{said}{self.say('headline.stop')}" if said else ""
        if headline.kind == "won":
            won = self.say("headline.won", side=self.side(headline.side))
            return f"{won}{self.say('headline.gap')}{said}".strip()
        return said or self.say("headline.nothing")

    def _turn(self, turn: TurnTold) -> str:
        power = self.power(turn.power)
        deeds = []
        if turn.took:
            shown = [self.space(space) for space in turn.took[:4]]
            if len(turn.took) > 4:
                shown.append(self.many(len(turn.took) - 4, "more_spaces"))
            deeds.append(self.say("deed.took", spaces=self.listed(shown)))
        if turn.destroyed:
            deeds.append(self.say("deed.destroyed", units=self.many(turn.destroyed, "units")))
        if turn.lost:
            deeds.append(self.say("deed.lost", units=self.many(turn.lost, "units")))
        if not deeds:
            kind = "ahead" if turn.ahead else "fought" if turn.battles else "moved" if turn.moved else "rested"
            deeds.append(self.say(f"deed.{kind}"))
        said = "\uff0c".join(deeds) if self.language == "zh" else self.listed(deeds)
        return self.say("headline.turn", power=power, deeds=said)
