"""Looks over the events of turns of 1942 Second Edition with the bare rules in hand, apart from the code behind them.

Only the printed board is shared with the referee; everything else is said here once more: who
may go where, how many dice with which numbers, who pays and collects, what is captured, freed, placed and won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.board.evolve import evolve
from pbem.board.map import Board
from pbem.board.state import State, Unit

SIDES = {"ussr": "allies", "uk": "allies", "usa": "allies", "germany": "axis", "japan": "axis"}
CAPITALS = {
    "ussr": "russia", "germany": "germany", "uk": "united-kingdom", "japan": "japan", "usa": "eastern-united-states",
}  # fmt: skip
LAND = {"infantry": 1, "artillery": 1, "aa_gun": 1, "tank": 2}
AIR = {"fighter": 4, "bomber": 6}
SHIPS = ("submarine", "transport", "destroyer", "cruiser", "carrier", "battleship")
SURFACE = ("destroyer", "cruiser", "carrier", "battleship")
ATTACK = {
    "infantry": 1, "artillery": 2, "tank": 3, "fighter": 3, "bomber": 4, "submarine": 2, "destroyer": 2, "cruiser": 3,
    "carrier": 1, "battleship": 4,
}  # fmt: skip
DEFENCE = {
    "infantry": 2, "artillery": 2, "tank": 3, "fighter": 4, "bomber": 1, "submarine": 1, "destroyer": 2, "cruiser": 3,
    "carrier": 2, "battleship": 4,
}  # fmt: skip
CANALS = {frozenset(("sz-17", "sz-34")): ("egypt", "trans-jordan"), frozenset(("sz-18", "sz-19")): ("central-america",)}
CITIES = {
    "eastern-united-states", "western-united-states", "hawaiian-islands", "united-kingdom", "russia", "karelia-ssr",
    "india", "germany", "france", "italy", "japan", "kiangsu", "philippine-islands",
}  # fmt: skip


class Inspector:
    """Goes along with the events; `wrong` holds what broke the rules."""

    def __init__(self, board: Board, options: Mapping[str, Any], state: State) -> None:
        self.board, self.options, self.state = board, options, state
        self.start = state
        self.wrong: list[str] = []
        self.seen: Counter[str] = Counter()
        self.phase = ""
        self.gone: Counter[str] = Counter()
        self.unloaded: dict[str, str] = {}
        self.battle: dict[str, Any] = {}

    def look_over(self, events: Iterable[Any]) -> list[str]:
        """All that is wrong with these events, in order."""
        before = len(self.wrong)
        for event in events:
            look = getattr(self, f"_{event.type}", None)
            if look is not None:
                self.seen[event.type] += 1
                look(event.payload)
            self.state = evolve(self.state, event)
            if event.type in ("phase_ended", "segment_ended"):
                self._position()
        return self.wrong[before:]

    def _say(self, what: str) -> None:
        self.wrong.append(f"round {self.state.round} {self.state.power} {self.phase}: {what}")

    # -- questions ----------------------------------------------------------------------------------------------------

    def _enemy(self, other: str | None) -> bool:
        return other is not None and other in SIDES and SIDES[other] != SIDES[self.state.power or ""]

    def _hostile_zone(self, zone: str) -> bool:
        return any(self._enemy(unit.owner) and unit.kind in SURFACE for unit in self.state.units_in(zone))

    def _enemy_destroyer(self, zone: str) -> bool:
        return any(self._enemy(unit.owner) and unit.kind == "destroyer" for unit in self.state.units_in(zone))

    def _friendly_at_start(self, territory: str) -> bool:
        return not self._enemy(self.start.controller(territory)) and self.start.controller(territory) is not None

    # -- the turn -----------------------------------------------------------------------------------------------------

    def _segment_begun(self, body: Mapping[str, Any]) -> None:
        self.start = self.state
        self.gone.clear()
        self.unloaded.clear()

    def _phase_begun(self, body: Mapping[str, Any]) -> None:
        self.phase = body["phase"]

    def _phase_ended(self, body: Mapping[str, Any]) -> None:
        power = body["power"]
        if self.phase == "purchase":
            self._bought(power)
        if self.phase == "conduct_combat":
            for unit in self.state.units.values():
                on_foot = unit.kind in LAND and unit.aboard is None
                if on_foot and unit.owner == power and self._enemy(self.state.controller(unit.space)):
                    self._say(f"{unit.kind} of {power} stands in {unit.space} after combat and does not hold it")
        if self.phase == "noncombat_move":
            self._landed(power)
        if self.phase == "mobilize" and self.state.purchased(power):
            self._say("something bought was neither placed nor paid back")

    def _bought(self, power: str) -> None:
        if self.options.get("overbuy") == "refund":
            return
        room = coast = 0
        for space in self.board.spaces.values():
            damage = (
                self.state.spaces[space.id].facility("industrial_complex") if space.id in self.state.spaces else None
            )
            if damage is None or self.state.controller(space.id) != power or self.start.controller(space.id) != power:
                continue
            room += max(0, space.ipc - damage)
            coast += max(0, space.ipc - damage) if self.board.seas_beside(space.id) else 0
        units = {kind: n for kind, n in self.state.purchased(power).items() if kind != "industrial_complex"}
        ships = sum(n for kind, n in units.items() if kind in SHIPS)
        if sum(units.values()) > room or ships > coast:
            self._say(f"bought {units} with room for {room}, {coast} of it at sea")

    def _landed(self, power: str) -> None:
        waiting = Counter[str]()
        for unit in self.state.units.values():
            if unit.owner != power or unit.kind not in AIR or unit.aboard is not None:
                continue
            if not self.board.spaces[unit.space].is_sea:
                held = self.state.controller(unit.space)
                if not self._friendly_at_start(unit.space) or self._enemy(held):
                    self._say(f"{unit.kind} landed in {unit.space}")
            elif unit.kind == "bomber":
                self._say(f"bomber over {unit.space} after the noncombat move")
            else:
                waiting[unit.space] += 1
        if sum(waiting.values()) > 2 * self.state.purchased(power).get("carrier", 0):
            self._say(f"more fighters wait at sea ({dict(waiting)}) than new carriers take")

    # -- movement -----------------------------------------------------------------------------------------------------

    def _units_moved(self, body: Mapping[str, Any]) -> None:
        phase = body.get("phase")
        if phase not in ("combat_move", "noncombat_move") or phase != self.phase:
            return
        path = [body["from"], *body.get("via", ()), body["to"]]
        spelt_out = all(self.board.adjacent(a, b) for a, b in zip(path, path[1:], strict=False))
        for unit_id in body["units"]:
            unit = self.state.units[unit_id]
            if unit.owner != self.state.power:
                continue
            self.gone[unit_id] += body.get("spent", 0)
            self.seen[f"{phase} of {unit.kind}"] += 1
            if not spelt_out and unit.kind not in AIR:
                self._say(f"{unit.kind} jumps along {path}")
            if any(self.board.spaces[space].id not in self.state.spaces and not self.board.spaces[space].is_sea
                   for space in path):  # fmt: skip
                self._say(f"{unit.kind} goes through {path}, where nobody rules")
            if unit.kind in LAND:
                self._march(unit, path, phase)
            elif unit.kind in SHIPS:
                self._sail(unit, path, phase)
            elif self.gone[unit_id] > AIR[unit.kind]:
                self._say(f"{unit.kind} flies {self.gone[unit_id]} spaces")

    def _march(self, unit: Unit, path: list[str], phase: str) -> None:
        if self.gone[unit.id] > LAND[unit.kind] or unit.aboard is not None:
            self._say(f"{unit.kind} goes {path}, {self.gone[unit.id]} in all")
        if unit.kind == "aa_gun" and phase == "combat_move":
            self._say(f"guns move in the combat move: {path}")
        for space in path[1:]:
            held = self.state.controller(space)
            if held is None:
                self._say(f"{unit.kind} enters {space}, where nobody rules")
            if phase == "noncombat_move" and self._enemy(held):
                self._say(f"{unit.kind} enters hostile {space} in the noncombat move")
        for space in path[1:-1]:
            if self._enemy(self.state.controller(space)):
                stopped = any(self._enemy(other.owner) for other in self.state.units_in(space))
                if unit.kind != "tank" or stopped or self.state.spaces[space].facilities:
                    self._say(f"{unit.kind} does not stop in {space}")

    def _sail(self, unit: Unit, path: list[str], phase: str) -> None:
        if self.gone[unit.id] > 2:
            self._say(f"{unit.kind} sails {self.gone[unit.id]} zones")
        if unit.id in self.unloaded and len(path) > 1:
            self._say(f"transport sails on after unloading: {path}")
        for a, b in zip(path, path[1:], strict=False):
            if not (self.board.spaces[a].is_sea and self.board.spaces[b].is_sea):
                self._say(f"{unit.kind} sails {path}")
            for bank in CANALS.get(frozenset((a, b)), ()):
                if not self._friendly_at_start(bank):
                    self._say(f"{unit.kind} passes a canal beside {bank}")
            if self.options.get("black_sea_closed") and "sz-16" in (a, b):
                self._say(f"{unit.kind} passes the closed Black Sea")
        for zone in path[1:-1]:
            if self._hostile_zone(zone) if unit.kind != "submarine" else self._enemy_destroyer(zone):
                self._say(f"{unit.kind} does not stop in {zone}")
        if phase == "noncombat_move" and unit.kind != "submarine" and self._hostile_zone(path[-1]):
            self._say(f"{unit.kind} enters hostile {path[-1]} in the noncombat move")

    def _units_loaded(self, body: Mapping[str, Any]) -> None:
        ship = self.state.units[body["onto"]]
        cargo = [self.state.units[one] for one in body["units"]]
        if ship.kind != "transport" or body["from"] == body.get("zone"):
            return
        self.seen["boarded"] += len(cargo)
        if self._hostile_zone(ship.space):
            self._say(f"loading in hostile {ship.space}")
        if any(self.gone[unit.id] for unit in cargo) or ship.id in self.unloaded:
            self._say("a unit that moved boards, or a ship that unloaded loads")
        if self.phase == "combat_move" and any(unit.kind == "aa_gun" for unit in cargo):
            self._say("guns board in the combat move")
        for unit in cargo:
            self.gone[unit.id] += LAND[unit.kind]

    def _units_unloaded(self, body: Mapping[str, Any]) -> None:
        if self.board.spaces[body["to"]].is_sea:
            return
        for unit_id in body["units"]:
            unit = self.state.units[unit_id]
            ship = unit.aboard or ""
            if self.unloaded.setdefault(ship, body["to"]) != body["to"]:
                self._say("a transport unloads in two territories")
            self.gone[unit_id] = 9
            self.seen["ashore"] += 1
        if self._hostile_zone(body["from"]):
            self._say(f"unloading in hostile {body['from']}")
        if not self.board.adjacent(body["from"], body["to"]):
            self._say(f"unloading from {body['from']} in {body['to']}")

    # -- combat -------------------------------------------------------------------------------------------------------

    def _battle_begun(self, body: Mapping[str, Any]) -> None:
        self.battle = dict(body)
        self.seen[f"battle {body['kind']}"] += 1
        if any(row[2] != self.state.power for row in body["attackers"]):
            self._say(f"allies attack together in {body['space']}")
        if any(not self._enemy(row[2]) for row in body["defenders"]):
            self._say(f"friends are attacked in {body['space']}")

    def _dice_rolled(self, body: Mapping[str, Any]) -> None:
        space, step = body["purpose"].split("\n")[-3], body["purpose"].split("\n")[-1].partition("#")[0]
        dice = body["dice"]
        self.seen[f"dice {step.partition(':')[0]}"] += len(dice)
        table = {
            "attackers_fire": ATTACK, "attacking_submarines_strike": ATTACK,
            "defenders_fire": DEFENCE, "defending_submarines_strike": DEFENCE,
        }.get(step)  # fmt: skip
        if table is not None:
            self._volley(space, step, dice, table)
        elif step == "aa_fire":
            guns = sum(self._enemy(u.owner) and u.kind == "aa_gun" for u in self.state.units_in(space))
            flying = sum(row[1] in AIR for row in self.battle["attackers"])
            if len(dice) != min(3 * guns, flying) or any(die["need"] != 1 for die in dice):
                self._say(f"{guns} guns fire {len(dice)} dice at {flying} aircraft in {space}")
        elif step.startswith("facility_fire"):
            if len(dice) != len(self._raiders(space)) or any(die["need"] != 1 for die in dice):
                self._say(f"the complex in {space} fires {len(dice)} dice")
        elif step.startswith("bombs"):
            if len(dice) != len(self._raiders(space)):
                self._say(f"{len(dice)} dice of bombs on {space}")
        elif step == "bombardment":
            if any(die["need"] != {"battleship": 4, "cruiser": 3}.get(die["kind"]) for die in dice):
                self._say(f"bombardment of {space} by {dice}")
            if len(dice) > len(self.battle.get("landed", ())):
                self._say(f"{len(dice)} ships bombard {space}")
        elif step == "air_attackers_fire" or step == "air_defenders_fire":
            need = 1 if step == "air_attackers_fire" else 2
            if any(die["need"] != need for die in dice) or not self.options.get("interceptors"):
                self._say(f"air battle over {space}: {dice}")
        else:
            self._say(f"unknown dice {step}")

    def _raiders(self, space: str) -> list[Unit]:
        return [u for u in self.state.units_in(space) if u.kind == "bomber" and u.mark("job") == "raid"]

    def _volley(self, space: str, step: str, dice: list[dict[str, Any]], table: Mapping[str, int]) -> None:
        raised = guns = 0
        here = {unit.id: unit for unit in self.state.units_in(space)}
        for die in dice:
            unit = here.get(die["unit"])
            if unit is None:
                self._say(f"{die['unit']} fires in {space} and is not there")
                continue
            if unit.mark("job") is not None or unit.mark("intercepted"):
                self._say(f"{die['kind']} of the raid fires in the battle of {space}")
            need = table[die["kind"]]
            if table is ATTACK and die["kind"] == "infantry" and die["need"] == 2:
                raised += 1
            elif die["need"] != need:
                self._say(f"{die['kind']} needs {die['need']} in {step} of {space}")
            guns += die["kind"] == "artillery"
        if raised > guns:
            self._say(f"{raised} infantry are raised by {guns} artillery in {space}")
        if step.endswith("strike"):
            theirs = self.state.power if step.startswith("defending") else None
            for unit in here.values():
                other = unit.owner == theirs if theirs else self._enemy(unit.owner)
                if other and unit.kind == "destroyer" and not unit.mark("retreated"):
                    self._say(f"a surprise strike under a destroyer's eyes in {space}")

    # -- control, money, placement ------------------------------------------------------------------------------------

    def _control_changed(self, body: Mapping[str, Any]) -> None:
        space, to = self.board.spaces[body["space"]], body["to"]
        original = space.original_owner
        if original is None or to is None:
            self._say(f"{body['space']} changes hands")
            return
        if to == original:
            return
        if SIDES[original] == SIDES[to]:
            capital = self.state.controller(CAPITALS[original])
            if capital is not None and SIDES[capital] == SIDES[original]:
                self._say(f"{to} keeps {space.id} of {original}, whose capital is free")

    def _counter_changed(self, body: Mapping[str, Any]) -> None:
        power = body["power"]
        if body["counter"] == "ipc" and self.state.counter(power) + body["by"] < 0:
            self._say(f"{power} owes money")
        if body.get("why") == "income":
            land = sum(s.ipc for s in self.board.spaces.values() if self.state.controller(s.id) == power)
            if body["by"] != land or self._enemy(self.state.controller(CAPITALS[power])):
                self._say(f"{power} collects {body['by']} for {land}")

    def _facility_changed(self, body: Mapping[str, Any]) -> None:
        damage, value = body.get("damage"), self.board.spaces[body["space"]].ipc
        if damage is not None and not 0 <= damage <= 2 * value:
            self._say(f"{damage} damage in {body['space']} of value {value}")
        if body.get("why") == "built" and (
            value < 1 or self.start.controller(body["space"]) != self.state.power
            or self.state.spaces[body["space"]].facilities
        ):  # fmt: skip
            self._say(f"a complex is built in {body['space']}")

    def _units_created(self, body: Mapping[str, Any]) -> None:
        if body["why"] != "mobilized":
            return
        owner, space = body["owner"], body["space"]
        for _, kind, *_ in body["units"]:
            self.seen[f"placed {kind}"] += 1
            at_sea = self.board.spaces[space].is_sea
            if (kind in SHIPS) != at_sea and not (kind == "fighter" and at_sea):
                self._say(f"{kind} is placed in {space}")
        lands = self.board.lands_beside(space) if self.board.spaces[space].is_sea else (space,)
        ready = [
            land for land in lands
            if self.state.controller(land) == owner == self.start.controller(land)
            and self.state.spaces[land].facility("industrial_complex") is not None
            and self.board.spaces[land].ipc > (self.state.spaces[land].facility("industrial_complex") or 0)
        ]  # fmt: skip
        if not ready:
            self._say(f"{owner} places {body['units']} in {space} without a complex")

    def _game_won(self, body: Mapping[str, Any]) -> None:
        cities = sum(SIDES[self.state.controller(city) or ""] == body["side"] for city in CITIES)
        needed = 13 if self.options.get("total_victory") else {"axis": 9, "allies": 10}[body["side"]]
        if body["how"] == "victory" and (self.state.power != "usa" or cities < needed):
            self._say(f"{body['side']} wins with {cities} cities in the turn of {self.state.power}")

    # -- the position -------------------------------------------------------------------------------------------------

    def _position(self) -> None:
        cargo: dict[str, Counter[str]] = {}
        for unit in self.state.units.values():
            at_sea = self.board.spaces[unit.space].is_sea
            if (unit.kind in SHIPS) != at_sea and unit.kind in (*SHIPS, *(LAND if unit.aboard is None else ())):
                self._say(f"{unit.kind} is in {unit.space}")
            if not at_sea and self.state.controller(unit.space) is None:
                self._say(f"{unit.kind} is in {unit.space}, where nobody rules")
            if unit.aboard is not None:
                ship = self.state.units.get(unit.aboard)
                if ship is None or ship.space != unit.space or self._opposed(ship.owner, unit.owner):
                    self._say(f"{unit.kind} is aboard {unit.aboard}")
                cargo.setdefault(unit.aboard, Counter())[unit.kind] += 1
        for ship_id, load in cargo.items():
            kind = self.state.units[ship_id].kind
            land = sum(load.values())
            fits = kind == "transport" and set(load) <= set(LAND) and land <= 2 and land - load["infantry"] <= 1
            if not (fits or (kind == "carrier" and set(load) == {"fighter"} and land <= 2)):
                self._say(f"{kind} carries {dict(load)}")
        for power in SIDES:
            if self.state.counter(power) < 0:
                self._say(f"{power} has {self.state.counter(power)} IPC")

    def _opposed(self, one: str, other: str) -> bool:
        return SIDES[one] != SIDES[other]
