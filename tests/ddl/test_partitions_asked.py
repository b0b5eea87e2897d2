"""Partitioning functions and values, asked of MySQL 9.7.4, MariaDB 10.11.19 and 11.8.6."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

MYSQL, MARIADB = ("mysql-9.7.4",), ("mariadb-10.11.19", "mariadb-11.8.6")


def table(type_, method):
    return f"CREATE TABLE t (a INT, c {type_}) PARTITION BY {method}"


def made(text, name):
    found = read(text, Server.parse(name), database="d")
    assert not found.problems, found.problems
    return found.tables[0].partitioning


@pytest.mark.parametrize(
    ("type_", "method", "names", "error"),
    [
        *(
            ("DECIMAL(5,2)", f"RANGE ({text}) (PARTITION p VALUES LESS THAN (5))", MARIADB, None)
            for text in ("c", "c - 1", "c * 2", "abs(c)", "mod(c, 3)", "-c", "c + c", "a + c")
        ),
        ("DECIMAL(5,2)", "LIST (c) (PARTITION p VALUES IN (5))", MARIADB, None),
        ("DECIMAL(5,2)", "LIST (c) (PARTITION p VALUES IN (1.0))", MARIADB, 1697),
        ("DECIMAL(5,2)", "HASH (c)", MARIADB, 1659),
        ("DECIMAL(5,2)", "RANGE (c / 2) (PARTITION p VALUES LESS THAN (5))", MARIADB, 1564),
        ("DECIMAL(5,2)", "RANGE (c) (PARTITION p VALUES LESS THAN (5))", MYSQL, 1659),
        ("DATETIME(3)", "HASH (time_to_sec(c))", MARIADB, 1491),
        ("DATETIME", "HASH (time_to_sec(c))", MARIADB, None),
    ],
)
def test_functions(type_, method, names, error):
    for name in names:
        found = read(table(type_, method), Server.parse(name), database="d").problems
        numbers = [problem.refusal and problem.refusal.number for problem in found]
        assert numbers == ([error] if error else [])


@pytest.mark.parametrize(
    ("written", "shown"),
    [("'ab'", "_binary 0x6162"), ("0x6162", "_binary 0x6162"), ("'\u00e9'", "_binary 0xC3A9"), ("''", "''")],
)
def test_bytes_are_read_as_they_are_shown(written, shown):
    method = "RANGE COLUMNS (c) (PARTITION p VALUES LESS THAN ({}))"
    found, printed = (
        made(table("VARBINARY(9)", method.format(one)), "mysql-9.7.4") for one in (written, shown)
    )
    assert found == printed
