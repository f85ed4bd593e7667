"""What a turn comes to: the events of the kit, told."""

from __future__ import annotations

import pytest

from pbem.board.evolve import fold
from pbem.report.corrections import in_facts
from pbem.report.model import Report
from pbem.report.notices import notice_of
from pbem.report.phrases import capture_line, note_line
from pbem.report.tell import rule_key, tell
from pbem.report.words import Words
from tests.report.kit import NOON, a_report, board, events, ids, japans_turn, roll, start


def test_the_headline_says_what_was_taken_and_lost() -> None:
    report = a_report()
    assert Words(board()).headline(report.headline) == "Japan took Hunan, destroyed 2 units and lost 2 units."
    assert Words(board(), "zh").headline(report.headline) == "日本取得湖南，消滅2個單位，損失2個單位。"


def test_orders_stand_with_what_became_of_them() -> None:
    lines = {line.text: line for line in a_report().orders}
    assert [line.phase for line in a_report().orders][:2] == ["purchase", "purchase"]
    assert lines["buy 3 infantry"].status == "done"
    refused = lines["2 tank Manchuria -> Amur"]
    assert (refused.status, refused.rule) == ("refused", "P40-4.1.1")
    assert refused.reason == "There are no tanks in Manchuria."
    assert len(a_report().orders) == 6


def test_a_battle_has_every_die_and_who_chose_the_losses() -> None:
    (battle,) = a_report().battles
    assert battle.attackers == (("japan", "infantry", 3), ("japan", "artillery", 1), ("japan", "fighter", 1))
    assert [one.number for one in battle.rounds] == [1, 2]
    fire, answer = battle.rounds[0].steps[0], battle.rounds[0].steps[1]
    assert [(die.need, die.face, die.hit) for die in fire.dice][:2] == [(2, 2, True), (1, 5, False)]
    assert fire.hits == (("other", 1),)
    assert [(loss.owner, loss.kind, loss.count, loss.by) for loss in fire.losses] == [
        ("china", "infantry", 1, "standing")
    ]
    assert [(loss.owner, loss.count, loss.by) for loss in answer.losses] == [("japan", 2, "default")]
    assert battle.rounds[1].steps[0].losses[0].by == ""
    assert battle.rounds[1].steps[0].wasted == 2
    assert battle.result == "attacker"
    assert "P40-6.4.3" in fire.rules


def test_a_decision_in_a_battle_is_told_where_it_was_taken() -> None:
    (battle,) = a_report().battles
    told = [answer for one in battle.rounds for step in one.steps for answer in step.answers]
    assert [(answer.power, answer.kind, answer.by) for answer in told] == [("japan", "retreat", "player")]


def test_luck_is_hits_against_sixths_and_the_swing_is_money() -> None:
    report = a_report()
    attacker, defender = report.battles[0].luck
    assert (attacker.dice, attacker.hits, attacker.expected) == (8, 4, 2 + 1 + 1 + 2 + 3 + 2 + 2 + 3)
    assert (defender.dice, defender.hits, defender.expected) == (3, 2, 6)
    assert (attacker.lost, defender.lost, report.battles[0].swing) == (6, 6, 0)
    assert [(luck.who, luck.hits) for luck in report.luck] == [("japan", 4), ("china", 2)]
    assert Words(board()).sixths(attacker.over, True) == "+1.3"


def test_money_adds_up() -> None:
    money = {row.power: row for row in a_report().money}
    japan = money["japan"]
    assert (japan.before, japan.after) == (26, 48)
    assert sum(by for _, by in japan.changes) == japan.after - japan.before
    assert japan.income is not None and japan.income.total == 27 - 2 + 10
    assert money["usa"].changes == ()


def test_what_stands_differently() -> None:
    report = a_report()
    changed = {row.space: row for row in report.positions}
    assert set(changed) == {"hunan", "japan", "kiangsi"}
    assert Words(board()).change(changed["hunan"].before, changed["hunan"].after) == (
        "Japan +1 infantry, +1 artillery; China −2 infantry"
    )
    assert report.spaces["hunan"].captured and report.spaces["hunan"].controller == "japan"
    assert report.spaces["japan"].changed and not report.spaces["japan"].captured


def test_what_is_due_comes_from_the_position() -> None:
    due = a_report().due
    assert due is not None
    assert (due.powers, due.phases, due.deadline) == (("usa",), ("purchase", "combat_move"), NOON + 72 * 3_600_000)
    assert due.waiting_for == ("usa",)


def test_sealed_events_tell_nothing_even_to_those_who_may_read_them() -> None:
    before = start()
    told = japans_turn(before)
    whole = tell("p40-17", board(), before, told, fold(before, told), None)
    public = [event for event in told if event.readers is None]
    cut = tell("p40-17", board(), before, public, fold(before, public), None)
    assert "secret plan" not in repr(whole)
    assert "infantry first" not in repr(whole)
    assert _without_numbers(whole) == _without_numbers(cut)


def _without_numbers(report: Report) -> str:
    return repr(report).replace(f"end={report.end}", "")


def test_rolls_outside_battles_and_losses_outside_battles_are_told_apart() -> None:
    before = start()
    lost = ids(before, "japan", "japan", "fighter", 1)
    told = events(
        [
            ("segment_begun", {"segment": "r1.japan", "round": 1, "power": "japan"}),
            roll("convoy:sz-6", "-", 0, [("", "submarine", "usa", None, 3)]),
            ("units_removed", {"space": "japan", "units": lost, "why": "no_deck"}, ("P40-7.2.1",)),
        ],
        900,
    )
    report = tell("p40-17", board(), before, told, fold(before, told))
    assert [(step.name, [die.face for die in step.dice]) for step in report.rolls] == [("convoy:sz-6", [3])]
    assert report.gone[0].force == (("japan", "fighter", 1),)
    assert report.luck == ()
    assert Words(board()).headline(report.headline) == "Japan lost 1 unit."


def test_a_quiet_start_and_a_won_game_have_headlines() -> None:
    before = start()
    opened = events([("segment_begun", {"segment": "r1.japan", "round": 1, "power": "japan"})], 900)
    begun = tell("p40-17", board(), before, opened, fold(before, opened))
    assert Words(board()).headline(begun.headline) == "The campaign begins."
    won = [*opened, *events([("game_won", {"side": "axis", "how": "victory"})], 901)]
    over = tell("p40-17", board(), before, won, fold(before, won))
    assert Words(board()).headline(over.headline).startswith("The Axis have won the campaign.")


def test_a_battle_under_way_is_told_as_far_as_it_went() -> None:
    before = start()
    whole = japans_turn(before)
    half = whole[: next(i for i, event in enumerate(whole) if event.type == "battle_round_begun" and
                        event.payload["round"] == 2)]  # fmt: skip
    (battle,) = tell("p40-17", board(), before, half, fold(before, half)).battles
    assert battle.result is None
    assert len(battle.rounds) == 1


def test_units_that_a_correction_made_have_names_afterwards() -> None:
    before = start()
    made = {"space": "hunan", "owner": "japan", "units": [["u900", "tank"]], "why": "correction"}
    told = events(
        [
            ("correction_made", {"reason": "forgotten", "facts": [{"type": "units_created", "payload": made}]}),
            ("units_removed", {"space": "hunan", "units": ["u900"], "why": "removed"}),
        ],
        900,
    )
    report = tell("p40-17", board(), before, told, fold(before, told))
    assert report.gone[0].force == (("japan", "tank", 1),)
    words = Words(board())
    assert note_line(report.notes[0], words) == "Correction by the moderator: forgotten (1 tank of Japan more in Hunan)"


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("counter_changed", {"power": "japan", "counter": "ipc", "by": 38}, "Japan +38 IPC"),
        ("control_changed", {"space": "hunan", "from": "china", "to": "japan"}, "Hunan goes to Japan"),
        ("control_changed", {"space": "hunan", "from": "china", "to": None}, "Hunan belongs to nobody"),
        ("units_removed", {"space": "hunan", "units": ["u1", "u2"]}, "2 units fewer in Hunan"),
        ("turn_noted", {"key": "x"}, "turn noted"),
    ],
)
def test_what_a_correction_changes_is_said(kind: str, payload: dict[str, object], said: str) -> None:
    """In the mail that announces it and in the report of the turn."""
    facts = [{"type": kind, "payload": payload}]
    assert in_facts(facts, Words(board())) == said
    notice = notice_of("correction", "p40-17", {"reason": "miscounted", "facts": facts}, Words(board()))
    assert f"What changes: {said}." in notice.sentences


def test_an_entry_that_nobody_opposed_is_no_battle() -> None:
    before = start()
    unit = ids(before, "kiangsi", "japan", "infantry", 1)
    battle = {"battle": "land:hunan", "space": "hunan"}
    told = events(
        [
            ("segment_begun", {"segment": "r1.japan", "round": 1, "power": "japan"}),
            ("battle_begun", {**battle, "kind": "walk_in", "attacker": "japan", "defenders": [],
                              "attackers": [[unit[0], "infantry", "japan"]]}),
            ("battle_ended", {**battle, "result": "attacker", "rounds": 0,
                              "survivors": {"attack": [[unit[0], "infantry", "japan"]], "defend": []}}),
            ("control_changed", {"space": "hunan", "from": "china", "to": "japan", "why": "captured"}),
        ],
        900,
    )  # fmt: skip
    report = tell("p40-17", board(), before, told, fold(before, told))
    assert report.battles == () and report.captures[0].unopposed
    assert capture_line(report.captures[0], Words(board())) == "Hunan: Japan, from China, entered unopposed"
    assert not a_report().captures[0].unopposed
    assert Words(board()).headline(report.headline) == "Japan took Hunan."


def test_rules_sort_as_numbers() -> None:
    assert sorted(["P40-10.1", "P40-9.2", "P40-DP-20", "P40-9.10"], key=rule_key) == [
        "P40-9.2", "P40-9.10", "P40-10.1", "P40-DP-20",
    ]  # fmt: skip


def test_corrected_money_has_its_reason() -> None:
    before = start()
    fact = {"type": "counter_changed", "payload": {"power": "japan", "counter": "ipc", "by": 5, "why": "correction"}}
    told = events([("correction_made", {"reason": "miscounted", "facts": [fact], "request": 1})], 900)
    report = tell("p40-17", board(), before, told, fold(before, told))
    (row,) = [row for row in report.money if row.power == "japan"]
    assert row.after - row.before == 5 and row.changes == (("correction", 5),)
