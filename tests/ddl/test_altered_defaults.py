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
