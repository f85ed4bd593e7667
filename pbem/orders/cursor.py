"""A place in the tokens of one order, and the refusal that says what stood there instead of what would be right.

The reading functions share this; it knows names (through the gazetteer) and keywords, and no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.orders.gazetteer import Found, Gazetteer
from pbem.orders.keywords import BY_FIRST_WORD
from pbem.orders.words import Kind, Token, key_of

# How many unknown names of one text are compared with all names of the game.
MOST_SEARCHES = 100


class Refusal(Exception):
    """A part of a line is no order: the player's mistake, told to him; never an error of the service."""

    def __init__(self, reason: str, suggestions: Sequence[str] = (), unreadable: bool = False, deep: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.suggestions = tuple(suggestions)
        self.unreadable = unreadable
        self.deep = deep


@dataclass(frozen=True, slots=True)
class ReadContext:
    """Who speaks, in which game, and which window is open.

    `powers` are all the player plays, `open_powers` those of them with an open window. `phase` is the phase of the
    window, by its name in the facts or in every game. `variants` decide what `research` means. Limits refuse a text
    as a whole, before it is read.
    """

    game: str
    edition: str | None = None
    variants: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    open_powers: tuple[str, ...] = ()
    phase: str | None = None
    most_lines: int = 10_000
    most_characters: int = 1_000_000
    most_line_characters: int = 4_000


@dataclass(slots=True)
class Cursor:
    """Tokens and a position in them.

    `power` is whose orders these are; `prefix` the phase written before this line, `phase` that or the heading's, None
    if neither; `window` the phase of the open window; `target` the battle that a header above names.
    `verb_at` and `verb_end` enclose the verb that was found;
    `searches` is what is left of the text's budget for near spellings.
    """

    tokens: Sequence[Token]
    names: Gazetteer
    context: ReadContext
    power: str | None = None
    phase: str | None = None
    at: int = 0
    notes: list[str] = field(default_factory=list)
    target: str | None = None
    prefix: str | None = None
    window: str | None = None
    verb_at: int = 0
    verb_end: int = 0
    searches: list[int] = field(default_factory=lambda: [MOST_SEARCHES])

    # -- looking ----------------------------------------------------------------------------------------------------

    def end(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.tokens)

    def peek(self, ahead: int = 0) -> Token | None:
        """The token at the position, or None at the end."""
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def is_kind(self, *kinds: Kind) -> bool:
        """Whether the next token is of one of these kinds."""
        token = self.peek()
        return token is not None and token.kind in kinds

    def shown(self) -> str:
        """The next token as the player wrote it, for messages."""
        token = self.peek()
        return token.text if token is not None else "the end of the line"

    # -- taking -----------------------------------------------------------------------------------------------------

    def take(self, *kinds: Kind) -> Token | None:
        """The next token if it is of one of these kinds, and past it."""
        token = self.peek()
        if token is None or token.kind not in kinds:
            return None
        self.at += 1
        return token

    def matches(self, keyword: str) -> int:
        """How many tokens the longest spelling of this keyword takes here; 0 if it does not stand here."""
        for phrase, found in self._phrases():
            if found == keyword and self._reads(phrase):
                return len(phrase)
        return 0

    def word(self, *keywords: str) -> str | None:
        """The keyword that stands here (the longest; of equal ones the first named), and past it."""
        best: str | None = None
        length = 0
        for phrase, found in self._phrases():
            if len(phrase) < length:
                break
            if found in keywords and self._reads(phrase):
                if best is None or keywords.index(found) < keywords.index(best):
                    best = found
                length = len(phrase)
        self.at += length
        return best

    def sees(self, *keywords: str) -> bool:
        """Whether one of these keywords stands here."""
        return any(found in keywords and self._reads(phrase) for phrase, found in self._phrases())

    def _phrases(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        if self.at >= len(self.tokens):
            return ()
        return BY_FIRST_WORD.get(self.tokens[self.at].key, ())

    def _reads(self, phrase: tuple[str, ...]) -> bool:
        """Whether the words of a phrase stand here; the first was compared before."""
        if len(phrase) == 1:
            return True
        if self.at + len(phrase) > len(self.tokens):
            return False
        return all(self.tokens[self.at + index].key == phrase[index] for index in range(1, len(phrase)))

    def separator(self) -> bool:
        """Past commas, `and`, `&`, `+` (any run of them); whether there was one."""
        start = self.at
        while self.take(Kind.COMMA, Kind.AND) or self.word("and"):
            pass
        return self.at > start

    def arrow(self) -> bool:
        """Past an arrow of any kind, or `to`; whether there was one."""
        token = self.peek()
        if token is None:
            return False
        if token.kind is Kind.ARROW or (token.kind is Kind.COMPARE and token.text == ">"):
            self.at += 1
            return True
        if token.kind is Kind.DASH and self.find("space", 1) is not None:
            self.at += 1
            return True
        if self.sees("to_bomb", "to_escort", "to_attack", "to_patrol"):
            return False
        return self.word("to") is not None

    # -- names ------------------------------------------------------------------------------------------------------

    def find(self, category: str, ahead: int = 0) -> Found | None:
        """The name of this category that stands here, without taking it."""
        return self.names.find(category, self.tokens, self.at + ahead)

    def named(self, category: str) -> str | None:
        """The one thing of this category named here, and past it; None if none; a refusal if it may be several."""
        found = self.find(category)
        if found is None:
            return None
        if len(found.ids) > 1:
            raise self.ambiguous(category, found)
        self.at += found.length
        return found.ids[0]

    def text_is(self, word: str) -> bool:
        """Whether just this word stands here."""
        token = self.peek()
        return token is not None and token.key == word

    def ambiguous(self, category: str, found: Found) -> Refusal:
        """The refusal of a name that means several things."""
        text = " ".join(token.text for token in self.tokens[self.at : self.at + found.length])
        candidates = tuple(self.names.name(category, name_id) for name_id in found.ids)
        return Refusal(f'"{text}" may mean {" or ".join(candidates)}', candidates, deep=self.at + 1)

    def space(self, what: str = "a space") -> str:
        """The space named here, and past it; a refusal if none is."""
        if self.text_is("the") and self.find("space") is None:
            self.at += 1
        name_id = self.named("space")
        if name_id is None:
            raise self.unknown("space", what)
        return name_id

    def unknown(self, category: str, what: str) -> Refusal:
        """The refusal of what stands here where `what` is expected, with near spellings if there are any."""
        token = self.peek()
        if token is None:
            return Refusal(f"{what} is missing at the end", deep=self.at)
        if token.kind is Kind.BAD_NUMBER or token.kind is Kind.DECIMAL:
            return bad_number(token, self.at)
        if token.kind is not Kind.WORD:
            return Refusal(f'{what} is expected before "{token.text}"', deep=self.at)
        text = self.run_text(category)
        said = {key_of(word) for word in text.split()} - {token.key}
        near = self._near(category, text) or self._near(category, token.text)
        near = tuple(name for name in near if key_of(name) not in said)
        word = {"space": "space", "unit": "unit", "power": "power", "card": "card"}.get(category, category)
        reason = f'unknown {word} "{text if category != "unit" else token.text}"'
        halves = [self.names.lookup("space", half) for half in token.text.split("-")]
        if category == "space" and len(halves) > 1 and all(len(half) == 1 for half in halves):
            return Refusal(
                reason, (" -> ".join(self.names.name("space", half[0]) for half in halves),), deep=self.at + 1
            )
        if near:
            reason += f", did you mean {' or '.join(near)}?"
        return Refusal(reason, near, deep=self.at + 1)

    def _near(self, category: str, text: str) -> tuple[str, ...]:
        """Near spellings, as long as the budget of this text lasts: looking for them is slow."""
        if self.searches[0] <= 0:
            return ()
        self.searches[0] -= 1
        return self.names.near(category, text)

    def run_text(self, category: str = "") -> str:
        """The words from here up to the next sign or small word, for messages; a card's name also ends at a place."""
        words: list[str] = []
        start = self.at
        while (token := self.peek()) is not None and token.kind in (Kind.WORD, Kind.NUMBER) and len(words) < 6:
            if words and self.sees("to", "from", "and", "if", "with", "after_round"):
                break
            if words and category == "card" and (self.sees("in") or self.find("space") is not None):
                break
            words.append(token.text)
            self.at += 1
        self.at = start
        if words and all(not word.isascii() for word in words):
            return "".join(words)
        return " ".join(words)

    def finish(self) -> None:
        """A refusal if anything is left that was not read; a full stop may stand at the end."""
        while self.take(Kind.DOT):
            pass
        if not self.end():
            left = [token.text for token in self.tokens[self.at : self.at + 8]]
            rest = ("" if all(not word.isascii() for word in left) else " ").join(left)
            raise Refusal(
                f'"{rest}" was not understood after the rest of the line; write each order on a line of its own, '
                "without other words",
                deep=self.at,
            )


def bad_number(token: Token, deep: int) -> Refusal:
    """The refusal of a number that nothing can be counted with."""
    return Refusal(f'"{token.text}" is no count; write a whole number like 3', deep=deep + 1)
