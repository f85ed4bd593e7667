"""The parts that canonical order texts share: words, names, groups of units and conditions, in one language."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.orders.gazetteer import Gazetteer
from pbem.orders.keywords import printed
from pbem.rules.order_model import Condition, Pick

_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "="}
_PHASE_WORDS = {"noncombat_move": "noncombat", "combat_move": "combat", "deploy_air": "deploy air",
                "land_cap": "land cap", "purchase": "purchase", "mobilize": "placement",
                "fuel_task_forces": "fuel task forces"}  # fmt: skip
_SUBJECTS = {"odds": "odds", "round": "subject_round", "own_land": "own_land", "bombers": "bombers",
             "escorts": "escorts", "attackers": "attackers", "own_hits": "own_hits", "enemy_hits": "enemy_hits",
             "landing": "landing", "breakthrough": "breakthrough"}  # fmt: skip


class Pen:
    """Writes names and small phrases of one game in one language."""

    __slots__ = ("language", "names")

    def __init__(self, names: Gazetteer, language: str = "en") -> None:
        self.names = names
        self.language = language

    def word(self, keyword: str) -> str:
        """A keyword."""
        return printed(keyword, self.language)

    def space(self, space: str) -> str:
        """A space's name."""
        return self.names.name("space", space, self.language)

    def power(self, power: str) -> str:
        """A power's id, or its Chinese name."""
        return self.names.name("power", power, self.language)

    def thing(self, category: str, name_id: str) -> str:
        """A technology, card, deck, side or treasury."""
        return self.names.name(category, name_id, self.language)

    def phase(self, phase: str) -> str:
        """A phase, as a prefix or behind `cancel`."""
        if self.language == "zh":
            return self.names.name("phase", phase, "zh")
        return _PHASE_WORDS.get(phase, phase)

    def kind(self, kind: str) -> str:
        """A unit, facility or class of units."""
        return self.names.name("unit", kind, self.language)

    def to(self, space: str) -> str:
        """` to SPACE`."""
        return f" {self.word('to')} {self.space(space)}"

    def route(self, spaces: Iterable[str]) -> str:
        """Spaces joined by arrows."""
        return " -> ".join(self.space(space) for space in spaces)

    # -- rounds -----------------------------------------------------------------------------------------------------

    def after_round(self, rounds: int | None) -> str:
        """` after round 2`, or nothing."""
        if rounds is None:
            return ""
        if self.language == "zh":
            return f" 第{rounds}{self.word('rounds_after')}"
        return f" {self.word('after_round')} {rounds}"

    def at_start(self, rounds: int | None) -> str:
        """` at start of round 3` for what happens after round 2, or nothing."""
        if rounds is None:
            return ""
        if self.language == "zh":
            return f" 第{rounds + 1}{self.word('rounds_start')}"
        return f" {self.word('at_start_of_round')} {rounds + 1}"

    def in_round(self, number: int | None) -> str:
        """` round 2`, or nothing."""
        if number is None:
            return ""
        if self.language == "zh":
            return f" 第{number}{self.word('rounds_word')}"
        return f" {self.word('round')} {number}"

    # -- units ------------------------------------------------------------------------------------------------------

    def pick(self, pick: Pick, bare: int | None = -1, origin: bool = True) -> str:
        """One choice of units; a count equal to `bare` (None: all) goes without saying."""
        if pick == Pick("unit") and bare is not None:
            return self.word("all")
        parts = []
        if pick.count != bare or pick.but:
            parts.append(self.word("all") if pick.count is None else str(pick.count))
        if pick.but:
            parts.append(f"{self.word('but')} {pick.but}")
        if pick.owner is not None:
            parts.append(self.power(pick.owner))
        if pick.empty:
            parts.append(self.word("empty"))
        parts.append(self.kind(pick.kind))
        if pick.damage:
            parts.append(self.word("damage"))
        if pick.pool:
            parts.append(f"{self.word('from')} {self.word('pool')}")
        details = []
        if pick.came_from is not None and origin:
            details.append(f"{self.word('from')} {self.space(pick.came_from)}")
        if pick.aboard is not None:
            details.append(f"{self.word('aboard')} {self.kind(pick.aboard)}")
        details += pick.ids
        text = " ".join(parts)
        if details:
            text += f" ({', '.join(details)})"
        if pick.came_from is not None and not origin:
            text += f" {self.word('from')} {self.space(pick.came_from)}"
        return text

    def group(self, picks: Iterable[Pick], bare: int | None = -1, origin: bool = True) -> str:
        """Several choices, with commas."""
        return ", ".join(self.pick(pick, bare, origin) for pick in picks)

    # -- conditions -------------------------------------------------------------------------------------------------

    def condition(self, when: Condition, outer: str = "") -> str:
        """A condition; parts that bind less closely stand in parentheses."""
        if when.op in ("and", "or"):
            joined = f" {self.word(when.op)} ".join(self.condition(part, when.op) for part in when.of)
            return f"({joined})" if outer else joined
        if when.op == "not":
            return f"{self.word('not')} ({self.condition(when.of[0])})"
        if when.subject == "taken" and when.op == "eq" and when.space is not None:
            return f"{self.space(when.space)} {self.word('taken' if when.value else 'not_taken')}"
        sign = _SIGNS[when.op]
        if when.space is not None and when.subject in ("attackers", "bombers") and when.than is None:
            left = f"{self.space(when.space)} {self.word('attacked' if when.subject == 'attackers' else 'bombed')}"
            return left if (when.op, when.value) == ("ge", 1) else f"{left} {self.word('by')} {sign} {when.value}"
        left = self._subject(when.subject or "", when.kind)
        if when.space is not None:
            left = f"{self.space(when.space)} {left}"
        if when.than is not None:
            right = self._subject(when.than, when.than_kind)
            right += f" * {when.times}" if when.times != 1 else ""
            right += f" / {when.per}" if when.per != 1 else ""
            return f"{left} {sign} {right}"
        if when.subject == "odds":
            return f"{left} {sign} {percent(when.value or 0)}"
        return f"{left} {sign} {when.value}"

    def _subject(self, subject: str, kind: str | None) -> str:
        if subject == "stock":
            return " ".join(([self.power(kind)] if kind is not None else []) + [self.word("stock")])
        if subject in _SUBJECTS:
            return self.word(_SUBJECTS[subject])
        if kind is None:
            return self.word(subject)
        # `own infantry left`: the side, the kind, then what became of it.
        side, state = subject.split("_")
        word = self.word("own_side" if side == "own" else "enemy_side")
        return f"{word} {self.kind(kind)} {self.word(state)}"


def percent(parts_per_million: int) -> str:
    """Parts per million as a percentage with no more digits than needed."""
    whole, rest = divmod(parts_per_million, 10_000)
    digits = f"{rest:04d}".rstrip("0")
    return f"{whole}.{digits}%" if digits else f"{whole}%"
