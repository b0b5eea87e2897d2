"""Statements around definitions that a server runs (asked of MySQL 5.6.24, 9.7.4, MariaDB 10.11.19, 11.8.9):
what is not followed says so in words of its own.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

MARIADB = ("mariadb-10.11.19", "mariadb-11.8.9")


def made(text: str, server: str) -> Schema:
    return read(text, Server.parse(server), database="d")


@pytest.mark.parametrize("server", MARIADB)
def test_a_definition_behind_set_statement_is_not_followed(server: str) -> None:
    for definition in ("CREATE TABLE t (a INT)", "ALTER TABLE t ADD b INT"):
        schema = made(f"CREATE TABLE t (a INT); SET STATEMENT sql_mode=ORACLE FOR {definition};", server)
        assert [one.message for one in schema.problems] == [
            "a definition behind SET STATEMENT is not followed: write it alone"
        ]


@pytest.mark.parametrize("server", MARIADB)
def test_tables_that_are_not_there_are_not_renamed_if_they_exist(server: str) -> None:
    schema = made("CREATE TABLE t (a INT); RENAME TABLE IF EXISTS gone TO v, t TO u", server)
    assert schema.problems == ()
    assert [table.name for table in schema.tables] == ["u"]
    assert made("CREATE TABLE t (a INT); RENAME TABLE gone TO v", server).problems


def test_a_value_that_a_variable_may_not_take_names_the_variable() -> None:
    (problem,) = made("SET sql_safe_updates=1; CREATE TABLE t (a INT)", "mysql-9.7.4").problems
    assert "(the value of sql_safe_updates)" in problem.message
