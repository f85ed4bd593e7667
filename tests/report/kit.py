"""A turn of Japan told by hand: events as the rules write them, and the positions before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.board.evolve import fold
from pbem.board.map import Board
from pbem.board.state import State
from pbem.games.catalog import load_board
from pbem.report.model import Private, Report
from pbem.report.tell import tell
from pbem.rules.printed import board_set_up, printed_units
from pbem.rules.roster import Roster
from pbem.rules.tape import plain

NOON = 1_710_421_200_000
"""14 March 2024, 13:00 UTC."""
HOUR = 3_600_000
NOTE = (
    "pbem.example/c/p40-17\n1840\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— pbem.example/c/p40-17 Az3grlrtzZICeiSbFnOgqvjDPoMhxvmEUzEzwrZoYoy7bSDhpZcZW2zEGv9iYEYXQM7pQdpXgNVxJTA3DOcz8g8=\n"
)


@dataclass(frozen=True)
class Told:
    """An event as a reader may see it."""

    seq: int
    type: str
    at: int
    payload: Mapping[str, Any]
    rules: tuple[str, ...] = ()
    readers: tuple[str, ...] | None = None


def board() -> Board:
    """Pacific 1940, second edition."""
    return load_board("p40", "2e")


def start(board_: Board | None = None, **settings: Any) -> State:
    """The printed set-up with five players, before round 1."""
    known = board_ or board()
    roster = Roster(known)
    for space, owner, kind, count in printed_units(known):
        for _ in range(count):
            roster.add(space, owner, kind)
    roster.board_aircraft()
    created = {
        "game": "p40",
        "edition": "2e",
        "variants": [],
        "options": {},
        "title": "Friday table",
        "rules_version": 1,
        "seats": {"aki": ["japan"], "ben": ["usa"], "cai": ["china"], "dee": ["uk", "anzac"]},
        "moderator": "mod",
        "closing": "ready",
        **settings,
    }
    facts = [("campaign_created", created), board_set_up(known), *roster.facts("set-up")]
    return fold(State(), events(facts, 0))


def events(facts: Iterable[tuple[Any, ...]], first: int, at: int = NOON) -> list[Told]:
    """(type, payload[, rules[, readers]]) as numbered events, one second apart."""
    made = []
    for index, fact in enumerate(facts):
        kind, payload, *rest = fact
        rules = tuple(rest[0]) if rest else ()
        readers = tuple(rest[1]) if len(rest) > 1 else None
        made.append(Told(first + index, kind, at + index * 1000, plain(payload), rules, readers))
    return made


def ids(state: State, space: str, owner: str, kind: str, count: int) -> list[str]:
    """The first so many units of a kind in a space."""
    found = [u.id for u in state.units_in(space) if (u.owner, u.kind) == (owner, kind)]
    assert len(found) >= count, (space, owner, kind, len(found))
    return found[:count]


def roll(
    step: str, space: str, battle_round: int, dice: list[tuple[str, str, str, int | None, int]]
) -> tuple[Any, ...]:
    """One batch: (unit, kind, owner, need, face)."""
    purpose = f"pbem/dice/v1\np40-17\n3\njapan\nconduct_combat\n{space}\n{battle_round}\n{step}"
    return (
        "dice_rolled",
        {
            "purpose": purpose,
            "entropy": {},
            "count": len(dice),
            "faces": [row[4] for row in dice],
            "source": "chain",
            "chain": 0,
            "k": 17,
            "link": "00" * 32,
            "dice": [{"unit": row[0], "kind": row[1], "owner": row[2], "need": row[3]} for row in dice],
        },
    )


def line(text: str, **order: Any) -> dict[str, Any]:
    """A filed line."""
    return {"text": text, "order": {"type": "move", **order}}


def japans_turn(state: State, first: int = 400) -> list[Told]:
    """Japan buys, takes Hunan in two rounds, loses a raid of submarines, places, collects; then the USA is due."""
    inf = ids(state, "kiangsi", "japan", "infantry", 3)
    art = ids(state, "kiangsi", "japan", "artillery", 1)
    fighters = ids(state, "japan", "japan", "fighter", 1)
    defenders = [u.id for u in state.units_in("hunan")] or ids(state, "suiyuyan", "china", "infantry", 2)
    attackers = [*inf, *art, *fighters]
    kinds = {u.id: (u.kind, u.owner) for u in state.units.values()}
    rows = [[unit, *kinds[unit]] for unit in attackers]
    foes = [[unit, *kinds[unit]] for unit in defenders]
    moves = "r3.japan:moves"
    battle = {"battle": "land:hunan", "space": "hunan"}
    dead = defenders[0]
    last = defenders[1] if len(defenders) > 1 else None
    die = {unit: (unit, *kinds[unit]) for unit in (*attackers, *defenders)}
    facts: list[tuple[Any, ...]] = [
        ("segment_begun", {"segment": "r3.japan", "round": 3, "power": "japan"}),
        (
            "window_opened",
            {"window": moves, "kind": "orders", "powers": ["japan"], "phases": ["purchase", "combat_move"]},
        ),
        (
            "orders_received",
            {"power": "japan", "phases": {"combat_move": [line("secret plan of japan")]}},
            (),
            ("japan",),
        ),
        (
            "standing_orders_given",
            {"power": "china", "orders": [line("casualties Hunan: infantry first")]},
            (),
            ("china",),
        ),
        (
            "window_closed",
            {
                "window": moves,
                "why": "all are ready",
                "orders": {
                    "japan": {
                        "purchase": [line("buy 3 infantry"), line("buy 1 artillery")],
                        "combat_move": [
                            line("3 infantry Kiangsi -> Hunan"),
                            line("1 artillery Kiangsi -> Hunan"),
                            line("1 fighter Japan -> Hunan"),
                            line("2 tank Manchuria -> Amur"),
                        ],
                    }
                },
                "texts": {},
                "entropy": {},
            },
        ),
        ("phase_begun", {"power": "japan", "phase": "purchase"}),
        ("counter_changed", {"power": "japan", "counter": "ipc", "by": -13, "why": "units"}),
        (
            "purchases_changed",
            {"power": "japan", "items": {"infantry": 3, "artillery": 1}, "why": "bought"},
            ("P40-3.1.1",),
        ),
        ("phase_ended", {"power": "japan", "phase": "purchase"}),
        ("phase_begun", {"power": "japan", "phase": "combat_move"}),
        (
            "order_refused",
            {
                "power": "japan",
                "phase": "combat_move",
                "text": "2 tank Manchuria -> Amur",
                "order": {},
                "reason": "There are no tanks in Manchuria.",
                "rule": "P40-4.1.1",
                "suggestion": "2 infantry Manchuria -> Amur",
            },
            ("P40-4.1.1",),
        ),
        (
            "units_moved",
            {"units": [*inf, *art], "from": "kiangsi", "to": "hunan", "spent": 1, "marks": {"from": "kiangsi"}},
            ("P40-4.2.1",),
        ),
        (
            "units_moved",
            {"units": fighters, "from": "japan", "to": "hunan", "via": ["sz-6", "kiangsu", "anhwe"], "spent": 4},
            ("P40-4.3.1",),
        ),
        ("phase_ended", {"power": "japan", "phase": "combat_move"}),
        ("phase_begun", {"power": "japan", "phase": "conduct_combat"}),
        (
            "battle_begun",
            {**battle, "kind": "land", "attacker": "japan", "attackers": rows, "defenders": foes},
            ("P40-6.1.1",),
        ),
        ("battle_round_begun", {**battle, "round": 1}),
        ("step_begun", {**battle, "round": 1, "step": "attackers_fire", "name": "Attackers fire"}, ("P40-6.4.3",)),
        roll(
            "attackers_fire",
            "hunan",
            1,
            [
                (*die[inf[0]], 2, 2),
                (*die[inf[1]], 1, 5),
                (*die[inf[2]], 1, 4),
                (*die[art[0]], 2, 6),
                (*die[fighters[0]], 3, 4),
            ],
        ),
        ("hits_scored", {**battle, "round": 1, "step": "attackers_fire", "side": "attack", "hits": {"other": 1}}),
        (
            "decisions_taken",
            {
                "decisions": [
                    {
                        "key": "k1",
                        "power": "china",
                        "kind": "casualties",
                        "by": "standing",
                        "value": {"hits": [dead]},
                        "space": "hunan",
                        "round": 1,
                    }
                ]
            },
        ),
        (
            "losses_chosen",
            {
                **battle,
                "round": 1,
                "step": "attackers_fire",
                "side": "defend",
                "losses": [[dead, *kinds[dead], "lost"]],
                "by": "china",
            },
            ("P40-6.8.1",),
        ),
        ("step_begun", {**battle, "round": 1, "step": "defenders_fire", "name": "Defenders fire"}, ("P40-6.4.4",)),
        roll(
            "defenders_fire",
            "hunan",
            1,
            [(*die[unit], 2, face) for unit, face in zip(defenders, [1, 2, 5, 6, 3], strict=False)],
        ),
        ("hits_scored", {**battle, "round": 1, "step": "defenders_fire", "side": "defend", "hits": {"other": 2}}),
        (
            "decisions_taken",
            {
                "decisions": [
                    {
                        "key": "k2",
                        "power": "japan",
                        "kind": "casualties",
                        "by": "default",
                        "value": {"hits": inf[:2]},
                        "space": "hunan",
                        "round": 1,
                    }
                ]
            },
        ),
        (
            "losses_chosen",
            {
                **battle,
                "round": 1,
                "step": "defenders_fire",
                "side": "attack",
                "losses": [[unit, *kinds[unit], "lost"] for unit in inf[:2]],
                "by": "japan",
            },
            ("P40-6.8.1",),
        ),
        ("units_removed", {**battle, "units": inf[:2], "why": "casualty", "round": 1, "step": "defenders_fire"}),
        ("units_removed", {**battle, "units": [dead], "why": "casualty", "round": 1, "step": "remove_casualties"}),
        (
            "decisions_taken",
            {
                "decisions": [
                    {
                        "key": "k3",
                        "power": "japan",
                        "kind": "retreat",
                        "by": "player",
                        "value": {"press_on": True},
                        "space": "hunan",
                        "round": 1,
                    }
                ]
            },
        ),
    ]
    if last is not None:
        rest = [unit for unit in defenders if unit != dead]
        facts += [
            ("battle_round_begun", {**battle, "round": 2}),
            ("step_begun", {**battle, "round": 2, "step": "attackers_fire", "name": "Attackers fire"}, ("P40-6.4.3",)),
            roll("attackers_fire", "hunan", 2, [(*die[inf[2]], 2, 1), (*die[art[0]], 2, 2), (*die[fighters[0]], 3, 1)]),
            (
                "hits_scored",
                {**battle, "round": 2, "step": "attackers_fire", "side": "attack", "hits": {"air": 1, "other": 2}},
            ),
            (
                "losses_chosen",
                {
                    **battle,
                    "round": 2,
                    "step": "attackers_fire",
                    "side": "defend",
                    "wasted": 3 - len(rest),
                    "losses": [[unit, *kinds[unit], "lost"] for unit in rest],
                    "by": "forced",
                },
            ),
            ("step_begun", {**battle, "round": 2, "step": "defenders_fire", "name": "Defenders fire"}, ("P40-6.4.4",)),
            roll("defenders_fire", "hunan", 2, [(*die[unit], 2, 6) for unit in rest]),
            ("hits_scored", {**battle, "round": 2, "step": "defenders_fire", "side": "defend", "hits": {}}),
            ("units_removed", {**battle, "units": rest, "why": "casualty", "round": 2, "step": "remove_casualties"}),
        ]
    facts += [
        (
            "battle_ended",
            {
                **battle,
                "result": "attacker",
                "rounds": 2,
                "survivors": {"attack": [[unit, *kinds[unit]] for unit in (inf[2], art[0], fighters[0])], "defend": []},
            },
            ("P40-6.9.1",),
        ),
        ("control_changed", {"space": "hunan", "from": "china", "to": "japan", "why": "captured"}, ("P40-6.10.1",)),
        ("phase_ended", {"power": "japan", "phase": "conduct_combat"}),
        ("phase_begun", {"power": "japan", "phase": "noncombat_move"}),
        ("units_moved", {"units": fighters, "from": "hunan", "to": "kiangsi", "spent": 1}, ("P40-7.2.1",)),
        ("phase_ended", {"power": "japan", "phase": "noncombat_move"}),
        ("phase_begun", {"power": "japan", "phase": "mobilize"}),
        ("purchases_changed", {"power": "japan", "items": {"infantry": -3, "artillery": -1}, "why": "placed"}),
        (
            "units_created",
            {
                "space": "japan",
                "owner": "japan",
                "why": "mobilized",
                "units": [
                    [f"u{state.next_unit + n}", "infantry" if n < 3 else "artillery", {"marks": {"placed": True}}]
                    for n in range(4)
                ],
            },
            ("P40-8.1.1",),
        ),
        ("phase_ended", {"power": "japan", "phase": "mobilize"}),
        ("phase_begun", {"power": "japan", "phase": "collect_income"}),
        ("convoys_disrupted", {"power": "japan", "zones": [["sz-20", 2]], "loss": 2}, ("P40-9.4.4",)),
        ("counter_changed", {"power": "japan", "counter": "ipc", "by": 35, "why": "income"}, ("P40-9.1",)),
        (
            "income_collected",
            {"power": "japan", "territories": 27, "convoy_loss": 2, "objectives": [["japan-trade", 10]], "total": 35},
            ("P40-9.1",),
        ),
        ("phase_ended", {"power": "japan", "phase": "collect_income"}),
        ("press_sent", {"from": "aki", "text": PRESS}),
        ("segment_ended", {"segment": "r3.japan"}),
        ("segment_begun", {"segment": "r3.usa", "round": 3, "power": "usa"}),
        (
            "window_opened",
            {"window": "r3.usa:moves", "kind": "orders", "powers": ["usa"], "phases": ["purchase", "combat_move"]},
        ),
        ("deadline_set", {"window": "r3.usa:moves", "deadline": NOON + 72 * HOUR, "why": "settings"}),
    ]
    return events(facts, first)


PRESS = (
    '<img src="http://127.0.0.1:9/x.png"><link rel=attachment href="file:///etc/hostname"><script>alert(1)</script>'
    " 婆羅洲 & <b>廣西</b> {x} {{ 7*7 }}"
)


def a_report(state: State | None = None) -> Report:
    """The report on Japan's turn."""
    before = state or start()
    told = japans_turn(before)
    return tell("p40-17", board(), before, told, fold(before, told), "r3.usa:moves")


BEN = Private(
    powers=("usa",),
    mine=True,
    example=("1 infantry Hawaiian Islands -> Sea Zone 26", "buy 2 infantry", "ready"),
    in_force=(),
    standing=(("usa", ("casualties Sea Zone 26: destroyer first", "retreat all if odds < 40%")),),
    asks=(("usa", ("ask me retreat",)),),
)
"""What the American player is told besides."""
