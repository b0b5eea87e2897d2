"""Statements in a log that meet other tables on the replica: what four real servers said to each.

`statements.jsonl.gz` has the replica's definitions, one statement, and the answer of each server (number
and message, null where it ran), asked directly; `slave_ddl_exec_mode` is STRICT, as it is for a client. Cases
with the mode IDEMPOTENT were replicated from MariaDB 10.11 under binlog_format=STATEMENT.
A server's error may be found, or it may be unknown; it never passes.
"""

from __future__ import annotations

import gzip
import json

import pytest

from schemacheck import catalog
from schemacheck.applier import LogCheck
from schemacheck.applier.text import render
from schemacheck.binlog.decoder import Decoder
from schemacheck.dataclass import replace
from schemacheck.model import Effect, Link
from schemacheck.model.filters import FilterSet
from schemacheck.replay.change import BothEnds
from tests.binlog.logs import DATA, MAGIC, description, query

pytestmark = pytest.mark.recorded

CASES = [
    json.loads(line) for line in gzip.decompress((DATA / "statements.jsonl.gz").read_bytes()).splitlines()
]
WRITERS = {
    "mysql-5.6": "5.6.24-log",
    "mysql-9.7": "9.7.4",
    "mariadb-10.11": "10.11.19-MariaDB",
    "mariadb-11.8": "11.8.6-MariaDB",
}
SYNTAX = 1064
#: The server looks at SET before WHERE, or counts values before it looks at names: another number or name
#: comes first.
ANOTHER_FIRST = frozenset({("mariadb-11.8", "UPDATE t SET b=2 WHERE c=1")})


def checked(
    statements,
    replica,
    *,
    server="mysql-9.7",
    source=None,
    filters=None,
    status=b"",
    mode="STRICT",
    own=False,
):
    link = Link.of(server, None, slave_ddl_exec_mode=mode)
    there = catalog.read(
        replica, link.replica, database="d", charsets={"d": ("utf8mb4", "utf8mb4_general_ci")}
    )
    here = catalog.read(source, link.source, database="d") if source is not None else None
    check = LogCheck(there, link, filters=filters, source=here)
    if own:  # the server runs its own statements
        check.end.tables.server = link.replica
    decoder = Decoder()
    decoder.feed(
        MAGIC + description(WRITERS[server]) + b"".join(query(one, status=status) for one in statements)
    )
    for event in decoder.events():
        check.take("f", event)
    return check.finish()


@pytest.mark.parametrize(("case", "server"), [(case, server) for case in CASES for server in case["answers"]])
def test_a_servers_error_never_passes(case, server):
    answer = case["answers"][server]
    if answer is not None and answer[0] == SYNTAX:
        return
    report = checked(
        [case["statement"]], ";".join(case["setup"]), server=server, mode=case.get("mode", "STRICT"), own=True
    )  # the server itself was asked, no applier
    if answer is None:
        assert report.stop is None
        return
    assert report.verdict >= Effect.STOPS
    if report.stop is not None:
        assert report.stop.error.number == answer[0]
        if (server, case["statement"]) not in ANOTHER_FIRST:
            assert f"Error '{answer[1]}' on query" in report.stop.error.message


def test_a_statement_is_judged_by_the_replicas_columns():
    report = checked(
        ["BEGIN", "INSERT INTO t VALUES (1,2)", "UPDATE t SET b = 2", "COMMIT"], "CREATE TABLE t (a INT)"
    )
    assert report.stop.error.number == 1136
    assert report.stop.what == "d.t"
    assert {finding.error.number for finding in report.tables[0].pair.findings} == {1136, 1054}
    assert report.tables[0].events == {"statement": 2}


def test_without_the_sources_definition_a_statement_is_unknown():
    report = checked(["INSERT INTO t VALUES (1)"], "CREATE TABLE t (a INT)")
    assert report.verdict is Effect.UNKNOWN
    assert report.tables[0].pair.findings[0].code == "SC004"
    assert "--source" in report.tables[0].pair.reason


@pytest.mark.parametrize(
    ("source", "replica", "verdict", "code"),
    [
        # What INSERT IGNORE cuts to INT on the source, BIGINT keeps: nobody looks at the values.
        ("a INT", "a INT", Effect.IDENTICAL, None), ("a INT", "a BIGINT", Effect.UNKNOWN, "SC802"),
        ("a BIGINT", "a INT", Effect.UNKNOWN, "SC802"),
        ("a INT, b INT", "b INT, a INT", Effect.DIVERGES, "SC801"),
        ("a INT", "a INT, b INT", Effect.UNSUPPORTED, "SC801"),
    ],
)  # fmt: skip
def test_with_both_definitions_the_rules_about_statements_count(source, replica, verdict, code):
    for given, log in (
        (f"CREATE TABLE t ({source})", []),
        (None, [f"CREATE TABLE IF NOT EXISTS t ({source})"]),
    ):
        report = checked([*log, "UPDATE t SET a = 1"], f"CREATE TABLE t ({replica})", source=given)
        assert report.stop is None
        assert report.verdict is verdict
        found = report.tables[0].pair.findings
        worst = {finding.code for finding in found if finding.effect is verdict}
        assert code in worst if code else not found


@pytest.mark.parametrize(
    ("statement", "source", "replica"),
    [
        # Literals that both ends keep alike too: nobody looks at them.
        ("INSERT INTO t VALUES (5), (NULL), (-2147483648)", "a INT", "a BIGINT"),
        # The server counts, fills in or refuses by the column's own type.
        ("INSERT INTO t (b) VALUES (1)", "a INT AUTO_INCREMENT PRIMARY KEY, b INT",
         "a TINYINT AUTO_INCREMENT PRIMARY KEY, b INT"),
        ("INSERT INTO t VALUES (0, 1)", "a INT AUTO_INCREMENT PRIMARY KEY, b INT",
         "a TINYINT AUTO_INCREMENT PRIMARY KEY, b INT"),
        ("INSERT INTO t (b) VALUES (1)", "a INT NOT NULL, b INT", "a VARCHAR(9) NOT NULL, b INT"),
        ("INSERT INTO t VALUES (NULL, 1)", "a TIMESTAMP(6) NOT NULL, b INT", "a TIMESTAMP NOT NULL, b INT"),
        ("UPDATE t SET b = 1", "a DATETIME(6) ON UPDATE NOW(6), b INT", "a DATETIME ON UPDATE NOW(), b INT"),
        # Expressions meet the type: 1 - 2 is no BIGINT UNSIGNED.
        ("INSERT INTO t (a, b) VALUES (2, 1)", "a INT, b INT, g INT AS (b - a) STORED",
         "a INT UNSIGNED, b INT, g INT AS (b - a) STORED"),
        ("UPDATE t SET b = 1", "a INT, b INT, CHECK (b - a < 9)", "a INT UNSIGNED, b INT, CHECK (b - a < 9)"),
        ("UPDATE t SET b = DEFAULT", "a INT, b INT DEFAULT (a - 1)", "a INT UNSIGNED, b INT DEFAULT (a - 1)"),
        # A unique key tells other values apart.
        ("UPDATE t SET b = 1", "a VARCHAR(9) COLLATE utf8mb4_bin, b INT, UNIQUE (a, b)",
         "a VARCHAR(9) COLLATE utf8mb4_general_ci, b INT, UNIQUE (a, b)"),
        ("DELETE FROM t WHERE (1, 2) IN (SELECT * FROM t)", "a INT, b INT", "a DOUBLE, b INT"),
    ],
)  # fmt: skip
def test_what_a_statement_does_to_a_column_of_another_type_may_differ(statement, source, replica):
    for server in ("mysql-9.7", "mariadb-10.11"):
        report = checked(
            [statement], f"CREATE TABLE t ({replica})", source=f"CREATE TABLE t ({source})", server=server
        )
        assert report.verdict >= Effect.DIVERGES


def test_row_events_and_statements_on_one_table_both_count():
    report = checked(
        ["UPDATE t SET a = 1", "UPDATE t SET a = 2", "UPDATE t SET b = 2"], "CREATE TABLE t (a INT)"
    )
    assert report.tables[0].events == {"statement": 3}
    assert report.stop.error.number == 1054
    assert report.tables[0].pair.verdict is Effect.UNKNOWN


def test_a_table_that_is_only_read_must_be_the_same():
    tables = "CREATE TABLE t (a INT); CREATE TABLE s (a {})"
    text = "INSERT INTO t SELECT a FROM s"
    assert checked([text], tables.format("INT"), source=tables.format("INT")).verdict is Effect.IDENTICAL
    report = checked([text], tables.format("INT"), source=tables.format("BIGINT"))
    assert [(table.name, table.pair.verdict) for table in report.tables if table.concerned] == [
        ("d.s", Effect.UNKNOWN)
    ]


def test_temporary_tables_are_the_logs_own():
    report = checked(
        ["CREATE TEMPORARY TABLE x (a INT)", "INSERT INTO x VALUES (1)", "DROP TEMPORARY TABLE x"],
        "CREATE TABLE t (a INT)",
    )
    assert report.verdict is Effect.IDENTICAL


def test_functions_whose_bodies_nobody_told():
    report = checked(["SELECT `d`.`f`(1)"], "CREATE TABLE t (a INT)")
    assert report.verdict is Effect.UNKNOWN


def test_filtered_statements_do_not_count():
    report = checked(
        ["INSERT INTO t VALUES (1, 2)"], "CREATE TABLE t (a INT)", filters=FilterSet(ignore_db=("d",))
    )
    assert (report.stop, report.tables) == (None, [])


def test_columns_that_every_table_has_are_none_that_are_missing():
    for text in (
        "DELETE FROM t WHERE a < UTC_TIMESTAMP ORDER BY `a`",
        "UPDATE t SET a = DEFAULT WHERE a = CURRENT_DATE",
        "INSERT INTO t () VALUES ()",
    ):
        assert checked([text], "CREATE TABLE t (a INT)").stop is None


def test_a_stored_program_that_no_schema_lists_may_be_there():
    assert (
        checked(["DROP PROCEDURE p", "DROP FUNCTION d.f", "DROP EVENT e"], "CREATE TABLE t (a INT)").stop
        is None
    )


def test_a_schema_without_database_names_describes_any_database():
    def bare(text):
        link = Link.of("mysql-9.7")
        check = LogCheck(catalog.read("CREATE TABLE t (a INT); CREATE TABLE u (a INT)", link.replica), link)
        decoder = Decoder()
        decoder.feed(MAGIC + description("9.7.4") + query(text))
        for event in decoder.events():
            check.take("f", event)
        return check.finish()

    assert [
        bare(text).stop.error.number
        for text in (
            "RENAME TABLE t TO u",
            "CREATE TABLE t (a INT)",
            "DROP TABLE x",
            "ALTER TABLE x ADD b INT",
        )
    ] == [1050, 1050, 1051, 1146]
    assert bare("RENAME TABLE t TO x").verdict is Effect.IDENTICAL
    assert bare("UPDATE mysql.user SET a = 1").verdict is Effect.UNKNOWN


def test_a_table_over_a_view_kills_a_forgiving_replica():
    """CREATE OR REPLACE of a view's name: seen on 11.8.6, signal 11 in ha_checktype; with IF NOT EXISTS too
    where columns are written (10.11.19 and 11.8.6).
    """
    replica = "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t"

    def stop(text):
        return checked([text], replica, server="mariadb-11.8", mode="IDEMPOTENT").stop

    assert stop("CREATE TABLE v (a INT)").title == "no error number"
    assert stop("CREATE TABLE IF NOT EXISTS v (a INT)").title == "no error number"
    assert stop("CREATE TABLE IF NOT EXISTS v LIKE t") is None
    assert stop("CREATE TABLE IF NOT EXISTS v SELECT a FROM t") is None


@pytest.mark.parametrize(
    ("server", "statement", "number"),
    [
        ("mysql-9.7", "CREATE TABLE u LIKE gone", 1146),
        ("mysql-9.7", "CREATE TABLE IF NOT EXISTS u LIKE gone", 1146),
        ("mariadb-11.8", "CREATE TABLE u LIKE gone", 1146),
        ("mariadb-11.8", "CREATE TABLE IF NOT EXISTS u LIKE gone", None),
        ("mysql-9.7", "CREATE TABLE u SELECT c FROM t", 1050),
        ("mysql-9.7", "CREATE TABLE u SELECT a FROM gone", 1146),
        ("mysql-9.7", "CREATE TABLE IF NOT EXISTS u SELECT c FROM t", None),
        ("mariadb-11.8", "CREATE TABLE u SELECT c FROM t", 1054),
        ("mariadb-11.8", "CREATE TABLE IF NOT EXISTS u SELECT a FROM gone", None),
        ("mysql-5.6", "CREATE VIEW u AS SELECT c FROM t", 1054),
        ("mysql-5.6", "CREATE VIEW u AS SELECT a FROM t", 1050),
        ("mysql-9.7", "ALTER TABLE t OPTIMIZE PARTITION p0", None),
        ("mariadb-11.8", "ALTER TABLE t OPTIMIZE PARTITION p0", 1505),
        ("mariadb-11.8", "ALTER TABLE gone ANALYZE PARTITION p0", None),
        ("mariadb-11.8", "ALTER TABLE v REPAIR PARTITION p0", None),
    ],
)
def test_what_is_read_comes_before_the_new_name(server, statement, number):
    """Asked of four servers."""
    replica = "CREATE TABLE t (a INT); CREATE TABLE u (a INT); CREATE VIEW v AS SELECT a FROM t"
    stop = checked([statement], replica, server=server).stop
    assert (stop.error.number if stop is not None else None) == number


def test_a_renamed_table_does_not_come_back():
    report = checked(
        ["RENAME TABLE IF EXISTS q TO r", "RENAME TABLE r TO s"],
        "CREATE TABLE t (a INT)",
        server="mariadb-10.11",
    )
    assert report.stop.error.number == 1146


@pytest.mark.parametrize(
    ("server", "verdict"),
    [("mysql-5.6", Effect.STOPS), ("mysql-9.7", Effect.STOPS), ("mariadb-10.11", Effect.STOPS)],
)
def test_foreign_keys_without_a_key_to_refer_to(server, verdict):
    text = "CREATE TABLE x (a INT, FOREIGN KEY (a) REFERENCES p (b))"
    assert checked([text], "CREATE TABLE p (a INT, b INT)", server=server).verdict is verdict
    assert (
        checked([text], "CREATE TABLE p (a INT, b INT PRIMARY KEY)", server=server).verdict
        is Effect.IDENTICAL
    )


@pytest.mark.parametrize(
    ("parent", "verdict"), [("nosuch", Effect.IDENTICAL), ("p", Effect.STOPS), ("q", Effect.IDENTICAL)]
)
def test_foreign_keys_without_foreign_key_checks(parent, verdict):
    """A parent may be missing; one that is there without a key is refused all the same (1215, 1005, 1822,
    6125).
    """
    off = b"\0" + (1 << 26).to_bytes(4, "little")
    text = f"CREATE TABLE x (a INT, FOREIGN KEY (a) REFERENCES {parent} (b))"
    for server in WRITERS:
        assert (
            checked(
                [text],
                "CREATE TABLE p (b INT); CREATE TABLE q (b INT PRIMARY KEY)",
                server=server,
                status=off,
            ).verdict
            is verdict
        )


def test_statements_inside_of_mariadbs_own():
    texts = [
        "SET STATEMENT lock_wait_timeout=1 FOR ALTER TABLE t DROP COLUMN b",
        "ANALYZE UPDATE t SET b = 1",
    ]
    tables = "CREATE TABLE t (a INT, b INT)"
    assert checked(texts, tables, source=tables, server="mariadb-10.11").stop.error.number == 1054
    assert checked(texts[1:], tables, source=tables, server="mariadb-10.11").verdict is Effect.IDENTICAL
    assert checked(texts[1:], tables, source=tables, server="mysql-9.7").stop.error.number == 1064


def test_a_definition_costs_its_own_tables_alone(monkeypatch):
    import schemacheck.replay.tables as module

    sizes = []
    real = catalog.read

    def counted(*args, base=None, **kw):
        sizes.append(len(base.tables) if base else 0)
        return real(*args, base=base, **kw)

    schema = ";".join(f"CREATE TABLE t{n} (a INT PRIMARY KEY)" for n in range(50))
    monkeypatch.setattr(module.catalog, "read", counted)
    checked(
        [
            "ALTER TABLE t7 ADD b INT",
            "CREATE TABLE x (a INT, FOREIGN KEY (a) REFERENCES t3 (a))",
            "RENAME TABLE t1 TO y",
        ],
        schema,
        source=schema,
    )
    assert max(sizes[2:]) == 1  # behind the two schemas


def test_a_table_that_was_not_understood_is_there_and_stays_unknown():
    replica = "CREATE TABLE t (a INT); CREATE TABLE q (a NOSUCHTYPE)"
    for statements in (["UPDATE q SET a = 1"], ["RENAME TABLE q TO r", "UPDATE r SET a = 1"]):
        report = checked(statements, replica)
        assert report.stop is None
        assert report.verdict is Effect.UNKNOWN
    assert checked(["RENAME TABLE t TO q"], replica).stop.error.number == 1050


def test_errors_leave_the_definitions_as_they_were():
    statements = [
        "ALTER TABLE t ADD c INT, DROP COLUMN nosuch",
        "CREATE TABLE x (a INT, FOREIGN KEY (a) REFERENCES t (b))",
        "UPDATE t SET c = 1",
    ]
    report = checked(statements, "CREATE TABLE t (a INT, b INT)", server="mariadb-10.11")
    assert report.stop.error.number == 1091
    assert report.tables[0].pair.findings[0].error.number == 1054


@pytest.mark.parametrize(("mode", "errors"), [(1 << 21, {1264, 1062}), (0, {1062})])
def test_the_sql_mode_of_the_statement_counts(mode, errors):
    """A statement that may stop is no certain stop: its values are not looked at."""
    status = b"\1" + mode.to_bytes(8, "little")
    report = checked(
        ["UPDATE t SET a = 1"], "CREATE TABLE t (a INT)", source="CREATE TABLE t (a BIGINT)", status=status
    )
    found = report.tables[0].pair.findings
    assert {finding.error.number for finding in found if finding.error is not None} == errors
    assert (report.stop, report.verdict) == (None, Effect.UNKNOWN)


def test_the_closing_line_says_what_is_not_known():
    tables = "CREATE TABLE t (a INT)"
    assert "the applier may stop" in render(checked(["UPDATE t SET a = 1"], tables))
    assert "the applier may stop" in render(
        checked(["UPDATE t SET a = 1"], tables, source="CREATE TABLE t (a BIGINT)")
    )
    assert "no definition stops the applier" in render(checked(["UPDATE t SET a = 1"], tables, source=tables))


def test_a_table_made_of_the_rows_of_a_query_is_not_followed_on_the_replica():
    """Also where a server has said which columns it has on the source."""
    link = Link.of("mysql-9.7", binlog_format="ROW")
    schema = catalog.read("CREATE TABLE t (a INT)", link.source, database="d")
    ends = BothEnds(schema, schema, link, "d", None)
    for step in ends.steps("c.sql", "CREATE TABLE u (a INT) SELECT a FROM t"):
        if step.sql:
            ends.take(replace(step, problems=()))
    assert [(one.code, one.table) for one in ends.problems if "not its query" in one.message] == [
        ("SC004", "u")
    ]
    assert ends.refused is None
