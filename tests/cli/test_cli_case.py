"""`case run` and `case play`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "cases.md"
EXAMPLE = json.loads(re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)[0])
WRONG = {**EXAMPLE, "id": "wrong", "expect": {"spaces": {"Yunnan": {"controller": "china"}}}}


def _write(cli: Cli, name: str, *cases: object) -> str:
    (cli.folder / name).write_text("\n".join(json.dumps(case) for case in cases) + "\n", encoding="utf-8")
    return name


def test_a_line_per_case_and_exit_code_1_where_one_fails(cli: Cli) -> None:
    assert cli.good("case", "run", _write(cli, "a.jsonl", EXAMPLE)).out.startswith(f"{EXAMPLE['id']}: pass\n")
    said = cli("case", "run", _write(cli, "b.jsonl", EXAMPLE, WRONG))
    assert said.code == 1
    assert "wrong: yunnan: controlled by japan, not china" in said.out
    assert said.out.splitlines()[-1] == "2 cases, 1 pass, 1 fail"


def test_as_json_every_line_is_an_object(cli: Cli) -> None:
    said = cli("case", "run", "--json", _write(cli, "b.jsonl", EXAMPLE, WRONG))
    good, bad = said.rows()
    assert said.code == 1
    assert list(good) == ["id", "passed", "differences", "events"]
    assert good["passed"] and good["differences"] == []
    assert {"dice_rolled", "battle_begun"} <= {event["type"] for event in good["events"]}
    assert not bad["passed"] and len(bad["differences"]) == 1


def test_a_case_that_cannot_be_read_fails_and_the_others_are_still_ruled(cli: Cli) -> None:
    broken = [{"id": "no-game"}, ["a list"], {**EXAMPLE, "id": "no-place", "given": {"power": "mars"}}, 7]
    said = cli("case", "run", "--json", _write(cli, "c.jsonl", *broken, EXAMPLE))
    rows = said.rows()
    assert said.code == 1 and [row["passed"] for row in rows] == [False] * 4 + [True]
    assert "the field 'game' is missing" in rows[0]["differences"][0]
    assert all(row["differences"][0].startswith("the case cannot be read") for row in rows[:4]), rows


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_has_no_cases(cli: Cli, text: str) -> None:
    (cli.folder / "empty.jsonl").write_text(text, encoding="utf-8")
    assert cli.good("case", "run", "empty.jsonl").out == "0 cases, 0 pass, 0 fail\n"


def test_a_file_that_is_no_json_is_told_with_its_line(cli: Cli) -> None:
    (cli.folder / "bad.jsonl").write_text(json.dumps(EXAMPLE) + "\n{nonsense\n", encoding="utf-8")
    said = cli("case", "run", "bad.jsonl")
    assert said.code == 1 and "bad.jsonl, line 2: no JSON" in said.err


def test_one_object_a_list_yaml_and_the_standard_input(cli: Cli) -> None:
    (cli.folder / "one.json").write_text(json.dumps(EXAMPLE, indent=2), encoding="utf-8")
    (cli.folder / "two.json").write_text(json.dumps([EXAMPLE, EXAMPLE]), encoding="utf-8")
    (cli.folder / "one.yaml").write_text(json.dumps(EXAMPLE), encoding="utf-8")  # JSON is YAML, too
    said = cli.good("case", "run", "one.json", "two.json", "one.yaml", "-", stdin=json.dumps(EXAMPLE))
    assert said.out.endswith("5 cases, 5 pass, 0 fail\n")


def test_the_whole_ruling_is_printed_with_rules_in_words_and_every_die(cli: Cli) -> None:
    out = cli.good("case", "play", _write(cli, "a.jsonl", EXAMPLE)).out
    assert "japan: 3 infantry 1 artillery Kwangsi -> Yunnan" in out
    assert re.search(r"P40-6\.7\.1 .*: Artillery support", out)
    assert re.search(r"japan artillery, hits on 2 or less: u\d+ 1 HIT", out)
    assert re.search(r"china infantry, hits on 2 or less: u\d+ 3 miss, u\d+ 2 HIT", out)
    assert out.count("Artillery support: pair artillery") == 1, "a rule's words are printed once"
    assert "=> as expected" in out and EXAMPLE["why"] in out


def test_what_differs_stands_below_the_ruling(cli: Cli) -> None:
    said = cli("case", "play", _write(cli, "b.jsonl", WRONG))
    assert said.code == 1 and "=> DIFFERS: yunnan: controlled by japan, not china" in said.out


def test_a_refused_line_is_printed_with_its_rule(cli: Cli) -> None:
    refused = {**EXAMPLE, "orders": {"japan": "1 infantry Kwangsi -> Hopei"}, "dice": [], "expect": {}}
    out = cli.good("case", "play", _write(cli, "r.jsonl", refused)).out
    assert "REFUSED japan: 1 infantry Kwangsi -> Hopei" in out and "P40-" in out
