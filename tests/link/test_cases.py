"""The recorded cases of our own are those that the generator makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.facts.links import lines
from tests.link.cases import for_pair

DATA = Path(__file__).parents[1] / "facts" / "data" / "links_asked.jsonl.xz"


@cache
def made(source: str, replica: str) -> dict[str, list[str]]:
    return {case["id"]: case["statements"] for case in for_pair(source, replica)}


def test_recorded_cases_are_made_here() -> None:
    recorded = list(lines(DATA))
    known = [case for case in recorded if case["id"] in made(case["source"], case["replica"])]
    assert len(recorded) > 2500
    assert len(known) == len(recorded), [c["id"] for c in recorded if c not in known][:5]
    different = [c["id"] for c in known if c["statements"] != made(c["source"], c["replica"])[c["id"]]]
    assert not different, different[:5]
