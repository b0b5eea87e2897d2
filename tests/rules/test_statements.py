"""What a statement's values meet on the replica, held against a real server.

The data: literals of 37 types, each inserted into columns of all 37 types of MariaDB 10.11.19, under a
strict and under an empty sql_mode. A line is [source type, replica type, errors under the strict mode, a
value that was stored differently].
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from schemacheck import library
from schemacheck.conversion.statement import taken
from schemacheck.model import ColumnType, Effect, Link

pytestmark = pytest.mark.recorded

DATA = Path(__file__).parent / "data" / "statements-mariadb-10.11.jsonl.gz"
ASKED = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).decode().splitlines()]
#: The same point in time in more words: `2024-02-29` as a DATETIME.
SAME_TIME = {("date", "datetime"), ("datetime", "datetime"), ("timestamp", "datetime"), ("time", "time")}


def parse(text: str) -> ColumnType:
    return ColumnType.parse(text, charset="utf8mb4")


def test_no_value_is_refused_or_changed_that_is_said_to_be_kept() -> None:
    wrong = []
    for source, replica, errors, changed in ASKED:
        here, there = parse(source), parse(replica)
        if taken(here, there) is None and (errors or changed) and (here.base, there.base) not in SAME_TIME:
            wrong.append((source, replica, errors, changed))
    assert wrong == []
    assert len(ASKED) == 37 * 37


def test_a_silent_change_is_no_error() -> None:
    """What is said to be changed without an error never raised one."""
    wrong = [
        (a, b, errors)
        for a, b, errors, _ in ASKED
        if (found := taken(parse(a), parse(b))) and found.error is None and errors
    ]
    assert wrong == []


def test_most_of_what_is_said_was_seen() -> None:
    """Few warnings are about values that were not among those asked."""
    counts = Counter()
    for source, replica, errors, changed in ASKED:
        if "json" not in (source, replica):  # MariaDB's JSON takes numbers, MySQL's does not take all text
            counts[taken(parse(source), parse(replica)) is not None, bool(errors or changed)] += 1
    assert counts[True, True] > 900
    assert counts[True, False] < 60


def test_error_numbers_within_a_family() -> None:
    """Numbers into numbers, text into text and times into times raise the error that is named."""
    families = [
        {"tinyint", "smallint", "mediumint", "int", "bigint", "decimal"}, {"char", "varchar", "text",
        "tinytext", "binary", "varbinary", "blob"}, {"enum"}, {"bit"},
    ]  # fmt: skip
    numbers = {"out-of-range": 1264, "data-too-long": 1406, "incorrect-string": 1366, "data-truncated": 1265}
    seen = 0
    for source, replica, errors, _ in ASKED:
        here, there = parse(source), parse(replica)
        found = taken(here, there)
        if errors and found and any({here.base, there.base} <= family for family in families):
            seen += 1
            assert found.error is not None
            assert numbers[found.error] in errors, (source, replica, errors, found)
    assert seen > 40


def findings(source: str, replica: str, server: str = "mysql-8.0.36", **settings: str):
    link = Link.of(server, **{"binlog_format": "STATEMENT", **settings})
    report = library.check(f"CREATE TABLE t ({source})", f"CREATE TABLE t ({replica})", link)
    assert not report.problems
    return [
        (f.code, f.effect, f.error.number if f.error else None)
        for f in report.findings
        if f.effect > Effect.COMPATIBLE
    ]


LOOSE = {"sql_mode": ""}
STOPS, CHANGES = Effect.UNSUPPORTED, Effect.DIVERGES


@pytest.mark.parametrize(
    ("source", "replica", "settings", "wanted"),
    [
        ("a INT", "a BIGINT", {}, []),
        ("a INT", "a VARCHAR(11)", {}, []),
        ("a INT", "a VARCHAR(10)", {}, [("SC802", STOPS, 1406)]),
        ("a INT UNSIGNED", "a INT", {}, [("SC802", STOPS, 1264)]),
        ("a INT UNSIGNED", "a INT", LOOSE, [("SC802", CHANGES, None)]),
        ("a DATE", "a DATETIME", {}, []),
        ("a DATETIME", "a DATE", {}, [("SC802", CHANGES, None)]),
        ("a ENUM('x','y')", "a ENUM('y','x')", {}, []),
        ("a ENUM('x','y')", "a ENUM('x')", {}, [("SC802", STOPS, 1265)]),
        ("a ENUM('x','yy')", "a VARCHAR(2)", {}, []),
        ("a DECIMAL(10,2)", "a DECIMAL(12,4)", {}, []),
        ("a DECIMAL(10,4)", "a DECIMAL(12,2)", {}, [("SC802", CHANGES, None)]),
        ("a DECIMAL(12,2)", "a DECIMAL(10,2)", {}, [("SC802", STOPS, 1264)]),
        ("a VARCHAR(20)", "a VARCHAR(10)", {}, [("SC802", STOPS, 1406)]),
        ("a VARCHAR(10) CHARACTER SET latin1", "a VARCHAR(10) CHARACTER SET utf8mb4", {}, [("SC803", CHANGES,
        None)]),
        ("a VARCHAR(10) CHARACTER SET utf8mb4", "a VARCHAR(10) CHARACTER SET latin1", {}, [("SC802", STOPS,
        1366), ("SC803", CHANGES, None)]),
        ("a INT NOT NULL", "a INT", {}, []),
        ("a INT NOT NULL", "a INT", LOOSE, [("SC502", CHANGES, None)]),
        ("a INT NULL", "a INT NOT NULL DEFAULT 0", LOOSE, [("SC501", CHANGES, None), ("SC502", CHANGES, None),
        ("SC802", STOPS, 1048)]),
        ("a INT", "a INT, b INT NOT NULL", {}, [("SC801", STOPS, 1136), ("SC802", STOPS, 1364)]),
        ("a INT", "a INT, b INT NOT NULL", LOOSE, [("SC801", STOPS, 1136), ("SC802", STOPS, None)]),
        ("a INT", "a INT, b INT DEFAULT 1", {}, [("SC801", STOPS, 1136)]),
        ("a INT, b INT", "a INT", {}, [("SC801", STOPS, 1136), ("SC801", STOPS, 1054)]),
        ("a INT, b INT", "b INT, a INT", {}, [("SC801", CHANGES, None)]),
        ("a INT, b INT", "a INT, c INT", {}, [("SC105", STOPS, 1054), ("SC801", STOPS, 1054)]),
        ("a INT, b INT AS (a) STORED", "a INT, b INT", {}, [("SC802", CHANGES, None)]),
        ("a INT, b INT", "a INT, b INT AS (a) STORED", {}, [("SC503", CHANGES, None), ("SC802", STOPS,
        3105)]),
    ],
)  # fmt: skip
def test_statement_format(source: str, replica: str, settings: dict[str, str], wanted: list[object]) -> None:
    assert sorted(findings(source, replica, **settings), key=str) == sorted(wanted, key=str)


@pytest.mark.parametrize(
    ("modes", "wanted"),
    [
        ("STRICT_ALL_TABLES", {("SC503", CHANGES, None), ("SC802", STOPS, 1906)}),
        ("", {("SC503", CHANGES, None)}),
    ],
)
def test_mariadb_ignores_values_of_generated_columns_unless_strict(modes: str, wanted: set[object]) -> None:
    assert (
        set(findings("a INT, b INT", "a INT, b INT AS (a) STORED", "mariadb-10.11", sql_mode=modes)) == wanted
    )


def test_mixed_format_has_the_findings_of_both() -> None:
    source, replica = "a INT", "a TINYINT"
    statement, row, mixed = (
        {code for code, _, _ in findings(source, replica, binlog_format=name)}
        for name in ("STATEMENT", "ROW", "MIXED")
    )
    assert (statement, row, mixed) == ({"SC802"}, {"SC202"}, {"SC202", "SC802"})
