"""Recorded links, the given ones and those asked for this project, agree with the model."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from tests.facts.links import counted, judge_cases, lines, predict_file, verdict

DATA = Path(__file__).parent / "data"
#: Cases that nobody could tell beforehand are `unknown`; so many are left.
MOST_UNKNOWN = {
    "links.jsonl.xz": 17,
    "links_asked.jsonl.xz": 45,
    "links_aspects.jsonl.xz": 25,
    "links_combined.jsonl.xz": 40,
    "links_operations.jsonl.xz": 6,
    "links_options.jsonl.xz": 10,
    "links_variables.jsonl.xz": 12,
}  # of all


@pytest.fixture(scope="module", params=sorted(MOST_UNKNOWN))
def judged(request) -> tuple[str, Counter[str], list[tuple[str, str, str]]]:
    # Every twentieth case, of few every tenth; all of them are judged by
    # `python -m tests.facts tests/facts/data/links*.jsonl.xz`.
    step = 10 if request.param == "links_operations.jsonl.xz" else 20
    counts, shown = judge_cases(islice(lines(DATA / request.param), 0, None, step))
    return request.param, counts, shown


def test_no_link_that_stops_or_loses_rows_is_called_safe(judged) -> None:
    _, counts, shown = judged
    assert not counts["false_safe"], [one for one in shown if one[0] == "false_safe"]


def test_outcome_and_number_agree(judged) -> None:
    name, counts, shown = judged
    assert counts["facts"] > 20
    assert not counts["wrong"], [one for one in shown if one[0] == "wrong"]
    assert counts["unknown"] <= MOST_UNKNOWN[name]


@pytest.mark.parametrize("name", ["links_asked.jsonl.xz", "links_combined.jsonl.xz"])
def test_statements_that_come_as_a_file_agree(name: str) -> None:
    cases = [
        case
        for case in islice(lines(DATA / name), 0, None, 60)
        if counted(case)
        and not case["replica_session"]
        and not any("LOG_POS" in key for key in case["channel"])
    ]
    found = [(case["id"], *verdict(case, predict_file)) for case in cases]
    assert [one for one in found if one[1] not in ("agreed", "unknown")] == []
    assert sum(counter == "agreed" for _, counter, _ in found) > len(found) // 3
