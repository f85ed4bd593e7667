"""Phase 7: new units stand at complexes; which complex serves whom, and how much the captured ones can place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import State
from pbem.board.units import AIR, SEA
from pbem.games.p01.china import HOME
from pbem.games.p01.money import country_of
from pbem.games.p01.parameters import CHINA, TREASURIES, UK, USA
from pbem.games.p01.purchase import COMPLEX, COMPLEX_SITES, note_bought, waiting_of
from pbem.rules import marks, mobilize
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Place
from pbem.rules.placement import Site, Sites, held_since_start
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

UNLIMITED = 999


def place_units(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 7: the seat's lines, then what they leave by default; what has no place waits (P01-9.1.8, P01-D19).

    Infantry that the American player places in Szechwan are China's.
    """
    if CHINA in acting(game.rules, game.state.power or ""):
        _recruits_without_home(game)
        filed = [_for_china(line) for line in filed]
    _complexes_as_meant(game)
    mobilize.mobilize(game, _onto_new_carriers(game, filed))
    if game.state.marks.get(COMPLEX_SITES) and not game.state.purchased(USA).get(COMPLEX):
        game.emit("mark_set", {"key": COMPLEX_SITES, "value": None})


def _complexes_as_meant(game: Game) -> None:
    """Complexes stand where they were bought for (P01-D03)."""
    meant = game.state.marks.get(COMPLEX_SITES)
    if meant and game.state.power == USA:
        game.emit("mark_set", {"key": marks.meant_for(COMPLEX), "value": list(meant)})


def _onto_new_carriers(game: Game, filed: Sequence[Filed]) -> Sequence[Filed]:
    """With the switch fighters of a complex's territory board carriers placed beside it in this turn (P01-9.1.5).

    `place 1 fighter Sea Zone 9` means new fighters if there are any, else those of the territory; as the carriers must
    stand first, such lines are carried out last.
    """
    if not game.rules.parameter("fighters_on_new_carriers"):
        return filed
    moving = [line for line in filed if _moves_fighters(game, line)]
    if not moving:
        return filed
    mobilize.mobilize(game, [line for line in filed if line not in moving])
    for line in moving:
        wrong = _board(game, line)
        if wrong is not None:
            game.refuse(line, "mobilize", wrong)
    return ()


def _moves_fighters(game: Game, line: Filed) -> bool:
    order = line.order
    if not isinstance(order, Place) or not game.board.spaces[order.space].is_sea:
        return False
    kinds = {pick.kind for pick in order.units}
    return kinds == {"fighter"} and not game.state.purchased(line.power).get("fighter")


def _board(game: Game, line: Filed) -> Refusal | None:
    order = line.order
    assert isinstance(order, Place)
    where = sites(game.rules, game.state, line.power)
    waiting = [
        unit.id
        for land in game.board.lands_beside(order.space)
        if land in where.capacity
        for unit in game.state.units_in(land)
        if unit.owner == line.power and unit.kind == "fighter"
    ]
    for pick in order.units:
        for _ in range(len(waiting) if pick.count is None else pick.count):
            deck = _new_deck(game.rules, game.state, line.power, order.space)
            if deck is None or not waiting:
                name = game.board.spaces[order.space].name
                return refuse(game.rules, "place_aircraft", f"No fighter can board a new carrier in {name} now.")
            fighter = waiting.pop(0)
            boards = {"units": [fighter], "onto": deck, "from": game.state.units[fighter].space, "zone": order.space}
            game.emit("units_loaded", boards, cites(game.rules, "place_aircraft"))
    return None


def _for_china(line: Filed) -> Filed:
    order = line.order
    recruits = isinstance(order, Place) and order.space == HOME and {pick.kind for pick in order.units} == {"infantry"}
    return replace(line, power=CHINA) if recruits else line


def _recruits_without_home(game: Game) -> None:
    """China's infantry are lost if Szechwan is not Chinese now (P01-12.2.5)."""
    waiting = game.state.purchased(CHINA)
    if waiting and game.state.controller(HOME) != CHINA:
        lost = {"power": CHINA, "items": {kind: -count for kind, count in waiting.items()}, "why": "lost"}
        game.emit("purchases_changed", lost, cites(game.rules, "china_place"))


def piece_placed(game: Game, power: str, kind: str, site: Site) -> None:
    """A British piece stands: the country whose complex placed it has one less waiting (P01-9.1.3)."""
    if power == UK and site.complexes:
        country = country_of(game.rules, game.state, site.complexes[0])
        if country is not None:
            note_bought(game, country, kind, -1)


# -- which complexes --------------------------------------------------------------------------------------------------


def sites(rules: RuleSet, state: State, power: str) -> Sites:
    """A power's complexes, held since its turn began (P01-9.1.1, P01-9.1.7), and how much each can place.

    A complex of the set-up builds without limit for the side that had it first, also when that side has taken it
    back (P01-9.1.4); captured and new ones as many units as their land is worth (P01-9.1.10).
    """
    capacity: dict[str, int] = {}
    for space in rules.board.spaces.values():
        held = state.spaces.get(space.id)
        if held is None or held.facility(COMPLEX) is None or not held_since_start(state, power, space.id):
            continue
        printed = COMPLEX in space.data.get("facilities", ())
        own = printed and space.start_controller is not None and rules.board.allied(space.start_controller, power)
        unlimited = own or not rules.parameter("complexes_are_limited")
        capacity[space.id] = UNLIMITED if unlimited else space.ipc
    return Sites(capacity)


def site(rules: RuleSet, state: State, power: str, where: Sites, kind: str, space: str) -> Site | Refusal:
    """How a bought unit may be placed in a space now; else why it may not (P01-9.1.1 to P01-9.1.6, P01-9.1.9)."""
    unit, printed = rules.board.units[kind], rules.board.spaces[space]
    deck = None
    if power == CHINA and space != HOME:
        return refuse(
            rules, "china_place", "Chinese infantry are placed in Szechwan only.", "`place infantry Szechwan`"
        )
    if printed.is_sea:
        if unit.domain == AIR:
            deck = _new_deck(rules, state, power, space)
            if deck is None:
                return refuse(
                    rules, "place_aircraft", f"New {unit.plural.lower()} are placed on land, not on carriers.",
                    "Place them in the territory of the complex.",
                )  # fmt: skip
        elif unit.domain != SEA:
            return refuse(rules, "place_land", f"{unit.plural} are placed on land, in the territory of the complex.")
        elif not rules.parameter("placed_among_enemies") and rules.judge("hostile_zone", state, power, space):
            return refuse(rules, "place_among_enemies", f"{printed.name} is hostile: no ships are placed there.")
        near = [land for land in rules.board.lands_beside(space) if land in where.capacity]
    elif unit.domain == SEA:
        return refuse(rules, "place_ships", f"{unit.plural} are placed in a sea zone beside a complex.")
    else:
        near = [space] if space in where.capacity else []
    if not near:
        return _no_complex(rules, state, power, space)
    if power == UK:
        near = [land for land in near if waiting_of(state, country_of(rules, state, land) or "").get(kind, 0) > 0]
        if not near:
            bought = [one.capitalize() for one in TREASURIES if waiting_of(state, one).get(kind, 0) > 0]
            return refuse(
                rules, "place_whose",
                f"That {unit.name.lower()} was bought by {' and '.join(bought) or 'nobody'}; each country places "
                "at its own complexes.",
            )  # fmt: skip
    if not where.has_room(near):
        limit = sum(where.capacity[land] for land in near)
        return refuse(rules, "capacity", f"The complex there places at most {limit} units in a turn.", "Place fewer.")
    return Site(space, tuple(near), deck)


def _new_deck(rules: RuleSet, state: State, power: str, zone: str) -> str | None:
    """A carrier placed in this turn with room, where the switch lets new fighters board it (P01-9.1.5)."""
    if not rules.parameter("fighters_on_new_carriers"):
        return None
    for ship in state.units_in(zone):
        room = rules.board.units[ship.kind].figure("carrier_capacity")
        if ship.owner == power and ship.mark(marks.PLACED) and sum(1 for _ in state.cargo_of(ship.id)) < room:
            return ship.id
    return None


def _no_complex(rules: RuleSet, state: State, power: str, space: str) -> Refusal:
    name = rules.board.spaces[space].name
    if space == HOME:
        return refuse(rules, "place_chinese", "The complex in Szechwan serves Chinese infantry only.")
    lands = rules.board.lands_beside(space) if rules.board.spaces[space].is_sea else (space,)
    for land in lands:
        held = state.spaces.get(land)
        if held is not None and held.controller == power and held.facility(COMPLEX) is not None:
            there = rules.board.spaces[land].name
            return refuse(
                rules, "place_next_turn",
                f"The complex in {there} was not yours when this turn began: it places nothing before your next turn.",
            )  # fmt: skip
    return refuse(rules, "place", f"No complex that you have held since your turn began can place units in {name}.")


def default_places(rules: RuleSet, state: State, power: str, kind: str, where: Sites) -> list[str]:
    """Where a unit goes that nobody placed: on land the capital, at sea the zone of the lowest number (P01-D19)."""
    capital = rules.board.powers[power].capital
    lands = sorted(where.capacity, key=lambda land: (land != capital, rules.board.spaces[land].name))
    if rules.board.units[kind].domain != SEA:
        return lands
    zones = dict.fromkeys(zone for land in lands for zone in rules.board.seas_beside(land))
    return sorted(zones, key=lambda zone: int(zone.rpartition("-")[2]))


def one_less(game: Game, kind: str) -> None:
    """A British piece that went elsewhere than to a complex: whichever country has one waiting gave it."""
    country = next((one for one in TREASURIES if waiting_of(game.state, one).get(kind, 0) > 0), None)
    if country is not None:
        note_bought(game, country, kind, -1)
