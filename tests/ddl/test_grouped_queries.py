"""CREATE TABLE ... SELECT with GROUP BY of columns (random queries were asked of four servers, all alike)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

EVERY = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
TABLES = "CREATE TABLE a (x INT NOT NULL DEFAULT 4, y VARCHAR(9), z DATE); CREATE TABLE b (x INT, w TEXT); "
FULL, LOOSE = "ONLY_FULL_GROUP_BY", ""


def columns(query, server, mode):
    found = read(
        f"{TABLES}CREATE TABLE t SELECT {query}", Server.parse(server, {"sql_mode": mode}), database="d"
    )
    if found.problems:
        return None
    table = next(one for one in found.tables if one.name == "t")
    plain = next(one for one in found.tables if one.name == "a")
    known = {one.name: one for one in plain.columns}
    assert all(one.type == known[one.name].type for one in table.columns if one.name in known)
    return [one.name for one in table.columns]


@pytest.mark.parametrize(
    ("query", "full", "loose"),
    [
        ("x, y FROM a GROUP BY x, y", ["x", "y"], ["x", "y"]),
        ("y FROM a GROUP BY x, y", ["y"], ["y"]),
        ("x AS q FROM a GROUP BY q", ["q"], ["q"]),
        ("a.y FROM a LEFT JOIN b ON a.x = b.x GROUP BY y", ["y"], ["y"]),
        ("x, y FROM a GROUP BY x LIMIT 3", None, ["x", "y"]),
        ("x FROM a GROUP BY x ORDER BY x", None, ["x"]),
        # Which of two is grouped is not followed.
        ("a.x FROM a, b GROUP BY b.x", None, ["x"]),
        ("x, 1 AS one FROM a GROUP BY x", None, ["x", "one"]),
        ("x FROM a GROUP BY 1", None, None),
        ("x FROM a GROUP BY x + 1", None, None),
        ("x FROM a GROUP BY x HAVING x > 1", None, None),
        ("x FROM a GROUP BY x WITH ROLLUP", None, None),
        ("x FROM a GROUP BY nothing", None, None),
    ],
)
def test_columns_of_a_grouped_query(query, full, loose):
    for server in EVERY:
        assert columns(query, server, FULL) == full
        assert columns(query, server, LOOSE) == loose


def test_a_grouped_view_is_not_merged():
    for server in EVERY:
        text = "CREATE VIEW v AS SELECT x FROM a GROUP BY x; CREATE TABLE t SELECT * FROM v"
        found = read(TABLES + text, Server.parse(server), database="d")
        assert [one.table for one in found.problems] == ["t"]
