"""Where faces come from: one small protocol and the sources that need no game to be understood.

A source hands out whole batches; it never looks at what they decide. Recorded dice have a file of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pbem.dice.chain import Chain, ChainExhausted
from pbem.dice.entropy import entropy_digest
from pbem.dice.faces import derive_key, faces
from pbem.dice.purpose import Purpose


@dataclass(frozen=True, slots=True)
class Roll:
    """One batch of dice with everything needed to check it.

    ``chain``, ``k`` and ``link`` (hex) are None unless the faces come from a committed chain; ``source`` is one of
    ``chain``, ``recorded``, ``hand``, ``throwaway`` and is named in every report; ``beacon`` is the hex signature of
    a public beacon where the campaign mixes one in.
    """

    chain: int | None
    k: int | None
    link: str | None
    purpose: str
    entropy: Mapping[str, str]
    faces: tuple[int, ...]
    source: str
    beacon: str | None = None

    @property
    def count(self) -> int:
        """The number of dice."""
        return len(self.faces)

    def result(self) -> dict[str, Any]:
        """What the source adds to the event of the roll: faces, source, and the link where there is one.

        Purpose, map, count and the unit of each die are written by whoever asked for the roll.
        """
        result: dict[str, Any] = {"faces": list(self.faces), "source": self.source}
        if self.link is not None:
            result |= {"chain": self.chain, "k": self.k, "link": self.link}
        if self.beacon is not None:
            result["beacon"] = self.beacon
        return result


class DiceSource(Protocol):
    """Anything that can roll a batch of dice for a purpose."""

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """Roll ``count`` dice; ``entropy`` is the entropy map in force."""
        ...


class ChainSource:
    """Committed dice: each batch uses the next link of the campaign's chains.

    ``chains`` are the chains committed so far, in order; ``last_chain`` and ``last_k`` name the last link the log
    has used, void ones counted (0 and 0 before the first). A run that is thrown away must throw its source away too.
    """

    name = "chain"
    __slots__ = ("_beacon", "_chain", "_chains", "_k")

    def __init__(
        self, chains: Sequence[Chain], last_chain: int = 0, last_k: int = 0, beacon: bytes | None = None
    ) -> None:
        self._chains = tuple(chains)
        self._chain = last_chain
        self._k = last_k
        self._beacon = beacon

    @property
    def position(self) -> tuple[int, int]:
        """The chain and link used last."""
        return self._chain, self._k

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """Use the next link. Raises ChainExhausted where no committed chain has one left."""
        chain, k = self._next()
        link = self._chains[chain].link(k)
        key = derive_key(link, purpose.message(), entropy_digest(entropy), self._beacon)
        roll = Roll(
            chain=chain,
            k=k,
            link=link.hex(),
            purpose=purpose.text(),
            entropy=dict(entropy),
            faces=faces(key, count),
            source=self.name,
            beacon=None if self._beacon is None else self._beacon.hex(),
        )
        self._chain, self._k = chain, k
        return roll

    def _next(self) -> tuple[int, int]:
        if self._chain < len(self._chains) and self._k < self._chains[self._chain].length:
            return self._chain, self._k + 1
        if self._chain + 1 < len(self._chains):
            return self._chain + 1, 1
        raise ChainExhausted(f"all links of chain {self._chain} are used and chain {self._chain + 1} is not committed")


class HandRollMissing(Exception):
    """A batch is to be rolled by hand and nobody has entered it yet; the run stops here and asks the moderator."""

    def __init__(self, purpose: Purpose, count: int) -> None:
        super().__init__(f"{count} dice are to be rolled by hand for:\n{purpose.text()}")
        self.purpose = purpose
        self.count = count


class HandSource:
    """Dice rolled by hand and entered by a moderator, found by the text of their purpose."""

    name = "hand"
    __slots__ = ("_entered",)

    def __init__(self, entered: Mapping[str, Sequence[int]]) -> None:
        for purpose, batch in entered.items():
            if any(face not in range(1, 7) for face in batch):
                raise ValueError(f"hand-entered dice show 1 to 6, not {list(batch)} (for {purpose!r})")
        self._entered = {purpose: tuple(batch) for purpose, batch in entered.items()}

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """The entered batch. Raises HandRollMissing where none was entered or it has another number of dice."""
        batch = self._entered.get(purpose.text())
        if batch is None or len(batch) != count:
            raise HandRollMissing(purpose, count)
        return Roll(None, None, None, purpose.text(), dict(entropy), batch, self.name)


class SeededThrowaway:
    """Dice for dry runs and what-if branches: repeatable from a seed, never committed, never written to a campaign.

    The same purpose under the same seed shows the same faces, so two what-ifs differ only where their orders do.
    """

    name = "throwaway"
    __slots__ = ("_seed",)

    def __init__(self, seed: int | str) -> None:
        self._seed = hashlib.sha256(f"pbem/throwaway/v1\n{seed}".encode()).digest()

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """Roll from the seed and the purpose alone."""
        shown = faces(derive_key(self._seed, purpose.message(), bytes(32)), count)
        return Roll(None, None, None, purpose.text(), dict(entropy), shown, self.name)
