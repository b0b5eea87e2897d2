"""Answers that were kept, of four servers: what the model knows by itself agrees with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.facts.asked import judge, question_of, read

FACTS = Path(__file__).parent / "data" / "facts.jsonl.xz"


@pytest.mark.recorded
def test_no_kept_answer_is_against_the_model() -> None:
    counts, against = Counter[str](), []
    for one in read(FACTS):
        verdict, why = judge(one)
        counts[verdict] += 1
        if verdict in ("wrong", "false_safe"):
            against.append((one.document["before"], one.document["statement"], why))
    assert against == []
    assert counts["agreed"] > 80
    assert counts["unknown"] > 50
    # A definition that the model takes to be refused is unknown, never a pass.
    assert counts["false_alarm"] <= 1


@pytest.mark.recorded
def test_nearly_every_kept_answer_is_understood() -> None:
    """Tables whose rows and definitions differ are none: few."""
    tables = [one for one in read(FACTS) if "rows" in one.document["answer"]]
    assert sum(one.answer(question_of(one)) is None for one in tables) * 10 < len(tables)
