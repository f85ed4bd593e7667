"""What the classic game adds to the two move phases: rockets, fighters that leave decks first, restricted powers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.board.state import State, Unit
from pbem.games.classic import flak, rockets, sent_again
from pbem.games.classic.board import PANAMA
from pbem.games.classic.parameters import PIECES_IN_THE_BOX
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.auto_landing import land_the_rest
from pbem.rules.movement.berths import Berth
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.combat_move import combat_move as common_combat_move
from pbem.rules.movement.landings import landing_cargo
from pbem.rules.movement.noncombat import make_moves
from pbem.rules.movement.picks import domain_of
from pbem.rules.movement.planning import Done, Fault
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Bombard, IgnoreHere, Move, NothingTo, Rocket, Unload, from_json, to_json
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game


def combat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 3 (CLA-5.1.1): all combat moves together, then the rocket that is to be fired (CLA-D03, CLA-D04)."""
    lines = list(_ready(game, filed))
    lines = list(_not_held_back(game, lines))
    launching = [line for line in lines if isinstance(line.order, Rocket)]
    common_combat_move(game, [line for line in lines if line not in launching])
    for line in launching:
        rockets.order_rocket(game, line)


def noncombat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 5 (CLA-8.1): moves and landings; guns fire at these flights only where the option says so (CLA-5.6.5).

    Moves that became impossible because ships got out of a battle are sent again, before aircraft land (CLA-14.2).
    """
    lines = list(_ready(game, filed))
    stopped = sent_again.stopped_moves(game, lines)
    make_moves(game, [line for index, line in enumerate(lines) if index not in stopped.lines])
    if stopped.lines:
        make_moves(game, list(_ready(game, sent_again.send_again(game, lines, stopped))))
    land_the_rest(game)
    if game.rules.parameter("always_active_aa"):
        flak.fire_at_passing(game, marks.MOVED, "noncombat_move")


def _ready(game: Game, filed: Sequence[Filed]) -> Iterator[Filed]:
    """The lines as the board has its spaces, those first that leave decks: their carriers sail after (CLA-5.4.3)."""
    lines = [_on_this_board(game, line) for line in filed]
    yield from (line for line in lines if _leaves_deck(game, line))
    yield from (line for line in lines if not _leaves_deck(game, line))


def _leaves_deck(game: Game, line: Filed) -> bool:
    order = line.order
    if not isinstance(order, Move) or not game.board.spaces[order.path[0]].is_sea:
        return False
    return all(domain_of(game.rules, pick) == "air" for pick in order.units)


def _on_this_board(game: Game, line: Filed) -> Filed:
    """Where the two zones at Panama are one, a line may still name either (CLA-1.2.11)."""
    kept, gone = PANAMA
    if gone in game.board.spaces:
        return line
    order = json.loads(json.dumps(to_json(line.order)).replace(f'"{gone}"', f'"{kept}"'))
    if "path" in order:
        order["path"] = [s for i, s in enumerate(order["path"]) if i == 0 or s != order["path"][i - 1]]
    return Filed(line.power, line.text, from_json(order))


def _not_held_back(game: Game, lines: Sequence[Filed]) -> Iterator[Filed]:
    """A battleship cannot be kept out of the sea battle of its landing to save its shot (CLA-6.6.6)."""
    for line in lines:
        order = line.order
        if (
            isinstance(order, IgnoreHere)
            and any(pick.kind == "battleship" for pick in order.units)
            and any(isinstance(other.order, Unload | Bombard) for other in lines)
        ):
            name = game.board.spaces[order.space].name
            wrong = f"A battleship in {name} fights the sea battle there; it is not held back to support a landing."
            game.refuse(line, "combat_move", refuse(game.rules, "held_back", wrong, "Leave the line out."))
        else:
            yield line


# -- faults of a phase as a whole -------------------------------------------------------------------------------------


def move_faults(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Lines that break a rule of options: powers that may not attack yet, more stacks than pieces in the box."""
    found = (
        _restricted, _raids_on_own_land, _loaded_among_enemies, _second_guns, _too_many_stacks, sent_again.others_moved,
    )  # fmt: skip
    return [fault for faults in found for fault in faults(sketch, done)]


def _restricted(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """The USSR makes no combat move in round 1 (option `russia_restricted`); its other moves are free."""
    if sketch.rules.parameter("russia_restricted") == "off" or sketch.phase != COMBAT:
        return []
    if sketch.power != "ussr" or sketch.state.round != 1:
        return []
    wrong = refuse(
        sketch.rules,
        "russia_restricted",
        "In this campaign the Soviet Union makes no combat move in round 1.",
        "Move in the noncombat move: write `noncombat:` before the line.",
    )
    return [Fault(line.filed, wrong) for line in done if not isinstance(line.filed.order, NothingTo)]


def _raids_on_own_land(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """No bomber raids a complex that own armor takes in passing in the same move: it is own then (CLA-5.3.4, 6.2.1)."""
    faults: list[Fault] = []
    for line in done if sketch.phase == COMBAT else ():
        raiders = [sketch.unit(unit) for unit in line.units if sketch.unit(unit).mark(marks.JOB) == "raid"]
        lost = [unit for unit in raiders if not _hostile(sketch, unit.space)]
        if lost:
            name = sketch.name(lost[0].space)
            wrong = f"{name} is taken in this very move; there is no enemy complex to bomb."
            faults.append(Fault(line.filed, refuse(sketch.rules, "raiders", wrong), (lost[0].space,)))
    return faults


def _loaded_among_enemies(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Who boards in a hostile zone does so for an assault from that very zone (CLA-5.9.7)."""
    faults: list[Fault] = []
    for line in done if sketch.phase == COMBAT else ():
        boarded = [deed.payload for deed in line.deeds if deed.type == "units_loaded"]
        for row in boarded:
            zone = str(row["zone"])
            if zone not in sketch.hostile or all(sketch.unit(unit).space == zone for unit in row["units"]):
                continue
            name = sketch.name(zone)
            wrong = f"{name} is hostile: units board there only for an assault from {name} itself."
            faults.append(Fault(line.filed, refuse(sketch.rules, "load_hostile", wrong), (zone,)))
            break
    return faults


def _hostile(sketch: Sketch, space: str) -> bool:
    return bool(sketch.rules.judge("hostile_territory", sketch.state, sketch.power, space))


def _second_guns(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Two guns do not end in one territory, but for the third edition (CLA-8.7, CLA-5.6.6)."""
    if sketch.rules.parameter("multiple_aa"):
        return []
    faults: list[Fault] = []
    for line in done:
        for gun in (sketch.unit(unit) for unit in line.units if sketch.can(sketch.unit(unit), "anti_air")):
            there = [
                other for other in sketch.here(gun.space) if sketch.can(other, "anti_air") and other.aboard is None
            ]
            if gun.aboard is None and len(there) > 1:
                name = sketch.name(gun.space)
                wrong = f"{name} has an antiaircraft gun; a second one does not end its move there."
                faults.append(Fault(line.filed, refuse(sketch.rules, "guns_march", wrong), (gun.space,)))
                break
    return faults


def _too_many_stacks(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """No power has more stacks of a kind than the box has pieces of it (CLA-1.3.2, option `piece_limit`)."""
    if sketch.rules.parameter("piece_limit") != "box":
        return []
    faults: list[Fault] = []
    for kind, limit in PIECES_IN_THE_BOX.items():
        if stacks(sketch.state.units.values(), sketch.power, kind) <= limit:
            continue
        splitting = [line for line in done if any(sketch.unit(unit).kind == kind for unit in line.units)]
        if splitting:
            faults.append(Fault(splitting[-1].filed, stack_refusal(sketch.rules, kind, limit, refuse)))
    return faults


def stacks(units: Iterable[Unit], power: str, kind: str) -> int:
    """In how many spaces a power has units of a kind."""
    return len({unit.space for unit in units if unit.owner == power and unit.kind == kind})


def stack_refusal(rules: RuleSet, kind: str, limit: int, cite: Callable[..., Refusal]) -> Refusal:
    """Why one more stack of a kind is refused."""
    name = rules.board.units[kind].name.lower()
    return cite(
        rules, "piece_limit", f"The box has {limit} pieces of {name} for a power; they stand in as many places."
    )


def supports_by_default(game: Game) -> None:
    """Battleships told nothing fire at the landing with most defenders (CLA-D13, CLA-6.6.1)."""
    sketch = Sketch(game.rules, game.state, game.state.power or "", COMBAT)
    cargo = landing_cargo(sketch)
    for zone in dict.fromkeys(unit.space for unit in cargo):
        targets = list(dict.fromkeys(str(unit.mark(marks.LANDING)) for unit in cargo if unit.space == zone))
        if len(targets) < 2 or zone in sketch.hostile:
            continue
        told = {ship for target in targets for ship in sketch.state.marks.get(marks.bombarders(target), ())}
        free = [u.id for u in sketch.own_in(zone) if sketch.can(u, "shore_bombard") and u.id not in told]
        silent = [target for target in targets if sketch.state.marks.get(marks.bombarders(target)) != []]
        if not free or not silent:
            continue
        best = min(silent, key=lambda target: (-len(sketch.enemies_in(target)), sketch.name(target)))
        for target in silent:
            known = sketch.state.marks.get(marks.bombarders(target), ())
            value = [*known, *(free if target == best else [])]
            game.emit("mark_set", {"key": marks.bombarders(target), "value": value})


def nearest_first(rules: RuleSet, state: State, unit: Unit, berths: Sequence[Berth]) -> list[Berth]:
    """Where aircraft land that no line brought home: the nearest legal place, among equals by name (CLA-D17)."""
    return sorted(berths, key=lambda berth: (berth.distance, rules.board.spaces[berth.space].name))
