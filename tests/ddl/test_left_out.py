"""Statements that a server refuses, or whose effect is not known: none may be read as if it were fine."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from schemacheck.model.history import Part

T = "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(10));"
PARTS = "CREATE TABLE p (a INT PRIMARY KEY) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (9));"
PARENT = (
    "CREATE TABLE d1.p (a INT PRIMARY KEY); CREATE TABLE d2.c (a INT, FOREIGN KEY (a) REFERENCES d1.p (a));"
)
TRIGGER = T + "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1; "
CHECK = "CREATE TABLE {} (x INT, CONSTRAINT c CHECK (x > 0));"
#: A script, the servers that are asked (none: both), and the number of the refusal (0: none is claimed).
CASES = [
    # Words behind a part of ALTER TABLE are no part of it.
    (T + "ALTER TABLE t ENABLE KEYS ADD c INT", "", 0),
    (T + "ALTER TABLE t DISABLE nonsense", "", 0),
    (T + "ALTER TABLE t WITH nonsense", "", 0),
    (T + "ALTER TABLE t FORCE nonsense", "", 0),
    (T + "ALTER TABLE t WAIT 5 ADD c INT", "mysql", 0),
    (T + "ALTER IGNORE TABLE t ADD UNIQUE (b)", "mysql", 0),
    (PARTS + "ALTER TABLE p TRUNCATE PARTITION p0 nonsense", "", 0),
    (PARTS + "ALTER TABLE p COALESCE PARTITION 1, ADD c INT", "", 0),
    (PARTS + "ALTER TABLE p DISCARD PARTITION p0", "", 0),
    (PARTS + "ALTER TABLE p EXCHANGE PARTITION p0 WITH TABLE x", "", 0),
    (PARTS + T + "ALTER TABLE p EXCHANGE PARTITION p0 WITH TABLE t", "", 0),
    ("CREATE TABLE t (a DATE, b DATE); ALTER TABLE t ADD PERIOD FOR p (a, b)", "mariadb", 0),
    ("CREATE TABLE t (a DATE, b DATE, PERIOD FOR p (a, b)); ALTER TABLE t DROP PERIOD FOR p", "mariadb", 0),
    # What is there, and what is not.
    (T + "CREATE VIEW v AS SELECT a FROM t; CREATE VIEW v AS SELECT b FROM t", "", 1050),
    ("CREATE SEQUENCE s; CREATE SEQUENCE s", "mariadb", 1050),
    ("CREATE SEQUENCE s; ALTER VIEW s AS SELECT 1", "mariadb", 1347),
    ("CREATE TEMPORARY TABLE x (a INT); CREATE TEMPORARY TABLE x (a INT)", "", 1050),
    ("CREATE TEMPORARY TABLE x LIKE y", "", 1146),
    (T + "DROP TABLE t, t", "", 0),
    (CHECK.format("a") + CHECK.format("b").replace(" c ", " C "), "mysql", 3822),
    (PARENT + "DROP DATABASE d1", "mysql", 3730),
    (PARENT + "DROP DATABASE d1", "mariadb", 1451),
    (PARENT + "CREATE OR REPLACE TABLE d1.p (a INT PRIMARY KEY)", "mariadb", 1451),
    (TRIGGER + "RENAME TABLE t TO d2.t", "", 0),
    (TRIGGER + "ALTER TABLE t RENAME d2.t", "", 0),
]  # fmt: skip
SERVERS = ("mysql-9.7", "mariadb-11.8")


@pytest.mark.parametrize(
    ("text", "server", "number"),
    [(text, one, number) for text, only, number in CASES for one in SERVERS if one.startswith(only)],
)
def test_never_read_as_fine(text: str, server: str, number: int) -> None:
    found = read(text, Server.parse(server), database="d").problems
    assert found
    assert not number or number in [one.refusal.number for one in found if one.refusal]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    "text",
    [
        T + "ALTER TABLE t DISABLE KEYS, FORCE; ALTER TABLE t ENABLE KEYS",
        PARTS + "ALTER TABLE p CHECK PARTITION ALL FOR UPGRADE QUICK",
 PARTS + "ALTER TABLE p REPAIR PARTITION p0 EXTENDED",
        T + "CREATE VIEW v AS SELECT a FROM t; CREATE OR REPLACE VIEW v AS SELECT b FROM t; DROP VIEW v; "
        "CREATE VIEW v AS SELECT b FROM t",
        "CREATE TEMPORARY TABLE x (a INT); DROP TABLE x; CREATE TEMPORARY TABLE x (a INT); " + T,
        CHECK.format("d1.a") + CHECK.format("d2.b"),
        "CREATE DATABASE d1;" + PARENT + "DROP DATABASE d2; DROP DATABASE d1",
    ],
)  # fmt: skip
def test_what_servers_take_is_read(text: str, server: str) -> None:
    assert read(text, Server.parse(server), database="d").problems == ()


def _column(text: str, server: Server) -> str:
    (table,) = read(text, server, database="d").tables
    return table.columns[0].type.base


def test_set_global_is_for_other_sessions() -> None:
    server = Server.parse("mysql-9.7")
    for scope in ("GLOBAL", "PERSIST", "PERSIST_ONLY"):
        assert _column(f"SET {scope} sql_mode = 'REAL_AS_FLOAT'; CREATE TABLE t (a REAL)", server) == "double"
    assert _column("SET sql_mode = 'REAL_AS_FLOAT'; CREATE TABLE t (a REAL)", server) == "float"
    for value in ("DEFAULT", "@@GLOBAL.sql_mode"):
        text = f"SET GLOBAL sql_mode = 'REAL_AS_FLOAT'; SET sql_mode = {value}; CREATE TABLE t (a REAL)"
        assert _column(text, server) == "float"


def test_a_migration_that_sets_what_is_not_known() -> None:
    server = Server.parse("mysql-9.7")
    for name, understood in (("sql_mode", False), ("lock_wait_timeout", True)):
        text = f"SET {name} = (SELECT 'REAL_AS_FLOAT'); CREATE TABLE t (a REAL)"
        found = read(text, server, database="d", parts=(Part(0, len(text)),))
        assert (found.problems == ()) == understood


@pytest.mark.parametrize("written", ["shop", "Shop"])
def test_a_database_is_one_whatever_its_case_where_names_are_folded(written: str) -> None:
    text = f"CREATE DATABASE Shop CHARACTER SET latin1; USE {written}; CREATE TABLE t (a CHAR(3))"
    server = Server.parse("mysql-9.7", {"lower_case_table_names": "1"})
    assert read(text, server).tables[0].charset == "latin1"


@pytest.mark.parametrize(
    "trigger",
    [
        "CREATE TRIGGER g BEFORE INSERT ON nothere FOR EACH ROW SET NEW.a = 1",
        "CREATE TRIGGER g BEFORE SOMETHING ON t FOR EACH ROW SET NEW.a = 1",
    ],
)
def test_a_trigger_that_is_not_read_is_unknown(trigger):
    """What it does to rows decides under STATEMENT; nothing may follow it in the script."""
    made = "CREATE TABLE t (a int PRIMARY KEY)"
    found = read(f"{made}; {trigger};", Server.parse("mysql-8.0"), database="d")
    assert [(one.code, one.skipped) for one in found.problems] == [("SC001", False)]
