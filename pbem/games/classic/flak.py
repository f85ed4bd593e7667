"""Antiaircraft fire of the classic game: one gun of a territory at every aircraft, also at those that pass over it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.games.classic.paratroops import DROPS, lost_aboard
from pbem.rules import marks
from pbem.rules.battle.aa_fire import aa_fire
from pbem.rules.battle.model import OPENING, Battle, BattleStep, battle_id, fight
from pbem.rules.query import can, is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

KIND = "overflight"
"""The kind of battle, as far as the record goes, in which a gun fires at a group of aircraft on its way."""


def fired_at(territory: str) -> str:
    """Mark of the turn: the aircraft at which the gun of a territory fired already; once is all (CLA-5.6.4)."""
    return f"turn/fired_at/{territory}"


def fire_at_passing(game: Game, mark: str = marks.MOVED, phase: str = "combat_move") -> None:
    """Guns fire at all aircraft that pass over their territories, before any battle (CLA-5.6.1, CLA-6.1.1).

    Aircraft of one order line cross a gun together; lines follow each other in their order, and each group meets the
    guns in the order of its path. The shot at the end of a path is that of the battle or raid there (CLA-5.6.4).
    """
    power = game.state.power or ""
    for number, (flight, path) in enumerate(_flights(game.rules, game.state, power, phase)):
        for territory in path if _drops(game.state, flight) else path[:-1]:
            spared = game.state.marks.get(fired_at(territory), ())
            group = [uid for uid in flight if uid in game.state.units and uid not in spared]
            if group and gun_there(game.rules, game.state, power, territory, passing=True):
                name = battle_id(game.state, f"{KIND}:{phase}:{number}:{territory}")
                fight(game, Battle(name, KIND, territory, power, group, []))
                lost_aboard(game, flight, territory)
                if game.rules.parameter("always_active_aa"):
                    game.emit("mark_set", {"key": fired_at(territory), "value": [*spared, *group]})


def _drops(state: State, flight: Sequence[str]) -> bool:
    """Whether aircraft drop infantry where they fly to: they meet the gun there too, and take part in no battle."""
    return any(state.units[unit].mark(marks.JOB) == DROPS for unit in flight)


def _flights(rules: RuleSet, state: State, power: str, phase: str) -> list[tuple[list[str], tuple[str, ...]]]:
    """Groups of aircraft that fly together, in the order of their lines, each with the spaces it enters, each once."""
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for unit in state.units.values():
        if unit.owner != power or not is_air(rules, unit) or unit.mark(marks.MOVED) != phase:
            continue
        if unit.mark(marks.FLIGHT) is not None:
            passed = dict.fromkeys(space for space in unit.mark(marks.VIA, ()) if space != unit.space)
            path = (*passed, unit.space)
            groups.setdefault((unit.mark(marks.FLIGHT), path), []).append(unit.id)
    return [(groups[key], key[1]) for key in sorted(groups, key=lambda key: key[0])]


def gun_there(rules: RuleSet, state: State, power: str, territory: str, *, passing: bool) -> tuple[Unit, ...]:
    """The gun that fires at a power's aircraft in a territory: one, however many stand there (CLA-5.6.6).

    Guns aboard transports do not fire (CLA-5.6.7). A gun taken by a blitz of this very combat move still fires at
    those who fly over it, because all moves are made at once (CLA-5.3.4).
    """
    guns = (unit for unit in state.units_in(territory) if unit.aboard is None and can(rules, unit, "anti_air"))
    armed = (g for g in guns if rules.judge("is_enemy", state, power, g) or (passing and g.mark(marks.CAPTURED)))
    return tuple(armed)[:1]


def aa_shots(rules: RuleSet, state: State, battle: Battle, aircraft: int) -> Sequence[Unit]:
    """One die for each aircraft (CLA-5.6.2, CLA-6.2.2, CLA-6.3.1)."""
    gun = gun_there(rules, state, battle.attacker, battle.space, passing=battle.kind == KIND)
    return gun * aircraft


PASSED = "passed"
"""How such a fire ends: who is left flies on (CLA-5.6.4)."""


def _over(game: Game, battle: Battle) -> None:
    battle.result = PASSED


OVERFLIGHT: tuple[BattleStep, ...] = (
    BattleStep("aa_fire", "Antiaircraft fire at aircraft passing over", aa_fire, when=OPENING),
    BattleStep("end_overflight", "They fly on", _over, when=OPENING),
)
"""A gun and the aircraft that pass over it (CLA-5.6.1 to CLA-5.6.3)."""
