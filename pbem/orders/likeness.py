"""Does a line look like an order? For mail intake, which must find where in a mail the orders stand.

It says yes to every line that the reader of orders would take or refuse, and to press headings; talk is no.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.words import Kind, clean, tokens

LooksLikeOrder = Callable[[str], bool]

_PRESS_ENDS = ("ENDPRESS", "ENDBROADCAST")
_LONGEST = 10_000
"""A longer line is refused whatever it says, so it need not be read here."""


@lru_cache(maxsize=16)
def like_orders(game: str, edition: str | None = None) -> LooksLikeOrder:
    """The predicate for the names of a game. It remembers lines, since mails repeat what they quote."""
    names = gazetteer(game, edition)
    context = ReadContext(game=game, edition=edition, powers=(), phase=None)

    @lru_cache(maxsize=4096)
    def looks_like_order(line: str) -> bool:
        text = line.strip()
        if not text:
            return False
        if len(text) > _LONGEST or text.upper().startswith(_PRESS_ENDS):
            return True
        if any(token.kind is Kind.ARROW for token in tokens(clean(text))):
            return True  # what most orders have, without reading them
        results = read_orders(text, names, context)
        return any(result.status != "ignored" or result.reason == "press" for result in results)

    return looks_like_order
