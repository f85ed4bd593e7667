"""Who carries what: room aboard transports and carriers, and which ships a line means when it names their cargo.

Plain facts of loading; who may load or unload when is in `transports`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.picks import Legal, by_preference, described, fits, too_few
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Pick
from pbem.rules.query import names
from pbem.rules.ruleset import RuleSet


def unloading_key(ship: str) -> str:
    """Mark of the turn: where an ally's transport unloads (own transports carry the mark themselves)."""
    return f"turn/unloading/{ship}"


def unloading_to(state: State, ship: Unit) -> str | None:
    """The territory into which a transport unloads or unloaded in this turn (P40-4.6.5, P40-4.6.7)."""
    own: str | None = ship.mark(marks.UNLOADED_TO)
    other: str | None = state.marks.get(unloading_key(ship.id))
    return own or other


def is_transport(rules: RuleSet, unit: Unit) -> bool:
    """Whether land units can board this ship; `loads_for` in the table names the powers whose ships do (P01-5.6.2)."""
    kind = rules.board.units[unit.kind]
    return kind.figure("transport_capacity") > 0 and unit.owner in kind.data.get("loads_for", (unit.owner,))


def is_carrier(rules: RuleSet, unit: Unit) -> bool:
    """Whether aircraft can stand on this ship."""
    return rules.board.units[unit.kind].figure("carrier_capacity") > 0


def fits_aboard(rules: RuleSet, ship: Unit, cargo: Iterable[Unit]) -> bool:
    """Whether all this fits together on one transport: any land unit and one infantry (P40-1.3.13).

    Pacific 1940 says so by P40-13-A12.

    `loads_only` in the table narrows the kinds that a ship takes (P01-5.6.1).
    """
    table = rules.board.units
    only = table[ship.kind].data.get("loads_only")
    used = 0
    for unit in cargo:
        size = table[unit.kind].figure("transport_cost")
        if not size or (only is not None and unit.kind not in only):
            return False
        used += size
    return used <= table[ship.kind].figure("transport_capacity")


def deck_room(rules: RuleSet, ship: Unit, aboard: Iterable[Unit]) -> int:
    """How many more aircraft an undamaged carrier takes (P40-1.3.10); none while it is damaged."""
    table = rules.board.units[ship.kind]
    if ship.damage and table.can("damaged_blocks_flight_ops"):
        return 0
    used = sum(rules.board.units[unit.kind].figure("carrier_cost", 1) for unit in aboard)
    return max(0, table.figure("carrier_capacity") - used)


def ships_with_cargo(
    sketch: Sketch, ship_picks: Sequence[Pick], cargo_picks: Sequence[Pick], here: Sequence[Unit], legal: Legal
) -> tuple[str, ...] | Refusal:
    """The ships that a line means by naming what is aboard: as few as needed, with as little else aboard as possible.

    Without a ship named, the ships that carry exactly this; with more ships named than the cargo needs, the rest by
    the usual preference.
    """
    named = [pick for pick in ship_picks if pick.kind != "sea"]
    candidates = [
        ship
        for ship in by_preference(here)
        if ship.owner == sketch.power
        and (not ship_picks or any(fits(sketch.rules, sketch.state, ship, pick, sketch.power) for pick in ship_picks))
    ]
    wanted = {index: pick.count for index, pick in enumerate(cargo_picks)}
    aboard = {ship.id: sketch.cargo(ship.id) for ship in candidates}
    chosen: list[str] = []
    refused: Refusal | None = None
    left = list(candidates)
    while any(count is None or count > 0 for count in wanted.values()):
        best: tuple[tuple[int, int], Unit, dict[int, int]] | None = None
        for ship in left:
            useful, excess = _counted(sketch, aboard[ship.id], cargo_picks, wanted)
            gain = sum(useful.values())
            if not gain:
                continue
            refusal = legal(ship)
            if refusal is not None:
                refused = refused or refusal
                continue
            score = (-excess, gain)
            if best is None or score > best[0]:
                best = (score, ship, useful)
        if best is None:
            break
        _, ship, useful = best
        chosen.append(ship.id)
        left.remove(ship)
        for index, count in useful.items():
            known = wanted[index]
            wanted[index] = known if known is None else known - count
    for index, pick in enumerate(cargo_picks):
        missing = wanted[index]
        if missing and missing > 0:
            if refused is not None:
                return refused
            there = (pick.count or 0) - missing
            space = here[0].space if here else ""
            if not space:
                return refuse(sketch.rules, "borders", "There is no ship here that could carry this.")
            return too_few(sketch.rules, sketch.state, sketch.power, pick, space, there)
    return _named_number(sketch, named, chosen, left, legal)


def _named_number(
    sketch: Sketch, named: Sequence[Pick], chosen: list[str], left: Sequence[Unit], legal: Legal
) -> tuple[str, ...] | Refusal:
    """As many ships as were named: empty or other ones are added, more than were named is a mistake."""
    for pick in named:
        have = [i for i in chosen if fits(sketch.rules, sketch.state, sketch.unit(i), pick, sketch.power)]
        if pick.count is not None and len(have) > pick.count:
            carried = names(sketch.rules, [unit for ship in have for unit in sketch.cargo(ship)])
            return refuse(
                sketch.rules,
                "capacity",
                f"{pick.count} {described(sketch.rules, pick)} cannot carry that: the cargo is spread over {len(have)} "
                f"ships ({carried}).",
                f"Order {len(have)} {described(sketch.rules, pick)}.",
            )
        for ship in left:
            if pick.count is not None and len(have) >= pick.count:
                break
            if not fits(sketch.rules, sketch.state, ship, pick, sketch.power) or ship.id in chosen:
                continue
            refusal = legal(ship)
            if refusal is None:
                chosen.append(ship.id)
                have.append(ship.id)
        if pick.count is not None and len(have) < pick.count:
            if not left and not chosen:
                return refuse(sketch.rules, "borders", "There is no ship here that could sail.")
            space = left[0].space if left else sketch.unit(chosen[0]).space
            return too_few(sketch.rules, sketch.state, sketch.power, pick, space, len(have))
    return tuple(chosen)


def _counted(
    sketch: Sketch, aboard: Sequence[Unit], picks: Sequence[Pick], wanted: dict[int, int | None]
) -> tuple[dict[int, int], int]:
    """How many of the wanted pieces are among those aboard, and how many others there are."""
    useful: dict[int, int] = {}
    excess = 0
    for unit in aboard:
        for index, pick in enumerate(picks):
            limit = wanted[index]
            if fits(sketch.rules, sketch.state, unit, pick, sketch.power) and (
                limit is None or useful.get(index, 0) < limit
            ):
                useful[index] = useful.get(index, 0) + 1
                break
        else:
            excess += 1
    return useful, excess
