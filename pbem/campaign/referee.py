"""What every use of the service needs at hand: the database, the signer of checkpoints, the clock and its own names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.dice.chain import Chain
from pbem.log.checkpoint import Signer
from pbem.log.store import Store

DICE_SEED = "dice:{number}"
"""Name of the key that holds the seed of a campaign's dice chain of that number."""
DICE_CACHE = "dice-cache:{number}"
"""Name of the key that holds every 256th link of the chain, so that a link costs little."""
DECK_SEED = "deck:{deck}"
"""Name of the key that holds the seed of a deck's chain."""


@dataclass(frozen=True)
class Referee:
    """The service's surroundings. `clock` gives milliseconds since 1970 UTC; `host` is the mail domain and the first
    part of every log's origin; `url` the public address of the web pages, without a slash at its end.
    `orders_name` and `bounces_name` are the names before the plus in addresses of ours.
    """

    store: Store
    signer: Signer
    clock: Callable[[], int]
    host: str = "pbem.example"
    url: str = ""
    orders_name: str = "orders"
    bounces_name: str = "bounces"
    chains: dict[tuple[str, int], Chain] = field(default_factory=dict)
    deck_chains: dict[tuple[str, str], Chain] = field(default_factory=dict)

    def chain(self, campaign: str, number: int, length: int) -> Chain:
        """A campaign's dice chain; its seed never leaves the key store but through this cache."""
        known = self.chains.get((campaign, number))
        if known is None:
            seed = self.store.key(campaign, DICE_SEED.format(number=number))
            try:
                cache: bytes | None = self.store.key(campaign, DICE_CACHE.format(number=number))
            except KeyError:
                cache = None
            known = Chain(seed, length, cache)
            self.chains[(campaign, number)] = known
        return known

    def deck_chain(self, campaign: str, deck: str, length: int) -> Chain:
        """The chain of one deck of a campaign."""
        known = self.deck_chains.get((campaign, deck))
        if known is None:
            known = Chain(self.store.key(campaign, DECK_SEED.format(deck=deck)), length)
            self.deck_chains[(campaign, deck)] = known
        return known
