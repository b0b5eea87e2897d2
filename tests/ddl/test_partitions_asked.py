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
    ("type_", "method", "taken"),
    [
        ("DATE", "RANGE (TO_DAYS(c)) (PARTITION p VALUES LESS THAN (TO_DAYS('2020-01-01')))", True),
        ("DATE", "RANGE (YEAR(c)) (PARTITION p VALUES LESS THAN (2020))", True),
        ("TIMESTAMP", "RANGE (UNIX_TIMESTAMP(c)) (PARTITION p VALUES LESS THAN (1577836800))", True),
        ("DATETIME", "HASH (time_to_sec(c))", False), ("DATE", "HASH (WEEKDAY(c + 0))", False),
        ("DECIMAL(5,2)", "RANGE (c) (PARTITION p VALUES LESS THAN (5))", False),
        ("INT", "HASH (c % 4)", True), ("INT", "HASH (c / 4)", False), ("DATE", "HASH (HOUR(c))", False),
        ("VARBINARY(9)", "RANGE COLUMNS (c) (PARTITION p VALUES LESS THAN (0x6162))", False),
    ],
)  # fmt: skip
def test_functions(type_, method, taken):
    """What is not among the usual ones is unknown, never taken for granted."""
    for name in (*MYSQL, *MARIADB):
        found = read(table(type_, method), Server.parse(name), database="d").problems
        assert (not found) is taken
        assert all(problem.refusal is None for problem in found)
