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
    figures = [
        [counts[f"{kind} {log}"] for kind in ("all", "red", "left", "true")] for log in ("STATEMENT", "MIXED")
    ]
    assert figures == [[178, 176, 41, 4], [178, 176, 44, 12]]


@pytest.mark.recorded
def test_a_log_rules_out_no_finding_that_happened() -> None:
    counts, broken = judge_file(DATA / "fresh_features.jsonl.xz")
    assert broken == []
    for log in ("STATEMENT", "MIXED"):
        assert counts[f"red {log}"] > counts[f"left {log}"] > counts[f"true {log}"] > 50
