"""Convoys: income that enemy warships in convoy zones cost. The zones and figures are facts of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.board.state import State, Unit
from pbem.rules.citations import cites
from pbem.rules.flow import largest_flow
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def no_convoys(game: Game, power: str) -> int:
    """Nothing is lost where there are no convoys."""
    return 0


def fixed_convoy_losses(game: Game, power: str) -> int:
    """IPC lost at so much for each enemy warship in the zones (P40-9.4.3, P40-9.4.6, P40-13-B10)."""
    per_unit: Mapping[str, int] = game.rules.parameter("convoy_loss_per_unit")
    raw = {
        zone: sum(per_unit.get(unit.kind, 0) for unit in raiders(game.rules, game.state, power, zone))
        for zone in disrupted_zones(game.rules, game.state, power)
    }
    return _capped(game, power, raw, "convoy_fixed")


def rolled_convoy_losses(game: Game, power: str) -> int:
    """IPC lost by dice: so many for each enemy warship or aircraft there, faces 1 to 3 count (P40-9.4.8)."""
    per_unit: Mapping[str, int] = game.rules.parameter("convoy_dice_per_unit")
    counting: Sequence[int] = game.rules.parameter("convoy_counting_faces")
    raw: dict[str, int] = {}
    for zone in disrupted_zones(game.rules, game.state, power):
        fleet = sorted(
            raiders(game.rules, game.state, power, zone),
            key=lambda unit: (game.board.units[unit.kind].rank, int(unit.id[1:])),
        )
        dice = [{"unit": unit.id, "need": max(counting)} for unit in fleet for _ in range(per_unit.get(unit.kind, 0))]
        faces = game.roll(len(dice), power=power, step="convoy", space=zone, dice=dice)
        raw[zone] = sum(face for face in faces if face in counting)
    return _capped(game, power, raw, "convoy_dice")


def disrupted_zones(rules: RuleSet, state: State, power: str) -> list[str]:
    """Convoy zones beside a power's land in which an enemy warship lies (P40-9.4.1, P40-9.4.2).

    Powers that are immune, such as China, lose nothing (P40-9.4.7, P40-2.4.11).
    """
    if power in rules.parameters.get("convoy_immune", ()):
        return []
    return [
        row["zone"]
        for row in rules.board.facts.get("convoy_zones", ())
        if own_land(rules, state, power, row["zone"])
        and any(is_warship(rules, unit) for unit in raiders(rules, state, power, row["zone"]))
    ]


def raiders(rules: RuleSet, state: State, power: str, zone: str) -> list[Unit]:
    """Pieces of powers at war with the collecting power in a zone, those on carriers included."""
    return [unit for unit in state.units_in(zone) if state.at_war(power, unit.owner)]


def is_warship(rules: RuleSet, unit: Unit) -> bool:
    """Whether a piece is a surface warship or a submarine (P40-1.2.4)."""
    return can(rules, unit, "surface_warship") or can(rules, unit, "submerge")


def own_land(rules: RuleSet, state: State, power: str, zone: str) -> list[str]:
    """The power's territories beside a zone, which bound what can be lost there (P40-9.4.4, P40-13-A16, P40-13-B12)."""
    return [land for land in rules.board.lands_beside(zone) if state.controller(land) == power]


def _capped(game: Game, power: str, raw: Mapping[str, int], topic: str) -> int:
    """The loss within each zone's raw loss and each territory's value, which is lost but once (P40-9.4.5)."""
    if not raw:
        return 0
    lands = {zone: own_land(game.rules, game.state, power, zone) for zone in raw}
    values = {land: game.board.spaces[land].ipc for near in lands.values() for land in near}
    loss = largest_flow([(raw[zone], lands[zone]) for zone in raw], values)
    game.emit(
        "convoys_disrupted",
        {"power": power, "zones": [[zone, raw[zone]] for zone in raw], "loss": loss},
        cites(game.rules, topic, "convoy_zone_cap", "convoy_land_cap"),
    )
    return loss
