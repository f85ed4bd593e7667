"""A battle that nobody fights: forces by kind set against each other somewhere on the board, for asking odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.board.map import Board
from pbem.board.state import State, Unit, relation_key
from pbem.board.units import FACILITY, LAND, SEA
from pbem.odds.outcome import WrongForces
from pbem.rules.battle.model import Battle
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Some:
    """Units of one kind: how many, and how many hits each has taken already."""

    kind: str
    count: int
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """What is asked: both forces, where they meet, who landed from the sea and which ships bombard.

    `landed` None means nobody, or in an `amphibious` assault all attacking land units.
    """

    attackers: Sequence[Some]
    defenders: Sequence[Some]
    sea: bool = False
    amphibious: bool = False
    landed: Sequence[Some] | None = None
    bombarding: Sequence[Some] = ()


def make_battle(rules: RuleSet, setting: Setting) -> tuple[State, Battle]:
    """The position and the battle of a setting. Raises WrongForces where the units cannot meet there."""
    board = rules.board
    _check(rules, setting)
    attacker, defender = _powers(rules)
    land = next(name for name, space in board.spaces.items() if not space.is_sea)
    zone = next(name for name, space in board.spaces.items() if space.is_sea)
    space = zone if setting.sea else land
    units: dict[str, Unit] = {}

    def add(some: Sequence[Some], owner: str, where: str) -> list[str]:
        made = []
        for lot in some:
            for _ in range(lot.count):
                unit = Unit(f"u{len(units) + 1}", lot.kind, owner, where, damage=lot.damage)
                units[unit.id] = unit
                made.append(unit.id)
        return made

    attackers = add(setting.attackers, attacker, space)
    defenders = add(setting.defenders, defender, space)
    add(setting.bombarding, attacker, zone)
    if not setting.sea and not rules.parameters.get("guns_are_casualties", False):
        defenders = [unit_id for unit_id in defenders if not board.units[units[unit_id].kind].can("anti_air")]
    landed = _landed(board, setting, [units[unit_id] for unit_id in attackers])
    state = State(
        round=2,
        power=attacker,
        phase="conduct_combat",
        units=units,
        relations={relation_key(attacker, defender): "war"},
        next_unit=len(units) + 1,
    )
    battle = Battle(
        id="odds",
        kind="sea" if setting.sea else "land",
        space=space,
        attacker=attacker,
        attackers=attackers,
        defenders=defenders,
        landed=landed,
        zones=(zone,) if landed else (),
    )
    return state, battle


def _powers(rules: RuleSet) -> tuple[str, str]:
    """An attacker and a defender from different sides, who can use everything."""
    barred = rules.parameters.get("cannot_use_facilities", ())
    sides = [
        [power for power in side if rules.board.powers[power].playable and power not in barred]
        for side in rules.board.sides.values()
    ]
    able = [side[0] for side in sides if side]
    return able[0], able[1]


def _landed(board: Board, setting: Setting, attackers: Sequence[Unit]) -> list[str]:
    ground = [unit for unit in attackers if board.units[unit.kind].domain == LAND]
    if setting.landed is None:
        return [unit.id for unit in ground] if setting.amphibious or setting.bombarding else []
    found: list[str] = []
    for lot in setting.landed:
        alike = [unit.id for unit in ground if unit.kind == lot.kind]
        if len(alike) < lot.count:
            name = board.units[lot.kind].plural.lower()
            raise WrongForces(f"{lot.count} {name} cannot land, for only {len(alike)} of them attack")
        found += alike[: lot.count]
    return found


def _check(rules: RuleSet, setting: Setting) -> None:
    table = rules.board.units
    for side, lots in (("attack", setting.attackers), ("defend", setting.defenders)):
        if not any(lot.count for lot in lots):
            raise WrongForces(f"nobody is there to {side}; name units, like 3 infantry 1 tank")
        for lot in lots:
            kind = table[lot.kind]
            if kind.domain == FACILITY:
                raise WrongForces(f"{kind.plural.lower()} take no part in battles")
            if setting.sea and kind.domain == LAND:
                raise WrongForces(f"{kind.plural.lower()} take no part in a sea battle")
            if not setting.sea and kind.domain == SEA:
                raise WrongForces(
                    f"{kind.plural.lower()} take no part in a land battle; ask for a sea battle, or let them bombard"
                )
            if side == "attack" and kind.can("anti_air"):
                raise WrongForces(f"{kind.plural.lower()} do not attack")
            if lot.damage >= max(kind.hits, 1):
                raise WrongForces(f"{kind.plural.lower()} take one hit only and are never damaged")
    if setting.sea and (setting.amphibious or setting.bombarding or setting.landed):
        raise WrongForces("nobody lands and no ship bombards in a sea battle; leave it out, or ask for a land battle")
    for lot in setting.bombarding:
        if not table[lot.kind].can("shore_bombard"):
            able = ", ".join(kind.plural.lower() for kind in table.values() if kind.can("shore_bombard"))
            raise WrongForces(f"{table[lot.kind].plural.lower()} do not bombard; those that do are {able}")
    if (setting.bombarding or setting.amphibious) and not any(
        table[lot.kind].domain == LAND for lot in setting.attackers
    ):
        raise WrongForces("an assault from the sea needs land units that attack")
