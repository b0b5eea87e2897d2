"""Classes of statements of which four servers were asked by generators, sampled: members of ENUM and SET
under CONVERT TO, ALGORITHM and LOCK beside several parts, constant defaults of geometries, sizes of
COMPRESSED columns, prefixes of TEXT and BLOB, and the logic of geometries and addresses.
"""

from __future__ import annotations

import pytest

from tests.ddl.recorded import EVERY, SERVERS, load
from tests.facts.ddl import judge_cases

pytestmark = pytest.mark.recorded


@pytest.mark.parametrize("server", SERVERS)
def test_what_agreed_agrees(server: str) -> None:
    header, cases = load("asked_classes.jsonl.xz")[server]
    closed = [case for case in cases if "open" not in case]
    counts = judge_cases(header, closed[::EVERY], ways=("show", "rows"))
    # What expressions of rare forms make is unknown; a server would be asked.
    wrong = [one for one in counts.shown if one[0] != "unknown" and "only a server can tell" not in one[2]]
    assert wrong == []
    assert counts["agreed"] > 500 // EVERY


@pytest.mark.parametrize("server", SERVERS)
def test_what_is_open_is_unknown(server: str) -> None:
    """Nothing is read otherwise than the server has it, and next to nothing of what it refuses as fine."""
    _, cases = load("asked_classes.jsonl.xz")[server]
    kinds = [case["open"] for case in cases if "open" in case]
    assert kinds.count("wrong") == 0
    assert kinds.count("false_safe") * 100 <= len(cases)
    assert len(kinds) * 20 <= len(cases)
