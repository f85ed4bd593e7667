"""The example of docs/cases.md is a case that passes, and every field of a case is documented there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pbem.audit.case_model import KNOWN, case_from_json
from pbem.audit.cases import run_case

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")


def test_the_example_passes() -> None:
    examples = re.findall(r"```json\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    assert len(examples) == 1
    assert run_case(case_from_json(json.loads(examples[0]))).differences == ()


def test_every_field_is_named() -> None:
    named = set(re.findall(r"`([a-z_]+)`", DOCUMENT))
    assert set(KNOWN) - named == set()
