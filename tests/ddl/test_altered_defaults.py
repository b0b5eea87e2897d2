"""Defaults that MariaDB computes for every ALTER TABLE, asked of 10.11.19 and 11.8.6."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

_TABLE = "CREATE TABLE t (a int NOT NULL, b int, x int, g {} DEFAULT ({})); ALTER TABLE t {}"


@pytest.mark.parametrize("server", ["mariadb-10.11.19", "mariadb-11.8.6"])
@pytest.mark.parametrize(
    ("kind", "default", "part", "number"),
    [
        ("linestring", "POINT(a, a)", "ADD z int", 1366),
        ("linestring", "POINT(a, rand(1))", "COMMENT 'x'", 1366),
        ("point", "LINESTRING(POINT(a, 1), POINT(1, 1))", "DROP x", 1366),
        ("linestring", "POINT(b, a)", "ADD z int", 0),
        ("linestring", "POINT(ifnull(b, 1), a)", "ADD z int", 1366),
        ("point", "POINT(a, a)", "ADD z int", 0),
        ("geometry", "POINT(a, a)", "ADD z int", 0),
        ("linestring", "POINT(rand(1), NULL)", "ADD z int", 0),
    ],
)
def test_a_default_of_another_shape(server: str, kind: str, default: str, part: str, number: int) -> None:
    found = read(_TABLE.format(kind, default, part), Server.parse(server), database="d")
    numbers = [one.refusal.number if one.refusal else None for one in found.problems]
    assert numbers == ([number] if number else [])


@pytest.mark.parametrize("server", ["mariadb-10.11.19", "mariadb-11.8.6"])
@pytest.mark.parametrize(
    ("kind", "default", "number"),
    [
        ("point", "LINESTRING(POINT(1,1),POINT(2,2))", 1366),
        ("linestring", "LINESTRING(POINT(1,1),POINT(2,2))", 0),
        ("linestring", "MULTIPOINT(POINT(1,1))", 1366),
        ("point", "ST_GeomFromText('LINESTRING(1 1,2 2)')", 1366),
    ],
)
def test_a_constant_of_another_shape(server: str, kind: str, default: str, number: int) -> None:
    text = f"CREATE TABLE t (a int, g {kind} DEFAULT ({default}))"
    found = read(text, Server.parse(server), database="d")
    numbers = [one.refusal.number if one.refusal else None for one in found.problems]
    assert numbers == ([number] if number else [])


@pytest.mark.parametrize("server", ["mariadb-10.11.19", "mariadb-11.8.6"])
@pytest.mark.parametrize("default", ["CURRENT_TIMESTAMP", "'2020-01-01'", "NULL"])
def test_on_update_goes_with_its_default(server: str, default: str) -> None:
    text = (
        "CREATE TABLE t (c datetime DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, "
        "d datetime DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP); "
        f"ALTER TABLE t ALTER c SET DEFAULT {default}, ALTER d SET DEFAULT {default}"
    )
    found = read(text, Server.parse(server), database="d")
    assert [one.on_update for one in found.tables[0].columns] == [False, True]


@pytest.mark.parametrize("server", ["mariadb-10.11.19", "mariadb-11.8.6"])
def test_a_hashed_key_stays_where_an_expression_names_a_renamed_column(server: str) -> None:
    table = "CREATE TABLE t (a int, c json DEFAULT (JSON_OBJECT('a', a)) UNIQUE)"
    text = f"{table}; ALTER TABLE t RENAME COLUMN a TO b"
    found = read(text, Server.parse(server), database="d")
    assert [one.name for one in found.tables[0].columns] == ["b", "c", "DB_ROW_HASH_1"]


def test_columns_that_share_their_members() -> None:
    """Asked of MySQL 5.6.24: they print as empty members. Of tables whose lines come again, too."""
    lines = "`a` enum('x','y') DEFAULT NULL,\n  `b` enum('x','y') DEFAULT NULL"
    again = [f"CREATE TABLE `t{n}` (\n  {lines}\n) ENGINE=InnoDB DEFAULT CHARSET=ucs2" for n in range(3)]
    found = read(";\n".join(again), Server.parse("mysql-5.6.24"), database="d")
    assert len(found.problems) == 3
    assert not found.tables
    text = "CREATE TABLE t (a enum('a','b'), b set('a','b')) DEFAULT CHARSET="
    assert read(f"{text}ucs2", Server.parse("mysql-5.6.24"), database="d").problems
    assert not read(f"{text}latin1", Server.parse("mysql-5.6.24"), database="d").problems
    assert not read(f"{text}ucs2", Server.parse("mysql-9.7.4"), database="d").problems
