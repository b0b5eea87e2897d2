"""Queries and data manipulation in front of a definition: where the server refuses one, the client stops."""

from __future__ import annotations

import subprocess
import sys

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

BOTH = [Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")]
BEFORE, BEHIND = "CREATE TABLE t (a INT);\n", "\nALTER TABLE t MODIFY a BIGINT;"
BROKEN = [
    "SELECT 1 FRM t x;", "SELECT * FORM t;", "INSERT INTO t VALUES (1;", "INSERT INTO t (a,) VALUES (1);",
    "UPDATE t SET;", "UPDATE t SET a==1;", "SELECT (1;", "SELECT;", "SELECT FROM;", "SELECT\u00a01;",

]  # fmt: skip
VALID = [
    "SELECT 1;", "SELECT 'x\u00a0,)';", "SELECT 1 INTO @x;", "SELECT * FROM t FOR UPDATE;", "INSERT t VALUES(1);",
    "INSERT LOW_PRIORITY IGNORE INTO t SET a=1;", "DELETE QUICK FROM t;", "UPDATE t SET a=1 ORDER BY a LIMIT 1;",
    "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a=VALUES(a);", "REPLACE INTO t SELECT 1;",
    "WITH x AS (SELECT 1) SELECT * FROM x;", "INSERT INTO t VALUES (1,_binary 'a\\'\nb',0x12,NULL,-1.5e3),(2);",
]  # fmt: skip


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", BROKEN)
def test_what_follows_a_broken_statement_is_unknown(statement: str, server: Server) -> None:
    found = read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems
    assert [(one.location.line, one.skipped) for one in found if one.location] == [(2, False)]
    assert not read(BEFORE + statement, server, database="d").problems, "nothing follows"


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", VALID)
def test_a_valid_statement_is_no_problem(statement: str, server: Server) -> None:
    assert not read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems


def test_use_of_a_database_that_the_script_drops() -> None:
    for server in BOTH:
        found = read(
            "DROP DATABASE IF EXISTS e;\nUSE e;CREATE TABLE t (a INT);", server, database="d"
        ).problems
        assert [one.location.line for one in found if one.location] == [2]
        again = "DROP DATABASE IF EXISTS e; CREATE DATABASE e;\nUSE e;CREATE TABLE t (a INT);"
        assert not read(again, server, database="d").problems


def test_rows_of_dumps_need_no_parser() -> None:
    text = "CREATE TABLE t (a INT); INSERT INTO `t` VALUES (1,'a;'),(NULL,'b'); CREATE TABLE u (a INT);"
    code = (
        "import sys; from schemacheck.catalog import read; from schemacheck.model import Server\n"
        f"found = read({text!r}, Server.parse('mysql-9.7'))\n"
        "print(len(found.tables), len(found.problems), 'sqlglot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["2", "0", "False"]
