"""Places where one aircraft may come down, in order of preference, and the events that put it there.

A berth is a territory or a carrier's deck. Who decides, and what happens without one, is with the callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.movement.citations import cites
from pbem.rules.movement.picks import fits
from pbem.rules.movement.shipping import deck_room, is_carrier
from pbem.rules.order_model import LandAircraft, LandingPreference, Order
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


@dataclass(frozen=True, slots=True)
class Berth:
    """Where an aircraft may come down: a space, the deck if it is a carrier's, and the distance to it."""

    space: str
    deck: str | None = None
    distance: int = 0

    @property
    def name(self) -> str:
        """What answers are kept as: the territory, or the carrier's id."""
        return self.deck or self.space


Berths = Callable[[Game, str], Sequence[Berth]]
"""The berths open to an aircraft now, best first; called anew before each one lands."""


def decks_in(rules: RuleSet, state: State, power: str, zones: dict[str, int]) -> list[Berth]:
    """Decks with room for a power's aircraft in these zones (by distance), nearest first, own before allies'.

    Guests take room, and nobody pushes them out (S42-10.6.1 to 10.6.3).
    """
    found: list[tuple[int, bool, int, Berth]] = []
    for ship in state.units.values():
        if ship.space not in zones or not is_carrier(rules, ship):
            continue
        if ship.owner != power and not rules.judge("allies", state, power, ship.owner):
            continue
        if deck_room(rules, ship, state.cargo_of(ship.id)) <= 0:
            continue
        berth = Berth(ship.space, ship.id, zones[ship.space])
        found.append((berth.distance, ship.owner != power, int(ship.id[1:]), berth))
    return [row[3] for row in sorted(found, key=lambda row: row[:3])]


@dataclass(frozen=True, slots=True)
class Landing:
    """Aircraft of one power in one space that must come down, and what the question about them says.

    `groups` are the words by which preferences speak of them (`stranded`, `interceptors`...).
    """

    power: str
    space: str
    aircraft: tuple[str, ...]
    groups: tuple[str, ...]
    rules: tuple[str, ...]


def choose_berths(game: Game, landings: Sequence[Landing], berths: Berths, tag: str) -> dict[str, list[str]]:
    """Ask the owners at once where aircraft land (P40-DP-26, DP-27, DP-29); names of berths by aircraft, best first.

    Berths that are gone when an aircraft's turn comes are skipped, so the answer may name the same deck for more
    aircraft than it holds.
    """
    decisions = [_question(game, landing, berths, tag) for landing in landings]
    answers = game.ask(decisions)
    return {
        unit_id: list(answers[decision.key].get(unit_id, ()))
        for landing, decision in zip(landings, decisions, strict=True)
        for unit_id in landing.aircraft
    }


def _question(game: Game, landing: Landing, berths: Berths, tag: str) -> Decision:
    open_to = {unit_id: list(berths(game, unit_id)) for unit_id in landing.aircraft}

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        chosen: dict[str, list[str]] = {}
        refused: list[tuple[int, Refusal]] = []
        taken: set[str] = set()
        for index, order in enumerate(orders):
            if isinstance(order, LandAircraft):
                refusal = _one_landing(game, order, open_to, chosen, taken, landing.power)
            elif isinstance(order, LandingPreference):
                refusal = _preference(game, order, open_to, chosen, landing.groups)
            else:
                refusal = Refusal("Say where the aircraft land.")
            if refusal is not None:
                refused.append((index, refusal))
        return chosen, refused

    return Decision(
        key=f"land/{landing.power}/{landing.space}/{tag}",
        power=landing.power,
        kind="land",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=dict,
        space=landing.space,
        rules=landing.rules,
        public={
            "units": list(landing.aircraft),
            "to": list(dict.fromkeys(berth.space for options in open_to.values() for berth in options)),
        },
        has_choice=any(len(options) > 1 for options in open_to.values()),
    )


def _one_landing(
    game: Game,
    order: LandAircraft,
    open_to: dict[str, list[Berth]],
    chosen: dict[str, list[str]],
    taken: set[str],
    power: str,
) -> Refusal | None:
    """`land 2 fighter Sea Zone 31 -> Wake Island`: the aircraft it names that can get there."""
    found = 0
    for pick in order.units:
        count = 0
        for unit_id, options in open_to.items():
            unit = game.state.units[unit_id]
            if unit_id in taken or not fits(game.rules, game.state, unit, pick, power):
                continue
            names = [berth.name for berth in options if order.to in (berth.space, berth.deck)]
            if not names or (pick.count is not None and count >= pick.count):
                continue
            chosen.setdefault(unit_id, []).extend(names)
            taken.add(unit_id)
            count += 1
        found += count
    if found:
        return None
    where = game.board.spaces[order.to].name if order.to in game.board.spaces else order.to
    return Refusal(f"None of these aircraft can land in {where}.", None, "Choose a friendly place within reach.")


def _preference(
    game: Game,
    order: LandingPreference,
    open_to: dict[str, list[Berth]],
    chosen: dict[str, list[str]],
    groups: Sequence[str],
) -> Refusal | None:
    """`land stranded: Wake Island, carrier`: places in order of preference wherever the case arises."""
    for unit_id, options in open_to.items():
        if order.group not in groups and order.group != game.state.units[unit_id].kind:
            continue
        for place in order.places:
            chosen.setdefault(unit_id, []).extend(
                berth.name
                for berth in options
                if place in (berth.space, "nearest")
                or (place == "carrier" and berth.deck is not None)
                or (place == "island" and berth.deck is None and game.board.spaces[berth.space].island)
            )
    return None


def put_down(
    game: Game, unit_id: str, options: Iterable[Berth], wanted: Sequence[str], rules: Sequence[str], spends: bool
) -> bool:
    """Land one aircraft on the first wanted berth that is open, else on the first open one; False if there is none."""
    open_now = list(options)
    if not open_now:
        return False
    by_name = {berth.name: berth for berth in open_now}
    berth = next((by_name[name] for name in wanted if name in by_name), open_now[0])
    unit = game.state.units[unit_id]
    noted: dict[str, Any] = {marks.STRANDED: None, marks.SCRAMBLED_FROM: None, marks.INTERCEPTED: None}
    present: dict[str, Any] = {key: value for key, value in noted.items() if unit.mark(key) is not None}
    if berth.space != unit.space:
        payload: dict[str, Any] = {
            "units": [unit_id],
            "from": unit.space,
            "to": berth.space,
            "spent": berth.distance if spends else 0,
        }
        if spends and game.state.phase:
            payload["phase"] = game.state.phase
            present = {**present, marks.MOVED: game.state.phase}
        game.emit("units_moved", {**payload, "marks": present}, rules)
    elif unit.aboard is not None and unit.aboard != berth.deck:
        game.emit("units_unloaded", {"units": [unit_id], "from": unit.space, "to": unit.space, "marks": present}, rules)
    elif present:
        game.emit("units_marked", {"units": [unit_id], "set": present})
    if berth.deck is not None and game.state.units[unit_id].aboard != berth.deck:
        board_deck(game, unit_id, berth.deck, rules)
    return True


def board_deck(game: Game, unit_id: str, deck: str, rules: Sequence[str]) -> None:
    """An aircraft lands on a deck; the log keeps which (P40-7.14)."""
    zone = game.state.units[deck].space
    slots = cites(game.rules, "slots")
    game.emit(
        "units_loaded",
        {"units": [unit_id], "onto": deck, "from": zone, "zone": zone},
        tuple(dict.fromkeys((*rules, *slots))),
    )


def destroy(game: Game, aircraft: Sequence[str], why: str, rules: Sequence[str]) -> None:
    """Aircraft without a place are lost, one event for each space (P40-6.10.11)."""
    by_space: dict[str, list[str]] = {}
    for unit_id in aircraft:
        by_space.setdefault(game.state.units[unit_id].space, []).append(unit_id)
    for space, lost in by_space.items():
        game.emit("units_removed", {"space": space, "units": lost, "why": why}, rules)


def by_space(units: Iterable[Unit]) -> dict[tuple[str, str], list[str]]:
    """Ids of pieces by owner and space, in order."""
    out: dict[tuple[str, str], list[str]] = {}
    for unit in units:
        out.setdefault((unit.owner, unit.space), []).append(unit.id)
    return out
