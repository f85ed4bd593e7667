"""The coverage report understands the ways in which rules are cited."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("rules_coverage", ROOT / "tools" / "rules_coverage.py")
assert _spec is not None and _spec.loader is not None
rules_coverage = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(rules_coverage)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('rules=("P40-4.2.1",)', ["P40-4.2.1"]),
        ("Keeps CLA-5.9.3, 5.9.5 and 6.10.", ["CLA-5.9.3", "CLA-5.9.5", "CLA-6.10"]),
        ("S42-5.1.2-5.1.5: in order", ["S42-5.1.2", "S42-5.1.3", "S42-5.1.4", "S42-5.1.5"]),
        ("FOV-W01.3 of the rail gun, FOV-FD02", ["FOV-W01.3", "FOV-FD02"]),
        ("decision P40-DP-07, ruling P40-13-A4", ["P40-DP-07", "P40-13-A4"]),
        ("P40-10.5, P40-DP-35", ["P40-10.5", "P40-DP-35"]),
        ("WWM-7.13 to 7.15", ["WWM-7.13", "WWM-7.14", "WWM-7.15"]),
        ("P01-6.5.3 hits on 4", ["P01-6.5.3"]),
        ("XP40-1.1 and RFC-2.3 are no rules", []),
    ],
)
def test_citations(text: str, expected: list[str]) -> None:
    assert list(rules_coverage.citations(text)) == expected


def test_the_report_names_every_book_and_ends_well() -> None:
    run = subprocess.run(
        [sys.executable, "tools/rules_coverage.py", "--strict", *rules_coverage.BOOKS],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    for name in rules_coverage.BOOKS:
        assert f"{name} " in run.stdout


@pytest.mark.parametrize("name", rules_coverage.BOOKS)
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    """No book has a rule that no test names; whether it is kept, the test says."""
    cited = rules_coverage.cited_in(rules_coverage.TESTS)
    assert [rule for rule in rules_coverage.wanted(rules_coverage.BOOKS[name]) if rule not in cited] == []


def test_wanted_rules_leave_out_sources_and_examples() -> None:
    wanted = rules_coverage.wanted("CLA")
    assert "CLA-5.9.3" in wanted and "CLA-D01" in wanted
    assert "CLA-X01" not in wanted and "CLA-R01" not in wanted and "CLA-5" not in wanted
