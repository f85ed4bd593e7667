"""Phase 5: territory changes hands; whose marker it gets, what a capital's fall means.

Territories go to the country that had them first, or to the one that the rules name (P01-7.2); money goes with a
capital. Control changes as soon as a battle is won, which no other battle of the turn can tell from doing it later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.p01.money import CAPITALS, change_money, country_of, marker_key, money_of
from pbem.games.p01.parameters import AUSTRALIA, CHINA, INDIA, JAPAN, TREASURIES, UK, USA
from pbem.games.p01.purchase import CHINAS_COAST
from pbem.rules.capture import change_control, take_guns
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Decision
from pbem.rules.order_model import ControlMarker, Order
from pbem.rules.script import Game

INDO_CHINA = ("siam", "french-indo-china")
"""Japanese land over which India, China or the United States get control (P01-7.2.4, P01-7.2.5)."""
PLUNDER = "p01/plunder"
"""Mark of the turn: IPCs that Japan took with a capital; they count for victory points (P01-7.3.2)."""


def plunder_key() -> str:
    """The mark of the turn that keeps what Japan took with a capital."""
    return f"turn/{PLUNDER}"


def captured_key(space: str) -> str:
    """Mark of the campaign: {power, round, seats} of a capital that an enemy holds (P01-1.3.2)."""
    return f"p01/captured/{space}"


def capture(game: Game, space: str, power: str, land_units: Sequence[str] = ()) -> None:
    """Surviving land units hold an enemy territory: its marker changes (P01-7.1.1, P01-7.1.2, P01-7.1.5).

    Guns, complexes and bases serve the new controller (P01-7.1.3, P01-7.1.4). A captured convoy route is not part
    of it (P01-7.2.2).
    """
    before, loser = game.state.controller(space), country_of(game.rules, game.state, space)
    country, topics = _whose_marker(game, space, power, land_units)
    to = UK if country in TREASURIES else country
    why = "captured" if to == power else "liberated"
    change_control(game, space, to, why, cites(game.rules, "won", *topics))
    if country in TREASURIES and country != game.board.spaces[space].data.get("economy"):
        game.emit("mark_set", {"key": marker_key(space), "value": country})
    take_guns(game, space, to)
    if before is not None and game.state.at_war(before, to):
        _capital_falls(game, space, power, loser)


def _whose_marker(game: Game, space: str, power: str, land_units: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The country that gets a territory, and the topics that say why."""
    printed = game.board.spaces[space]
    owner = printed.original_owner
    if power == JAPAN:
        return JAPAN, ("japan_keeps",) if owner != JAPAN else ()
    if space in CHINAS_COAST:
        return CHINA, ("chinas_coast",)
    if owner is not None and owner != JAPAN:
        country = str(printed.data.get("economy") or owner)
        return country, ("liberated",)
    if power == UK:
        if space in INDO_CHINA:
            return INDIA, ("indo_china_british",)
        return _ask(game, space, UK, (AUSTRALIA, INDIA), "british_marker"), ("british_marker",)
    owners = dict.fromkeys(game.state.units[one].owner for one in land_units if one in game.state.units)
    if list(owners) == [CHINA]:
        return CHINA, ("taken_by",)
    if space in INDO_CHINA and CHINA in owners:
        return _ask(game, space, USA, (USA, CHINA), "indo_china_mixed"), ("indo_china_mixed",)
    return USA, ("taken_by",)


def _ask(game: Game, space: str, power: str, options: tuple[str, ...], topic: str) -> str:
    """Ask a seat whose marker goes on a territory; silent, the first option (P01-D15, P01-D16)."""

    def interpret(order: Order) -> Any:
        assert isinstance(order, ControlMarker)
        if order.owner in options:
            return order.owner
        name = game.board.spaces[space].name
        return refuse(game.rules, topic, f"{name} may go to {' or '.join(options)}, not to {order.owner}.")

    decision = Decision(
        key=f"marker:{space}:{power}",
        power=power,
        kind="marker",
        interpret=interpret,
        default=lambda: options[0],
        space=space,
        rules=cites(game.rules, topic),
        public={"options": list(options)},
    )
    return str(game.ask([decision])[decision.key])


# -- capitals ---------------------------------------------------------------------------------------------------------


def _capital_falls(game: Game, space: str, captor: str, loser: str | None) -> None:
    """A captured capital's treasury goes to the captor, to Japan as income of this turn (P01-7.3.1 to P01-7.3.4).

    China has none. The fall is noted: who holds a capital long enough wins; a freed one restores its country
    (P01-7.3.5).
    """
    homes = {home: country for country, home in CAPITALS.items()}
    country = homes.get(space) or game.board.spaces[space].capital_of
    if country is None:
        return
    if captor == JAPAN or country == JAPAN:
        noted: dict[str, Any] | None = {"power": captor, "round": game.state.round, "done": []}
    else:
        noted = None
    game.emit("mark_set", {"key": captured_key(space), "value": noted}, cites(game.rules, "capital_taken"))
    if noted is None or country == CHINA:
        return
    money = money_of(game.state, country)
    winner = country_of(game.rules, game.state, space) or captor
    topic = "plunder" if captor == JAPAN else "plunder_allies"
    change_money(game, country, -money, "plunder", cites(game.rules, topic))
    change_money(game, winner, money, "plunder", cites(game.rules, topic))
    if captor == JAPAN and money:
        before = game.state.marks.get(plunder_key(), 0)
        game.emit("mark_set", {"key": plunder_key(), "value": before + money}, cites(game.rules, "plunder_counts"))
