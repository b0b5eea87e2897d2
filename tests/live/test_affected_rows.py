"""The queries of findings, run on a real MariaDB against what replicas of its version were seen to keep."""

from __future__ import annotations

import contextlib
from decimal import Decimal, InvalidOperation
from pathlib import Path

import pytest

import schemacheck
from tests.facts.definitions import answers_of, read_facts

pymysql = pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")
pytestmark = pytest.mark.server

SERVER = "mariadb-10.11"
#: One case in so many is asked; all of them (1,680 queries) take a minute.
EVERY = 24


@contextlib.contextmanager
def cursor(instance):
    connection = pymysql.connect(
        host="127.0.0.1", port=instance.port, user="root", password=instance.password, charset="utf8mb4",
        autocommit=True,
    )  # fmt: skip
    with contextlib.closing(connection), connection.cursor() as one:
        yield one
        one.execute("DROP DATABASE IF EXISTS test")


def cases():
    """Recorded row events on one server: tables of one column, or of a key and one column."""
    header, records = read_facts(Path(__file__).parents[1] / "facts/data/definitions.jsonl.xz")
    place = 0
    for record in records:
        if "id" not in record:
            header = record
        elif (
            header.get("server") == header.get("replica") == SERVER
            and record["outcome"] == "applied"
            and record.get("binlog_format", "ROW") == "ROW"
            and "source_rows" in record
            and len(record["source_rows"]) == len(record["replica_rows"])
            and (record["source_cols"] == ["a", "b"] or len(record["source_cols"]) == 1)
            and len(record["replica_cols"]) == len(record["source_cols"])
        ):
            place += 1
            if place % EVERY == 0:
                yield record, header


def same(ours: str | None, theirs: str | None, definition: str) -> bool:
    """Whether two recorded texts are one value."""
    if ours == theirs or ours is None or theirs is None:
        return ours == theirs
    if "bit(" in definition:
        return int(ours, 16) == int(theirs, 16)
    if any(word in definition for word in (" time", " datetime", " timestamp")):
        return ours.rstrip("0").rstrip(".") == theirs.rstrip("0").rstrip(".")
    try:
        return Decimal(ours) == Decimal(theirs)
    except InvalidOperation:
        return False


def test_exactly_the_rows_whose_values_changed(mariadb):
    asked = 0
    with cursor(mariadb) as one:
        for record, header in cases():
            answers = answers_of(record, header)
            found = [
                f
                for pair in ([] if isinstance(answers, str) else answers)
                for f in pair.findings
                if f.column == record["source_cols"][-1] and f.affected
                if f.affected.source and not f.affected.replica
            ]
            if not found:
                continue
            one.execute("DROP DATABASE IF EXISTS test")
            one.execute(f"CREATE DATABASE test CHARACTER SET {header.get('default_charset', 'utf8mb4')}")
            one.execute("USE test")
            one.execute("SET SESSION sql_mode = %s", [record.get("source_sql_mode", "")])
            one.execute(record["source_ddl"])
            for statement in record["source_sql"]:
                with contextlib.suppress(pymysql.Error):  # the recording's source refused it too
                    one.execute(statement)
            one.execute("SET SESSION sql_mode = DEFAULT")
            kept = (record["source_rows"], record["replica_rows"])
            if len(record["source_cols"]) == 2:
                kept = tuple(sorted(rows) for rows in kept)
            changed = [
                ours
                for ours, theirs in zip(*kept, strict=True)
                if not same(ours[-1], theirs[-1], record["source_ddl"])
            ]
            for finding in found:
                asked += 1
                one.execute(finding.affected.source)
                rows = one.fetchall()
                assert len(rows) == len(changed), (record["id"], finding.affected.source)
                if len(record["source_cols"]) == 2:
                    assert sorted(str(row[0]) for row in rows) == [row[0] for row in changed], record["id"]
    assert asked > 50


@pytest.mark.parametrize(
    ("source", "replica", "inserted", "kept"),
    [
        ("float", "double", "1.1", "1.100000023841858"),
        ("varbinary(10)", "varchar(10) CHARACTER SET latin1", "x'41'", "x'42'"),
        ("geometry", "point", "ST_GeomFromText('LINESTRING(0 0,1 1)')", "''"),
    ],
)
def test_where_no_condition_tells_both_ends_are_compared(mariadb, source, replica, inserted, kept):
    link = schemacheck.Link.of(
        "mariadb-10.11", slave_type_conversions="ALL_LOSSY,ALL_NON_LOSSY", binlog_format="MIXED"
    )
    report = schemacheck.check(
        f"CREATE TABLE test.t (id int PRIMARY KEY, c {source})",
        f"CREATE TABLE test.t (id int PRIMARY KEY, d {replica})",
        link,
    )
    rows = next(f.affected for f in report.findings if f.affected and f.affected.replica)
    assert rows.checksum is None  # the replica has no column of that name
    with cursor(mariadb) as one:

        def ask(column: str, query: str, value: str) -> object:
            one.execute("CREATE OR REPLACE DATABASE test")
            one.execute(f"CREATE TABLE test.t (id int PRIMARY KEY, {column})")
            with contextlib.suppress(pymysql.Error):
                one.execute(f"INSERT INTO test.t VALUES (1, {value})")
            one.execute(query)
            return one.fetchall()

        before = ask(f"c {source}", rows.source, inserted)
        assert before == ask(f"d {source}", rows.replica, inserted)
        assert before != ask(f"d {replica}", rows.replica, kept)


def test_the_line_for_pt_table_checksum():
    report = schemacheck.check(
        "CREATE TABLE shop.`my orders` (id int PRIMARY KEY, qty int unsigned)",
        "CREATE TABLE shop.`my orders` (id int PRIMARY KEY, qty int)",
        schemacheck.Link.of("mariadb-10.11"),
    )
    finding = next(f for f in report.findings if f.code == "SC204")
    assert finding.affected == schemacheck.model.Affected(
        "SELECT * FROM `shop`.`my orders` WHERE `qty` > 2147483647;",
        None,
        "pt-table-checksum --databases=shop '--tables=shop.my orders' --columns=qty",
    )
