"""What headings in a text have said by a certain line: whose orders follow, for which phase, about which battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.orders.cursor import MOST_SEARCHES, Cursor, ReadContext
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.names import GENERIC_PHASE
from pbem.orders.words import Kind, Token

_DECORATION = (Kind.DASH, Kind.COLON, Kind.TIMES, Kind.HASH, Kind.OTHER, Kind.COMPARE)
_FILLING = ("phase", "round", "turn", "orders", "for", "the", "my")


@dataclass(slots=True)
class Page:
    """The text being read, and what stands above the line at hand.

    `foreign` is a power that a heading names and the player does not play: nothing below it counts. `versus` is set
    between a battle's attackers and its defenders, `press` between the marks of a message to other players.
    """

    names: Gazetteer
    context: ReadContext
    power: str | None
    phase: str | None = None
    target: str | None = None
    versus: bool = False
    press: bool = False
    foreign: str | None = None
    searches: list[int] = field(default_factory=lambda: [MOST_SEARCHES])

    def cursor(self, found: Sequence[Token], power: str | None) -> Cursor:
        """A cursor over the tokens of one order, with what the page knows."""
        window = self.context.phase
        if window is not None:
            window = GENERIC_PHASE.get(window, window)
        return Cursor(
            found, self.names, self.context, power, self.phase,
            target=self.target, window=window, searches=self.searches,
        )  # fmt: skip


def heading(found: Sequence[Token], page: Page) -> bool:
    """Whether a line is only a heading (`COMBAT MOVES`, `----`, `USA:`, `Combat Move - Germans`); the page keeps it."""
    plain = [token for token in found if token.kind in (Kind.WORD, Kind.NUMBER)]
    signs = [token for token in found if token.kind not in (Kind.WORD, Kind.NUMBER)]
    if not plain:
        return bool(found) and not any(token.kind is Kind.BAD_NUMBER for token in found)
    if len(plain) > 8 or any(token.kind not in _DECORATION for token in signs):
        return False
    if len(plain) == 1 and plain[0].key in ("vs", "v", "versus") and page.target is not None:
        page.versus = True
        return True
    said = _phase_and_power(plain, page)
    if said is None:
        return False
    phase, power = said
    if phase is None and not _is_power_heading(found, plain):
        return False
    if power is not None:
        held = page.context.powers
        page.foreign = None if not held or power in held else power
        page.power, page.phase = power, None
    if phase is not None:
        page.phase = GENERIC_PHASE.get(phase, phase)
    page.target, page.versus = None, False
    return True


def _phase_and_power(plain: Sequence[Token], page: Page) -> tuple[str | None, str | None] | None:
    """The phase and the power that are all a line says; None if it says anything else, or neither."""
    at = 0
    phase: str | None = None
    power: str | None = None
    while at < len(plain):
        found_phase = page.names.find("phase", plain, at) if phase is None else None
        found_power = page.names.find("power", plain, at) if power is None else None
        if found_phase is not None and len(found_phase.ids) == 1:
            phase, at = found_phase.ids[0], at + found_phase.length
        elif found_power is not None and len(found_power.ids) == 1:
            power, at = found_power.ids[0], at + found_power.length
        elif _says_nothing(plain, at, said=phase is not None or power is not None):
            at += 1
        else:
            return None
    return (phase, power) if phase or power else None


def _says_nothing(plain: Sequence[Token], at: int, *, said: bool) -> bool:
    """Whether a word only fills a heading: `phase`, `orders`, the number of a round."""
    if plain[at].kind is Kind.NUMBER:
        return at > 0 and plain[at - 1].key in ("round", "turn")
    return said and plain[at].key in _FILLING


def _is_power_heading(found: Sequence[Token], plain: Sequence[Token]) -> bool:
    """A power alone on its line is a heading with a colon behind it, or in capitals."""
    return found[-1].kind is Kind.COLON or all(token.text.isupper() for token in plain if token.text.isascii())


def inline_power(found: Sequence[Token], page: Page) -> tuple[str, Sequence[Token]] | None:
    """`USA: 2 inf ...`: a line for one of the player's powers, and what stands behind the colon."""
    held, power = page.context.powers, _before_colon(found, page)
    if power is None or power not in held:
        return None
    if len(held) < 2 and page.names.find("space", found, 0) is not None:
        return None
    return power, found[_colon_at(found) + 1 :]


def foreign_power(found: Sequence[Token], page: Page) -> str | None:
    """A power before a colon on a line whose sender does not play it; names of spaces (`Japan: ...`) are none."""
    held, power = page.context.powers, _before_colon(found, page)
    if power is None or not held or power in held or page.names.find("space", found, 0) is not None:
        return None
    return power


def _before_colon(found: Sequence[Token], page: Page) -> str | None:
    power = page.names.find("power", found, 0)
    if power is None or len(power.ids) > 1 or power.length + 1 >= len(found):
        return None
    return power.ids[0] if found[power.length].kind is Kind.COLON else None


def _colon_at(found: Sequence[Token]) -> int:
    return next(at for at, token in enumerate(found) if token.kind is Kind.COLON)
