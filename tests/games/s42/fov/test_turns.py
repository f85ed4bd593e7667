"""From one turn to the next: when a new weapon may be used, when what a card does is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.board.state import State
from pbem.campaign.load import load
from tests.games.s42.fov.table import NAME, POWERS, Table


def now(table: Table) -> State:
    return load(table.referee, NAME).play.now


def through(table: Table, until: str) -> None:
    """Everybody is ready for everything until a window begins with these words."""
    for _ in range(20):
        window = table.go().window
        assert window is not None
        if window.id.startswith(until):
            return
        for power in window.powers:
            table.say(power, "rest default\nready" if window.kind == "orders" else "ready")


def test_a_weapon_gained_in_a_turn_is_used_on_the_next_enemy_turn(tmp_path: Path) -> None:
    """FOV-4.4.1, FOV-F11.1, FOV-3.2.2: drawn with Eureka by Germany, played when Britain attacks, ready after it."""
    position: dict[str, Any] = {
        "round": 2, "power": "germany", "phase": "collect_income", "from": "nothing",
        "spaces": {
            "France": {"controller": "germany", "units": {"germany": {"fighter": 1, "infantry": 6}}},
            "Northwestern Europe": {"controller": "uk", "units": {"uk": {"infantry": 1}}},
        },
        "powers": {"germany": {"cards": ["eureka"]}}, "decks": {"weapons": {"draw": ["jet_fighter"], "discard": []}},
    }  # fmt: skip
    table = Table(tmp_path, position)
    table.go()
    table.say("germany", "play eureka\nready")
    through(table, "r2.uk:moves")
    assert table.hand("germany") == ["jet_fighter"]
    table.say("uk", "1 infantry Northwestern Europe -> France\nready")
    through(table, "r2.uk:cards")
    table.say("germany", "play jet_fighter: 1 fighter France\nready")
    through(table, "r2.japan:moves")
    assert [card.ready for card in now(table).cards.values() if card.power == "germany"] == [False]
    through(table, "r3.uk:moves")
    assert [card.ready for card in now(table).cards.values() if card.power == "germany"] == [True]


def test_what_a_card_does_ends_with_the_battle_and_the_turn(tmp_path: Path) -> None:
    """FOV-4.5.1, FOV-3.2.2, FOV-4.4.2: a Heavy Tank is an ordinary one again when the next power attacks."""
    position: dict[str, Any] = {
        "round": 2, "power": "uk", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "France": {"controller": "germany", "units": {"germany": {"tank": 3}}},
            "Northwestern Europe": {"controller": "uk", "units": {"uk": {"infantry": 1}, "usa": {"infantry": 1}}},
        },
        "powers": {"germany": {"cards": ["heavy_tank", "donation"]}},
    }  # fmt: skip
    table = Table(tmp_path, position)
    table.go()
    leave = "retreat France after round 1 to Northwestern Europe"
    table.say("uk", f"1 infantry Northwestern Europe -> France\n{leave}\nready")
    through(table, "r2.uk:cards")
    table.say("germany", "play heavy_tank: 1 tank France\nready")
    through(table, "r2.usa:moves")
    tanks = [unit for unit in now(table).units.values() if unit.kind == "tank"]
    assert len(tanks) == 3 and not any(unit.marks or unit.damage for unit in tanks)
    assert not any(key.startswith("turn/") for key in now(table).marks if key != "turn/hostile_zones")
    table.say("usa", f"1 infantry Northwestern Europe -> France\n{leave}\nready")
    through(table, "r2.usa:cards")
    answer = table.say("germany", "play heavy_tank: 1 tank France")
    assert [line.rule for line in answer.lines] == ["FOV-4.4.2"]


def test_bombers_are_lent_for_the_partners_next_turn_only(tmp_path: Path) -> None:
    """FOV-T04.3, FOV-T04.5, FOV-4.5.1: after the American turn they are British again, and stay so in the next one."""
    position: dict[str, Any] = {
        "round": 2, "power": "uk", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "United Kingdom": {"controller": "uk", "units": {"uk": {"bomber": 1}}},
            "Germany": {"controller": "germany", "facilities": {"industrial_complex": {"damage": 0}}},
        },
        "powers": {"uk": {"cards": ["combined_bomber_offensive"]}},
    }  # fmt: skip
    table = Table(tmp_path, position)
    table.go()
    table.say("uk", "play combined_bomber_offensive: usa\nready")
    through(table, "r2.usa:moves")
    raid = "1 uk bomber United Kingdom -> Sea Zone 6 -> Sea Zone 5 -> Germany to bomb"
    assert [line.status for line in table.say("usa", raid).lines] == ["accepted"]
    table.say("usa", "cancel combat move")
    through(table, "r3.usa:moves")
    assert [(unit.owner, unit.marks) for unit in now(table).units.values()] == [("uk", ())]
    assert [line.status for line in table.say("usa", raid).lines] == ["refused"]


def test_no_card_ever_goes_from_hand_to_hand(tmp_path: Path) -> None:
    """FOV-1.6: there is no order that gives a card; what reads like one is not understood."""
    position: dict[str, Any] = {
        "round": 2, "power": "uk", "phase": "purchase", "from": "nothing", "spaces": {},
        "powers": {"uk": {"cards": ["scramble"]}},
    }  # fmt: skip
    table = Table(tmp_path, position)
    table.go()
    lines = ("give scramble to usa", "play scramble: usa", "discard scramble to usa", "sell scramble to usa for 3")
    for line in lines:
        table.say("uk", line)
    table.say("uk", "ready")
    through(table, "r3.uk:moves")
    held = {power: table.hand(power) for power in POWERS}
    assert held == {**dict.fromkeys(POWERS, []), "uk": ["scramble"]}
