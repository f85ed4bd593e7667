"""Who may go where in Pacific 1940, as long as peace lasts and after: the answers of the judgements, one a row."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.state import Unit
from pbem.campaign.play import begin
from pbem.games.catalog import rule_set
from pbem.rules.position import position
from tests.games.p40.table import table

PEACE: list[list[str]] = []
COMMONWEALTH_WAR = [["japan", "uk", "war"], ["japan", "anzac", "war"]]


def judge(name: str, edition: str, relations: Any, owner: str, kind: str, space: str, **spaces: str) -> str | None:
    """The rule that a judgement about one piece cites; None if it allows what is asked."""
    held = {name.replace("_", "-"): {"controller": controller} for name, controller in spaces.items()}
    given = {"round": 1, "power": owner, "phase": "combat_move", "relations": relations, "spaces": held}
    play = table(edition, given).play
    refusal = play.rules.judge(name, play.now, owner, Unit("u1", kind, owner, "nowhere"), space)
    if refusal is not None:
        assert refusal.reason.endswith("."), refusal
    return refusal.rule if refusal is not None else None


@pytest.mark.parametrize(
    ("relations", "owner", "kind", "space", "rule"),
    [
        (PEACE, "japan", "infantry", "kwangtung", "P40-2.3.1"),
        (PEACE, "japan", "infantry", "french-indo-china", None),
        (PEACE, "japan", "infantry", "new-hebrides", None),
        (PEACE, "japan", "infantry", "java", "P40-2.2.9"),
        (COMMONWEALTH_WAR, "japan", "infantry", "java", None),
        (PEACE, "japan", "infantry", "hunan", None),
        (PEACE, "japan", "infantry", "amur", "P40-2.5.1"),
        (PEACE, "japan", "infantry", "himalayas", "P40-2.5.2"),
        (PEACE, "japan", "infantry", "olgiy", "P40-2.5.8"),
        (PEACE, "uk", "infantry", "yunnan", "P40-2.2.12"),
        (PEACE, "uk", "infantry", "kiangsu", "P40-2.2.12"),
        (COMMONWEALTH_WAR, "uk", "infantry", "yunnan", None),
        (COMMONWEALTH_WAR, "uk", "infantry", "kiangsu", None),
        (PEACE, "uk", "infantry", "java", None),
        (PEACE, "anzac", "infantry", "malaya", None),
        (PEACE, "uk", "infantry", "french-indo-china", None),
        (PEACE, "uk", "infantry", "guam", "P40-2.3.4"),
        (COMMONWEALTH_WAR, "uk", "infantry", "guam", "P40-2.3.4"),
        (PEACE, "usa", "infantry", "malaya", "P40-2.3.4"),
        (PEACE, "usa", "infantry", "celebes", "P40-2.3.4"),
        (PEACE, "usa", "infantry", "new-hebrides", "P40-2.3.4"),
        (PEACE, "usa", "infantry", "hunan", "P40-2.2.12"),
        (PEACE, "usa", "infantry", "iwo-jima", "P40-2.2.6"),
        ("war", "usa", "infantry", "celebes", None),
        ("war", "usa", "infantry", "malaya", None),
        ("war", "usa", "infantry", "hunan", None),
        (PEACE, "china", "infantry", "burma", "P40-2.3.1"),
        ("war", "china", "infantry", "burma", None),
        ("war", "china", "infantry", "kwangtung", None),
        ("war", "china", "infantry", "french-indo-china", "P40-2.4.1"),
        ("war", "china", "infantry", "sz-19", "P40-2.4.2"),
        ("war", "china", "fighter", "sz-19", "P40-2.4.1"),
        ("war", "china", "infantry", "kiangsu", None),
    ],
)
def test_entering(relations: Any, owner: str, kind: str, space: str, rule: str | None) -> None:
    assert judge("closed_to", "1e", relations, owner, kind, space) == rule


@pytest.mark.parametrize(
    ("relations", "owner", "space", "rule"),
    [
        (PEACE, "japan", "malaya", None),
        (PEACE, "uk", "siam", None),
        (PEACE, "uk", "kiangsu", "P40-2.2.12"),
        (PEACE, "anzac", "yunnan", "P40-2.2.12"),
        (PEACE, "japan", "guam", "P40-2.3.1"),
        (PEACE, "usa", "okinawa", "P40-2.2.6"),
        (PEACE, "usa", "malaya", "P40-2.3.4"),
        ("war", "usa", "japan", None),
        ("war", "japan", "amur", "P40-2.5.1"),
        ("war", "japan", "olgiy", "P40-2.5.9"),
        ("war", "china", "sz-19", "P40-2.4.1"),
        ("war", "china", "kwangtung", None),
    ],
)
def test_flying_over(relations: Any, owner: str, space: str, rule: str | None) -> None:
    assert judge("fly_over", "2e", relations, owner, "fighter", space) == rule


@pytest.mark.parametrize(
    ("edition", "relations", "owner", "zones"),
    [
        ("2e", PEACE, "usa", {6, 17, 19, 20, 22, 32, 33, 34, 36, 37}),
        ("2e", PEACE, "japan", {1, 2, 3, 8, 9, 10, 11, 12}),
        ("2e", PEACE, "uk", set()),
        ("2e", "war", "usa", set()),
        ("1e", PEACE, "usa", set()),
        ("card", PEACE, "japan", set()),
    ],
)
def test_zones_closed_to_ships_in_peace(edition: str, relations: Any, owner: str, zones: set[int]) -> None:
    barred = {n for n in range(1, 64) if judge("may_end_in", edition, relations, owner, "destroyer", f"sz-{n}")}
    assert barred == zones


def test_mongolia_may_be_attacked_under_its_option() -> None:
    rules = rule_set("p40", "1e", options={"mongolia": "attackable"})
    given = {"round": 1, "power": "japan", "phase": "combat_move", "spaces": {}}
    state = begin("case", rules, position(rules, given)).now
    unit = Unit("u1", "infantry", "japan", "manchuria")
    assert rules.judge("closed_to", state, "japan", unit, "buyant-uhaa") is None
    assert rules.judge("hostile_territory", state, "japan", "buyant-uhaa")
    assert not rules.judge("hostile_territory", state, "usa", "buyant-uhaa"), "the USA are at war with nobody"
