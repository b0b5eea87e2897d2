"""Refusals are values: number, name and kind of what a server refuses; a defect of ours is not
one of them.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import assemble, read
from schemacheck.model import Refusal, Server
from schemacheck.sql.ddl import actions, tables
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.ddl.parse import Definition, definition
from schemacheck.sql.flavor import of as flavor_of
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.words import first_words, object_of

MYSQL = Server.parse("mysql-8.0.36")
MARIADB = Server.parse("mariadb-11.8")
TABLE = "CREATE TABLE t (a INT PRIMARY KEY, b INT);\n"


@pytest.mark.parametrize(
    ("sql", "number", "name", "kind"),
    [
        ("ALTER TABLE t DROP COLUMN x", 1091, "x", "COLUMN"),
        ("ALTER TABLE t DROP INDEX k", 1091, "k", "INDEX"),
        ("ALTER TABLE t DROP FOREIGN KEY f", 1091, "f", "FOREIGN KEY"),
        ("ALTER TABLE t ADD COLUMN A INT", 1060, "A", ""),
        ("ALTER TABLE t MODIFY x INT", 1054, "x", ""),
        ("ALTER TABLE t ADD KEY (x)", 1072, "x", ""),
        ("ALTER TABLE t ADD KEY k (a), ADD KEY k (b)", 1061, "k", ""),
        ("ALTER TABLE t ADD PRIMARY KEY (b)", 1068, None, ""),
        ("ALTER TABLE u ADD x INT", 1146, "u", ""),
        ("DROP TABLE u", 1051, "u", ""),
        ("CREATE TABLE t (a INT)", 1050, "t", ""),
        ("CREATE TABLE v LIKE u", 1146, "u", ""),
    ],
)
def test_a_refusal_says_what_the_server_names(sql: str, number: int, name: str | None, kind: str) -> None:
    (problem,) = read(TABLE + sql, MYSQL, file="f.sql").problems
    assert problem.refusal is not None
    assert (problem.refusal.number, problem.refusal.name, problem.refusal.kind) == (number, name, kind)
    assert problem.location is not None
    assert (problem.location.file, problem.location.line) == ("f.sql", 2)
    assert problem.message == f"{problem.refusal.message} [error {number}]"


@pytest.mark.parametrize(
    ("server", "checks", "number"),
    [("mysql-9.7", 0, 1506), ("mysql-5.6", 0, 0), ("mariadb-11.8", 0, 0), ("mysql-5.6", 1, 1215)],
)
def test_a_foreign_key_to_a_partitioned_table(server: str, checks: int, number: int) -> None:
    # Asked of the servers: MySQL 9.7 refuses it whether or not foreign keys are checked.
    sql = (
        f"SET foreign_key_checks = {checks};\n"
        "CREATE TABLE p (id INT PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 2;\n"
        "CREATE TABLE c (id INT PRIMARY KEY, pid INT, FOREIGN KEY (pid) REFERENCES p (id))"
    )
    problems = read(sql, Server.parse(server)).problems
    assert [p.refusal.number for p in problems if p.refusal] == ([number] if number else [])


def test_what_is_not_understood_is_no_refusal() -> None:
    (problem,) = read("CREATE TABLE t (a INT,, b INT)", MYSQL).problems
    assert problem.refusal is None
    assert problem.code == "SC001"


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("x"), IndexError("x")])
@pytest.mark.parametrize("sql", ["CREATE TABLE t (a INT)", TABLE + "ALTER TABLE t ADD c INT"])
def test_a_defect_of_ours_raises(sql: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = assemble.table, []

    def broken(*given: object) -> object:
        calls.append(given)
        if len(calls) == sql.count(";") + 1:
            raise error
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(assemble, "table", broken)
    with pytest.raises(type(error)):
        read(sql, MYSQL)


def parsed(sql: str, server: Server = MYSQL) -> Definition | None:
    words = first_words(sql)
    return definition(Tokens(sql), flavor_of(server), words[0], object_of(words))


def test_definitions_are_values() -> None:
    altered = parsed("ALTER TABLE d.t CHANGE a b INT FIRST, DROP COLUMN c, RENAME TO e.u, ALGORITHM=INPLACE")
    assert isinstance(altered, actions.AlterTable)
    assert altered.table == ("d", "t")
    assert altered.renamed == ("e", "u")
    change, drop, rename, other = altered.actions
    assert isinstance(change, actions.ReplaceColumn)
    assert (change.old, change.draft.name, change.draft.position) == ("a", "b", "")
    assert drop == actions.Drop(drop.at, "COLUMN", "c")
    assert isinstance(rename, actions.Rename)
    assert isinstance(other, actions.Other)
    assert other.words[0] == "ALGORITHM"
    exchange = parsed("ALTER TABLE t EXCHANGE PARTITION p0 WITH TABLE d.u")
    assert isinstance(exchange, actions.AlterTable)
    said = actions.PartitionChange(("p0",))
    assert exchange.actions == (actions.Other(14, ("EXCHANGE", "PARTITION"), ("d", "u"), said),)
    assert isinstance(parsed("CREATE TABLE t (a INT)"), TableDraft)
    assert parsed("TRUNCATE d.t") == tables.Truncate(("d", "t"))
    assert parsed("RENAME TABLE a TO d.b") == tables.RenameTables((((None, "a"), ("d", "b"), 13),))
    assert parsed("DROP DATABASE IF EXISTS d") == tables.DropDatabase("d", if_exists=True)
    assert parsed("CREATE USER u") is None


@pytest.mark.parametrize(
    "sql",
    ["DROP TABLE", "RENAME TABLE a", "TRUNCATE t x", "CREATE UNIQUE INDEX i USING", "ALTER TABLE t ADD",
    "DROP DATABASE d d", "CREATE VIEW"],
)  # fmt: skip
def test_a_statement_that_ends_too_early_or_too_late_is_refused(sql: str) -> None:
    with pytest.raises(Refused):
        parsed(sql, MARIADB)


def test_a_refusal_is_compared_by_value() -> None:
    assert (
        Refusal(1060, "m", "a", "COLUMN")
        == Refusal(1060, "m", "a", "COLUMN")
        != Refusal(1060, "m", "b", "COLUMN")
    )
