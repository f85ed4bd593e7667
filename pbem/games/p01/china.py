"""China in Pacific (2001): a second country of the American seat, with infantry in place of money.

It has no treasury, so nothing is taken with Szechwan (P01-7.3.3). Its units go wherever they can by land, and what
they free goes back to its owner (P01-12.3.2). Its complex serves its infantry only (P01-12.3.4).
"""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.p01.parameters import CHINA, USA
from pbem.rules.citations import cites
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

HOME = "szechwan"
ROAD = ("india", "burma", "yunnan", "szechwan")
"""The Burma Road: open while all of these are in Allied hands (P01-12.2.4)."""


def grant(game: Game) -> None:
    """China's infantry of this turn: one for each valued territory, one for the road (P01-12.2.1, P01-12.2.4).

    They wait for placement like bought units; China never collects or spends IPCs (P01-12.1.1, P01-12.1.2).
    """
    lands, road = count(game.rules, game.state)
    if not lands and not road:
        if home_lost(game.state):
            lost = {"power": CHINA, "territories": 0, "road": False, "infantry": 0}
            game.emit("recruits_granted", lost, cites(game.rules, "china_lost"))
        return
    said = {"power": CHINA, "territories": lands, "road": bool(road), "infantry": lands + road}
    game.emit("recruits_granted", said, cites(game.rules, "china_grant", *(("burma_road",) if road else ())))
    game.emit("purchases_changed", {"power": CHINA, "items": {"infantry": lands + road}, "why": "granted"})


def count(rules: RuleSet, state: State) -> tuple[int, int]:
    """(valued territories, 1 for an open road): one for each whatever its value, routes not asked (P01-12.2.2, 12.2.3).

    Nothing while Szechwan is in enemy hands (P01-12.2.6).
    """
    if home_lost(state):
        return 0, 0
    lands = sum(
        1 for space in rules.board.spaces.values()
        if not space.is_sea and space.ipc >= 1 and state.controller(space.id) == CHINA
    )  # fmt: skip
    road = all((holder := state.controller(land)) and rules.judge("allies", state, USA, holder) for land in ROAD)
    return lands, int(road)


def home_lost(state: State) -> bool:
    """Whether an enemy holds Szechwan."""
    holder = state.controller(HOME)
    return holder is not None and state.at_war(CHINA, holder)
