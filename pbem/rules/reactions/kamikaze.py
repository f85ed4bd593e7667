"""Kamikaze strikes of one power: where and at what they may be aimed, and what the dice do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.amphibious import assaults_from
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.dice_steps import KAMIKAZE
from pbem.rules.battle.losses import remove_units
from pbem.rules.battle.naming import is_meant, listed, space_name
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Kamikaze, Order, Pick
from pbem.rules.query import can, count_by_kind, is_air
from pbem.rules.reactions.scramble import reaction_subject
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

KEY = "kamikaze"
COUNTER = "kamikaze"


def striker(rules: RuleSet) -> str | None:
    """The power that has kamikaze tokens; None where the game has none."""
    said = rules.board.facts.get("kamikaze")
    return said["power"] if said else None


def unlocked(rules: RuleSet, state: State) -> bool:
    """Whether strikes are allowed at all: from the start, or once a listed island was captured (P40-5.1.2).

    A capture counts from the next turn on. An island of the list that started Japanese and is not Japanese now was
    captured, whether or not anybody wrote it down.
    """
    if rules.parameter("kamikaze_unlock") == "start":
        return True
    said = state.marks.get(marks.KAMIKAZE_UNLOCKED)
    if said is not None:
        return bool(said["segment"] != state.segment)
    return any(
        rules.board.spaces[island].start_controller == striker(rules) and _allied_since_start(rules, state, island)
        for island in rules.board.facts["kamikaze"].get("unlocked_by", {}).get("spaces", ())
    )


def _allied_since_start(rules: RuleSet, state: State, island: str) -> bool:
    holder = state.controller(island)
    power = striker(rules)
    return (
        holder is not None
        and power is not None
        and not rules.board.allied(holder, power)
        and marks.taken(island) not in state.marks
    )


def strike_zones(rules: RuleSet, state: State, power: str) -> tuple[str, ...]:
    """Zones where the power may strike now, with a target in them (P40-5.1.3, P40-5.1.4, P40-13-B27).

    Only in the turn of a power at war with it. Where the parameter `kamikaze_needs_battle_or_assault` says so, that
    power must attack there or land from there.
    """
    active = state.power or ""
    if not state.at_war(active, power) or not unlocked(rules, state) or not state.counter(power, COUNTER):
        return ()
    return tuple(zone for zone in rules.board.facts["kamikaze_zones"] if _may_strike(rules, state, power, zone))


def _may_strike(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    active = state.power or ""
    if not targets_in(rules, state, active, zone):
        return False
    if not rules.parameter("kamikaze_needs_battle_or_assault"):
        return True
    attacks = sea_battle_due(rules, state, active, zone) and any(unit.owner == power for unit in state.units_in(zone))
    return attacks or bool(assaults_from(state, active, zone))


def targets_in(rules: RuleSet, state: State, active: str, zone: str) -> tuple[Unit, ...]:
    """The active power's ships in a zone that may be struck: surface warships (P40-5.1.4, P40-5.1.5).

    The parameter `kamikaze_target` names another ability (P01-13.1.4).
    """
    wanted = rules.parameters.get("kamikaze_target", "surface_warship")
    return tuple(unit for unit in state.units_in(zone) if unit.owner == active and can(rules, unit, wanted))


# -- asking ---------------------------------------------------------------------------------------------------------


def kamikaze_decisions(game: Game) -> list[Decision]:
    """The one decision about strikes, if any is legal; silent: none (P40-5.1.6, P40-DP-10, P40-11.4)."""
    power = striker(game.rules)
    if power is None:
        return []
    rules, state = game.rules, game.state
    zones = strike_zones(rules, state, power)
    if not zones:
        return []

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, list[tuple[int, Refusal]]]:
        return read_strikes(rules, state, power, [order for order in orders if isinstance(order, Kamikaze)])

    def interpret(order: Order) -> Any:
        value, refusals = interpret_all([order])
        return refusals[0][1] if refusals else value

    return [
        Decision(
            key=f"{KEY}:{power}",
            power=power,
            kind="kamikaze",
            interpret=interpret,
            interpret_all=interpret_all,
            default=list,
            rules=rules_for(rules, "kamikaze.declare"),
            public={
                "tokens": state.counter(power, COUNTER),
                "zones": [
                    {"zone": zone, "targets": count_by_kind(targets_in(rules, state, state.power or "", zone))}
                    for zone in zones
                ],
            },
            subject=reaction_subject(game),
            reaction=True,
        )
    ]


def read_strikes(
    rules: RuleSet, state: State, power: str, orders: Sequence[Kamikaze]
) -> tuple[list[list[str]], list[tuple[int, Refusal]]]:
    """What strike lines mean: one [zone, ship] row for each token, all named at once (P40-5.1.6); refusals by line."""
    rows: list[list[str]] = []
    refusals: list[tuple[int, Refusal]] = []
    for index, order in enumerate(orders):
        wrong = kamikaze_refusal(rules, state, power, order)
        found = wrong if wrong is not None else _rows(rules, state, power, order)
        if isinstance(found, Refusal):
            refusals.append((index, found))
            continue
        if len(rows) + len(found) > state.counter(power, COUNTER):
            refusals.append((index, _too_many(rules, state, power, len(rows) + len(found))))
            continue
        rows += found
    return rows, refusals


def _rows(rules: RuleSet, state: State, power: str, order: Kamikaze) -> list[list[str]] | Refusal:
    zones = [order.space] if order.space is not None else list(strike_zones(rules, state, power))
    rows: list[list[str]] = []
    aimed: list[str] = []
    for count, pick in order.strikes:
        ship = _aim(rules, state, pick, zones, aimed)
        if ship is None:
            return refuse(
                rules,
                "kamikaze.when",
                f"No enemy {pick.kind.replace('_', ' ')} lies in {listed(rules, zones)} after the combat moves.",
            )
        aimed.append(ship.id)
        rows += [[ship.space, ship.id]] * count
    if order.prefer:
        rows += _preferred(rules, state, power, order, zones)
    return rows


def _aim(rules: RuleSet, state: State, pick: Pick, zones: Sequence[str], aimed: Sequence[str]) -> Unit | None:
    """The ship a strike is aimed at: of several the one not aimed at yet, then the damaged, then the lowest id."""
    active = state.power or ""
    fitting = [
        unit for zone in zones for unit in targets_in(rules, state, active, zone) if is_meant(rules, state, pick, unit)
    ]
    return min(fitting, key=lambda u: (u.id in aimed, -u.damage, int(u.id[1:])), default=None)


def _preferred(rules: RuleSet, state: State, power: str, order: Kamikaze, zones: Sequence[str]) -> list[list[str]]:
    """Strikes by rule: one token for each hit a ship takes, ships in the order preferred, at most `most` in all."""
    left = state.counter(power, COUNTER) if order.most is None else order.most
    rows: list[list[str]] = []
    for pick in order.prefer:
        for zone in zones:
            for ship in targets_in(rules, state, state.power or "", zone):
                if is_meant(rules, state, pick, ship) and [zone, ship.id] not in rows:
                    tokens = min(left, rules.board.units[ship.kind].hits - ship.damage)
                    rows += [[zone, ship.id]] * tokens
                    left -= tokens
    return rows


def kamikaze_refusal(
    rules: RuleSet, state: State, power: str, order: Kamikaze, *, later: bool = False
) -> Refusal | None:
    """Why strikes are illegal: whose they are, when, where and at what they may be aimed; for `later`, not when."""
    if not order.strikes and not order.prefer:
        return None
    name = rules.board.powers[power].name
    if power != striker(rules):
        return refuse(rules, "kamikaze.tokens", f"{name} has no kamikaze strikes.")
    for pick in [pick for _, pick in order.strikes]:
        kind = rules.board.units.get(pick.kind)
        if kind is not None and not kind.can(rules.parameters.get("kamikaze_target", "surface_warship")):
            return refuse(
                rules,
                "kamikaze.targets",
                f"Kamikaze strikes are aimed at surface warships, not at {kind.plural.lower()}.",
                "Name a battleship, carrier, cruiser or destroyer.",
            )
    if order.space is not None and order.space not in rules.board.facts["kamikaze_zones"]:
        return refuse(
            rules,
            "kamikaze.zones",
            f"There are no kamikaze strikes in {space_name(rules, order.space)}, only in "
            f"{listed(rules, rules.board.facts['kamikaze_zones'])}.",
        )
    if later:
        return None
    if not unlocked(rules, state):
        islands = rules.board.facts["kamikaze"]["unlocked_by"]["spaces"]
        return refuse(
            rules,
            "kamikaze.unlocked",
            f"Kamikaze strikes are possible only after the Allies have captured {listed(rules, islands)}.",
        )
    return _when(rules, state, power, order)


def _when(rules: RuleSet, state: State, power: str, order: Kamikaze) -> Refusal | None:
    wanted = sum(count for count, _ in order.strikes)
    if wanted > state.counter(power, COUNTER):
        return _too_many(rules, state, power, wanted)
    active = state.power or ""
    if not state.at_war(active, power):
        return refuse(
            rules, "kamikaze.when", "Kamikaze strikes are made only in the turn of a power at war with Japan."
        )
    if order.space is not None and order.space not in strike_zones(rules, state, power):
        return refuse(
            rules,
            "kamikaze.when",
            f"No strike is possible in {space_name(rules, order.space)}: "
            + (
                "there the enemy neither attacks Japanese units nor lands from it with surface warships."
                if rules.parameter("kamikaze_needs_battle_or_assault")
                else "no enemy surface warship lies there after the combat moves."
            ),
        )
    return None


def _too_many(rules: RuleSet, state: State, power: str, wanted: int) -> Refusal:
    left = state.counter(power, COUNTER)
    return refuse(
        rules, "kamikaze.tokens", f"{wanted} kamikaze strikes were named and {left} are left for the whole game."
    )


# -- striking -------------------------------------------------------------------------------------------------------


def strike(game: Game, answers: Mapping[str, Any]) -> None:
    """Spend the tokens, roll one die for each strike, and apply the hits before any battle (P40-5.1.1, 5.1.7, 5.1.8).

    No ship in a zone struck may bombard this turn, hit or miss (P40-5.1.9, P40-13-B26). A strike is no sea battle
    (P40-5.1.10) and uses no aircraft of the board (P40-5.1.11).
    """
    power = striker(game.rules)
    rows: list[list[str]] = [list(row) for row in answers.get(f"{KEY}:{power}", ())]
    if power is None or not rows:
        return
    game.emit(
        "counter_changed",
        {"power": power, "counter": COUNTER, "by": -len(rows), "why": "kamikaze"},
        rules_for(game.rules, "kamikaze.tokens"),
    )
    for zone in dict.fromkeys(zone for zone, _ in rows):
        game.emit("mark_set", {"key": marks.kamikaze_used(zone), "value": True}, rules_for(game.rules, "kamikaze.used"))
    need = game.board.facts["kamikaze"]["hit_on"]
    ships = game.state.units
    faces = game.roll(
        len(rows),
        power=game.state.power or power,
        step=KAMIKAZE,
        dice=[
            {"unit": "kamikaze", "kind": "kamikaze", "owner": power, "need": need, "at": ship, "zone": zone,
             "target": ships[ship].kind}
            for zone, ship in rows
        ],
    )  # fmt: skip
    hits: dict[str, int] = {}
    for (_, ship), face in zip(rows, faces, strict=True):
        if face <= need:
            hits[ship] = hits.get(ship, 0) + 1
    for zone in dict.fromkeys(zone for zone, _ in rows):
        _apply(game, zone, {ship: count for ship, count in hits.items() if ships[ship].space == zone})


def _apply(game: Game, zone: str, hits: Mapping[str, int]) -> None:
    """Sink or damage the ships hit; the active power's own aircraft are in the air already (P40-5.1.8).

    They rise from a carrier that is only damaged, too; guests aboard it are trapped.
    """
    state, rules = game.state, rules_for(game.rules, "kamikaze.hits")
    active = state.power
    damage: dict[str, int] = {}
    sunk: list[str] = []
    for ship, count in hits.items():
        total = state.units[ship].damage + count
        if total >= game.board.units[state.units[ship].kind].hits:
            sunk.append(ship)
        else:
            damage[ship] = total
    own = [unit for unit in state.units_in(zone) if unit.owner == active and is_air(game.rules, unit)]
    if damage:
        game.emit("units_damaged", {"space": zone, "damage": damage, "why": "kamikaze"}, rules)
        rising = [unit.id for unit in own if unit.aboard in damage]
        if rising:
            game.emit("units_unloaded", {"units": rising, "from": zone, "to": zone, "why": "airborne"}, rules)
    if sunk:
        airborne = [unit.id for unit in own]
        remove_units(game, zone, sunk, "kamikaze", rules, airborne=airborne)
