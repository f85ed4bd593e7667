"""What must hold in every turn with the advanced retreats, said apart from the code: read off the events alone."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.board.evolve import evolve
from pbem.board.state import State
from pbem.campaign.play import Told
from pbem.rules.ruleset import RuleSet

RETREATS = ("retreat", "break_off")


def broken(rules: RuleSet, before: State, told: Told) -> list[str]:
    """Every law that the events of a turn break, in words."""
    return [*_of_battles(told), *_of_places(rules, before, told), *_of_parts(rules, told), *_of_questions(told)]


def _of_battles(told: Told) -> Iterator[str]:
    """Who left a battle fires in it no more (ERR-3.3, ERR-5.5); nobody leaves before a round is over (ERR-3.4)."""
    battle, gone = "", set[str]()
    for event in told.events:
        body = event.payload
        if event.type == "battle_begun":
            battle, gone = body["battle"], set()
        elif event.type == "units_moved" and body.get("why") in RETREATS:
            gone |= set(body["units"])
            if not body.get("battle"):
                yield f"{body['units']} leave no battle"
        elif event.type == "decisions_taken":
            for row in body["decisions"]:
                if row["kind"] == "retreat" and isinstance(row["value"], dict) and row["value"].get("goes"):
                    gone |= {goes[0] for goes in row["value"]["goes"]}
                    if row["round"] < 1:
                        yield f"{row['key']} before a round"
        elif event.type == "dice_rolled":
            firing = {die["unit"] for die in body["dice"] if "unit" in die} & gone
            if firing:
                yield f"{firing} fire in {battle} after they left it"


def _of_places(rules: RuleSet, before: State, told: Told) -> Iterator[str]:
    """Where units that retreat come to, at that moment.

    Land units and aircraft to friendly land, ships to a zone beside (ERR-2.4, ERR-2.5, ERR-9.1); who retreated moves no
    more in that turn, but for aircraft that still land and what rides on them (ERR-3.11).
    """
    state, left = before, set[str]()
    table = rules.board.units
    for event in told.events:
        body = event.payload
        if event.type == "units_moved":
            owners = {state.units[unit].owner for unit in body["units"]}
            kinds = [table[state.units[unit].kind] for unit in body["units"]]
            if body.get("why") in RETREATS:
                to, here = body["to"], body["from"]
                sea = rules.board.spaces[to].is_sea
                near = rules.board.adjacent(here, to) or here == to
                if not sea and any(kind.domain == "sea" for kind in kinds):
                    yield f"ships on land: {body}"
                if any(kind.domain != "air" for kind in kinds) and not near:
                    yield f"a retreat of more than a step: {body}"
                if not sea and not all(rules.judge("friendly_territory", state, owner, to) for owner in owners):
                    yield f"a retreat into land that is not friendly: {body}"
                left |= {unit for unit, kind in zip(body["units"], kinds, strict=True) if kind.domain != "air"}
            elif left & set(body["units"]):
                riding = {unit for unit in left & set(body["units"]) if state.units[unit].aboard is not None}
                if left & set(body["units"]) - riding:
                    yield f"{left & set(body['units'])} move after a retreat: {body}"
        state = evolve(state, event)


def _of_parts(rules: RuleSet, told: Told) -> Iterator[str]:
    """With three combats: aircraft alone, ships, land units; nobody fights in two of them (ERR-1.3.3)."""
    if rules.parameter("err_sequence") != "er9":
        return
    table, fought = rules.board.units, dict[str, int]()
    for event in told.events:
        body = event.payload
        if event.type != "battle_begun" or body["kind"] == "overflight":
            continue
        domains = {table[kind].domain for _, kind, _ in body["attackers"]}
        part = 1 if body["kind"].startswith("raid") else int(body["battle"].rpartition(":")[2])
        on_land = body["kind"] in ("land", "walk_in")
        allowed = {1: domains == {"air"}, 2: "sea" in domains or body["kind"] == "sea", 3: on_land}
        if not allowed[part]:
            yield f"in part {part}: {body}"
        for unit, _, _ in body["attackers"]:
            if fought.setdefault(unit, part) != part:
                yield f"{unit} fights in parts {fought[unit]} and {part}"


def _of_questions(told: Told) -> Iterator[str]:
    """Nobody is asked about a retreat without a way that is open, and every question tells what silence means."""
    for event in told.events:
        for ask in event.payload.get("asks", ()) if event.type == "window_opened" else ():
            if ask["kind"] == "retreat" and not any(row.get("to") for row in ask["options"]):
                yield f"asked without a way: {ask}"
            if ask["kind"] in ("retreat", "break_off", "aim", "consent", "last_resort") and not ask.get("silent"):
                yield f"no default is told: {ask}"
