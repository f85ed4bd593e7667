"""Action S3, Fuel Task Forces: ships of the pool and the seas around become a force with its cargo, for oil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.board.state import State, Unit
from pbem.games.p01.parameters import JAPAN
from pbem.games.p01.wwm.cargo import Stowage, stow
from pbem.games.p01.wwm.composition import composition_refusal, limits_refusal
from pbem.games.p01.wwm.forces import (
    AMPHIBIOUS,
    BOMBARDMENT,
    CARRIER,
    EASTERN,
    FREE,
    KIDO_BUTAI_ZONE,
    force_of,
    is_capital,
    pool_of,
    surface_ships,
)
from pbem.games.p01.wwm.supply import in_supply, patrols_over
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import FormTaskForce, NothingTo, Pick
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

PHASE = "fuel_task_forces"
OIL = "oil"
EASTERN_START, EASTERN_HOME = "sz-36", "japan"


@dataclass(frozen=True, slots=True)
class Plan:
    """A force that can be formed: its ships, what each loads, and whether it costs oil and counts."""

    kind: str
    zone: str
    ships: tuple[Unit, ...]
    stowage: Stowage
    free: bool = False
    eastern: bool = False


def formed_key(power: str) -> str:
    """Mark of the campaign: {round, kinds: {kind: count}} of the forces formed in a turn."""
    return f"wwm/formed/{power}"


def formed_of(state: State, power: str) -> Mapping[str, int]:
    """How many forces of each kind a power has formed in this turn."""
    said: Mapping[str, object] = state.marks.get(formed_key(power), {})
    kinds = said.get("kinds", {}) if said.get("round") == state.round else {}
    assert isinstance(kinds, Mapping)
    return kinds


def fuel(game: Game, filed: Sequence[Filed]) -> None:
    """The seat's lines in order, each whole or refused (WWM-7.1, WWM-D06); silent, it forms none."""
    for line in filed:
        if isinstance(line.order, FormTaskForce):
            plan = plan_force(game.rules, game.state, line.power, line.order)
            if isinstance(plan, Refusal):
                game.refuse(line, PHASE, plan)
            else:
                form(game, line.power, plan)
        elif not isinstance(line.order, NothingTo):
            game.refuse(line, PHASE, refuse(game.rules, "form", "Here task forces are formed, and nothing else."))


# -- planning ---------------------------------------------------------------------------------------------------------


def plan_force(rules: RuleSet, state: State, power: str, order: FormTaskForce) -> Plan | Refusal:
    """What an order forms, or the first rule it breaks."""
    eastern = order.kind == EASTERN
    kind = AMPHIBIOUS if eastern else order.kind
    zone = KIDO_BUTAI_ZONE if eastern else order.zone or ""
    if kind not in (CARRIER, BOMBARDMENT, AMPHIBIOUS) or not rules.board.spaces[zone].is_sea:
        return refuse(rules, "form", "Name the kind of task force and the sea zone in which it forms.",
                      "`form carrier task force Sea Zone 36: 1 carrier from pool, 1 destroyer`")  # fmt: skip
    free = _kido_again(rules, power, kind, zone)
    wrong = _may_form(rules, state, power, kind, free) or (_eastern_refusal(rules, state, power) if eastern else None)
    if wrong is not None:
        return wrong
    counted = {pick.kind: pick.count for pick in order.units}
    if all(count is not None for count in counted.values()):
        told: dict[str, int] = {}
        for pick in order.units:
            told[pick.kind] = told.get(pick.kind, 0) + (pick.count or 0)
        wrong = composition_refusal(rules, kind, told, kido=free)
        if wrong is not None:
            return wrong
    if not eastern and not free:
        wrong = patrol_refusal(rules, state, power, zone)
        if wrong is not None:
            return wrong
    ships = _ships(rules, state, power, order.units, zone, eastern)
    if isinstance(ships, Refusal):
        return ships
    wrong = composition_refusal(rules, kind, _count(ships), kido=free)
    if wrong is not None:
        return wrong
    stowage = stow(rules, state, power, ships, zone, order.cargo, (EASTERN_START, EASTERN_HOME) if eastern else None)
    return stowage if isinstance(stowage, Refusal) else Plan(kind, zone, tuple(ships), stowage, free, eastern)


def _kido_again(rules: RuleSet, power: str, kind: str, zone: str) -> bool:
    """With the switch `kido_free` any carrier force formed in SZ 20 is as free as Kido Butai (WWM-8.12)."""
    always = rules.parameter("wwm_kido_free") == "always"
    return always and (power, kind, zone) == (JAPAN, CARRIER, KIDO_BUTAI_ZONE)


def _may_form(rules: RuleSet, state: State, power: str, kind: str, free: bool) -> Refusal | None:
    """The limits of the turn, and a marker of oil from the seat's own stock (WWM-7.1, WWM-7.2)."""
    if free:
        return None
    limit = limits_refusal(rules, power, kind, formed_of(state, power))
    if limit is not None:
        return limit
    if state.counter(power, OIL) < 1:
        return refuse(rules, "oil_short", "A task force costs one marker of oil, and you have none left.")
    return None


def _eastern_refusal(rules: RuleSet, state: State, power: str) -> Refusal | None:
    if rules.parameter("wwm_eastern") and power == JAPAN and state.round == 1:
        return None
    return refuse(rules, "eastern_when", "The Eastern Operation is Japan's on turn 1 only, where the option is chosen.")


def patrol_refusal(rules: RuleSet, state: State, power: str, zone: str) -> Refusal | None:
    """A force forms under a friendly patrol in supply (WWM-7.3, WWM-6.1)."""
    bases = patrols_over(rules, state, power, zone)
    name = rules.board.spaces[zone].name
    if not bases:
        return refuse(
            rules, "no_patrol", f"No friendly fighter patrols over {name}: no task force forms there.",
            "Set a patrol there when you deploy your air groups.",
        )  # fmt: skip
    if any(in_supply(rules, state, power, base) for base in bases):
        return None
    from_there = ", ".join(rules.board.spaces[base].name for base in dict.fromkeys(bases) if base in rules.board.spaces)
    return refuse(
        rules, "no_supply",
        f"The patrol over {name} comes from {from_there}, which no chain of bases, four spaces each, joins to a "
        "complex of your side: it is out of supply.",
    )  # fmt: skip


# -- ships ------------------------------------------------------------------------------------------------------------


def _ships(
    rules: RuleSet, state: State, power: str, picks: Sequence[Pick], zone: str, eastern: bool
) -> list[Unit] | Refusal:
    chosen: list[Unit] = []
    for pick in picks:
        kind = rules.board.units.get(pick.kind)
        if kind is None or kind.domain != "sea":
            return refuse(rules, "form", f"A task force consists of ships; {pick.kind} is none.")
        if kind.can("submerge"):
            return refuse(rules, "no_submarines", "Submarines never belong to a task force.", "Leave them out.")
        taken = {unit.id for unit in chosen}
        if eastern:
            found = _eastern_candidates(rules, state, power, pick)
        elif is_capital(pick.kind):
            found = _capitals(rules, state, power, pick, zone)
        else:
            found = _joining(rules, state, power, pick, zone)
        if isinstance(found, Refusal):
            return found
        free = [unit for unit in found if unit.id not in taken]
        wanted = len(free) if pick.count is None else pick.count
        if wanted > len(free) or not free:
            return _too_few(rules, state, power, pick, zone, len(free))
        chosen += free[:wanted]
    return chosen


def _own(state: State, power: str, kind: str, space: str | None = None) -> list[Unit]:
    return [
        unit
        for unit in state.units.values()
        if unit.owner == power and unit.kind == kind and (space is None or unit.space == space)
    ]


def _unassigned(state: State, units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if force_of(state, unit.id) is None]


def _capitals(rules: RuleSet, state: State, power: str, pick: Pick, zone: str) -> list[Unit]:
    """Capital ships are placed from the pool, or from wherever they lie outside a force (WWM-7.4, WWM-7.5)."""
    if pick.pool:
        return _own(state, power, pick.kind, pool_of(power))
    if pick.came_from is not None:
        return _unassigned(state, _own(state, power, pick.kind, pick.came_from))
    everywhere = _unassigned(state, _own(state, power, pick.kind))
    return sorted(everywhere, key=lambda unit: (unit.space != zone, unit.space != pool_of(power)))


def _joining(rules: RuleSet, state: State, power: str, pick: Pick, zone: str) -> list[Unit] | Refusal:
    """Destroyers and transports come from the zone itself or from one next to it (WWM-7.6)."""
    board = rules.board
    start = pick.came_from
    if start is not None and start != zone and not board.adjacent(start, zone):
        return refuse(
            rules, "joins",
            f"{board.spaces[start].name} is not next to {board.spaces[zone].name}: ships join by moving one zone at "
            "most.",
        )  # fmt: skip
    found: list[Unit] = []
    barred: Refusal | None = None
    for here in (zone, *board.seas_beside(zone)) if start is None else (start,):
        ships = _own(state, power, pick.kind, here)
        if ships and not _unassigned(state, ships):
            barred = barred or refuse(rules, "one_force", f"The ships in {board.spaces[here].name} belong to a task "
                                      "force already.")  # fmt: skip
        blocked = next((z for z in dict.fromkeys((here, zone)) if held_by_enemy(rules, state, power, z)), None)
        if ships and blocked is not None:
            barred = barred or refuse(
                rules, "joins_hostile",
                f"Enemy surface ships or a patrol are in {board.spaces[blocked].name}: no ship joins through it.",
            )  # fmt: skip
            continue
        found += _unassigned(state, ships)
    return barred if barred is not None and len(found) < (pick.count or 1) else found


def held_by_enemy(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a zone is hostile because of surface ships or a patrol; submarines are ignored (WWM-7.8)."""
    enemies = [
        unit for unit in state.units_in(zone) if state.at_war(power, unit.owner) and not unit.mark(marks.SUBMERGED)
    ]
    return bool(surface_ships(rules, enemies)) or any(unit.mark(marks.CAP) for unit in enemies)


def _eastern_candidates(rules: RuleSet, state: State, power: str, pick: Pick) -> list[Unit] | Refusal:
    """Ships of the Eastern Operation come from SZ 36; its escort may be the carrier of the pool (WWM-12.3)."""
    allowed = pool_of(power) if pick.kind == "carrier" else EASTERN_START
    elsewhere = pick.came_from not in (None, EASTERN_START, EASTERN_HOME, KIDO_BUTAI_ZONE)
    if pick.kind == "battleship" or elsewhere or (pick.pool and pick.kind != "carrier"):
        return refuse(
            rules, "eastern_from",
            "Ships of the Eastern Operation are destroyers and transports of Sea Zone 36, or the carrier of the pool.",
        )  # fmt: skip
    return _unassigned(state, _own(state, power, pick.kind, allowed))


def _too_few(rules: RuleSet, state: State, power: str, pick: Pick, zone: str, there: int) -> Refusal:
    called = rules.board.units[pick.kind]
    what = (called.name if there == 1 else called.plural).lower()
    assigned = [unit for unit in _own(state, power, pick.kind) if force_of(state, unit.id) is not None]
    topic = "one_force" if assigned else "from_pool" if is_capital(pick.kind) else "joins"
    where = (
        "off the map or outside a task force"
        if is_capital(pick.kind)
        else (f"in {rules.board.spaces[zone].name} or next to it")
    )
    return refuse(rules, topic, f"There are not so many ships for this force: {there or 'no'} {what} {where}.")


def _count(ships: Sequence[Unit]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for unit in ships:
        counts[unit.kind] = counts.get(unit.kind, 0) + 1
    return counts


# -- forming ----------------------------------------------------------------------------------------------------------


def form(game: Game, power: str, plan: Plan) -> None:
    """Cargo boards on the way, ships gather, cargo boards in the zone, oil is paid (WWM-7.1 to WWM-7.9).

    None of it costs movement (WWM-7.7). The force then lies in its zone, with or without its patrol, until its seat's
    tactical turn (WWM-7.15, WWM-7.17).
    """
    _load(game, plan.stowage.on_the_way)
    by_start: dict[str, list[Unit]] = {}
    for ship in plan.ships:
        if ship.space != plan.zone:
            by_start.setdefault(ship.space, []).append(ship)
    for start, ships in by_start.items():
        moved = {"units": [ship.id for ship in ships], "from": start, "to": plan.zone, "why": "task_force"}
        game.emit("units_moved", moved, cites(game.rules, _how(start, ships, plan)))
    _load(game, plan.stowage.in_zone)
    formed = dict(formed_of(game.state, power))
    number = sum(formed.values()) + 1
    if not plan.free:
        game.emit("counter_changed", {"power": power, "counter": OIL, "by": -1, "why": "task_force"},
                  cites(game.rules, "form"))  # fmt: skip
        formed[plan.kind] = formed.get(plan.kind, 0) + 1
        game.emit("mark_set", {"key": formed_key(power), "value": {"round": game.state.round, "kinds": formed}})
    group = f"{power}-{game.state.round}-{number}" if not plan.free else f"{power}-{game.state.round}-free"
    data = {"zone": plan.zone, **({FREE: True} if plan.free else {}), **({EASTERN: True} if plan.eastern else {})}
    force = {"group": group, "kind": plan.kind, "power": power, "space": plan.zone,
             "units": [ship.id for ship in plan.ships], "data": data}  # fmt: skip
    topics = ["form", "eastern"] if plan.eastern else ["kido_butai"] if plan.free else ["form", "in_supply"]
    game.emit("group_formed", force, cites(game.rules, *topics))


def _how(start: str, ships: Sequence[Unit], plan: Plan) -> str:
    if plan.eastern:
        return "eastern_from"
    if start.startswith("pool:"):
        return "from_pool"
    return "from_map" if any(is_capital(ship.kind) for ship in ships) else "joins"


def _load(game: Game, rows: Sequence[tuple[str, str, str]]) -> None:
    """(piece, ship, zone) rows: pieces go aboard."""
    for unit_id, ship, zone in rows:
        start = game.state.units[unit_id].space
        loaded = {"units": [unit_id], "onto": ship, "from": start, "zone": zone}
        game.emit("units_loaded", loaded, cites(game.rules, "loads"))
