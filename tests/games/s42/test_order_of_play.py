"""In which order things happen in a turn of 1942 Second Edition: phases, steps of combat, batches of dice."""

from __future__ import annotations

from typing import Any

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case
from pbem.rules.tape import Emitted


def ruled(given: dict[str, Any], orders: dict[str, str], dice: list[list[int]], **more: Any) -> tuple[Emitted, ...]:
    case = {"id": "order", "game": "s42", "given": given, "orders": orders, "dice": dice, "expect": {}, **more}
    verdict = run_case(case_from_json(case))
    assert verdict.differences == ()
    assert verdict.refused == ()
    return verdict.events


def test_six_phases_in_their_order() -> None:
    """S42-2.1.1 to 2.1.3: each is finished before the next begins, and any may be passed without a word."""
    given = {"round": 2, "power": "uk", "phase": "purchase", "from": "nothing", "spaces": {}}
    events = ruled(given, {"uk": ""}, [])
    told = [(event.type, event.payload["phase"]) for event in events if event.type in ("phase_begun", "phase_ended")]
    phases = ("purchase", "combat_move", "conduct_combat", "noncombat_move", "mobilize", "collect_income")
    assert told == [(kind, phase) for phase in phases for kind in ("phase_begun", "phase_ended")]


def test_purchases_stand_and_new_units_wait() -> None:
    """S42-3.1.5 and S42-8.3.2: bought before the moves, on the board after them, unmoved until the next turn."""
    given = {
        "round": 2, "power": "ussr", "phase": "purchase", "from": "nothing",
        "spaces": {"Russia": {"facilities": {"industrial_complex": {"damage": 0}}}}, "powers": {"ussr": {"ipc": 3}},
    }  # fmt: skip
    events = ruled(given, {"ussr": "buy 1 infantry"}, [])
    kinds = [event.type for event in events if event.type in ("purchases_changed", "units_created", "units_moved")]
    assert kinds == ["purchases_changed", "purchases_changed", "units_created"]


def test_raids_then_assaults_then_other_battles() -> None:
    """S42-5.1.1, S42-5.1.4, S42-5.1.5: steps A, B, C; each battle ends before the next begins; no unit fights twice.

    An assault is fought at sea, then ashore (S42-5.5.1); nobody is obliged to attack (S42-4.1.6).
    """
    given = {
        "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "Belorussia": {"controller": "germany", "units": {"germany": {"tank": 1}}},
            "West Russia": {"controller": "ussr", "units": {"ussr": {"infantry": 1}}},
            "Germany": {"controller": "germany", "units": {"germany": {"bomber": 1}}},
            "Russia": {"facilities": {"industrial_complex": {"damage": 0}}},
            "Sea Zone 5": {"units": {"germany": {"cruiser": 1, "transport": [{"cargo": {"germany": {"tank": 1}}}]}}},
            "Sea Zone 6": {"units": {"uk": {"destroyer": 1}}},
            "United Kingdom": {"units": {"uk": {"infantry": 1}}},
        },
    }  # fmt: skip
    orders = (
        "1 tank Belorussia -> West Russia; 1 cruiser, 1 transport Sea Zone 5 -> Sea Zone 6; "
        "unload 1 tank Sea Zone 6 -> United Kingdom; "
        "1 bomber Germany -> Baltic States -> Belorussia -> Russia to bomb"
    )
    dice = [[6], [4], [3], [6], [3], [6], [3], [6]]
    events = ruled(given, {"germany": orders}, dice, until="end of conduct_combat")
    told = [(event.type, event.payload["battle"]) for event in events if event.type in ("battle_begun", "battle_ended")]
    battles = ("raid_bombing:russia", "sea:sz-6", "land:united-kingdom", "land:west-russia")
    assert told == [(kind, battle) for battle in battles for kind in ("battle_begun", "battle_ended")]
    fighters = [row[0] for event in events if event.type == "battle_begun" for row in event.payload["attackers"]]
    assert len(set(fighters)) == len(fighters)


def test_batches_of_a_land_battle() -> None:
    """S42-5.2.6: bombardment, guns, then attackers and defenders; within a batch by hit number (S42-5.2.3).

    Pieces without a hit number roll no die (S42-5.2.4); all dice of a side fall before losses (S42-5.2.2, S42-5.9.9);
    the steps are those of the book (S42-5.6.6, S42-5.6.8, S42-5.8.1, S42-5.8.3, S42-5.9.8).
    """
    given = {
        "round": 2, "power": "uk", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "Sea Zone 3": {
                "units": {"uk": {"cruiser": 1, "transport": [{"cargo": {"uk": {"infantry": 1, "tank": 1}}}]}},
            },
            "United Kingdom": {"units": {"uk": {"fighter": 1}}},
            "Norway": {"controller": "germany", "units": {"germany": {"aa_gun": 1, "infantry": 2, "fighter": 1}}},
        },
    }  # fmt: skip
    orders = "unload 1 infantry, 1 tank Sea Zone 3 -> Norway; 1 fighter United Kingdom -> Sea Zone 6 -> Norway"
    dice = [[6], [6], [1, 3, 3], [6, 6, 6], [6, 3, 6], [6]]
    events = ruled(given, {"uk": orders}, dice, until="end of conduct_combat")
    told = [event for event in events if event.type in ("dice_rolled", "losses_chosen")]
    steps = [event.payload["purpose"].split()[-1].partition("#")[0] for event in told if event.type == "dice_rolled"]
    assert steps == ["bombardment", "aa_fire", *["attackers_fire", "defenders_fire"] * 2]
    attack = next(event for event in told if "attackers_fire" in event.payload.get("purpose", ""))
    assert [(die["kind"], die["need"]) for die in attack.payload["dice"]] == [
        ("infantry", 1), ("tank", 3), ("fighter", 3),
    ]  # fmt: skip
    order = [event.type for event in told]
    assert order == ["dice_rolled", "dice_rolled", *["dice_rolled", "losses_chosen", "dice_rolled"] * 2]


def test_hits_are_kept_by_who_scored_them() -> None:
    """S42-5.2.5: submarines', aircraft's and others' hits are counted apart."""
    given = {
        "round": 2, "power": "uk", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "Sea Zone 8": {"units": {"uk": {"cruiser": 1}}},
            "United Kingdom": {"units": {"uk": {"bomber": 1}}},
            "Sea Zone 6": {"units": {"germany": {"destroyer": 2}}},
        },
    }  # fmt: skip
    orders = "1 cruiser Sea Zone 8 -> Sea Zone 6; 1 bomber United Kingdom -> Sea Zone 6"
    events = ruled(given, {"uk": orders}, [[3, 4], [6, 6]], until="end of conduct_combat")
    hits = [event.payload["hits"] for event in events if event.type == "hits_scored"]
    assert hits == [{"air": 1, "other": 1}, {}]
