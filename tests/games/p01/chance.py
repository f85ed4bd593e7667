"""Orders by chance for Pacific (2001): the common nonsense, legal walks, and the lines that only this game knows."""

from __future__ import annotations

from random import Random

from pbem.board.state import State
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.rules.order_model import (
    AttackHere,
    Buy,
    CombatAirPatrol,
    ControlMarker,
    Intercept,
    Kamikaze,
    LandAircraft,
    Move,
    Order,
    Pick,
    Place,
    Retreat,
    SplitConvoys,
    Submerge,
)
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet
from pbem.testing.random_play import random_text
from tests.games.p40.nonsense import turn_orders

PICKS = (Pick("fighter", 1), Pick("fighter"), Pick("bomber", 1))


def own_lines(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Patrols, convoys that are taken by staying, treasuries, markers."""
    board = rules.board
    mine = [unit for unit in state.units.values() if unit.owner == power]
    zones = [space.id for space in board.spaces.values() if space.is_sea]
    lines: list[Order] = []
    for unit in mine:
        seas = board.seas_beside(unit.space) if unit.space in board.spaces else ()
        if unit.kind == "fighter" and seas and chance.random() < 0.4:
            lines.append(CombatAirPatrol((chance.choice(PICKS),), unit.space, chance.choice(seas)))
        if unit.mark("cap"):
            lines.append(LandAircraft((Pick("fighter", 1),), unit.space, chance.choice(board.neighbours[unit.space]),
                                      in_phase=chance.choice(("land_cap", None))))  # fmt: skip
        if board.units[unit.kind].domain == "sea" and chance.random() < 0.1:
            further = chance.choice(board.neighbours[unit.space])
            lines.append(Move((Pick(unit.kind, 1),), (unit.space, unit.space, further)))
    lines.append(AttackHere(chance.choice(zones)))
    if power == "uk":
        for treasury in ("india", "australia", None, "uk"):
            lines.append(Buy(chance.choice(("infantry", "fighter", "transport")), 1, treasury=treasury))
        lines.append(SplitConvoys((("india", chance.randint(0, 12)), ("australia", chance.randint(0, 12)))))
        lines += [Place((Pick("infantry"),), "india"), Place((Pick("transport"),), "sz-30")]
    if power == "usa":
        lines.append(Buy("industrial_complex", 1, chance.choice(("philippines", "siam", "wake-island", "japan"))))
        lines.append(Place((Pick("infantry"),), "szechwan"))
    return lines


def standing(rules: RuleSet, power: str, chance: Random) -> list[Order]:
    """Answers given in advance."""
    zones = list(rules.board.facts["kamikaze_zones"])
    return [
        Intercept(None, (Pick("fighter"),)),
        Submerge(None, "all", late=chance.random() < 0.5),
        Retreat(None, None, chance.choice((1, 2, None))),
        ControlMarker(None, chance.choice(("india", "australia", "china", "usa"))),
        Kamikaze(chance.choice((*zones, None)), prefer=(Pick("transport"), Pick("destroyer")), most=2),
        Kamikaze(chance.choice(zones), ((1, Pick("battleship", 1)),)),
    ]


def legal_lines(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """What a player writes who knows the map and the prices."""
    names = gazetteer(rules.game, rules.edition or None)
    context = ReadContext(game=rules.game, edition=None, variants=tuple(rules.variants), powers=(power,), phase=None)
    results = read_orders(random_text(chance, rules, state, power), names, context)
    return [result.order for result in results if result.order is not None]


def with_orders(play: Play, powers: tuple[str, ...], chance: Random) -> Play:
    """The same campaign after everybody has filed something, most of it the powers whose turn it is."""
    for power in play.rules.board.powers:
        lines = standing(play.rules, power, chance)
        if power in powers:
            write = chance.choice((turn_orders, legal_lines))
            lines += write(play.rules, play.now, power, chance)
            lines += own_lines(play.rules, play.now, power, chance)
        filing = file_lines(power, [(line, line.type) for line in lines], play.now)
        play = play.with_facts(
            [
                ("orders_received", {"power": power, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": power, "orders": list(filing.answers)}),
            ],
            0,
        )
    return play


def seat_of(play: Play) -> tuple[str, ...]:
    """The powers of the next segment."""
    segment = play.rules.next_segment(play.rules, play.now)
    return () if segment is None else acting(play.rules, segment.seat[0])
