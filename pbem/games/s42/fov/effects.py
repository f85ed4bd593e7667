"""What happens at once when a card is laid in combat: units are marked, leave or join a battle, a partner is named.

Cards that only tell later (in the dice, after round 1) are kept among the plays, where their chapters find them.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.s42.fov.plays import CARD, Play, lent_by, mark, tell
from pbem.rules import marks
from pbem.rules.facilities import figure_there
from pbem.rules.movement.berths import board_deck, decks_in
from pbem.rules.query import is_air
from pbem.rules.script import Game

COMPLEX = "industrial_complex"


def take_effect(game: Game, play: Play) -> None:
    """The card's immediate effect."""
    EFFECTS.get(play.card, _mark_only)(game, play)


def _mark_only(game: Game, play: Play) -> None:
    mark(game, play)


def _atomic_bomb(game: Game, play: Play) -> None:
    """The complex fires a die of its own at the bomber (FOV-W03.2)."""
    mark(game, play, {marks.SINGLED_OUT: True})


def _heavy_tank(game: Game, play: Play) -> None:
    """It takes two hits (FOV-W09.2)."""
    mark(game, play, {marks.TOUGH: 1})


def _radar(game: Game, play: Play) -> None:
    """The gun's or the complex's dice hit on 2 or less, their number does not change (FOV-W07.2 to FOV-W07.4)."""
    if play.facility is not None:
        game.emit("mark_set", {"key": marks.facility_aim(play.facility), "value": 2}, ("FOV-W07.3", "FOV-W07.4"))
    else:
        mark(game, play, {marks.AIM: 2})


def _lend(game: Game, play: Play) -> None:
    """The partner uses the holder's bombers in its next turn (FOV-T04.1, FOV-T04.3)."""
    game.emit("mark_set", {"key": lent_by(play.power, play.data["partner"]), "value": True}, ("FOV-T04.1",))


def _scramble(game: Game, play: Play) -> None:
    """Fighters fly into the battle next door; they go home after all battles (FOV-T06.1, FOV-T06.4)."""
    base = play.data["from"]
    there = [unit_id for unit_id in play.units if unit_id in game.state.units]
    game.emit(
        "units_moved",
        {
            "units": there, "from": base, "to": play.space, "why": "scramble", "power": play.power,
            "marks": {marks.SCRAMBLED_FROM: base, CARD: play.card},
        },
        ("FOV-T06.1",),
    )  # fmt: skip


def _withdraw(game: Game, play: Play) -> None:
    """Units leave the attacked space, ships with what they carry (FOV-T10.1, FOV-T10.3, FOV-T10.4)."""
    goal = play.data["to"]
    moved = [unit_id for unit_id in play.units if unit_id in game.state.units]
    game.emit(
        "units_moved",
        {
            "units": moved, "from": play.space, "to": goal, "why": "card", "power": play.power,
            "marks": {CARD: play.card},
        },
        ("FOV-T10.1", "FOV-T10.4"),
    )  # fmt: skip
    if not game.board.spaces[goal].is_sea:
        return
    for unit_id in moved:
        unit = game.state.units[unit_id]
        if is_air(game.rules, unit) and unit.aboard is None:
            decks = decks_in(game.rules, game.state, play.power, {goal: 0})
            if decks:
                board_deck(game, unit_id, decks[0].deck or "", ("FOV-T10.2",))


def disaster(game: Game, play: Play) -> None:
    """Three damage on an enemy complex, not beyond its maximum, at once (FOV-F10.1)."""
    space = play.space or ""
    before = game.state.spaces[space].facility(COMPLEX) or 0
    after = min(before + 3, figure_there(game.rules, COMPLEX, "max_damage", space, before + 3))
    game.emit(
        "facility_changed",
        {"space": space, "kind": COMPLEX, "damage": after, "why": "card", "before": before, "rolled": 3},
        ("FOV-F10.1", "S42-5.3.5"),
    )
    tell(game, play, "damage", ("FOV-F10.1",), {"amount": after - before})


EFFECTS: dict[str, Callable[[Game, Play], None]] = {
    "atomic_bomb": _atomic_bomb,
    "heavy_tank": _heavy_tank,
    "radar_fire_control": _radar,
    "combined_bomber_offensive": _lend,
    "scramble": _scramble,
    "signals_intelligence": _withdraw,
    "force_majeure": disaster,
}
"""Cards whose play does more than mark its units."""
