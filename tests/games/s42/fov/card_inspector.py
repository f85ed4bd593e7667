"""Looks over the events of turns with victory cards with the rules of the cards in hand, apart from the code of them.

Which deck a card is of, when and by whom it is played and how its units hit is said here once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.board.evolve import evolve
from pbem.board.map import Board
from pbem.board.state import State, Unit

WEAPONS = (
    "rail_gun", "rocket_strike", "atomic_bomb", "super_bombers", "jet_fighter", "long_range_fighters",
    "radar_fire_control", "heavy_artillery", "heavy_tank", "powerful_torpedoes",
)  # fmt: skip
TACTICS = (
    "air_supremacy", "combined_arms", "mechanized_offensive", "combined_bomber_offensive", "airborne_assault",
    "scramble", "fortification", "entrenchment", "hidden_factory", "signals_intelligence",
)  # fmt: skip
MOMENTS = {
    "MOVE": ("super_bombers", "long_range_fighters", "mechanized_offensive", "airborne_assault", "force_majeure"),
    "ATT": ("rail_gun", "rocket_strike", "atomic_bomb", "super_bombers", "heavy_artillery", "heavy_tank",
            "powerful_torpedoes", "air_supremacy", "combined_arms", "combined_bomber_offensive", "fog_of_war",
            "supreme_excellence"),
    "DEF": ("jet_fighter", "radar_fire_control", "heavy_artillery", "heavy_tank", "powerful_torpedoes", "scramble",
            "fortification", "entrenchment", "hidden_factory", "signals_intelligence", "fog_of_war", "severe_weather"),
    "DMG": ("hidden_factory",),
    "ROLL": ("fighter_ace", "fog_of_war"),
    "MOB": ("foreign_legion", "military_support", "merchant_marine", "spoils_of_war"),
    "INC": ("donation", "eureka"),
}  # fmt: skip
OWN_TURN = ("MOVE", "ATT", "MOB", "INC")
SIDES = {"ussr": "allies", "uk": "allies", "usa": "allies", "germany": "axis", "japan": "axis"}
DECK_OF_FACE = {1: "weapons", 2: "weapons", 3: "tactics", 4: "tactics", 5: "fortune", 6: "fortune"}
STRIKES = ("attackers_fire", "attacking_submarines_strike")
"""Steps in which the attacker fires in a round."""
FIRE = (*STRIKES, "defenders_fire", "defending_submarines_strike")
NUMBERS = {"heavy_artillery": 3, "heavy_tank": 4}
"""With which number a unit under these cards hits in every round, in attack and defence."""


def deck_of(card: str) -> str:
    return "weapons" if card in WEAPONS else "tactics" if card in TACTICS else "fortune"


class CardInspector:
    """Goes along with the events; `wrong` holds what broke the rules of the cards, `seen` what was looked at."""

    def __init__(self, board: Board, options: Mapping[str, Any], state: State) -> None:
        self.board, self.options, self.state = board, options, state
        self.wrong: list[str] = []
        self.seen: Counter[str] = Counter()
        self.phase = ""
        self._new_turn()
        self.awaited: tuple[str, str] | None = None
        self.battle: dict[str, Any] = {}
        self.round = 0
        self.rolled: list[int] = []
        self.purpose: list[str] = []

    def _new_turn(self) -> None:
        self.plays: list[dict[str, Any]] = []
        self.under: dict[str, str] = {}
        self.captured: set[str] = set()
        self.die = ""
        self.drawn = 0
        self.tanks_lost: set[str] = set()

    def look_over(self, events: Iterable[Any]) -> list[str]:
        """All that is wrong with these events, in order."""
        before = len(self.wrong)
        for event in events:
            self._discarded(event)
            look = getattr(self, f"_{event.type}", None)
            if look is not None:
                look(event.payload)
            self.state = evolve(self.state, event)
            self._hands(event.type)
        return self.wrong[before:]

    def _say(self, text: str) -> None:
        self.wrong.append(f"{self.state.segment} {self.phase}: {text}")

    def _check(self, what: str, holds: bool, text: str) -> None:
        self.seen[what] += 1
        if not holds:
            self._say(text)

    def _held(self, power: str) -> list[Any]:
        return [card for card in self.state.cards.values() if card.power == power and card.place in ("hand", "table")]

    # -- hands ----------------------------------------------------------------------------------------------------

    def _hands(self, event: str) -> None:
        """FOV-3.1.1, FOV-3.1.4: never eight, never six of one type, not for a moment."""
        if event not in ("card_drawn", "card_moved"):
            return
        for power in SIDES:
            held = self._held(power)
            decks = Counter(card.deck for card in held)
            self._check("limit", len(held) <= 7 and max(decks.values(), default=0) <= 5, f"{power} holds {decks}")

    def _discarded(self, event: Any) -> None:
        """FOV-3.2.1, FOV-3.2.2: right after its play a card is discarded, a weapon turned up."""
        if self.awaited is None or event.type == "card_identified":
            return
        copy, place = self.awaited
        self.awaited = None
        right = event.type == "card_moved" and event.payload["card"] == copy and event.payload["place"] == place
        self._check("use", right, f"{copy} was played and did not go to {place}")

    def _card_moved(self, body: Mapping[str, Any]) -> None:
        card = self.state.cards[body["card"]]
        if body.get("place", card.place) == "hand" and card.place == "table":
            mine = self.phase == "draw_card" and card.power == self.state.power
            self._check("turned", mine, f"{card.name} of {card.power} was turned down")
        self._check("kept", body.get("power", card.power) in (card.power, None), f"{card.id} changes hands")

    # -- the turn -------------------------------------------------------------------------------------------------

    def _segment_begun(self, body: Mapping[str, Any]) -> None:
        self._new_turn()

    def _phase_begun(self, body: Mapping[str, Any]) -> None:
        self.phase = body["phase"]
        if self.phase == "draw_card":
            self.drawn = 0

    def _control_changed(self, body: Mapping[str, Any]) -> None:
        power = self.state.power or ""
        if body.get("from") in SIDES and SIDES[body["from"]] != SIDES.get(power):
            self.captured.add(body["space"])

    def _victory_die_rolled(self, body: Mapping[str, Any]) -> None:
        """FOV-2.2.1, FOV-2.2.2: once, in phase 7, after a capture."""
        self._check(
            "die", self.phase == "draw_card" and not self.die and bool(self.captured), "a victory die was rolled"
        )
        self.die = body["deck"]
        self._check(
            "die face", DECK_OF_FACE[body["face"]] == body["deck"] and [body["face"]] == self.rolled, "its face"
        )

    def _card_drawn(self, body: Mapping[str, Any]) -> None:
        if body.get("from"):
            return
        self.drawn += 1
        if self.phase == "draw_card":
            self._check("drawn", body["deck"] == self.die and self.drawn == 1, f"{body['power']} drew {body['deck']}")
        else:
            eureka = bool(self.plays) and self.plays[-1]["name"] == "eureka" and self.phase == "collect_income"
            self._check("eureka", eureka and body["deck"] == "weapons", f"{body['power']} drew in {self.phase}")

    def _weapon_researched(self, body: Mapping[str, Any]) -> None:
        """FOV-2.4.1, FOV-2.4.2."""
        dice = self.rolled if self.purpose[7:8] == ["research"] else []
        fits = len(dice) == body["dice"] and body["success"] == (6 in dice)
        self._check("research", fits, f"research of {body} with {dice}")

    # -- plays ----------------------------------------------------------------------------------------------------

    def _card_played(self, body: Mapping[str, Any]) -> None:
        name, power, moment = body["name"], body["power"], body["moment"]
        card = self.state.cards[body["card"]]
        self._check(
            "held", card.power == power and card.place == "hand" and card.name == name, f"{power} has no {name}"
        )
        self._check("moment", name in MOMENTS[moment], f"{name} at {moment}")
        active = self.state.power or ""
        if moment in OWN_TURN:
            self._check("own turn", power == active, f"{power} plays {name} in the turn of {active}")
        elif moment in ("DEF", "DMG"):
            self._check("defence", SIDES[power] != SIDES[active], f"{power} plays {name} against {active}")
        lost = self.state.controller(self.board.powers[power].capital or "") not in SIDES or (
            SIDES[self.state.controller(self.board.powers[power].capital or "") or power] != SIDES[power]
        )
        self._check("capital", not (lost and moment in ("MOB", "INC")), f"{power} plays {name} without its capital")
        if name in TACTICS:
            raid = name == "hidden_factory"
            same = [
                play["name"] for play in self.plays
                if play["power"] == power and play["name"] in TACTICS and play["space"] == body["space"]
                and body["space"] is not None and (play["name"] == "hidden_factory") == raid
            ]  # fmt: skip
            self._check("one tactics", not same, f"{power} plays {name} beside {same} in {body['space']}")
        for unit_id in body.get("ids", ()):
            unit = self.state.units.get(unit_id)
            own = unit is not None and (unit.owner == power or name == "fighter_ace")
            self._check("own units", own, f"{name} of {power} on {unit_id}")
            if name != "fighter_ace":
                self._check(
                    "stacking", unit_id not in self.under, f"{unit_id} under {self.under.get(unit_id)} and {name}"
                )
                self.under[unit_id] = name
            elif unit_id in self.under:
                self._say(f"an ace under {self.under[unit_id]}")
        if name == "fighter_ace" and body.get("step") in STRIKES:
            self.battle["rolled"] += 1
        self.plays.append(dict(body))
        self.awaited = body["card"], "table" if name in WEAPONS else "discard"

    def _in_force(self, name: str, space: str) -> list[dict[str, Any]]:
        return [play for play in self.plays if play["name"] == name and play["space"] == space]

    # -- money and free units ----------------------------------------------------------------------------------------

    def _counter_changed(self, body: Mapping[str, Any]) -> None:
        if body.get("why") == "donation":
            self._check("donation", body["by"] == max(self.rolled) and len(self.rolled) == 2, f"donation {self.rolled}")

    def _facility_changed(self, body: Mapping[str, Any]) -> None:
        """FOV-F10.1, FOV-W02.2, S42-5.3.5."""
        if body.get("why") == "card":
            most = 2 * (self.board.spaces[body["space"]].ipc or 0)
            by = 3 if self.phase == "combat_move" else self.rolled[0]
            self._check("disaster", body["damage"] == min(most, body["before"] + by), f"damage {body} by {by}")

    def _units_created(self, body: Mapping[str, Any]) -> None:
        if body.get("why") != "card":
            return
        play, space, owner = self.plays[-1], body["space"], body["owner"]
        kinds = [row[1] for row in body["units"]]
        held = self.state.controller(space) == owner and space not in self.captured
        if play["name"] == "foreign_legion":
            self._check("legion", kinds == ["infantry"] and held, f"a legion of {owner} in {space}")
        elif play["name"] == "spoils_of_war":
            right = kinds == ["tank"] and space in self.captured and space in self.tanks_lost
            self._check("spoils", right, f"spoils of {owner} in {space}")
        elif play["name"] == "military_support":
            kind = ("artillery", "aa_gun", "tank")[(self.rolled[0] - 1) // 2]
            self._check("support", kinds == [kind] and held, f"support {kinds} for {self.rolled} in {space}")
        else:
            sea = self.board.spaces[space].is_sea
            self._check(
                "marine", play["name"] == "merchant_marine" and kinds == ["transport"] and sea, f"{kinds} {space}"
            )

    # -- battles --------------------------------------------------------------------------------------------------

    def _battle_begun(self, body: Mapping[str, Any]) -> None:
        self.battle = {**body, "supremacy": False, "arms": 0, "rolled": 0, "counted": 0}
        self.round = 0
        self.lost_tanks = False

    def _battle_round_begun(self, body: Mapping[str, Any]) -> None:
        self.round = body["round"]
        weather = self._in_force("severe_weather", body["space"])
        if self.round == 2 and weather and not self.options.get("weather_spares_landings"):
            self._say("a second round in severe weather")

    def _card_worked(self, body: Mapping[str, Any]) -> None:
        if body["name"] == "air_supremacy":
            fighters = [unit for unit in self._side("defenders") if unit.kind == "fighter"]
            self._check("supremacy", (body["result"] == "in_force") == (not fighters), "air supremacy")
            self.battle["supremacy"] = body["result"] == "in_force"
        elif body["name"] == "combined_arms":
            powers = {play["power"] for play in self._in_force("combined_arms", body["space"])}
            free = [u for u in self._side("attackers") if u.owner in powers and u.id not in self.under]
            counts = Counter(unit.kind for unit in free)
            sets = min(counts["infantry"], counts["tank"], counts["fighter"])
            self._check("arms", body.get("sets") == sets, f"combined arms {body.get('sets')} of {counts}")
            self.battle["arms"] = sets

    def _side(self, side: str) -> list[Unit]:
        units = self.state.units
        return [
            units[row[0]]
            for row in self.battle[side]
            if row[0] in units and units[row[0]].space == self.battle["space"]
        ]

    def _dice_rolled(self, body: Mapping[str, Any]) -> None:
        self.rolled = list(body["faces"])
        self.purpose = str(body["purpose"]).split("\n")
        step = self.purpose[7] if len(self.purpose) > 7 else ""
        dice = body.get("dice", ())
        if not self.battle or self.phase != "conduct_combat":
            return
        if step in FIRE:
            self._fire(step, dice)
            if step in STRIKES:
                self.battle["rolled"] += self._scored(dice)
        elif step.startswith("rail_gun"):
            self._check("rail gun", len(dice) <= 3 and all(die["need"] == 2 for die in dice), "rail gun")
        elif step == "aa_fire":
            aimed = Counter(die["unit"] for die in dice if die["need"] == 2)
            fits = all(self.under.get(gun) == "radar_fire_control" and count <= 3 for gun, count in aimed.items())
            self._check("radar", fits, f"guns that aim: {aimed}")

    def _scored(self, dice: Sequence[Mapping[str, Any]]) -> int:
        """Hits of a batch; of a super bomber's two dice one at most, with an ace's miss turned to a hit added later."""
        hits = [die for die, face in zip(dice, self.rolled, strict=True) if face <= die["need"]]
        best = {die["unit"] for die in hits if die.get("best")}
        return sum(not die.get("best") for die in hits) + len(best)

    def _fire(self, step: str, dice: Sequence[Mapping[str, Any]]) -> None:
        """How units under cards hit, and how many dice they have."""
        space, kind = self.battle["space"], self.battle["kind"]
        extra = [die for die in dice if die.get("card") == "combined_arms"]
        wanted = self.battle["arms"] if self.round == 1 and step == "attackers_fire" else 0
        self._check(
            "extra dice", len(extra) == wanted and all(die["need"] == 3 for die in extra), f"{len(extra)} extra dice"
        )
        own = [die for die in dice if die.get("card") != "combined_arms"]
        count = Counter(die["unit"] for die in own)
        for die in own:
            unit, card = die["unit"], self.under.get(die["unit"], "")
            if kind in ("land", "sea") and card in NUMBERS:
                self._check(card, die["need"] == NUMBERS[card] and count[unit] == 1, f"{card} hits on {die['need']}")
            elif card == "jet_fighter" and step == "defenders_fire":
                self._check(
                    card, die["need"] == 4 and count[unit] == 2, f"a jet with {count[unit]} dice at {die['need']}"
                )
            elif card == "super_bombers" and step == "attackers_fire" and kind in ("land", "sea"):
                right = die["need"] == 4 and count[unit] == 2 and bool(die.get("best"))
                self._check(card, right, f"a super bomber with {count[unit]} dice at {die['need']}")
            elif card == "powerful_torpedoes" and self.round > 1:
                self._check(card, count[unit] == 1, "torpedoes after round 1")
            elif not card and die["kind"] == "fighter" and step == "attackers_fire":
                number = 5 if self.round == 1 and self.battle["supremacy"] else 3
                self._check("fighters", die["need"] == number and count[unit] == 1, f"a fighter hits on {die['need']}")
            elif not card and die["kind"] == "infantry" and step == "defenders_fire":
                dug_in = any(play["power"] == die["owner"] for play in self._in_force("entrenchment", space))
                number = 3 if dug_in and self.round == 1 else 2
                self._check("entrenched", die["need"] == number, f"infantry defends at {die['need']}")

    def _hits_scored(self, body: Mapping[str, Any]) -> None:
        """FOV-T07.2: in round 1 half of the attacker's hits count, rounded down over the round."""
        if body["side"] != "attack" or self.round != 1 or not self._in_force("fortification", body["space"]):
            return
        if body["step"] in STRIKES:
            self.battle["counted"] += sum(body["hits"].values())
            half = self.battle["rolled"] // 2
            self._check(
                "halved", self.battle["counted"] == half, f"{self.battle['counted']} of {self.battle['rolled']} hits"
            )

    def _units_removed(self, body: Mapping[str, Any]) -> None:
        if self.battle and body.get("space") == self.battle["space"]:
            defenders = {row[0] for row in self.battle["defenders"]}
            if any(row[1] == "tank" and row[0] in defenders for row in body.get("lost", ())):
                self.tanks_lost.add(body["space"])

    def _battle_ended(self, body: Mapping[str, Any]) -> None:
        self.battle = {}
