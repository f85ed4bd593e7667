"""Tells a turn that the referee played in the form of a recorded turn, as another program would have told it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.audit.turns_compare import table_of
from pbem.audit.turns_record import Standing
from pbem.board.evolve import evolve, fold
from pbem.board.map import Board
from pbem.board.state import State
from pbem.campaign.filing import file_lines
from pbem.campaign.play import begin, run_on
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.games.catalog import rule_set
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.rules.battle.dice_steps import AA_FIRE, BOMBARDMENT, side_of_step
from pbem.rules.order_model import Load, Move, Order, Unload, from_json, to_json
from pbem.rules.printed import board_set_up, printed_units
from pbem.rules.roster import Roster
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted
from pbem.testing.random_play import random_text

Record = dict[str, Any]


class RandomDice:
    """Faces of a seeded generator."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        faces = tuple(self.chance.randint(1, 6) for _ in range(count))
        return Roll(None, None, None, purpose.text(), dict(entropy), faces, "random")


def retold_game(game: str, edition: str, seed: int, turns: int) -> Record:
    """So many turns of random orders, told as a game of records with the board before the first."""
    rules = rule_set(game, edition)
    chance, dice = random.Random(seed), RandomDice(seed)
    roster = Roster(rules.board)
    for space, owner, kind, count in printed_units(rules.board):
        for _ in range(count):
            roster.add(space, owner, kind)
    roster.board_aircraft()
    play = begin("random", rules, [board_set_up(rules.board), *roster.facts("setup")])
    told: Record = {
        "ruleset": {"p40": f"P40-{edition}", "s42": "S42", "classic": "CLA"}[game],
        "setup": told_table(rules.board, play.now),
        "pus_at_start": {p.id: play.now.counter(p.id) for p in rules.board.powers.values() if p.playable},
        "turns": [],
    }
    for number in range(1, turns + 1):
        segment = rules.next_segment(rules, play.base)
        if segment is None:
            break
        before = play.now
        power = segment.seat[0]
        text = random_text(chance, rules, before, power)
        context = ReadContext(game=game, edition=edition or None, variants=(), powers=(power,))
        lines = read_orders(text, gazetteer(game, edition or None), context)
        given = [(line.order, line.canonical or "") for line in lines if line.order is not None]
        filing = file_lines(power, given, before)
        phases = {phase: list(filing.phases.get(phase, ())) for phase in rules.parameter("phases")}
        facts = [("orders_received", {"power": power, "phases": phases})]
        done = run_on(play.with_facts(facts, 0), dice, StandingResponder(), now=0, may_close=lambda window: True)
        play = done.play
        told["turns"].append(
            {"seq": number, "round": segment.round, "power": power}
            | told_turn(rules, [order for order, _ in given], before, done.events)
        )
    return told


def told_turn(rules: RuleSet, orders: Sequence[Order], before: State, events: Sequence[Emitted]) -> Record:
    """One turn, from the orders that were carried out and from what happened."""
    board, after = rules.board, fold(before, events)
    power = next(event.payload["power"] for event in events if event.type == "segment_begun")
    refused = [from_json(e.payload["order"]) for e in events if e.type in ("order_refused", "order_lapsed")]
    carried = []
    for order in orders:
        if order in refused:
            refused.remove(order)
        else:
            carried.append(order)
    old, new = told_table(board, before), told_table(board, after)
    powers = [p.id for p in board.powers.values() if p.playable]
    income = next((e.payload for e in events if e.type == "income_collected"), None)
    record: Record = {
        "pus_before": before.counter(power),
        "remaining_after_purchase": {"PUs": _money_bought(before, power, events)},
        "politics": [{"power": power, "effects": [
            {"what": f"Changing Relationship for {e.payload['a']} and {e.payload['b']} from Neutrality to War"}
            for e in events if e.type == "relation_changed" and e.payload["to"] == "war"
        ]}],
        "purchases": [{"unit": o["item"], "count": o.get("count", 1)}
                      for o in map(to_json, carried) if o["type"] == "buy"],
        "repairs": _repairs(events),
        "moves": _moves(before, carried, events),
        "battles": _battles(before, power, events),
        "placements": _placements(events),
        "takes": [{"space": e.payload["space"], "from": e.payload["from"], "by": power}
                  for e in events if e.type == "control_changed"],
        "board_after_changes": {space: row for space, row in new.items() if row != old.get(space)},
        "control_changes": [
            {"space": space, "before": before.controller(space), "after": after.controller(space)}
            for space in board.spaces if before.controller(space) != after.controller(space)
        ],
        "dice_stream": list(_stream(events)),
        "pus_after": {p: after.counter(p) for p in powers},
    }  # fmt: skip
    if income is not None:
        record["income"] = {
            "collected": income["territories"] - income["convoy_loss"],
            "convoy_lost": income["convoy_loss"],
            "convoy_rolls": [
                {"zone": Purpose.parse(e.payload["purpose"]).space, "rolls": e.payload["faces"]}
                for e in events if e.type == "dice_rolled" and Purpose.parse(e.payload["purpose"]).step == "convoy"
            ],
            "objectives": [
                {"name": name, "power": power, "pus": part}
                for name, ipc in income["objectives"] for part in _parts(board, name, ipc)
            ],
        }  # fmt: skip
    return record


def _stream(events: Sequence[Emitted]) -> Iterable[Record]:
    for event in events:
        if event.type == "dice_rolled":
            purpose = Purpose.parse(event.payload["purpose"])
            what = "AA fire" if purpose.step.startswith(AA_FIRE) else purpose.step
            battle = f", battle round {purpose.battle_round}" if purpose.battle_round else ""
            yield {"for": f"{what} in {purpose.space}{battle}", "faces": event.payload["faces"]}


def _parts(board: Board, name: str, ipc: int) -> list[int]:
    row = next(row for row in board.facts["national_objectives"] if row["id"] == name)
    return [row["ipc"]] * (ipc // row["ipc"]) if row["kind"] == "per_space" else [ipc]


def _money_bought(before: State, power: str, events: Sequence[Emitted]) -> int:
    money = before.counter(power)
    for event in events:
        if event.type == "phase_ended" and event.payload["phase"] == "purchase":
            break
        if event.type == "counter_changed" and event.payload["power"] == power:
            money += event.payload["by"]
    return money


def _repairs(events: Sequence[Emitted]) -> list[Record]:
    """Points are what the purchase phase took off each facility, as money shows it."""
    rows: list[Record] = []
    paid = 0
    for event in events:
        body = event.payload
        if event.type == "counter_changed" and str(body.get("why", "")).startswith("repair"):
            paid = -body["by"]
        elif event.type == "facility_changed" and paid:
            rows.append({"unit": body["kind"], "at": body["space"], "points": paid})
            paid = 0
    return rows


def _moves(before: State, carried: Sequence[Order], events: Sequence[Emitted]) -> list[Record]:
    """The orders that moved something; with ships their cargo is named, as it was when they sailed."""
    sailed: list[tuple[str, str, list[Record]]] = []
    state = before
    for event in events:
        if event.type == "units_moved" and "phase" in event.payload:
            body = event.payload
            cargo = [
                {"unit": piece.kind, "count": 1, "owner": piece.owner}
                for unit in body["units"]
                for piece in state.cargo_of(unit)
            ]
            sailed.append((body["from"], body["to"], cargo))
        state = evolve(state, event)
    rows: list[Record] = []
    for order in carried:
        if not isinstance(order, Move | Load | Unload):
            continue
        row = _move(order)
        if isinstance(order, Move):
            way = next((way for way in sailed if way[:2] == (order.path[0], order.path[-1])), None)
            if way is not None:
                sailed.remove(way)
                row["units"] += way[2]
        rows.append(row)
    return rows


def _move(order: Move | Load | Unload) -> Record:
    units = [{"unit": pick.kind, "count": pick.count} for pick in order.units]
    record: Record = {"phase": order.in_phase, "units": units}
    if isinstance(order, Move):
        record |= {"from": order.path[0], "to": order.path[-1], "via": list(order.path[1:-1])}
        return record
    if isinstance(order, Load):
        return record | {"from": order.space, "to": order.zone, "load": True}
    return record | {"from": order.zone, "to": order.space, "unload": True}


def _placements(events: Sequence[Emitted]) -> list[Record]:
    rows: list[Record] = []
    mobilizing = False
    for event in events:
        body = event.payload
        if event.type == "phase_begun":
            mobilizing = body["phase"] == "mobilize"
        elif mobilizing and event.type == "units_created":
            rows += [{"units": [{"unit": row[1], "count": 1}], "at": body["space"]} for row in body["units"]]
        elif mobilizing and event.type == "facility_changed" and body.get("why") == "built":
            rows.append({"units": [{"unit": body["kind"], "count": 1}], "at": body["space"]})
    return rows


# -- battles ----------------------------------------------------------------------------------------------------------


def _battles(before: State, power: str, events: Sequence[Emitted]) -> list[Record]:
    told: dict[str, Record] = {}
    shown: list[str] = []
    now: str | None = None
    for event in events:
        body = event.payload
        if event.type == "battle_begun":
            now = body["battle"]
            kind = "raid" if body["kind"].startswith("raid") else "battle"
            told[now] = {
                "space": body["space"], "kind": kind, "attacker": power, "timeline": [],
                "attack_units": dict(Counter(kind for _, kind, _ in body["attackers"])),
                "defenders": [{"power": owner, "units": dict(count)} for owner, count in _by_owner(body["defenders"])],
            }  # fmt: skip
            if body["defenders"] or kind == "raid":
                shown.append(now)
        elif event.type == "battle_ended":
            battle = told[body["battle"]]
            won = body["result"] == "attacker"
            rows = body["survivors"]["attack" if won else "defend"]
            if battle["kind"] != "raid":
                battle["winner"] = power if won else "neutral"
                battle["survivors"] = dict(Counter(kind for _, kind, _ in rows))
            now = None
        elif now is not None:
            told[now]["timeline"] += list(_entries(event, before, power))
    return [told[battle] for battle in shown]


def _by_owner(rows: Iterable[Sequence[str]]) -> list[tuple[str, Counter[str]]]:
    counts: dict[str, Counter[str]] = {}
    for _, kind, owner in rows:
        counts.setdefault(owner, Counter())[kind] += 1
    return list(counts.items())


def _entries(event: Emitted, before: State, power: str) -> Iterable[Record]:
    body = event.payload
    if event.type == "dice_rolled":
        purpose = Purpose.parse(body["purpose"])
        step = purpose.step.partition("#")[0]
        dice = [[face, die.get("need", 0)] for face, die in zip(body["faces"], body["dice"], strict=True)]
        units = dict(Counter(die["kind"] for die in body["dice"] if "kind" in die))
        by = power if side_of_step(step) == "attack" else "neutral"
        if step == AA_FIRE:
            yield {"t": "aa_roll", "dice": dice}
        elif step == BOMBARDMENT:
            yield {"t": "roll", "by": by, "battle_round": 1, "units": units, "dice": dice}
        else:
            yield {"t": "roll", "by": by, "battle_round": purpose.battle_round, "units": units, "dice": dice}
    elif event.type == "units_damaged" and "battle" in body:
        yield {"t": "damaged", "units": [
            {"unit": before.units[unit].kind, "count": 1, "owner": before.units[unit].owner} for unit in body["damage"]
        ]}  # fmt: skip
    elif event.type == "units_moved" and body.get("why") in ("retreat", "withdrew"):
        units = [before.units[unit] for unit in body["units"]]
        yield {"t": "retreat", "units": [{"unit": u.kind, "count": 1, "owner": u.owner} for u in units],
               "to": body["to"]}  # fmt: skip
    elif event.type == "units_marked" and body.get("why") == "submerged":
        units = [before.units[unit] for unit in body["units"]]
        yield {"t": "submerge", "units": [{"unit": u.kind, "count": 1, "owner": u.owner} for u in units]}
    elif event.type == "aircraft_broke_off":
        yield {"t": "air_breaks_off", "units": []}
    elif event.type == "units_removed" and "battle" in body:
        for owner, count in _by_owner(body["lost"]):
            yield {"t": "lost", "units": [{"unit": k, "count": n, "owner": owner} for k, n in count.items()]}


# -- the board --------------------------------------------------------------------------------------------------------


def told_table(board: Board, state: State) -> Record:
    """The whole board as records write it: facilities among the units, damage in brackets."""
    return {space: _told(held) for space, held in table_of(board, state).items()}


def _told(held: Standing) -> Record:
    units: dict[str, dict[str, int]] = {}
    for (owner, kind, damage), count in sorted(held.units.items()):
        units.setdefault(owner, {})[f"{kind} [hits {damage}]" if damage else kind] = count
    for kind, damage in sorted(held.facilities.items()):
        name = f"{kind} [damage {damage}]" if damage else kind
        units.setdefault(held.owner or "neutral", {})[name] = 1
    return {"units": units, "owner": held.owner}
