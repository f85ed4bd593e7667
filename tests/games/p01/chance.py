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
    CarrierWing,
    CombatAirPatrol,
    CommitPatrol,
    ControlMarker,
    FirstSeat,
    FormTaskForce,
    GiveOil,
    Intercept,
    Kamikaze,
    LandAircraft,
    Move,
    Order,
    PayEconomy,
    Pick,
    Place,
    Refit,
    Retreat,
    SplitConvoys,
    Submerge,
    Unload,
)
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet
from pbem.testing.random_play import random_text
from tests.games.p40.nonsense import turn_orders

KINDS = ("carrier", "bombardment", "amphibious", "amphibious")
PICKS = (Pick("fighter", 1), Pick("fighter"), Pick("bomber", 1))


def own_lines(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Patrols, convoys that are taken by staying, treasuries, markers."""
    board = rules.board
    mine = [unit for unit in state.units.values() if unit.owner == power]
    zones = [space.id for space in board.spaces.values() if space.is_sea]
    lines: list[Order] = []
    for unit in mine:
        if unit.space not in board.spaces:
            continue
        seas = board.seas_beside(unit.space)
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


def variant_lines(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Deployments, patrols, task forces and their moves, oil: what War Without Mercy adds."""
    board = rules.board
    bases = [space.id for space in board.spaces.values() if "air_base" in space.data.get("facilities", ())]
    lines: list[Order] = []
    mine = [unit for unit in state.units.values() if unit.owner == power and unit.space in board.spaces]
    for unit in mine:
        seas = board.seas_beside(unit.space)
        if unit.kind in ("fighter", "bomber") and not board.spaces[unit.space].is_sea and chance.random() < 0.5:
            stops = tuple(chance.sample(bases, chance.randint(1, 2)))
            lines.append(Move((Pick(unit.kind, 1),), (unit.space, *stops), "deploy", in_phase="deploy_air"))
            if seas:
                lines.append(CombatAirPatrol((Pick("fighter", 1),), unit.space, chance.choice(seas), "deploy_air"))
    zones = list(dict.fromkeys(unit.space for unit in mine if board.spaces[unit.space].is_sea)) or ["sz-36"]
    for _ in range(5):
        zone = chance.choice(zones)
        ships = tuple(
            Pick(kind, chance.choice((1, 1, 2, None)), pool=chance.random() < 0.3)
            for kind in chance.sample(("carrier", "battleship", "destroyer", "transport"), chance.randint(1, 3))
        )
        near = board.lands_beside(zone)
        cargo: tuple[Pick, ...] = ()
        if near and chance.random() < 0.6:
            troops = chance.choice(("infantry", "artillery"))
            cargo = (Pick(troops, chance.randint(1, 2), came_from=chance.choice(near)),)
        lines.append(FormTaskForce(chance.choice(KINDS), zone, ships, cargo))
        goal = chance.choice(board.neighbours[zone])
        if board.spaces[goal].is_sea:
            lines.append(Move((Pick(chance.choice(("destroyer", "transport", "sea")), chance.choice((1, None))),),
                              (zone, goal)))  # fmt: skip
            shores = board.lands_beside(goal)
            if shores:
                lines.append(Unload((Pick("land"),), goal, chance.choice(shores)))
    lines += [
        FormTaskForce("eastern", None, (Pick("destroyer", 1), Pick("transport", 2)), (Pick("infantry", 2),)),
        Refit(chance.choice(("sz-5", "sz-9", "sz-36", "sz-54", "sz-30"))),
        CarrierWing(chance.random() < 0.5),
        GiveOil("uk", chance.randint(0, 2)),
        PayEconomy(chance.random() < 0.5),
    ]
    return lines


def patrols_join(rules: RuleSet, chance: Random) -> list[Order]:
    """Standing orders that only the variant asks for."""
    zones = [space.id for space in rules.board.spaces.values() if space.is_sea]
    lines: list[Order] = [FirstSeat(chance.choice(("japan", "usa", "uk")))]
    for zone in chance.sample(zones, 12):
        for other in rules.board.seas_beside(zone):
            lines.append(CommitPatrol((Pick("fighter"),), zone, other))
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
        if play.rules.variants:
            lines += patrols_join(play.rules, chance)
        if power in powers:
            write = chance.choice((turn_orders, legal_lines))
            lines += write(play.rules, play.now, power, chance)
            lines += own_lines(play.rules, play.now, power, chance)
            if play.rules.variants:
                lines += variant_lines(play.rules, play.now, power, chance)
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
