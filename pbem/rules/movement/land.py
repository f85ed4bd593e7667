"""How land units move over land: stopping at enemies, blitzing, mechanized infantry beside tanks; guns and cargo.

Both move phases are here; what must be fought for is refused in the noncombat move and asked for at the end of the
combat move (`combat_checks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.guardians import take_over
from pbem.rules.movement.neutrals import is_neutral_ground, neutral_ground, neutral_stops, pay_toll
from pbem.rules.movement.paths import completed, move_all, travelled
from pbem.rules.movement.picks import resolve
from pbem.rules.movement.ready import COMBAT, may_still_move
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Pick
from pbem.rules.query import can, is_land
from pbem.rules.ruleset import RuleSet


def march(sketch: Sketch, picks: Sequence[Pick], path: Sequence[str]) -> Refusal | None:
    """Land units go along a path of territories (P40-1.3.1, P40-4.2.1-4.2.8; P40-7.2-7.4).

    A blitz may lead back to where it began (P40-4.2.8); guns go one space, in the noncombat move only (P40-7.4).
    A piece attacks where its move ends and nowhere else (S42-4.2.7); who came ashore goes no farther (S42-4.2.6).
    """
    whole = completed(sketch, path, lambda space: _friendly(sketch, space), 6)
    if isinstance(whole, Refusal) and sketch.phase == COMBAT:
        # No way among friends: a blitz may be meant.
        whole = completed(sketch, path, lambda space: _friendly(sketch, space) or _empty(sketch, space), 6)
    if isinstance(whole, Refusal):
        return _no_way(sketch, picks, path, whole)
    chosen = resolve(
        sketch.rules,
        sketch.state,
        sketch.power,
        picks,
        path[0],
        lambda unit: _may_march(sketch, unit, whole),
        [unit for unit in sketch.here(path[0]) if is_land(sketch.rules, unit)],
    )
    if isinstance(chosen, Refusal):
        return chosen
    refusal = _paired(sketch, chosen, whole)
    if refusal is not None:
        return refusal
    refusal = pay_toll(sketch, whole[1:])
    if refusal is not None:
        return refusal
    blitzed = _to_blitz(sketch, whole)
    topics = ["blitz", "pairing"] if blitzed else _topics(sketch, chosen, whole)
    move_all(sketch, chosen, whole, cites(sketch.rules, *topics))
    for territory in (*blitzed, *neutral_ground(sketch, whole[1:])):
        sketch.capture(territory, chosen)
    if sketch.phase != COMBAT:
        take_over(sketch, whole[-1], chosen)
    return None


def _no_way(sketch: Sketch, picks: Sequence[Pick], path: Sequence[str], known: Refusal) -> Refusal:
    """No way leads there: told with what else is wrong (too few pieces), and how land units cross the sea."""
    reason, suggestion = known.reason, known.suggestion
    afoot = [unit for unit in sketch.here(path[0]) if is_land(sketch.rules, unit) and unit.aboard is None]
    found = resolve(sketch.rules, sketch.state, sketch.power, picks, path[0], among=afoot)
    if isinstance(found, Refusal):
        reason = f"{reason} Besides, {found.reason}"
    zones = [zone for zone in sketch.board.seas_beside(path[0]) if zone in sketch.board.seas_beside(path[-1])]
    if sketch.board.seas_beside(path[0]) and sketch.board.seas_beside(path[-1]) and len(path) == 2:
        zone = sketch.name(zones[0]) if zones else "SEA ZONE"
        suggestion = (
            f"Across the sea units go aboard transports: `load UNITS {sketch.name(path[0])} -> {zone}`, then "
            f"`unload UNITS {zone} -> {sketch.name(path[-1])}`."
        )
    return replace(known, reason=reason, suggestion=suggestion)


def _topics(sketch: Sketch, chosen: Sequence[str], path: Sequence[str]) -> list[str]:
    """What is special about a march in the noncombat move: into land taken in this turn, and of guns."""
    if sketch.phase == COMBAT:
        return []
    topics = ["into_taken"] if any(marks.taken(space) in sketch.state.marks for space in path[1:]) else []
    return topics + (["guns_march"] if any(sketch.can(sketch.unit(one), "anti_air") for one in chosen) else [])


def _may_march(sketch: Sketch, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Whether one piece may go this way (pairing is asked of the group)."""
    rules = sketch.rules
    refusal = may_still_move(sketch, unit)
    if refusal is not None:
        return refusal
    whole = travelled(sketch, unit, path)
    if len(path) - 1 > sketch.points(unit):
        return out_of_reach(sketch, unit, path)
    for place, space in enumerate(whole[1:], start=1):
        closed = rules.judge("closed_to", sketch.state, sketch.power, unit, space)
        if closed is not None:
            return closed if isinstance(closed, Refusal) else None
        last = place == len(whole) - 1
        if is_neutral_ground(sketch, space) and not last:
            return neutral_stops(sketch, space)
        if not _hostile(sketch, space):
            continue
        if sketch.phase != COMBAT:
            return refuse(
                rules,
                "not_hostile",
                f"{sketch.name(space)} is hostile; in the noncombat move land units enter friendly territory only.",
                "Attack it in the combat move.",
            )
        attack = rules.judge("may_attack", sketch.state, sketch.power, space)
        if isinstance(attack, Refusal):
            return attack
        if not last:
            stopped = _must_stop(sketch, unit, space)
            if stopped is not None:
                return stopped
    return None


def _empty(sketch: Sketch, space: str) -> bool:
    """Whether a hostile territory can be blitzed: nothing there stops a tank (P40-4.2.5)."""
    return _hostile(sketch, space) and not _in_the_way(sketch, space)


def _in_the_way(sketch: Sketch, space: str) -> list[str]:
    """Names of what stops a land unit in a hostile territory: enemy units, guns and facilities (P40-4.2.5).

    Where the parameter `blitz_past_guns` is set, guns and facilities do not (CLA-5.3.2).
    """
    table, held = sketch.board.units, sketch.state.spaces.get(space)
    past_guns = bool(sketch.rules.parameters.get("blitz_past_guns"))
    standing = [table[kind].name.lower() for kind, _ in (held.facilities if held and not past_guns else ())]
    enemies = [enemy for enemy in sketch.enemies_in(space) if not (past_guns and sketch.can(enemy, "anti_air"))]
    return standing + [table[enemy.kind].name.lower() for enemy in enemies]


def _must_stop(sketch: Sketch, unit: Unit, space: str) -> Refusal | None:
    """Why a piece may not go on through a hostile territory (P40-4.2.2, 4.2.3, 4.2.5)."""
    rules, name = sketch.rules, sketch.name(space)
    standing = _in_the_way(sketch, space)
    if standing:
        return refuse(
            rules,
            "stop_at_units",
            f"{name} holds an enemy {standing[0]}: a land unit that enters it must stop there.",
            f"End the move in {name}.",
        )
    if rules.judge("blitzes", sketch.state, unit):
        return None
    return refuse(
        rules, "stop_at_border", f"{name} is hostile: only tanks go on through it.", f"End the move in {name}."
    )


def blitzes(rules: RuleSet, state: State, unit: Unit) -> bool:
    """Whether a piece may go on through empty hostile territory (P40-4.2.5); some only beside a tank."""
    return can(rules, unit, "blitz") or can(rules, unit, "blitz_with_tank")


def _paired(sketch: Sketch, chosen: Sequence[str], path: Sequence[str]) -> Refusal | None:
    """One mechanized infantry for each tank that makes the same blitz (P40-1.3.3, P40-4.2.7)."""
    if not _to_blitz(sketch, path):
        return None
    units = [sketch.unit(unit_id) for unit_id in chosen]
    followers = [u for u in units if sketch.can(u, "blitz_with_tank") and not sketch.can(u, "blitz")]
    leaders = [u for u in units if sketch.can(u, "blitz")]
    if len(followers) <= len(leaders):
        return None
    through = sketch.name(_to_blitz(sketch, path)[0])
    return refuse(
        sketch.rules,
        "pairing",
        f"{len(followers)} mechanized infantry need as many tanks on the same way to pass through {through}; "
        f"this move has {len(leaders) or 'none'}.",
        f"Stop in {through}, or send a tank along in the same line.",
    )


def _to_blitz(sketch: Sketch, path: Sequence[str]) -> list[str]:
    """Hostile territories on the way that are not its end (and its start, when a move goes on from one)."""
    if sketch.phase != COMBAT:
        return []
    return [space for space in path[:-1] if _hostile(sketch, space)]


def out_of_reach(sketch: Sketch, unit: Unit, path: Sequence[str]) -> Refusal:
    """The way is longer than the piece may still go (P40-4.1.3, P40-4.1.6)."""
    left = sketch.points(unit)
    kind = sketch.rules.board.units[unit.kind].name.lower()
    before = unit.mark(marks.FROM)
    ashore = is_land(sketch.rules, unit) and before is not None and sketch.board.spaces[str(before)].is_sea
    if ashore and unit.mark(marks.MOVED) == sketch.phase and cites(sketch.rules, "shipped"):
        return refuse(
            sketch.rules,
            "shipped",
            f"This {kind} came ashore in {sketch.name(path[0])} in this turn: being shipped is its whole move.",
        )
    topic = f"reach_{sketch.rules.board.units[unit.kind].domain}"
    narrower = f"{topic}_{sketch.phase}"
    return refuse(
        sketch.rules,
        narrower if cites(sketch.rules, narrower) else topic,
        f"From {sketch.name(path[0])} to {sketch.name(path[-1])} is {_spaces(len(path) - 1)}; this {kind} has "
        f"{left if left > 0 else 'no'} movement left.",
        f"End the move after {_spaces(left)}." if left > 0 else None,
    )


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _friendly(sketch: Sketch, space: str) -> bool:
    return bool(sketch.rules.judge("friendly_territory", sketch.state, sketch.power, space))


def _hostile(sketch: Sketch, space: str) -> bool:
    return bool(sketch.rules.judge("hostile_territory", sketch.state, sketch.power, space))
