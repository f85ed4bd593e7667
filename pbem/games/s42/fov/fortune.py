"""What the fortune cards ask of a play on a battle; those of mobilization and income are in their phases."""

from __future__ import annotations

from pbem.games.s42.fov.fire import fire_power
from pbem.games.s42.fov.plays import as_laid
from pbem.games.s42.fov.subjects import of_power
from pbem.games.s42.fov.weapons import any_fight, defends
from pbem.games.s42.fov.weighing import Targets, Weighing, checks
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import PlayCard


@checks("fog_of_war")
def fog_of_war(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A battle in which the holder has units, on either side (FOV-F02.1)."""
    battle = any_fight(w, space)
    if space is None or battle is None or not of_power(w.state, battle, w.power):
        return Refusal(f"You have no units in a battle in {w.name(space or '')}.", "FOV-F02.1")
    return Targets(space)


@checks("supreme_excellence")
def supreme_excellence(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A battle in which the attacker's fire power is at least three times the defender's now (FOV-F03.1, FOV-F03.2).

    Cards that are laid together with it are in force; the defender's answer is not known yet.
    """
    battle = any_fight(w, space)
    if space is None or battle is None or not of_power(w.state, battle, w.power):
        return Refusal(f"You attack nobody in {w.name(space or '')}.", "FOV-F03.2")
    laid = as_laid(w.state, w.played)
    own, theirs = (fire_power(w.rules, laid, battle, side) for side in (ATTACK, DEFEND))
    if own < 3 * theirs:
        return Refusal(
            f"Your fire power in {w.name(space)} is {own}, the defender's {theirs}: it must be three times as much.",
            "FOV-F03.2",
        )
    return Targets(space)


@checks("severe_weather")
def severe_weather(w: Weighing, order: PlayCard, space: str | None) -> Targets | Refusal:
    """A battle in which the holder has defending units (FOV-F09.1)."""
    battle = any_fight(w, space)
    if space is None or battle is None or not defends(w, battle):
        return Refusal(f"You have no defending units in a battle in {w.name(space or '')}.", "FOV-F09.1")
    on_land = not w.rules.board.spaces[space].is_sea
    landed = {
        unit_id: unit.aboard
        for unit_id in battle.landed
        if (unit := w.state.units.get(unit_id)) is not None and unit.aboard is not None
    }
    return Targets(space, data={"ships": landed} if on_land and landed else {})
