"""Scripts drawn from the grammars (tests/live/definitions.py) and what four servers made of them, sampled.

`python -m tests.live.definition_fuzz` asks a server, judges all answers and writes this sample anew.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from tests.ddl.recorded import SERVERS, load
from tests.facts.ddl import judge_cases


@pytest.mark.parametrize("server", SERVERS)
def test_what_agreed_agrees(server: str) -> None:
    header, cases = load("generated.jsonl.xz")[server]
    counts = judge_cases(header, [case for case in cases if "open" not in case], ways=("show", "rows"))
    # What expressions of rare forms make is unknown; a server would be asked.
    wrong = [one for one in counts.shown if one[0] != "unknown" and "only a server can tell" not in one[2]]
    assert wrong == []
    assert counts["agreed"] > 30


@pytest.mark.parametrize("server", SERVERS)
def test_what_is_open_is_little(server: str) -> None:
    """Of the sample, what does not agree yet: no more than one case of twelve."""
    _, cases = load("generated.jsonl.xz")[server]
    assert sum("open" in case for case in cases) * 12 <= len(cases)


def test_both_answers_are_there() -> None:
    for _, cases in load("generated.jsonl.xz").values():
        assert {case["accepted"] for case in cases} == {True, False}


@pytest.mark.parametrize(
    ("columns", "runs"),
    [
        ("c SERIAL, o INT AS (c) VIRTUAL", True),
        ("c SERIAL, o INT AS (c) VIRTUAL, p INT AS (o) VIRTUAL", True),
        ("c SERIAL, o INT AS (c) VIRTUAL, CHECK (o > 0)", False),
        ("c SERIAL, o INT AS (c) VIRTUAL, p INT AS (o) VIRTUAL, CHECK (p > 0)", False),
        ("c SERIAL, o INT AS (c) VIRTUAL, p INT AS (o) STORED", False),
        ("c SERIAL, o INT AS (c) VIRTUAL, KEY (o)", False),
        ("c INT, o DATETIME AS (now()) VIRTUAL, p INT AS (year(o)) VIRTUAL", True),
        ("c INT, o DATETIME AS (now()) VIRTUAL, p INT AS (year(o)) VIRTUAL, KEY (p)", False),
        ("c INT, o DATETIME AS (now()) VIRTUAL, p INT AS (year(o)) STORED", False),
        ("c INT, o DOUBLE AS (rand()) VIRTUAL, CHECK (o < 2)", False),
        ("c DATETIME DEFAULT (now()), o INT AS (year(c)) STORED, CHECK (o > 0)", True),
    ],
)
def test_what_depends_on_a_column_that_is_not_steady(columns: str, runs: bool) -> None:
    """Asked of MariaDB 10.11: a CHECK, a stored column and a key take no virtual column of the session."""
    problems = read(f"CREATE TABLE t ({columns});", Server.parse("mariadb-10.11.19")).problems
    assert bool(problems) is not runs
