"""The turn of War Without Mercy: two phases, initiative for each, actions that all seats finish before the next begins.

Every action of every seat is a segment of its own; a mark of the campaign says which one was finished last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.state import State
from pbem.games.p01 import turn as base
from pbem.games.p01.income import divide_fund
from pbem.games.p01.money import purse
from pbem.games.p01.parameters import CONVOY_FUND, JAPAN, UK, USA
from pbem.games.p01.victory import seat_of
from pbem.games.p01.wwm.oil import allied_oil
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import FirstSeat, Order, from_json
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Filed, Game
from pbem.rules.turn import (
    COMBAT_MOVE,
    CONDUCT_COMBAT,
    PURCHASE,
    decided,
    end_turn,
    hostile_zones,
    phases_to_play,
    play,
)

STRATEGIC, TACTICAL = "strategic", "tactical"
LAND_CAP, DEPLOY, FUEL = "land_cap", "deploy_air", "fuel_task_forces"
INITIATIVE, TURN = "initiative", "turn"
ACTIONS: Mapping[str, tuple[str, ...]] = {
    PURCHASE: (PURCHASE,),
    DEPLOY: (LAND_CAP, DEPLOY),
    FUEL: (FUEL,),
}
"""The three strategic actions in order, with their phases (WWM-3.1)."""
DEFAULT_ORDER = (JAPAN, USA, UK)
"""Seats on turn 1 (WWM-2.7); Britain is always the last (WWM-2.6)."""
FIRST_FIVE = base.PHASES[base.PHASES.index(COMBAT_MOVE) :]
"""Phases of a tactical turn: 3 to 9 of the base game (WWM-9.1)."""
LAST_DONE = "wwm/last"
"""Mark: [round, action, part or seat] of the segment that was finished last."""


def order_key(part: str) -> str:
    """Mark: the seats of a phase in the order in which they act (WWM-2.8)."""
    return f"wwm/order/{part}"


def order_of(state: State, part: str) -> tuple[str, ...]:
    """The seats in the order of a phase of this turn."""
    said: Mapping[str, Any] = state.marks.get(order_key(part), {})
    return tuple(said["seats"]) if said.get("round") == state.round else DEFAULT_ORDER


# -- which segment is next --------------------------------------------------------------------------------------------

Stage = tuple[str, str]
"""An action and whose it is: a seat, or the phase whose initiative is determined."""


def stages(state: State, round_number: int) -> list[Stage]:
    """All segments of a turn in order (WWM-2.1, WWM-3.2, WWM-3.3, WWM-9.1); on turn 1 the Allies only buy (WWM-3.4)."""
    first = round_number == 1
    found: list[Stage] = [] if first else [(INITIATIVE, STRATEGIC)]
    for action in ACTIONS:
        for seat in _order_in(state, round_number, STRATEGIC):
            if action == PURCHASE or not first or seat == JAPAN:
                found.append((action, seat))
    if not first:
        found.append((INITIATIVE, TACTICAL))
    found += [(TURN, seat) for seat in _order_in(state, round_number, TACTICAL)]
    return found


def _order_in(state: State, round_number: int, part: str) -> tuple[str, ...]:
    said: Mapping[str, Any] = state.marks.get(order_key(part), {})
    return tuple(said["seats"]) if said.get("round") == round_number else DEFAULT_ORDER


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    """The next action of a seat, or the next throw for initiative; the turn ends with the last seat (WWM-2.10)."""
    if state.winner is not None:
        return None
    begins: Mapping[str, Any] | None = state.marks.get(marks.BEGINS_AT)
    if begins is not None:
        return _segment(rules, begins["round"], _stage_of(begins))
    if state.power is None and state.counter(*purse(CONVOY_FUND)):
        return Segment(f"r1.{base.FIRST_SPLIT}", 1, (UK,), base.first_split)
    last = state.marks.get(LAST_DONE)
    if last is None:
        return _segment(rules, 1, (PURCHASE, JAPAN))
    round_number, action, whose = last
    rest = stages(state, round_number)
    place = rest.index((action, whose)) + 1 if (action, whose) in rest else len(rest)
    if place < len(rest):
        return _segment(rules, round_number, rest[place])
    return _segment(rules, round_number + 1, stages(state, round_number + 1)[0])


def _stage_of(begins: Mapping[str, Any]) -> Stage:
    """The stage in which a case begins: a Japanese purchase after turn 1 stands for the turn's beginning."""
    seat, phase = seat_of(begins["power"]), begins["phase"]
    if phase == PURCHASE and begins["round"] > 1 and seat == JAPAN:
        return INITIATIVE, STRATEGIC
    action = next((action for action, phases in ACTIONS.items() if phase in phases), TURN)
    return action, seat


def _segment(rules: RuleSet, round_number: int, stage: Stage) -> Segment:
    action, whose = stage
    if action == INITIATIVE:
        script = strategic_initiative if whose == STRATEGIC else tactical_initiative
        return Segment(f"r{round_number}.{whose}", round_number, (JAPAN, USA), script)
    scripts = {PURCHASE: purchase_action, DEPLOY: deploy_action, FUEL: fuel_action, TURN: tactical_turn}
    name = f"r{round_number}.{whose}" if action == TURN else f"r{round_number}.{action}.{whose}"
    return Segment(name, round_number, acting(rules, whose), scripts[action])


def _done(game: Game, action: str, whose: str) -> None:
    game.emit("mark_set", {"key": LAST_DONE, "value": [game.state.round, action, whose]})


# -- initiative -------------------------------------------------------------------------------------------------------


def strategic_initiative(game: Game) -> None:
    """A turn begins with the initiative of its strategic phase (WWM-2.1, WWM-2.2)."""
    _begin(game)
    determine(game, STRATEGIC)
    if game.rules.parameter("wwm_oil_timing") == "start":
        rows = game.state.orders.get(f"{USA}/collect_income", ())
        allied_oil(game, [Filed(USA, row["text"], from_json(row["order"])) for row in rows])


def tactical_initiative(game: Game) -> None:
    """The tactical phase has an initiative of its own (WWM-2.2, WWM-2.8)."""
    determine(game, TACTICAL)


def determine(game: Game, part: str) -> None:
    """Japan and the United States roll a die each; the winner names who acts first, Britain acts last.

    The higher wins (WWM-2.3), a tie the United States (WWM-2.4); the winner decides (WWM-2.5), silent for himself
    (WWM-2.9); Britain never rolls (WWM-2.6).
    """
    dice = [{"unit": "initiative", "kind": "initiative", "owner": power} for power in (JAPAN, USA)]
    faces = game.roll(2, power=JAPAN, step=f"initiative:{part}", dice=dice)
    winner = JAPAN if faces[0] > faces[1] else USA
    tied = faces[0] == faces[1]
    decision = _who_first(game, winner, part)
    first = str(game.ask([decision])[decision.key])
    seats = [first, USA if first == JAPAN else JAPAN, UK]
    told = {"part": part, "dice": {JAPAN: faces[0], USA: faces[1]}, "winner": winner, "order": seats}
    topics = ["initiative", *(["tie"] if tied else []), "who_is_first", "britain_last"]
    game.emit("initiative_won", told, cites(game.rules, *topics))
    game.emit("mark_set", {"key": order_key(part), "value": {"round": game.state.round, "seats": seats}})
    _done(game, INITIATIVE, part)


def _who_first(game: Game, winner: str, part: str) -> Decision:
    def interpret(order: Order) -> Any:
        assert isinstance(order, FirstSeat)
        return order.power if order.power in (JAPAN, USA) else first_refusal(game.rules, winner, order)

    return Decision(
        key=f"first_seat:{part}:{winner}",
        power=winner,
        kind="first_seat",
        interpret=interpret,
        default=lambda: winner,
        rules=cites(game.rules, "who_is_first"),
        public={"part": part},
    )


def first_refusal(rules: RuleSet, power: str, order: FirstSeat) -> Refusal | None:
    """Why somebody may not act first: Britain is always the last, and only the two who roll may say so (WWM-2.6)."""
    if power in (JAPAN, USA) and order.power in (JAPAN, USA):
        return None
    return refuse(rules, "britain_last", "Britain always acts last; Japan or the United States act first.")


# -- actions ----------------------------------------------------------------------------------------------------------


def _begin(game: Game) -> None:
    """The first moment of a segment: a case has begun, a round too if it is the first of a turn."""
    begins: Mapping[str, Any] | None = game.state.marks.get(marks.BEGINS_AT)
    if begins is not None:
        game.emit("mark_set", {"key": marks.BEGINS_AT, "value": None})
        if game.state.counter(*purse(CONVOY_FUND)):
            divide_fund(game, ())
    opens = game.state.segment in (f"r{game.state.round}.{STRATEGIC}", f"r1.{PURCHASE}.{JAPAN}")
    if opens:
        game.emit("round_begun", {"round": game.state.round})


def _action(game: Game, action: str) -> None:
    """One seat's part of an action: its window, its phases; orders may have been filed long before (WWM-3.7)."""
    seat = acting(game.rules, game.state.power or "")
    phases = phases_to_play(game.state, ACTIONS[action]) if _begins_within(game, action) else ACTIONS[action]
    _begin(game)
    if not decided(game):
        orders = game.orders(action, seat, phases)
        if action == PURCHASE and not _takes_part(game, DEPLOY, seat[0]):
            _refuse_early(game, seat)
        for phase in phases:
            if _takes_part(game, action, seat[0]):
                play(game, phase, orders)
            else:
                _only_buys(game, orders.get(phase, ()), phase)
        game.boundary(f"after_{action}")
    _done(game, action, seat[0])


def _begins_within(game: Game, action: str) -> bool:
    begins: Mapping[str, Any] | None = game.state.marks.get(marks.BEGINS_AT)
    return begins is not None and begins["phase"] in ACTIONS[action]


def _takes_part(game: Game, action: str, seat: str) -> bool:
    return action == PURCHASE or game.state.round > 1 or seat == JAPAN


def _only_buys(game: Game, lines: tuple[Filed, ...], phase: str) -> None:
    for line in lines:
        wrong = refuse(game.rules, "first_turn_only_buys", "On turn 1 the Allies buy units and do nothing else here.")
        game.refuse(line, phase, wrong)


def _refuse_early(game: Game, seat: tuple[str, ...]) -> None:
    """Lines that an Ally filed on turn 1 for the other actions of the strategic phase."""
    for power in seat:
        spent = []
        for phase in (LAND_CAP, DEPLOY, FUEL):
            rows = game.state.orders.get(f"{power}/{phase}", ())
            _only_buys(game, tuple(Filed(power, row["text"], from_json(row["order"])) for row in rows), phase)
            spent += [phase] if rows else []
        if spent:
            game.emit("orders_spent", {"power": power, "phases": spent})


def purchase_action(game: Game) -> None:
    """S1, Purchase New Units: as in the base game; what is bought is placed in the tactical turn (WWM-3.5, WWM-3.6).

    Silent, a seat buys nothing (WWM-D02).
    """
    _action(game, PURCHASE)


def deploy_action(game: Game) -> None:
    """S2, Deploy Air Groups, which opens by landing the seat's patrols (WWM-4.1, WWM-D03)."""
    _action(game, DEPLOY)


def fuel_action(game: Game) -> None:
    """S3, Fuel Task Forces, on turn 1 with the Eastern Operation where it is chosen (WWM-7.1, WWM-D07)."""
    _action(game, FUEL)


def tactical_turn(game: Game) -> None:
    """One seat's tactical turn: combat moves to income, complete, before the next seat's (WWM-9.1, WWM-9.2)."""
    seat = acting(game.rules, game.state.power or "")
    phases = phases_to_play(game.state, FIRST_FIVE)
    _begin(game)
    hostile = hostile_zones(game.rules, game.state, seat[0])
    if hostile:
        game.emit("mark_set", {"key": marks.HOSTILE_AT_START, "value": hostile})
    if not decided(game):
        if COMBAT_MOVE in phases:
            base.fight_after_moves(game, game.orders("moves", seat, (COMBAT_MOVE,)), phases)
        elif CONDUCT_COMBAT in phases:
            play(game, CONDUCT_COMBAT)
            game.boundary("after_combat")
    if not decided(game):
        base.second_half(game, seat, phases)
    game.run("turn_completed", seat[0])
    _done(game, TURN, seat[0])
    end_turn(game)
