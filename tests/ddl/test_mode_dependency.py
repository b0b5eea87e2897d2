"""Stored columns whose value depends on sql_mode: what MariaDB 10.11.19 and 11.8.6 (alike) said to 2,476."""

from __future__ import annotations

from collections import Counter

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from tests.ddl.recorded import read as lines

MARIADB = Server.parse("mariadb-11.8.6").with_told({"sql_mode": "NO_ENGINE_SUBSTITUTION"})
#: One of so many is judged.
EVERY = 3


def judged(every: int) -> tuple[Counter[str], list[str]]:
    """How many agree, and those that do not."""
    counts: Counter[str] = Counter()
    wrong = []
    for number, line in enumerate(lines("modes.jsonl.xz")):
        if number % every:
            continue
        columns, kind, text, error = line
        problems = read(f"CREATE TABLE q ({columns}, g {kind} AS ({text}) STORED)", MARIADB).problems
        agrees = bool(problems) == bool(error)
        counts["agree" if agrees else "refused" if error else "accepted"] += 1
        if not agrees:
            wrong.append(f"{columns}: {kind} AS ({text}): {error}")
    return counts, wrong


def test_what_depends_on_sql_mode() -> None:
    counts, wrong = judged(EVERY)
    assert counts["accepted"] == 0, wrong
    assert len(wrong) <= 2, wrong
    assert counts["agree"] > 800


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("c LIKE 'a%' NOT IN (3)", "c like ('a%'!=3)"),
        ("c REGEXP 'a' NOT BETWEEN 1 AND 2", "c regexp (not('a' between 1 and 2))"),
        ("c NOT LIKE 'a' NOT IN (3) NOT IN (4)", "not(c like (('a'!=3)!=4))"),
        ("c LIKE 'a' <> 3", "(c like 'a')!=3"),
    ],
)
def test_what_stands_behind_like(text: str, read_as: str) -> None:
    """Asked of MariaDB 10.11 and 11.8."""
    (table,) = read(f"CREATE TABLE t (c varchar(5), d int DEFAULT ({text}))", MARIADB, database="d").tables
    default = table.columns[1].default
    assert default is not None
    assert default.text == read_as


@pytest.mark.parametrize("default", ["''", "'a'"])
@pytest.mark.parametrize("server", ["mysql-5.6.24", "mysql-9.7.4"])
def test_a_long_varchar_with_a_default(server: str, default: str) -> None:
    """Asked of both: refused without strict mode too, whatever the default is."""
    known = Server.parse(server).with_told({"sql_mode": "", "character_set_server": "utf8mb4"})
    text = f"CREATE TABLE t (c varchar(65535) CHARACTER SET utf8mb4 DEFAULT {default})"
    (problem,) = read(text, known, database="d").problems
    assert problem.refusal is not None
    assert problem.refusal.number == 1074
