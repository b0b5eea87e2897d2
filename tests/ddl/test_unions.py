"""CREATE TABLE ... SELECT ... UNION (each asked of MySQL 5.6.24 and 9.7.4)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Column, Server

OLD, NEW = Server.parse("mysql-5.6.24"), Server.parse("mysql-9.7.4")
CHARSETS = {"d": ("utf8mb4", "utf8mb4_general_ci")}


def column(first: str, second: str, server: Server, union: str = "UNION") -> Column | None:
    """What the column becomes; None where that is not known."""
    tables = f"CREATE TABLE a (x {first}); CREATE TABLE b (y {second}); "
    text = f"{tables}CREATE TABLE t SELECT x FROM a {union} SELECT y FROM b"
    found = read(text, server, database="d", charsets=CHARSETS)
    if found.problems:
        assert found.problems[-1].refusal is None
        return None
    return next(one for one in found.tables if one.name == "t").columns[0]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("INT NOT NULL DEFAULT 7", "INT NOT NULL", "int NOT NULL DEFAULT 0"), ("INT NOT NULL", "INT", "int"),
        ("VARCHAR(5) NOT NULL DEFAULT 'q'", "VARCHAR(30) NOT NULL", "varchar(30) NOT NULL DEFAULT "),
        ("CHAR(3)", "CHAR(9)", "char(9)"), ("CHAR(9)", "VARCHAR(5)", "varchar(9)"), ("DATE", "DATE", "date"),
        ("TIME NOT NULL", "TIME(2) NOT NULL", "time(2) NOT NULL DEFAULT 00:00:00.00"),
        ("DATETIME", "DATETIME(3)", "datetime(3)"), ("DECIMAL(20,0)", "DECIMAL(5,2)", "decimal(22,2)"),
        ("BLOB NOT NULL", "TINYBLOB NOT NULL", "blob NOT NULL"),
        ("VARBINARY(4)", "VARBINARY(9)", "varbinary(9)"),
        ("DOUBLE NOT NULL DEFAULT 7", "DOUBLE NOT NULL", "double NOT NULL DEFAULT 0"),
        ("YEAR", "YEAR", "year"),
    ],
)  # fmt: skip
def test_types_that_go_together(first: str, second: str, expected: str) -> None:
    for server in (OLD, NEW):
        for union in ("UNION", "UNION ALL", "UNION DISTINCT"):
            found = column(first, second, server, union)
            assert found is not None
            assert found.name == "x"
            kind = found.type.sql().replace(" character set utf8mb4", "")
            default = f" DEFAULT {found.default.text}" if found.default and not found.nullable else ""
            assert f"{kind}{'' if found.nullable else ' NOT NULL'}{default}" == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("INT", "TINYINT", "int"), ("BIGINT UNSIGNED", "INT UNSIGNED", "bigint unsigned")],
)
def test_integers_of_two_sizes(first: str, second: str, expected: str) -> None:
    """MySQL 5.6 asks for the display width."""
    found = column(first, second, NEW)
    assert found is not None
    assert found.type.sql() == expected
    assert column(first, second, OLD) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("INT", "INT UNSIGNED"), ("ENUM('a')", "ENUM('a')"), ("TEXT", "TEXT"), ("INT", "VARCHAR(5)"),
        ("DECIMAL(5,2) UNSIGNED", "DECIMAL(5,2)"), ("DATE NOT NULL", "DATE NOT NULL"), ("CHAR(0)", "CHAR(0)"),
        ("VARCHAR(5)", "VARCHAR(5) COLLATE utf8mb4_bin"), ("BINARY(4)", "BINARY(9)"),
        ("FLOAT(7,2)", "FLOAT(7,2)"),
    ],
)  # fmt: skip
def test_what_is_not_known(first: str, second: str) -> None:
    for server in (OLD, NEW):
        assert column(first, second, server) is None
    assert column("INT", "INT", Server.parse("mariadb-11.8.6")) is None


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x FROM a UNION SELECT y FROM b LIMIT 3",
        "SELECT x FROM a WHERE x > 3 UNION SELECT y FROM b WHERE y = 1",
    ],
)
def test_more_of_the_grammar(query: str) -> None:
    tables = "CREATE TABLE a (x INT); CREATE TABLE b (y INT); "
    for server in (OLD, NEW):
        assert not read(f"{tables}CREATE TABLE t {query}", server, database="d").problems


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x FROM a LIMIT 3 UNION SELECT y FROM b", "SELECT x FROM a ORDER BY x UNION SELECT y FROM b",
        "SELECT x FROM a UNION SELECT y, y z FROM b", "SELECT x FROM a UNION SELECT y FROM b ORDER BY y",
        # The types of three were not asked.
        "SELECT x FROM a UNION SELECT y FROM b UNION ALL SELECT x FROM a",
    ],
)  # fmt: skip
def test_what_is_not_read(query: str) -> None:
    tables = "CREATE TABLE a (x INT); CREATE TABLE b (y INT); "
    for server in (OLD, NEW):
        assert read(f"{tables}CREATE TABLE t {query}", server, database="d").problems


def test_a_key_of_it() -> None:
    query = "SELECT x FROM a UNION SELECT x FROM a"
    text = f"CREATE TABLE a (x INT NOT NULL); CREATE TABLE t (PRIMARY KEY (x)) {query}"
    assert read(text, NEW, database="d").problems[-1].refusal is None
