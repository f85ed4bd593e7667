"""A player of the demonstration who holds victory cards: he reads his hand and the battles to come in his own mail.

What he does with a card is a table: a line to write, whose place comes from the mail or from the moves that he is
about to send. He knows the names of his language, as everybody at the table does, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.demo.habits import ASKED, ATTACK, DEFENCE, DICE, STANDING, TURN, Habits
from pbem.report.words import Words, catalogue

SHORT = {"inf": "infantry", "art": "artillery", "ftr": "fighter"}
"""How orders shorten units."""
_ORDER = re.compile(r"(?:unload )?((?:\d+|all) [a-z, \d]+?) [A-Z].* -> ([^>]+?)(?: to (bomb|escort))?")


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle or raid that a player knows of: where, with which units of his own, as attacker or not."""

    space: str
    own: str
    attacking: bool
    raid: bool
    sea: bool

    @property
    def size(self) -> int:
        """How many units of his own are in it."""
        return sum(int(number) for number in re.findall(r"\d+", self.own))


class CardPlayer:
    """One power's player with his habits; every method is given the text of a mail that came to him."""

    def __init__(self, power: str, known: Habits, words: Words) -> None:
        self.power = power
        self.known = known
        self.words = words
        self.style = known.styles.get(power, "")

    def with_turn(self, mail: str, orders: str) -> list[str]:
        """Lines about cards that go with the orders of his turn, but for those that the orders name already."""
        said = set(re.findall(r"play (\w+)", orders))
        hand = [card for card in self.hand(mail) if card not in said]
        lines = self._lines(hand, (TURN,), ())
        if self.style != ASKED:
            lines += self._lines(hand, (ATTACK,), self.planned(orders))
        if self.style == STANDING:
            given = re.findall(r"play (\w+)", " ".join(_block(mail, self.words.say("head.standing"))))
            fresh = [card for card in hand if card not in given]
            lines += [row["standing"] for row in self.known.lines if row["card"] in fresh and "standing" in row]
        return lines

    def answer(self, mail: str) -> list[str]:
        """Lines for a question: how many dice, what to discard, or cards for the battles to come."""
        offered = _offered(mail)
        for verb in ("research", "discard"):
            like = [line for line in offered if line.split()[0] in (verb, self.words.order(f"{verb} 0").split()[0])]
            if like:
                return [self.known.research if verb == "research" else like[0]]
        fights = self.fights(mail)
        if not fights:
            return self._lines(self.hand(mail), (DICE,), ())
        said = set(re.findall(r"play (\w+)", " ".join(_block(mail, self.words.say("head.standing")))))
        if self.style == STANDING:
            said.update(row["card"] for row in self.known.lines if "standing" in row)
        return self._lines([card for card in self.hand(mail) if card not in said], (ATTACK, DEFENCE), fights)

    # -- what his mail tells

    def hand(self, mail: str) -> list[str]:
        """The cards in his hand that are ready, by their ids."""
        cards = {self.words.card(row["card"]): row["card"] for row in self.known.lines}
        used = self.words.say("card.used")
        items = [item for item in _items(mail, self.words.say("head.hands")) if used not in item]
        names = [re.split(r" \(|（", item)[0] for item in items]
        return [cards[name] for name in names if name in cards]

    def fights(self, mail: str) -> list[Fight]:
        """The battles to come in which he has units, as his mail lists them."""
        found = []
        me = self.words.power(self.power)
        for item in _items(mail, self.words.say("head.clashes")):
            for key in ("clash.raid", "clash"):
                match = _pattern(catalogue(self.words.language)[key]).fullmatch(item)
                if match is None:
                    continue
                held = _pattern(catalogue(self.words.language)["clash.of"]).fullmatch(match["space"])
                space, owner = (held["space"], held["owner"]) if held else (match["space"], "")
                attacking = match["attackers"].startswith(f"{me} ")
                own = match["attackers"] if attacking else _part_of(match["defenders"], me)
                raid = key == "clash.raid"
                if own and (attacking or not raid or owner == me):
                    found.append(Fight(space, own, attacking, raid, not owner))
                break
        return found

    def planned(self, orders: str) -> list[Fight]:
        """The attacks that the combat moves of an order mail lead to."""
        forces: dict[tuple[str, bool], list[str]] = {}
        for line in re.split(r"^NONCOMBAT$", orders, flags=re.MULTILINE)[0].splitlines():
            match = _ORDER.fullmatch(line.strip())
            if match is not None and match[1].split(" ", 1)[1] != "transport":
                forces.setdefault((match[2], match[3] is not None), []).append(match[1])
        return [
            Fight(space, _spelled(", ".join(units)), True, raid, _is_sea(space, self.words))
            for (space, raid), units in forces.items()
        ]

    # -- what he makes of it

    def _lines(self, hand: Iterable[str], when: Sequence[str], fights: Iterable[Fight]) -> list[str]:
        """For each card its first line that fits, on his largest battle; one card for each battle."""
        left = list(fights)
        lines = []
        for card in hand:
            for row in self.known.lines:
                if row["card"] != card or not set(when) & set(row["when"]):
                    continue
                if when[0] in (TURN, DICE):
                    lines.append(row["line"].format(**self.known.places[self.power]))
                    break
                fits = [fight for fight in left if self._fits(row, fight)]
                if fits:
                    fight = max(fits, key=lambda one: one.size)
                    left.remove(fight)
                    lines.append(row["line"].format(space=fight.space))
                    break
        return lines

    def _fits(self, row: Mapping[str, Any], fight: Fight) -> bool:
        if (ATTACK if fight.attacking else DEFENCE) not in row["when"]:
            return False
        kind = "raid" if fight.raid else "sea" if fight.sea else "land"
        unit = row.get("unit")
        names = (unit, self.words.unit(unit), self.words.unit(unit, 2)) if unit else ()
        return row.get("on", kind) == kind and (not names or any(name in fight.own for name in names))


def _items(mail: str, heading: str) -> list[str]:
    """The items below a heading, each on one line again."""
    items: list[str] = []
    for line in _block(mail, heading):
        if line.startswith("- "):
            items.append(line[2:])
        elif line.startswith("  ") and items:
            gap = "" if items[-1][-1:] > "\u2e80" else " "
            items[-1] += gap + line.strip()
        else:
            break
    return items


def _block(mail: str, heading: str) -> list[str]:
    """The lines below a heading and its rule."""
    lines = mail.splitlines()
    return lines[lines.index(heading) + 2 :] if heading in lines else []


def _offered(mail: str) -> list[str]:
    """The lines that a mail says would be accepted: they stand indented by themselves before `ready`."""
    return [line.strip() for line in mail.splitlines() if line.startswith("  ") and not line.startswith("   ")]


def _pattern(sentence: str) -> re.Pattern[str]:
    """A sentence of the catalogue as a pattern of its values."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence)))


def _part_of(force: str, owner: str) -> str:
    """The units of one owner among those of several."""
    parts = re.split("; |；", force)
    return next((part for part in parts if part.startswith(f"{owner} ")), "")


def _is_sea(space: str, words: Words) -> bool:
    return space.startswith(("SZ ", "Sea Zone ", words.space("sz-1").rstrip("1 ")))


def _spelled(units: str) -> str:
    return re.sub(r"[a-z]+", lambda word: SHORT.get(word[0], word[0]), units)
