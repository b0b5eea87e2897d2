"""Statements that define nothing in front of a definition: which may stop the client, and which run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.inputs import open_schema
from schemacheck.model import Server

BOTH = [Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")]
BEFORE, BEHIND = "CREATE TABLE t (a INT);\n", "\nALTER TABLE t MODIFY a BIGINT;"
STOP = [
    # no parser reads it
    "SELECT (1;", "INSERT INTO t VALUES (1;", "SELECT 'a;", "FROB x;",
    # a table that is not there
    "INSERT INTO missing VALUES (1);", "REPLACE missing VALUES (1);", "UPDATE missing SET a = 1;",
    "DELETE FROM missing;", "DELETE FROM `missing` WHERE a = 1;", "TRUNCATE missing;",
    "INSERT IGNORE INTO t2 SELECT 1;",
    # nothing is defined behind it
    "SIGNAL SQLSTATE '45000';", "KILL 1;", "SHUTDOWN;", "SET SESSION TRANSACTION READ ONLY;",
    "FLUSH TABLES WITH READ LOCK;", "LOCK TABLES t WRITE; CREATE TABLE u (a INT);",
    # settings that change what statements mean
    "SET sql_mode = @unset;", "SET sql_mode = 'FOO';", "SET foreign_key_checks = (SELECT 1);",
    # client and parser
    "CREATE PROCEDURE p() SELECT 1//\nSELECT 2;", "CREATE PROCEDURE p() BEGIN SELECT 1; END;",
    "CREATE PROCEDURE p(a INT) COMMENT 'x' NOT DETERMINISTIC garbage;",
    "DROP DATABASE IF EXISTS e; USE e;", "CALL p();", "SOURCE x.sql;", "EXECUTE s;",
]  # fmt: skip
RUN = [
    "SELECT 1;", "INSERT t VALUES(1);", "DELETE QUICK FROM t;", "UPDATE t SET a=1 ORDER BY a LIMIT 1;",
    "INSERT INTO t VALUES (_binary 'a\\'\nb'),(0x12),(NULL),(-1.5e3),(2);", "INSERT INTO other.x VALUES (1);",
    "SET @o = @@sql_notes; SET sql_notes = IFNULL(@o, 1), sql_mode = IFNULL(@never, '');",
    "LOCK TABLES t WRITE; INSERT INTO t VALUES (1); UNLOCK TABLES;", "LOCK TABLES t WRITE;",
    "BEGIN; INSERT INTO t SELECT a FROM t; COMMIT; START TRANSACTION READ ONLY; ROLLBACK;",
    "GRANT SELECT ON d.* TO 'u'@'localhost'; FLUSH PRIVILEGES; DO SLEEP(0); DO RELEASE_LOCK('x');",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1) y WHERE NOT EXISTS (SELECT 1 FROM missing);",
    "SET sql_safe_updates = 0, default_collation_for_utf8mb4 = utf8mb4_general_ci;",
    "PREPARE s FROM 'SELECT 1'; EXECUTE s; DEALLOCATE PREPARE s;", "CREATE VIEW v AS SELECT b FROM t;",
    "CREATE PROCEDURE p() SELECT 1; DROP PROCEDURE q;", "CREATE DATABASE e; CREATE DATABASE e;",
    "ALTER TABLE t ADD b INT; LOCK TABLES t WRITE, t READ;",
]  # fmt: skip


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", STOP)
def test_what_may_stop_the_client_hides_what_follows(statement: str, server: Server) -> None:
    found = [
        one for one in read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems if not one.skipped
    ]
    assert found
    assert min(one.location.line or 0 for one in found if one.location) >= 2


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", RUN)
def test_other_statements_are_taken_to_run(statement: str, server: Server) -> None:
    schema = read(f"{BEFORE}{statement}{BEHIND}", server, database="d")
    assert not schema.problems
    assert next(one for one in schema.tables if one.name == "t").columns[0].type.base == "bigint"


@pytest.mark.parametrize("statement", STOP[4:11])
def test_a_migration_is_taken_to_have_run(statement: str) -> None:
    from schemacheck.catalog.steps import steps

    found = list(steps(f"{BEFORE}{statement}{BEHIND}", BOTH[0], parts=None))
    assert any(one.problems for one in found)
    assert not read(f"{BEFORE}{statement}", BOTH[0], database="d").problems, "nothing follows"


def test_rows_of_dumps_need_no_parser() -> None:
    text = "CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1,'a;'),(NULL,'b'); CREATE TABLE u (a INT);"
    code = (
        "import sys; from schemacheck.catalog import read; from schemacheck.model import Server\n"
        f"found = read({text!r}, Server.parse('mysql-9.7'))\n"
        "print(len(found.tables), len(found.problems), 'sqlglot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["2", "0", "False"]


def test_the_account_says_what_was_taken(tmp_path: Path) -> None:
    rows = "CREATE TABLE t (a INT);\nINSERT INTO t (a) VALUES (1);\nUPDATE t SET a = 2;\n"
    (tmp_path / "a.sql").write_text(f"{rows}CREATE TABLE u (a INT);\nDELETE FROM t;\n", "utf-8")
    for path in (tmp_path, tmp_path / "a.sql"):
        (account,) = open_schema(str(path), server=BOTH[0]).files
        assert account.why == (
            "2 statements in front of definitions taken to run (their rows or bodies decide), "
            "the first in line 2"
        )


@pytest.mark.parametrize(
    "table", ["SET sql_mode = 'ORACLE'; CREATE TABLE t (a BLOB)", "CREATE TABLE t (a oracle_schema.DATE)",
              "CREATE TABLE t (a maxdb_schema.TIMESTAMP)",
              "CREATE TABLE t (a CHAR(5)) CHARSET=latin2; ALTER TABLE t CONVERT TO CHARACTER SET DEFAULT",
              "CREATE TABLE t (a CHAR(5)) CHARSET=latin2; ALTER TABLE t CHARACTER SET DEFAULT, ADD b INT"],
)  # fmt: skip
def test_what_another_dialect_or_default_means_is_unknown(table: str) -> None:
    found = read(table, BOTH[1], database="d")
    assert found.problems
    assert not found.tables
