"""A player who knows what kind of thing each card is played on, and nothing of tactics: card orders at random."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from pbem.board.state import State
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.table import CARDS, DECKS, FORTUNE, TACTICS, WEAPONS, whole_deck
from pbem.rules.order_model import AskMe, Condition, Discard, DrawCard, Move, Order, Pick, PlayCard, Research
from pbem.rules.ruleset import RuleSet

ON_UNITS = {
    "jet_fighter": "fighter", "heavy_artillery": "artillery", "heavy_tank": "tank", "super_bombers": "bomber",
    "atomic_bomb": "bomber",
}  # fmt: skip
MOVERS = (
    "long_range_fighters", "mechanized_offensive", "airborne_assault", "force_majeure", "combined_bomber_offensive",
    "signals_intelligence", "eureka", "donation",
)  # fmt: skip


def dealt_rules(rules: RuleSet, chance: Random, each: int = 6) -> RuleSet:
    """The rules of a game in which every power begins with so many cards of chance in hand, within the limits."""
    piles = {deck: whole_deck(deck) for deck in DECKS}
    dealt = []
    for power in rules.board.powers:
        counts = {WEAPONS: 0, TACTICS: 0, FORTUNE: 0}
        for _ in range(each):
            deck = chance.choice([deck for deck in DECKS if counts[deck] < 5])
            counts[deck] += 1
            name = piles[deck].pop(chance.randrange(len(piles[deck])))
            dealt.append((deck, power, name))
    facts = [*hands.pile_facts(piles), *hands.hand_facts(dealt, starting=False)]
    return rules.but(parameters={"setup_facts": facts})


def card_orders(chance: Random, rules: RuleSet, state: State, power: str, turn: list[Order]) -> list[Order]:
    """Lines about most cards in hand, and now and then about one that is not there."""
    names = [card.name or "" for card in hands.cards_of(state, power)]
    names += chance.sample(list(CARDS), 1)
    lines: list[Order] = []
    for name in names:
        if chance.random() < 0.85:
            tries = 3 if name in ("signals_intelligence", "scramble") else 1
            lines += [_play(chance, rules, state, power, name, turn) for _ in range(tries)]
    if turn:
        lines.append(DrawCard("victory_die" if chance.random() < 0.9 else "none"))
        lines.append(Discard(tuple(chance.sample(names, min(2, len(names))))))
        lines.append(Research(chance.randint(0, 6), None, "draw_card"))
    if chance.random() < 0.1:
        lines.append(AskMe("card", None))
    return lines


def _play(chance: Random, rules: RuleSet, state: State, power: str, name: str, turn: list[Order]) -> PlayCard:
    board = rules.board
    goals = [order.path[-1] for order in turn if isinstance(order, Move)] if turn else []
    own = list(dict.fromkeys(u.space for u in state.units.values() if u.owner == power)) or list(board.spaces)
    space = chance.choice(goals or own)
    beside = chance.choice(board.neighbours[space])
    enemies = [
        space
        for space, held in state.spaces.items()
        if held.facilities and held.controller and state.at_war(power, held.controller)
    ]
    when = chance.choice((None, None, Condition("lt", "odds", 600_000), Condition("ge", "attackers", 2, space=space)))
    placed = _placed(chance, rules, state, power, name, [*goals, *own])
    if placed is not None:
        return placed
    aimed = _aimed(chance, rules, state, power, name, turn) if chance.random() < 0.8 else None
    if aimed is not None:
        return aimed
    if chance.random() < 0.6 and name not in MOVERS:
        return PlayCard(name, when=chance.choice((None, None, Condition("lt", "odds", 700_000))))
    if name in ("rail_gun", "rocket_strike"):
        goal = chance.choice(enemies) if enemies and name == "rocket_strike" else space
        return PlayCard(name, units=(Pick("aa_gun", 1),), path=(beside, goal), when=when)
    if name in ON_UNITS:
        flags = ("with_move",) if name == "super_bombers" and chance.random() < 0.4 else ()
        return PlayCard(name, space, (Pick(ON_UNITS[name], 1),), words=flags, when=when)
    if name == "radar_fire_control":
        return PlayCard(name, space, (Pick(chance.choice(("aa_gun", "industrial_complex")), 1),), when=when)
    if name == "powerful_torpedoes":
        return PlayCard(name, space, (Pick(chance.choice(("submarine", "destroyer")), 1),))
    if name == "long_range_fighters":
        flights = [o for o in turn if isinstance(o, Move) and o.units[0].kind == "fighter"]
        path = chance.choice(flights).path if flights else (beside, space)
        return PlayCard(name, units=(Pick("fighter", 1),), path=(path[0], path[-1]))
    if name == "mechanized_offensive":
        tanks = [u.space for u in state.units.values() if u.owner == power and u.kind == "tank"]
        start = chance.choice(tanks or own)
        return PlayCard(name, units=(Pick("infantry", 1), Pick("tank", 1)), path=_walk(chance, rules, start))
    if name == "airborne_assault":
        near = [s for s in own if rules.board.path(s, space, lambda at: True, 3)] or own
        return PlayCard(name, units=(Pick("infantry", 1),), path=(chance.choice(near), space))
    if name == "combined_bomber_offensive":
        return PlayCard(name, power=chance.choice(list(board.powers)))
    if name == "scramble":
        return PlayCard(name, units=(Pick("fighter", 1),), path=(beside, space), when=when)
    if name == "signals_intelligence":
        return PlayCard(name, units=(Pick("unit", None, but=1),), path=(space, beside), when=when)
    if name in ("donation", "eureka"):
        return PlayCard(name)
    if name == "fighter_ace":
        return PlayCard(name, None if chance.random() < 0.7 else space, words=("first_miss",))
    if name == "force_majeure" and enemies:
        return PlayCard(name, chance.choice(enemies))
    return PlayCard(name, space, when=when)


def _aimed(chance: Random, rules: RuleSet, state: State, power: str, name: str, turn: list[Order]) -> PlayCard | None:
    """A play as somebody would make it who looks at the board and at the moves of the turn; None where nothing fits."""
    board = rules.board
    moves = [order for order in turn if isinstance(order, Move)]
    raided = [order.path[-1] for order in moves if order.purpose == "bomb"]
    attacked = [
        order.path[-1] for order in moves if order.purpose != "bomb" and not board.spaces[order.path[-1]].is_sea
    ]

    def own(kind: str, spaces: Iterable[str]) -> list[str]:
        fitting = [unit.space for unit in state.units.values() if unit.owner == power and unit.kind == kind]
        return [space for space in spaces if space in fitting]

    if name == "atomic_bomb" and raided:
        return PlayCard(name, chance.choice(raided), (Pick("bomber", 1),))
    if name == "rail_gun" and attacked:
        goal = chance.choice(attacked)
        guns = own("aa_gun", board.lands_beside(goal))
        return PlayCard(name, units=(Pick("aa_gun", 1),), path=(guns[0], goal)) if guns else None
    if name in ("supreme_excellence", "combined_arms", "air_supremacy") and attacked:
        return PlayCard(name, chance.choice(attacked))
    if name == "airborne_assault" and attacked:
        goal = chance.choice(attacked)
        near = [at for at in own("infantry", board.spaces) if board.path(at, goal, lambda space: True, 3) is not None]
        return PlayCard(name, units=(Pick("infantry", 1),), path=(chance.choice(near), goal)) if near else None
    if name == "mechanized_offensive" and turn:
        both = own("infantry", own("tank", board.spaces))
        roads = [
            (start, *way)
            for start in both
            for one in board.lands_beside(start)
            for way in ((one,), *((one, two) for two in board.lands_beside(one)))
            if rules.judge("hostile_territory", state, power, way[-1])
        ]
        pair = (Pick("infantry", 1), Pick("tank", 1))
        return PlayCard(name, units=pair, path=chance.choice(roads)) if roads else None
    if name in ("signals_intelligence", "scramble"):
        front = [
            unit.space
            for unit in state.units.values()
            if unit.owner == power and any(
                state.at_war(power, state.controller(at) or power) for at in board.lands_beside(unit.space)
            )
        ]  # fmt: skip
        if not front:
            return None
        here = chance.choice(front)
        if name == "scramble":
            bases = own("fighter", board.lands_beside(here))
            return PlayCard(name, units=(Pick("fighter", 1),), path=(bases[0], here)) if bases else None
        away = [at for at in board.lands_beside(here) if rules.judge("friendly_territory", state, power, at)]
        return PlayCard(name, units=(Pick("unit", None, but=1),), path=(here, chance.choice(away))) if away else None
    return None


def sorties(chance: Random, rules: RuleSet, state: State, power: str, turn: list[Order]) -> list[Order]:
    """Aircraft that join the attacks of a turn, if they can fly there and back."""
    goals = [order.path[-1] for order in turn if isinstance(order, Move)]
    orders: list[Order] = []
    for unit in state.units.values():
        if unit.owner == power and unit.kind in ("fighter", "bomber") and goals and chance.random() < 0.6:
            goal = chance.choice(goals)
            path = rules.board.path(unit.space, goal, lambda at: rules.board.spaces[at].kind != "neutral", 2)
            if path is not None and len(path) > 1:
                orders.append(Move((Pick(unit.kind, 1),), path))
    return orders


def raids(chance: Random, rules: RuleSet, state: State, power: str) -> list[Order]:
    """Most bombers of a power raid the first enemy complex within three spaces."""
    orders: list[Order] = []
    for unit in state.units.values():
        if unit.owner != power or unit.kind != "bomber" or chance.random() < 0.4:
            continue
        for goal, held in state.spaces.items():
            if not held.facilities or held.controller is None or not state.at_war(power, held.controller):
                continue
            path = rules.board.path(unit.space, goal, lambda at: rules.board.spaces[at].kind != "neutral", 3)
            if path is not None and len(path) > 1:
                orders.append(Move((Pick("bomber", 1),), path, "bomb"))
                break
    return orders


def marches(chance: Random, rules: RuleSet, state: State, power: str) -> list[Order]:
    """Land units step into hostile land beside them."""
    orders: list[Order] = []
    for unit in state.units.values():
        if unit.owner == power and unit.kind in ("infantry", "tank", "artillery") and unit.aboard is None:
            goals = [
                at
                for at in rules.board.neighbours[unit.space]
                if not rules.board.spaces[at].is_sea and rules.judge("hostile_territory", state, power, at)
            ]
            if goals and chance.random() < 0.7:
                orders.append(Move((Pick(unit.kind, 1),), (unit.space, chance.choice(goals))))
    return orders


def _placed(chance: Random, rules: RuleSet, state: State, power: str, name: str, own: list[str]) -> PlayCard | None:
    """A card of mobilization, where it might be allowed."""
    held = [space for space, row in state.spaces.items() if row.controller == power] or own
    complexes = [space for space in held if state.spaces[space].facilities] or held
    if name in ("foreign_legion", "spoils_of_war"):
        return PlayCard(name, chance.choice(held))
    if name == "military_support":
        return PlayCard(name, chance.choice(complexes))
    if name == "merchant_marine":
        seas = [zone for space in complexes for zone in rules.board.seas_beside(space)]
        return PlayCard(name, chance.choice(seas or held))
    return None


def _walk(chance: Random, rules: RuleSet, start: str) -> tuple[str, ...]:
    path = [start]
    for _ in range(2):
        lands = [s for s in rules.board.neighbours[path[-1]] if not rules.board.spaces[s].is_sea]
        if lands:
            path.append(chance.choice(lands))
    return tuple(path)
