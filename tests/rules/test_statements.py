"""What a statement's values meet on the replica, held against a real server.

The data: literals of 37 types, each inserted into columns of all 37 types of MariaDB 10.11.19, under a
strict and under an empty sql_mode. A line is [source type, replica type, errors under the strict mode, a
value that was stored differently].
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from schemacheck import library
from schemacheck.catalog import read
from schemacheck.conversion.statement import keeps_alike, refusals
from schemacheck.engine import check_pair
from schemacheck.model import ColumnType, Effect, Link, Server

pytestmark = pytest.mark.recorded

DATA = Path(__file__).parent / "data" / "statements-mariadb-10.11.jsonl.gz"
ASKED = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).decode().splitlines()]
SERVER = Server.parse("mariadb-10.11.19", {})
NUMBERS = {
    "out-of-range": 1264, "data-too-long": 1406, "incorrect-string": 1366, "data-truncated": 1265,
    "incorrect-temporal": 1292,
    "truncated-wrong-value": 1292, "invalid-geometry": 1416, "cannot-cast": 4078, "json-check-violated": 4025,
}  # fmt: skip


def parse(text: str) -> ColumnType:
    return ColumnType.parse(text, charset="utf8mb4")


def test_every_refusal_that_was_seen_is_named() -> None:
    missing = []
    for source, replica, errors, _ in ASKED:
        named = {NUMBERS.get(name) for name in refusals(parse(source), parse(replica), SERVER, strict=True)}
        if not set(errors) <= named:
            missing.append((source, replica, errors, named))
    assert missing == []
    assert len(ASKED) == 37 * 37


def test_every_pair_of_which_a_value_changed_is_told_apart() -> None:
    missing = [
        (source, replica, changed)
        for source, replica, _, changed in ASKED
        if changed and keeps_alike(parse(source), parse(replica), SERVER, SERVER)
    ]
    assert missing == []


def findings(source: str, replica: str, server: str = "mysql-8.0.36", **settings: str):
    link = Link.of(server, **{"binlog_format": "STATEMENT", **settings})
    report = library.check(f"CREATE TABLE t ({source})", f"CREATE TABLE t ({replica})", link)
    assert not report.problems
    return [
        (f.code, f.effect, f.error.number if f.error else None)
        for f in report.findings
        if f.effect > Effect.COMPATIBLE and (f.code, f.error and f.error.number) != FOLLOWS
    ]


#: What later statements meet, wherever statements leave other rows or values.
FOLLOWS = ("SC803", 1062)
LOOSE = {"sql_mode": ""}
FAILS, CHANGES = Effect.STOPS, Effect.DIVERGES
KEEPS_OTHER = ("SC802", CHANGES, None)
REACHES_OTHER = ("SC803", CHANGES, None)


@pytest.mark.parametrize(
    ("source", "replica", "settings", "errors"),
    [
        ("a INT", "a BIGINT", {}, []),
        ("a INT", "a VARCHAR(11)", {}, [1406]),
        ("a INT UNSIGNED", "a INT", {}, [1264]),
        ("a INT UNSIGNED", "a INT", LOOSE, []),
        ("a DATE", "a DATETIME", {}, []),
        ("a DATETIME", "a DATE", {}, []),
        ("a ENUM('x','y')", "a ENUM('y','x')", {}, []),
        ("a ENUM('x','y')", "a ENUM('x')", {}, [1265]),
        ("a ENUM('x','yy')", "a VARCHAR(2)", {}, [1292]),
        ("a DECIMAL(10,2)", "a DECIMAL(12,4)", {}, []),
        ("a DECIMAL(10,4)", "a DECIMAL(12,2)", {}, []),
        ("a DECIMAL(12,2)", "a DECIMAL(10,2)", {}, [1264]),
        ("a FLOAT", "a DOUBLE", {}, []),
        ("a DATETIME", "a DATETIME(6)", {}, []),
        ("a VARCHAR(20)", "a VARCHAR(10)", {}, [1406]),
        ("a VARCHAR(10)", "a VARCHAR(20)", {}, []),
        ("a VARCHAR(10) CHARACTER SET latin1", "a VARCHAR(10) CHARACTER SET utf8mb4", {}, []),
        ("a VARCHAR(10) CHARACTER SET utf8mb4", "a VARCHAR(10) CHARACTER SET latin1", {}, [1366]),
        ("a INT NOT NULL", "a INT", {}, []),
        ("a INT NULL", "a INT NOT NULL DEFAULT 0", {}, [1048]),
    ],
)  # fmt: skip
def test_a_type_that_differs_changes_values_and_rows(
    source: str, replica: str, settings: dict[str, str], errors: list[int]
) -> None:
    found = [f for f in findings(source, replica, **settings) if f[0] in ("SC802", "SC803")]
    assert KEEPS_OTHER in found
    assert REACHES_OTHER in found
    assert [number for _, effect, number in found if effect is FAILS] == errors


@pytest.mark.parametrize(
    ("source", "replica", "settings", "wanted"),
    [
        ("a INT", "a INT, b INT NOT NULL", {}, [1136, 1364]),
        ("a INT", "a INT, b INT NOT NULL", LOOSE, [1136, 1364]),
        ("a INT", "a INT, b INT DEFAULT 1", {}, [1136]),
        ("a INT, b INT", "a INT", {}, [1054, 1136]),
        ("a INT, b INT INVISIBLE", "a INT", {}, [1054]),
        ("a INT, b INT", "b INT, a INT", {}, []),
        ("a INT, b INT", "a INT, c INT", {}, [1054, 1054]),
        ("a INT, b INT AS (a) STORED", "a INT, b INT", {}, []),
        ("a INT, b INT", "a INT, b INT AS (a) STORED", {}, [1264, 3105]),
    ],
)  # fmt: skip
def test_columns_of_one_side(source: str, replica: str, settings: dict[str, str], wanted: list[int]) -> None:
    found = findings(source, replica, **settings)
    assert sorted(number for _, _, number in found if number) == wanted
    assert found


@pytest.mark.parametrize(("modes", "given"), [("STRICT_ALL_TABLES", [1906]), ("", [])])
def test_mariadb_ignores_values_of_generated_columns_unless_strict(modes: str, given: list[int]) -> None:
    found = findings("a INT, b INT", "a INT, b INT AS (a) STORED", "mariadb-10.11", sql_mode=modes)
    assert [number for _, _, number in found if number == 1906] == given


@pytest.mark.parametrize(
    ("source", "replica"),
    [
        (
            "a INT, b INT, c INT, UNIQUE KEY (b), UNIQUE KEY (c)",
            "a INT, b INT, c INT, UNIQUE KEY (c), UNIQUE KEY (b)",
        ),
        ("a INT, b INT, KEY (b)", "a INT, b INT"),
        ("a INT, b INT, UNIQUE KEY (b)", "a INT, b INT"),
        ("a INT, b INT", "a INT, b INT, UNIQUE KEY (b)"),
        ("a INT, CHECK (a > 1)", "a INT"),
    ],
)
def test_what_chooses_rows(source: str, replica: str) -> None:
    assert REACHES_OTHER in findings(source, replica)
    assert REACHES_OTHER not in findings(source, replica, binlog_format="ROW")


@pytest.mark.parametrize(
    ("source", "replica", "engine", "differs"),
    [
        # Asked of four servers: rows of a MEMORY table come in the order of the index that finds them.
        ("KEY k (b) USING HASH", "KEY k (b) USING BTREE", "MEMORY", True),
        ("KEY k (b)", "KEY k (b) USING BTREE", "MEMORY", True),
        ("KEY k (b)", "KEY k (b) USING HASH", "MEMORY", False),
        ("KEY k (b)", "KEY k (b) USING BTREE", "InnoDB", False),
    ],
)
def test_the_kind_of_an_index_of_memory(source: str, replica: str, engine: str, differs: bool) -> None:
    link = Link.of("mysql-8.0.36", binlog_format="STATEMENT")
    tables = [
        f"CREATE TABLE t (a INT PRIMARY KEY, b INT, {key}) ENGINE={engine}" for key in (source, replica)
    ]
    told = {f.code for f in library.check(*tables, link).findings if "indexes" in f.message}
    assert told == ({"SC803"} if differs else set())


def test_triggers_of_the_replica() -> None:
    table = "CREATE TABLE t (a INT)"
    trigger = "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1"
    link = Link.of("mysql-8.0.36", binlog_format="STATEMENT")
    assert library.check(table, f"{table}; {trigger};", link).verdict is FAILS
    assert library.check(f"{table}; {trigger};", table, link).verdict is FAILS
    assert library.check(f"{table}; {trigger};", f"{table}; {trigger};", link).verdict is Effect.IDENTICAL
    assert library.check(table, f"{table}; {trigger};", link).findings[0].depends_on_rows


def test_mixed_stops_for_certain_only_where_both_ways_do() -> None:
    link = Link.of("mysql-8.0.36", binlog_format="MIXED")
    report = library.check("CREATE TABLE t (a INT)", "CREATE TABLE t (a TINYINT)", link)
    stops = [f for f in report.findings if f.effect is FAILS]
    assert {f.error.number for f in stops if f.error} >= {13146, 1264}
    assert all(f.depends_on_rows for f in stops)
    missing = library.check("CREATE TABLE t (a INT)", "CREATE TABLE u (a INT)", link)
    assert not missing.findings[0].depends_on_rows


def test_sessions_of_the_source_speak_a_collation_that_the_replica_lacks() -> None:
    table = "CREATE TABLE t (a INT)"

    def codes(source: str, replica: str, **settings: str) -> dict[str, Effect]:
        link = Link.of(source, replica, **{"binlog_format": "STATEMENT", **settings})
        return {f.code: f.effect for f in library.check(table, table, link).findings}

    assert codes("mariadb-11.8.6", "mysql-9.7.4")["SC805"] is CHANGES
    assert codes("mysql-9.7.4", "mariadb-10.11.19")["SC805"] is FAILS
    assert "SC805" not in codes("mysql-9.7.4", "mariadb-11.8.6")
    assert "SC805" not in codes("mariadb-10.11.19", "mysql-9.7.4")
    assert "SC805" not in codes(
        "mariadb-11.8.6", "mysql-9.7.4", character_set_collations="utf8mb4=utf8mb4_general_ci"
    )


def test_mixed_format_has_the_findings_of_both() -> None:
    source, replica = "a INT", "a TINYINT"
    statement, row, mixed = (
        {code for code, _, _ in findings(source, replica, binlog_format=name)}
        for name in ("STATEMENT", "ROW", "MIXED")
    )
    assert (statement, row, mixed) == ({"SC802", "SC803"}, {"SC202"}, {"SC202", "SC802", "SC803"})


@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t", FAILS),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DISABLE ON SLAVE DO DELETE FROM t", Effect.IDENTICAL),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM other", Effect.IDENTICAL),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT COUNT(*) FROM t", Effect.IDENTICAL),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO CALL p()", Effect.UNKNOWN),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO UPDATE x.t SET a = 1", Effect.IDENTICAL),
    ],
)
def test_an_event_of_the_replica_changes_rows_by_itself(event: str, verdict: Effect) -> None:
    table = "CREATE TABLE d.t (a INT PRIMARY KEY)"
    report = library.check(table, f"USE d; {table}; {event};")
    assert report.verdict is verdict
    off = Link.of("mysql-9.7", None, event_scheduler="OFF")
    assert library.check(table, f"USE d; {table}; {event};", off).verdict is Effect.IDENTICAL


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [("JSON_EXTRACT(b, '$.k')", {4036, 4037, 4038}), ("c + INTERVAL 1 DAY", {1441})],
)
def test_what_computing_alone_may_end_with(expression: str, numbers: set[int]) -> None:
    """Asked of MariaDB 10.11 and 11.8."""
    source = "CREATE TABLE t (a INT PRIMARY KEY, b LONGTEXT, c DATE"
    settings = {"binlog_format": "STATEMENT"}
    server = Server.parse("mariadb-10.11", settings)
    texts = source, f"{source}, d INT AS ({expression}) STORED"
    ends = (read(f"{text}) CHARSET utf8mb4", server).tables[0] for text in texts)
    found = check_pair(*ends, Link(server, server)).findings
    assert any(numbers <= {one.error.number if one.error else 0, *one.also} for one in found)
