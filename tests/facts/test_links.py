"""Recorded links, the given ones and those asked for this project, agree with what is said of them: their
statements come as a file, as users have them.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from tests.facts.links import judge_cases, lines

DATA = Path(__file__).parent / "data"
#: The share of cases, in percent, of which something is said. At the others a statement, a setting of a
#: session or what one end has by itself is not followed, and the answer is `unknown`.
DECIDED = {
    "links.jsonl.xz": 55,
    "links_asked.jsonl.xz": 54,
    "links_aspects.jsonl.xz": 40,
    "links_combined.jsonl.xz": 25,
    "links_operations.jsonl.xz": 15,
    "links_options.jsonl.xz": 40,
    "links_variables.jsonl.xz": 45,
}


@pytest.fixture(scope="module", params=sorted(DECIDED))
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
    assert counts["agreed"] * 100 >= DECIDED[name] * counts["facts"]
