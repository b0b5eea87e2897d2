"""The examples of rules about statements, run on MariaDB: both ends' definitions, the same statements."""

from __future__ import annotations

import contextlib

import pytest

from tests.rules.statement_examples import EXAMPLES

pymysql = pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")
pytestmark = pytest.mark.server

#: Examples whose ends are servers of two flavours: what is recorded of them is in tests/facts/data.
TWO_FLAVOURS = ("SC805", "SC806")


def outcome(instance, definitions: str, statements: tuple[str, ...]) -> tuple[int, list[tuple[object, ...]]]:
    """The error that the statements end with (0: none), and the rows of t behind them."""
    connection = pymysql.connect(
        host="127.0.0.1", port=instance.port, user="root", password=instance.password, charset="utf8mb4",
        autocommit=True,
    )  # fmt: skip
    with contextlib.closing(connection), connection.cursor() as one:
        one.execute("CREATE OR REPLACE DATABASE test")
        one.execute("USE test")
        for definition in filter(None, map(str.strip, definitions.split(";"))):
            one.execute(definition)
        error = 0
        try:
            for statement in statements:
                one.execute(statement)
        except pymysql.MySQLError as failed:
            error = failed.args[0]
        one.execute("SELECT * FROM t")
        rows = sorted(one.fetchall(), key=str)
        one.execute("DROP DATABASE test")
    return error, rows


@pytest.mark.parametrize("code", [code for code in EXAMPLES if code not in TWO_FLAVOURS])
def test_the_ends_differ_behind_the_statements(mariadb, code: str) -> None:
    example = EXAMPLES[code]
    ours = outcome(mariadb, example.source, example.statements)
    theirs = outcome(mariadb, example.replica, example.statements)
    assert ours[0] == 0, "the source runs its own statements"
    assert ours != theirs


def test_mariadb_cuts_what_mysql_rounds(mariadb) -> None:
    example = EXAMPLES["SC806"]
    error, rows = outcome(mariadb, example.source, example.statements)
    assert (error, rows) == (0, [(101112,)])
    assert "101112 on MariaDB" in example.words
