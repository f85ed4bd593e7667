"""The defender on land: after a round in which the attacker stays, each defending power stands or retreats.

What is open is in `ways_out`, what lines mean in `defend_reading`; here powers are asked and their units go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.classic.err.defend_reading import read_lines
from pbem.games.classic.err.moving import leave
from pbem.games.classic.err.reading import STAYS
from pbem.games.classic.err.terms import ASHORE, FLY, LAND, Goes, transports_in
from pbem.games.classic.err.ways_out import LIFTED, WaysOut, guns_free_to_go, offered, ways_out
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject, odds_now
from pbem.rules.battle.model import ATTACK, DEFEND, WON, Battle, BattleStep
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.movement.berths import Berth, Landing, choose_berths
from pbem.rules.order_model import Consent, LastResort, Order
from pbem.rules.query import count_by_kind
from pbem.rules.script import Game
from pbem.rules.turn import turn_order

EVACUATION = "evacuation"


def defenders_retreat(game: Game, battle: Battle) -> None:
    """Defenders may retreat after any round, whatever the attack came by (ERR-3.2, 6.1, 6.9, 6.10), each for itself.

    Each power decides for its own units (ERR-3.7); silence stands (ERR-D04). When no defender is left the attackers
    hold the place, land units take it (ERR-3.10).
    """
    battle.notes[LIFTED] = {}
    defending = (*battle.units(game.state, DEFEND), *guns_free_to_go(game.rules, game.state, battle))
    here = {unit.owner for unit in defending}
    powers = [power for power in turn_order(game.rules) if power in here]
    unwilling = _unwilling(game, battle, powers)
    ways = {power: ways_out(game.rules, game.state, battle, power, unwilling) for power in powers}
    for together in _asked_together(powers, ways):
        decisions = [_question(game, battle, power, unwilling) for power in together]
        answers = game.ask(decisions)
        for power, decision in zip(together, decisions, strict=True):
            answer = answers[decision.key]
            if answer["goes"] or answer.get("may_join"):
                _go(game, battle, power, unwilling, answer)
    if not battle.units(game.state, DEFEND):
        battle.result = WON


def _asked_together(powers: Sequence[str], ways: Mapping[str, WaysOut]) -> list[list[str]]:
    """All powers at once, but one after the other those that could take the same places aboard from each other.

    Who has transports of his own there comes before those who have none, else the order of play decides.
    """
    shipped = [power for power in powers if ways[power].army and ways[power].ferries]
    if len(shipped) < 2:
        return [list(powers)]
    shipped.sort(key=lambda power: all(ferry.owner != power for ferry in ways[power].ferries))
    return [[power for power in powers if power not in shipped[1:]], *([power] for power in shipped[1:])]


def _question(game: Game, battle: Battle, power: str, unwilling: Sequence[str]) -> Decision:
    ways = ways_out(game.rules, game.state, battle, power, unwilling)

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        return read_lines(game.rules, game.state, battle, power, ways, unwilling, orders)

    return Decision(
        key=f"{battle.id}:{battle.round}:retreat:{DEFEND}:{power}",
        power=power,
        kind="retreat",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=lambda: STAYS,
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "err.defend_land"),
        public={
            "battle": battle.id,
            "side": DEFEND,
            "domain": "land",
            "to": list(ways.quiet),
            "options": offered(ways),
            "own": count_by_kind(unit for unit in battle.units(game.state, DEFEND) if unit.owner == power),
            "enemy": count_by_kind(battle.units(game.state, ATTACK)),
            "silent": "stand",
        },
        subject=battle_subject(game, battle, power),
        when_asked=odds_now(game, battle, power),
        has_choice=ways.anything(),
    )


# -- questions to others ----------------------------------------------------------------------------------------------


def _unwilling(game: Game, battle: Battle, powers: Sequence[str]) -> list[str]:
    """Allies who let nobody aboard their transports; silent, they agree (ERR-8.8, ERR-D07)."""
    owners: dict[str, None] = {}
    for power in powers:
        if ways_out(game.rules, game.state, battle, power).quiet:
            continue
        for zone in game.board.seas_beside(battle.space):
            ships = transports_in(game.rules, game.state, power, zone)
            owners.update(dict.fromkeys(ship.owner for ship in ships if ship.owner != power))
    if not owners:
        return []
    decisions = [_agrees(game, battle, owner) for owner in owners]
    answers = game.ask(decisions)
    return [owner for owner, decision in zip(owners, decisions, strict=True) if not answers[decision.key]]


def _agrees(game: Game, battle: Battle, owner: str) -> Decision:
    def interpret(order: Order) -> bool | Refusal:
        assert isinstance(order, Consent)
        return order.allowed

    return Decision(
        key=f"{battle.id}:{battle.round}:evacuation:{owner}",
        power=owner,
        kind="consent",
        interpret=interpret,
        default=lambda: True,
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "err.agree"),
        public={"battle": battle.id, "about": EVACUATION, "silent": "agree"},
        subject=battle_subject(game, battle, owner),
        about=lambda order: isinstance(order, Consent) and order.to == EVACUATION,
    )


def _joins(game: Game, battle: Battle, power: str, units: Sequence[str], to: Iterable[str]) -> bool:
    """Whether units that have nothing but embattled land go there; silent, they stand and fight (ERR-D08)."""

    def interpret(order: Order) -> bool | Refusal:
        assert isinstance(order, LastResort)
        return order.joins

    decision = Decision(
        key=f"{battle.id}:{battle.round}:last_resort:{power}",
        power=power,
        kind="last_resort",
        interpret=interpret,
        default=lambda: False,
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "err.last_resort"),
        public={
            "battle": battle.id,
            "own": count_by_kind(game.state.units[unit_id] for unit_id in units),
            "to": list(to),
            "silent": "stand",
        },
        subject=battle_subject(game, battle, power),
    )
    return bool(game.ask([decision])[decision.key])


# -- going ------------------------------------------------------------------------------------------------------------


def _go(game: Game, battle: Battle, power: str, unwilling: Sequence[str], answer: dict[str, Any]) -> None:
    """Units of a power leave; what its line left open is settled first: equal distances, the last resort."""
    plan = [Goes(*row) for row in answer["goes"]]
    if answer.get("open_flights"):
        plan = _nearest_wanted(game, battle, power, plan, answer["open_flights"])
    if answer.get("may_join"):
        ways = ways_out(game.rules, game.state, battle, power, unwilling)
        flies = ways.refuges
        joining = [
            Goes(unit_id, FLY, flies[unit_id][0]) if unit_id in flies else Goes(unit_id, LAND, ways.embattled[0])
            for unit_id in answer["may_join"]
        ]
        if _joins(game, battle, power, answer["may_join"], dict.fromkeys(goes.to for goes in joining)):
            plan += joining
    if not plan:
        return
    leave(game, battle, plan, DEFEND)
    lifted: dict[str, int] = battle.notes[LIFTED]
    for ship in (goes.ship for goes in plan if goes.how == ASHORE):
        lifted[ship or ""] = lifted.get(ship or "", 0) + 1


def _nearest_wanted(
    game: Game, battle: Battle, power: str, plan: list[Goes], flights: dict[str, list[str]]
) -> list[Goes]:
    """Of several equally close territories the one that the owner prefers; silent, his capital or by name (ERR-D05)."""

    def berths(game: Game, unit_id: str) -> Sequence[Berth]:
        return [Berth(land, None, 0) for land in flights[unit_id]]

    rules = rules_for(game.rules, "err.closest")
    landing = Landing(power, battle.space, tuple(flights), ("retreating",), rules)
    wanted = choose_berths(game, [landing], berths, f"{battle.id}:{battle.round}")
    chosen = {
        unit_id: next((land for land in wanted[unit_id] if land in flights[unit_id]), flights[unit_id][0])
        for unit_id in flights
    }
    return [goes._replace(to=chosen[goes.unit]) if goes.how == FLY and goes.unit in chosen else goes for goes in plan]


DEFENDERS_RETREAT = BattleStep("defenders_retreat", "The defenders stand or retreat", defenders_retreat)
