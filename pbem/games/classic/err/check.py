"""Whether a retreat order can ever be legal, in the position after the combat moves and before any die.

Who will be left, and which battles will be over by then, is not known: only what no outcome can change is refused.
"""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.classic.check import check_answer as base_check
from pbem.games.classic.err import attack_land, sea
from pbem.games.classic.err.attack_land import only_aircraft_break_off
from pbem.games.classic.err.defend_reading import Reader
from pbem.games.classic.err.reading import refuse
from pbem.games.classic.err.terms import by_name, is_assault
from pbem.games.classic.err.ways_out import ways_out
from pbem.rules.battle.check import planned_battle
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.battle.naming import listed, space_name
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Intercept, Order, Retreat
from pbem.rules.ruleset import RuleSet


def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """Why an answer of a power is illegal whatever happens; None if it is not."""
    if isinstance(order, Intercept):
        where = f"in {space_name(rules, order.space)}" if order.space is not None else "anywhere"
        wrong = f"Ships that retreat from a battle are not intercepted {where}; there is no interception in this game."
        return refuse(rules, "err.interception", wrong)
    if not isinstance(order, Retreat):
        return base_check(rules, state, power, order)
    ashore = _ships_ashore(rules, order)
    if ashore is not None:
        return ashore
    battle = planned_battle(rules, state, order.space) if order.space is not None else None
    return None if battle is None else _check_retreat(rules, state, power, battle, order)


def _ships_ashore(rules: RuleSet, order: Retreat) -> Refusal | None:
    """Ships told to leave a battle on land, as when an island was named for the zone around it (ERR-9.1)."""
    board = rules.board
    if order.space is None or board.spaces[order.space].is_sea:
        return None
    ships = [pick.kind for part in order.parts if part.how in (None, "break_off") for pick in part.units]
    ships = [kind for kind in ships if kind in board.units and board.units[kind].domain == "sea"]
    if not ships:
        return None
    around = by_name(rules, board.seas_beside(order.space))
    name = board.units[ships[0]].name.lower()
    wrong = f"{space_name(rules, order.space)} is land: no {name} fights or retreats there."
    hint = f"Name the sea zone of the battle: {listed(rules, around)}." if around else None
    return refuse(rules, "err.sea.attack", wrong, hint)


def _check_retreat(rules: RuleSet, state: State, power: str, battle: Battle, order: Retreat) -> Refusal | None:
    side = ATTACK if power == battle.attacker else DEFEND
    if rules.board.spaces[battle.space].is_sea:
        if sea.about_submarines(rules, state, battle, side, power, order):
            return None
        problems = sea.read(rules, state, battle, side, power, order, early=True)[1]
    elif side == ATTACK:
        if is_assault(battle) and only_aircraft_break_off(rules, order):
            return None
        problems = attack_land.read(rules, state, battle, order, early=True)[1]
    else:
        reader = Reader(rules, state, battle, power, ways_out(rules, state, battle, power), early=True)
        reader.read([order])
        problems = [problem for _, problem in reader.problems]
    return problems[0] if problems else None
