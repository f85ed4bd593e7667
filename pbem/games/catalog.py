"""Which games, editions and variants there are and where their facts lie; each game composes its own rule sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from typing import Any

from pbem.board.map import Board, board_from_facts
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the catalogue: its editions with the facts file of each (the first is the default), its variants."""

    id: str
    title: str
    editions: Mapping[str, str]
    variants: tuple[str, ...]

    @property
    def default_edition(self) -> str:
        """The edition played when none is named."""
        return next(iter(self.editions))


GAMES: Mapping[str, GameEntry] = {
    "p40": GameEntry("p40", "Pacific 1940", {"card": "p40_1e", "1e": "p40_1e", "2e": "p40_2e"}, ()),
    "s42": GameEntry("s42", "1942 Second Edition", {"": "s42"}, ("fov",)),
    "classic": GameEntry("classic", "Classic", {"2e": "classic_2e", "3e": "classic_3e", "ib": "classic_3e"}, ("err",)),
    "p01": GameEntry("p01", "Pacific (2001)", {"": "p01"}, ("wwm",)),
}


class UnknownGame(ValueError):
    """A game, edition, variant or option that does not exist; the message says which there are."""


def entry(game: str) -> GameEntry:
    """The catalogue's entry of a game; UnknownGame names the games there are."""
    try:
        return GAMES[game]
    except KeyError:
        raise UnknownGame(f"there is no game {game!r}; there are {', '.join(GAMES)}") from None


def facts_id(game: str, edition: str | None = None) -> str:
    """The id of the facts file (and of the board) of a game's edition."""
    known = entry(game)
    wanted = known.default_edition if edition is None else edition
    try:
        return known.editions[wanted]
    except KeyError:
        editions = ", ".join(name for name in known.editions if name) or "only one, which has no name"
        raise UnknownGame(f"{known.title} has no edition {edition!r}; there are {editions}") from None


@cache
def load_facts(game: str, edition: str | None = None) -> Mapping[str, Any]:
    """The facts of a game's edition: map, set-up, unit table, as docs/facts.md describes them. Do not change it."""
    name = facts_id(game, edition)
    text = resources.files(f"pbem.games.{game}.data").joinpath(f"{name}.json").read_text(encoding="utf-8")
    loaded = json.loads(text)
    assert isinstance(loaded, dict)
    return loaded


@cache
def load_board(game: str, edition: str | None = None) -> Board:
    """The board of a game's edition."""
    return board_from_facts(load_facts(game, edition))


def rule_set(
    game: str,
    edition: str | None = None,
    variants: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
    version: int | None = None,
) -> RuleSet:
    """The rule set of a campaign's settings, composed by `pbem.games.GAME.rules.compose`.

    Raises UnknownGame for an edition, variant, option or version that does not exist.
    """
    known = entry(game)
    chosen = known.default_edition if edition is None else edition
    facts_id(game, chosen)
    for variant in variants:
        if variant not in known.variants:
            there = ", ".join(known.variants) or "none"
            raise UnknownGame(f"{known.title} has no variant {variant!r}; there are: {there}")
    composed = import_module(f"pbem.games.{game}.rules").compose(chosen, tuple(variants), dict(options or {}))
    assert isinstance(composed, RuleSet)
    if version is not None and version != composed.version:
        raise UnknownGame(f"rules version {version} of {composed.id} is not here; this service has {composed.version}")
    return composed
