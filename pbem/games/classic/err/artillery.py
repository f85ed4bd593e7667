"""Artillery as section II of the house rules has it: it fires first, and takes the place of antiaircraft guns.

Only with the option `err_artillery` = er2; plain artillery is a unit of the table and needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State, Unit
from pbem.games.classic.err.landings import LANDED_BY
from pbem.games.classic.err.terms import is_assault
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.firing import OTHER, Volley, fire, record_hits, roll_for
from pbem.rules.battle.losses import remove_units, take_losses
from pbem.rules.battle.model import (
    ATTACK,
    DEFEND,
    Battle,
    BattleStep,
    Steps,
    announce,
    before,
    citing,
    without,
    wrapped,
)
from pbem.rules.battle.values import effective_values
from pbem.rules.decisions import Decision
from pbem.rules.order_model import BombTargets, Order
from pbem.rules.query import is_air, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

ARTILLERY = "artillery"
ATTACKING, DEFENDING = "attacking_artillery", "defending_artillery"
AT_GROUND, AT_AIRCRAFT, AT_SHIPS = "ground", "air", "ships"
AIMED_AT = {AT_GROUND: "ground units", AT_AIRCRAFT: "aircraft", AT_SHIPS: "the ships of the landing"}
AIRCRAFT_NEED = 1
"""What a defending artillery needs to hit an aircraft (ERR-1.2.7)."""


def compose_er2(rules: RuleSet) -> RuleSet:
    """Artillery in place of guns, with steps of its own in every round on land (ERR-1.2.4 to ERR-1.2.7)."""
    steps: Steps = (
        BattleStep(ATTACKING, "Attacking artillery fires", attacking_artillery),
        BattleStep(DEFENDING, "Defending artillery fires", defending_artillery),
    )
    land = before(rules.battles["land"], "attackers_fire", *steps)
    land = without(land, "aa_fire")
    land = wrapped(land, "attackers_fire", _not_artillery(ATTACK))
    land = wrapped(land, "defenders_fire", _not_artillery(DEFEND))
    cited = {ATTACKING: ("ERR-1.2.5", "ERR-1.2.6"), DEFENDING: ("ERR-1.2.5", "ERR-1.2.7")}
    return rules.but(
        board=guns_become_artillery(rules.board),
        parameters={
            "bombard_return_fire": False,
            "own_dice_steps": (*rules.parameters["own_dice_steps"], ATTACKING),
            "odds_steps": {
                **rules.parameters["odds_steps"],
                ATTACKING: "pbem.games.classic.err.odds:ATTACKING_ARTILLERY",
                DEFENDING: "pbem.games.classic.err.odds:DEFENDING_ARTILLERY",
                "attackers_fire": "attackers_fire",
                "defenders_fire": "defenders_fire",
            },
        },
        judgements={
            "attack_values": _quiet_while_landing(rules),
            "round_is_unlike": lambda rules, state, battle: battle.round == 1 and is_assault(battle),
        },
        battles={"land": citing(land, cited), "raid_bombing": without(rules.battles["raid_bombing"], "aa_fire")},
    )


def guns_become_artillery(board: Board) -> Board:
    """Each gun of the set-up is an artillery, and no guns are bought (ERR-1.2.4)."""
    setup: dict[str, Any] = {}
    for space, owners in board.facts["setup"].items():
        setup[space] = {owner: _renamed(kinds) for owner, kinds in owners.items()}
    lists = {power: [kind for kind in row if kind != "aa_gun"] for power, row in board.facts["build_lists"].items()}
    gun = board.units[ARTILLERY]
    units = {**board.units, ARTILLERY: replace(gun, abilities=gun.abilities | {"fires_first"})}
    return replace(board, units=units, facts={**board.facts, "setup": setup, "build_lists": lists})


def _renamed(kinds: Mapping[str, int]) -> dict[str, int]:
    out: dict[str, int] = {}
    for kind, count in kinds.items():
        name = ARTILLERY if kind == "aa_gun" else kind
        out[name] = out.get(name, 0) + count
    return out


def _quiet_while_landing(rules: RuleSet) -> Any:
    """Attack values, of which artillery has none in the first round of an assault (ERR-1.2.6)."""
    otherwise = rules.judgements["attack_values"]

    def attack_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
        present = list(units)
        values: dict[str, int] = otherwise(rules, state, battle, present)
        if battle.round == 1 and is_assault(battle):
            values.update({unit.id: 0 for unit in present if unit.kind == ARTILLERY})
        return values

    return attack_values


# -- steps ------------------------------------------------------------------------------------------------------------


def _artillery(game: Game, battle: Battle, side: str) -> list[Unit]:
    return [unit for unit in battle.units(game.state, side) if unit.kind == ARTILLERY and unit.id not in battle.behind]


def _not_artillery(side: str) -> Any:
    """Artillery has fired, or must not: in the common fire of its side it rolls nothing more."""

    def wrap(function: Any) -> Any:
        def others_fire(game: Game, battle: Battle) -> None:
            guns = [unit.id for unit in battle.units(game.state, side) if unit.kind == ARTILLERY]
            battle.acted += [unit_id for unit_id in guns if unit_id not in battle.acted]
            function(game, battle)

        return others_fire

    return wrap


def attacking_artillery(game: Game, battle: Battle) -> None:
    """Attacking artillery fires first, hits are removed at once; not in round 1 of an assault (ERR-1.2.5, 1.2.6)."""
    values = effective_values(game.rules, game.state, battle, ATTACK)
    firing = {unit.id: values[unit.id] for unit in _artillery(game, battle, ATTACK) if values[unit.id]}
    if firing and battle.units(game.state, DEFEND):
        take_losses(game, battle, fire(game, battle, ATTACK, ATTACKING, firing), at_once=True)


def defending_artillery(game: Game, battle: Battle) -> None:
    """Then defending artillery fires, each at what its owner chose before the roll (ERR-1.2.5 to ERR-1.2.7)."""
    guns = _artillery(game, battle, DEFEND)
    if not guns or not battle.units(game.state, ATTACK):
        return
    aims = _aims(game, battle, guns)
    values = effective_values(game.rules, game.state, battle, DEFEND)
    for target in (AT_AIRCRAFT, AT_GROUND, AT_SHIPS):
        firing = [unit for unit in guns if aims[unit.id] == target]
        if firing:
            _fire_at(game, battle, firing, target, values)


def _fire_at(game: Game, battle: Battle, guns: list[Unit], target: str, values: Mapping[str, int]) -> None:
    announce(game, battle, DEFENDING)
    dice = [(unit, AIRCRAFT_NEED if target == AT_AIRCRAFT else values[unit.id]) for unit in guns]
    faces = roll_for(game, battle, DEFENDING, dice)
    volley = Volley(DEFEND, DEFENDING)
    for (unit, need), face in zip(dice, faces, strict=True):
        if face <= need:
            volley.hits.append((unit.id, OTHER))
    record_hits(game, battle, volley)
    if target == AT_SHIPS:
        _sink(game, battle, len(volley.hits))
        return

    def exposed(unit: Unit) -> bool:
        return is_air(game.rules, unit) == (target == AT_AIRCRAFT)

    take_losses(game, battle, volley, at_once=True, allowed=exposed)


def _ships(game: Game, battle: Battle) -> list[Unit]:
    """The ships of the assault in its zones, in the order in which they are lost: what costs the least comes first.

    A transport counts with the units that it landed and those aboard.
    """
    ships = [
        unit
        for zone in battle.zones
        for unit in game.state.units_in(zone)
        if unit.owner == battle.attacker and is_ship(game.rules, unit)
    ]
    table = game.board.units

    def cost(ship: Unit) -> int:
        with_it = [ship, *_crew(game, battle, ship.id), *game.state.cargo_of(ship.id)]
        return sum(table[unit.kind].cost or 0 for unit in with_it)

    return sorted(ships, key=lambda ship: (cost(ship), int(ship.id[1:])))


def _crew(game: Game, battle: Battle, ship: str) -> list[Unit]:
    landed = (game.state.units[unit_id] for unit_id in battle.landed)
    return [unit for unit in landed if unit.mark(LANDED_BY) == ship]


def _sink(game: Game, battle: Battle, hits: int) -> None:
    """Ships that are hit are lost, a transport with the units that it landed (ERR-1.2.6)."""
    sunk = _ships(game, battle)[:hits]
    lost = [unit for ship in sunk for unit in (ship, *_crew(game, battle, ship.id))]
    if not lost:
        return
    told = {"battle": battle.id, "space": battle.space, "round": battle.round, "step": DEFENDING, "side": ATTACK}
    rows = [[unit.id, unit.kind, unit.owner, "lost"] for unit in lost]
    rules = rules_for(game.rules, "err.artillery_aim")
    wasted = {"wasted": hits - len(sunk)} if hits > len(sunk) else {}
    game.emit("losses_chosen", {**told, "losses": rows, "by": "default", **wasted}, rules)
    battle.lost[ATTACK] += [(unit.id, unit.kind) for unit in lost]
    more = {"battle": battle.id, "round": battle.round, "step": DEFENDING}
    for ship in sunk:
        crew = [unit.id for unit in _crew(game, battle, ship.id)]
        remove_units(game, ship.space, [ship.id], "casualty", rules, airborne=battle.attackers, more=more)
        if crew:
            remove_units(game, battle.space, crew, "casualty", rules, more=more)
            battle.leave(crew)


# -- aiming -----------------------------------------------------------------------------------------------------------


def _aims(game: Game, battle: Battle, guns: list[Unit]) -> dict[str, str]:
    """What each defending artillery fires at, by its owner's choice; silent, at units on the ground."""
    owners = list(dict.fromkeys(unit.owner for unit in guns))
    decisions = [_aiming(game, battle, owner, [unit for unit in guns if unit.owner == owner]) for owner in owners]
    answers = game.ask(decisions)
    found: dict[str, str] = {}
    for decision in decisions:
        found.update(answers[decision.key])
    return found


def _aiming(game: Game, battle: Battle, owner: str, guns: list[Unit]) -> Decision:
    attackers = battle.units(game.state, ATTACK)
    ground = [AT_GROUND] if any(not is_air(game.rules, unit) for unit in attackers) else []
    open_to = [*ground, *([AT_AIRCRAFT] if any(is_air(game.rules, unit) for unit in attackers) else [])]
    if battle.round == 1 and is_assault(battle) and _ships(game, battle):
        open_to.append(AT_SHIPS)

    def interpret(order: Order) -> Any:
        assert isinstance(order, BombTargets)
        aims = dict.fromkeys((unit.id for unit in guns), open_to[0])
        left = [unit.id for unit in guns]
        if all(target not in open_to for _, target in order.groups):
            there = " or ".join(AIMED_AT[target] for target in open_to)
            return refuse(game.rules, "err.artillery_aim", f"Artillery there fires at {there} in this round.")
        for pick, target in order.groups:
            if target not in open_to:
                continue
            for unit_id in left[: pick.count]:
                aims[unit_id] = target
            left = left[pick.count :] if pick.count is not None else []
        return aims

    return Decision(
        key=f"{battle.id}:{battle.round}:artillery:{owner}",
        power=owner,
        kind="aim",
        interpret=interpret,
        default=lambda: dict.fromkeys((unit.id for unit in guns), open_to[0]),
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "err.artillery_aim"),
        public={
            "battle": battle.id,
            "side": DEFEND,
            "targets": open_to,
            "own": {ARTILLERY: len(guns)},
            "silent": open_to[0],
        },  # fmt: skip
        subject=battle_subject(game, battle, owner),
        has_choice=len(open_to) > 1,
    )
