"""Combat air patrol: fighters that watch a sea zone through the enemies' turns, and where they land afterwards.

A fighter on patrol stands in the zone with the mark `cap`, which names the territory it was launched from. What the
patrol does to ships that enter is told in `zones`, how it fights in the sea battle. It defends the zone with the ships
there, never the territory (P01-8.3.7); enemy aircraft may attack it or fly past (P01-8.3.6, P01-5.3.10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.movement.berths import Berth, decks_in
from pbem.rules.movement.picks import fits, resolve
from pbem.rules.order_model import CombatAirPatrol, LandAircraft, NothingTo, Order
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

LAND_CAP = "land_cap"


# -- coming down ----------------------------------------------------------------------------------------------------


def land_patrols(game: Game, filed: Sequence[Filed], phase: str = LAND_CAP) -> None:
    """Every fighter that the active power has on patrol lands (P01-4.1.1, P01-8.3.8).

    Landing costs no movement (P01-4.1.4); who finds no place is lost (P01-4.1.3).
    """
    power = game.state.power or ""
    for line in filed:
        if isinstance(line.order, LandAircraft):
            _land_line(game, line, line.order, phase)
        elif not isinstance(line.order, NothingTo):
            wrong = refuse(game.rules, "land_cap", "Here fighters on patrol land, and nothing else is done.")
            game.refuse(line, phase, wrong)
    wanted = _ask(game, power)
    for unit_id in _on_patrol(game.state, power):
        berths = berths_of(game.rules, game.state, game.state.units[unit_id])
        if berths:
            said = wanted.get(unit_id)
            _come_down(game, unit_id, next((berth for berth in berths if said in (berth.space, berth.deck)), berths[0]))
        else:
            zone = game.state.units[unit_id].space
            lost = {"space": zone, "units": [unit_id], "why": "nowhere_to_land"}
            game.emit("units_removed", lost, cites(game.rules, "cap_lost"))


def _ask(game: Game, power: str) -> Mapping[str, str]:
    """Where the fighters still in the air shall land, from answers and standing orders; {fighter: place}."""
    zones: dict[str, list[str]] = {}
    for unit_id in _on_patrol(game.state, power):
        zones.setdefault(game.state.units[unit_id].space, []).append(unit_id)
    decisions = [_decision(game, power, zone, fighters) for zone, fighters in zones.items()]
    answers = game.ask(decisions)
    return {unit_id: place for decision in decisions for unit_id, place in answers[decision.key].items()}


def _decision(game: Game, power: str, zone: str, fighters: Sequence[str]) -> Decision:
    options = {unit_id: berths_of(game.rules, game.state, game.state.units[unit_id]) for unit_id in fighters}

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        chosen: dict[str, str] = {}
        refused: list[tuple[int, Refusal]] = []
        for index, order in enumerate(orders):
            if isinstance(order, LandAircraft):
                wrong = _assign(game, power, order, options, chosen)
                if wrong is not None:
                    refused.append((index, wrong))
        return chosen, refused

    return Decision(
        key=f"land_cap/{power}/{zone}",
        power=power,
        kind="land",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=dict,
        space=zone,
        rules=cites(game.rules, "land_cap"),
        public={"units": list(fighters)},
        has_choice=any(len(berths) > 1 for berths in options.values()),
    )


def _assign(
    game: Game, power: str, order: LandAircraft, options: Mapping[str, Sequence[Berth]], chosen: dict[str, str]
) -> Refusal | None:
    """Which of the fighters an answer sends where."""
    for pick in order.units:
        fitting = [
            unit_id for unit_id in options
            if unit_id not in chosen and fits(game.rules, game.state, game.state.units[unit_id], pick, power)
        ]  # fmt: skip
        for unit_id in fitting if pick.count is None else fitting[: pick.count]:
            if not any(order.to in (berth.space, berth.deck) for berth in options[unit_id]):
                zone, goal = game.board.spaces[order.space].name, game.board.spaces[order.to].name
                return _nowhere(game, zone, goal, options[unit_id])
            chosen[unit_id] = order.to
    return None


def _on_patrol(state: State, power: str) -> list[str]:
    return [unit.id for unit in state.units.values() if unit.owner == power and unit.mark(marks.CAP)]


def berths_of(rules: RuleSet, state: State, unit: Unit) -> list[Berth]:
    """Where a fighter on patrol may land, the default first (P01-4.1.2, P01-4.1.5, P01-4.1.6, P01-D04).

    Friendly territories beside or inside its zone, as control stands now, or friendly carriers with room in it.
    """
    home = unit.mark(marks.CAP)
    lands = [
        land
        for land in rules.board.lands_beside(unit.space)
        if rules.judge("friendly_territory", state, unit.owner, land)
        and rules.judge("closed_to", state, unit.owner, unit, land) is None
    ]
    lands.sort(key=lambda land: (land != home, rules.board.spaces[land].name))
    return [*(Berth(land) for land in lands), *decks_in(rules, state, unit.owner, {unit.space: 0})]


def _land_line(game: Game, line: Filed, order: LandAircraft, phase: str) -> None:
    """`land 1 fighter Sea Zone 25 -> Guam`."""
    rules, state = game.rules, game.state
    there = [unit for unit in state.units_in(order.space) if unit.mark(marks.CAP) and unit.owner == line.power]
    name = game.board.spaces[order.space].name
    if not there:
        game.refuse(line, phase, refuse(rules, "land_cap", f"You have no fighter on patrol in {name}."))
        return
    for pick in order.units:
        fitting = [unit.id for unit in there if fits(rules, state, unit, pick, line.power) and unit.id in _left(game)]
        wanted = len(fitting) if pick.count is None else pick.count
        if wanted > len(fitting):
            few = refuse(rules, "land_cap", f"Only {len(fitting)} of your fighters are on patrol in {name}.")
            game.refuse(line, phase, few)
            return
        for unit_id in fitting[:wanted]:
            options = berths_of(rules, game.state, game.state.units[unit_id])
            berth = next((one for one in options if order.to in (one.space, one.deck)), None)
            if berth is None:
                goal = game.board.spaces[order.to].name if order.to in game.board.spaces else order.to
                game.refuse(line, phase, _nowhere(game, name, goal, options))
                return
            _come_down(game, unit_id, berth)


def _nowhere(game: Game, zone: str, goal: str, options: Sequence[Berth]) -> Refusal:
    open_to = ", ".join(game.board.spaces[berth.space].name for berth in options)
    return refuse(
        game.rules,
        "cap_berth",
        f"A fighter on patrol in {zone} cannot land in {goal}: it needs a friendly territory beside that zone or a "
        "friendly carrier with room in it.",
        f"It may land in {open_to}." if open_to else None,
    )


def _left(game: Game) -> set[str]:
    return {unit.id for unit in game.state.units.values() if unit.mark(marks.CAP)}


def _come_down(game: Game, unit_id: str, berth: Berth) -> None:
    zone = game.state.units[unit_id].space
    cited = cites(game.rules, "land_cap", "cap_berth")
    if berth.deck is not None:
        landed: dict[str, Any] = {"units": [unit_id], "onto": berth.deck, "from": zone, "zone": zone}
        game.emit("units_loaded", {**landed, "marks": {marks.CAP: None}}, cited)
    else:
        moved = {"units": [unit_id], "from": zone, "to": berth.space, "marks": {marks.CAP: None}}
        game.emit("units_moved", moved, cited)


# -- going up -------------------------------------------------------------------------------------------------------


def send_patrols(game: Game, filed: Sequence[Filed], phase: str) -> None:
    """Lines that put fighters on patrol; nobody patrols without one (P01-D18)."""
    for line in filed:
        if isinstance(line.order, CombatAirPatrol):
            _send(game, line, line.order, phase)


def _send(game: Game, line: Filed, order: CombatAirPatrol, phase: str) -> None:
    rules, state = game.rules, game.state
    wrong = _zone_refusal(rules, state, line.power, order)
    if wrong is not None:
        game.refuse(line, phase, wrong)
        return
    here = [unit for unit in state.units_in(order.space) if rules.board.units[unit.kind].domain == "air"]
    chosen = resolve(
        rules, state, line.power, order.units, order.space, lambda unit: _may_patrol(rules, unit, line.power), here
    )
    if isinstance(chosen, Refusal):
        game.refuse(line, phase, chosen)
        return
    noted = {marks.CAP: order.space, marks.MOVED: phase, marks.START: order.space}
    spent = max(rules.board.units[state.units[one].kind].move for one in chosen) if phase == "noncombat_move" else 0
    if not spent:
        noted = {marks.CAP: order.space}
    game.emit(
        "units_moved",
        {"units": list(chosen), "from": order.space, "to": order.zone, "spent": spent, "marks": noted,
         "why": "patrol"},
        cites(rules, "cap_set"),
    )  # fmt: skip


def _zone_refusal(rules: RuleSet, state: State, power: str, order: CombatAirPatrol) -> Refusal | None:
    """Why nobody may go on patrol from that space over that zone."""
    space, zone = rules.board.spaces[order.space], rules.board.spaces[order.zone]
    if space.is_sea:
        return refuse(rules, "cap_deck", "Patrols start from land; fighters on carriers do not fly them.")
    if not zone.is_sea or not rules.board.adjacent(space.id, zone.id):
        return refuse(rules, "cap_set", f"{zone.name} is no sea zone beside {space.name}; patrols fly next door only.")
    barred: Refusal | None = rules.judge("bars_patrol", state, power, zone.id)
    return barred


def bars_patrol(rules: RuleSet, state: State, power: str, zone: str) -> Refusal | None:
    """A patrol is not set in a hostile zone; submerged submarines do not matter (P01-8.3.3)."""
    if not rules.judge("hostile_zone", state, power, zone):
        return None
    name = rules.board.spaces[zone].name
    return refuse(rules, "cap_hostile", f"Enemies are in {name}: no patrol is set there.", "Clear the zone first.")


def _may_patrol(rules: RuleSet, unit: Unit, power: str) -> Refusal | None:
    """Fighters on land that neither moved nor fought in this turn (P01-8.3.1, P01-8.3.9, P01-8.3.10)."""
    name = rules.board.units[unit.kind].name.lower()
    if unit.owner != power:
        return refuse(rules, "cap_set", f"That {name} is not yours.")
    if not can(rules, unit, "combat_air_patrol"):
        return refuse(rules, "cap_bomber", f"A {name} does not fly patrols; fighters do.")
    if unit.spent or unit.mark(marks.MOVED) is not None or unit.mark(marks.FOUGHT):
        return refuse(rules, "cap_set", f"This {name} moved or fought in this turn; only one that did neither patrols.")
    return None
