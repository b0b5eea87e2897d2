"""The law over recorded facts: what is said to bite happened, and what is absent did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.recorded import judge_file

DATA = Path(__file__).parents[1] / "facts" / "data"


@pytest.mark.recorded
def test_what_bites_happened_and_what_is_absent_did_not() -> None:
    counts, broken = judge_file(DATA / "definitions.jsonl.xz", every=97)
    assert broken == []
    assert counts["bites"] > 1_000
    assert counts["absent"] > 80


@pytest.mark.recorded
def test_of_everyday_workloads_few_reports_stay_red() -> None:
    counts, broken = judge_file(DATA / "workloads.jsonl.xz")
    assert broken == []
    assert {kind: counts[kind] for kind in ("all", "red", "left", "true")} == {
        "all": 234, "red": 232, "left": 60, "true": 2,
    }  # fmt: skip


@pytest.mark.recorded
def test_a_log_rules_out_no_finding_that_happened() -> None:
    counts, broken = judge_file(DATA / "fresh_features.jsonl.xz")
    assert broken == []
    assert counts["red"] > counts["left"] > counts["true"] > 150
