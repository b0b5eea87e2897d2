"""CREATE TABLE ... SELECT of LEFT and RIGHT JOIN (each query asked of four servers, all alike)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

EVERY = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
TABLES = "".join(
    f"CREATE TABLE a{n} (id INT NOT NULL PRIMARY KEY, n INT NOT NULL DEFAULT 4); " for n in (1, 2, 3)
)
SIDE = "id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, c TEXT NOT NULL, e ENUM('a') NOT NULL, d DATE NOT NULL"


@pytest.mark.parametrize(
    ("query", "nullable"),
    [
        ("a1.id x, a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id", "y"),
        ("a1.id x, a2.id y FROM a1 LEFT OUTER JOIN a2 ON a1.id = 1 AND a2.n = 2", "y"),
        ("a1.id x, a2.id y FROM a1 RIGHT JOIN a2 ON a1.id = a2.id", "x"),
        ("a1.id x, a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id WHERE a2.id > 3", "y"),
        ("a1.id x, a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id WHERE a1.id <> 3", "y"),
        ("a1.id x, a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id ORDER BY a1.id LIMIT 3", "y"),
        ("DISTINCT a1.id x, a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id", "y"),
        (
            "a1.id x, a2.id y, a3.id z FROM a1 LEFT JOIN a2 ON a1.id = a2.id LEFT JOIN a3 ON a3.id = a2.id",
            "yz",
        ),
        ("a1.id x, a2.id y, a3.id z FROM a1 JOIN a2 ON a1.id = a2.id LEFT JOIN a3 ON a3.id = a2.id", "z"),
        ("a1.id x, a2.id y, a3.id z FROM a1 LEFT JOIN a2 ON a1.id = a2.id JOIN a3 ON a3.id = a2.id", "y"),
        ("a1.id x, a2.id y, a3.id z FROM a1 JOIN a2 ON a1.id = a2.id RIGHT JOIN a3 ON a3.id = a2.id", "xy"),
        ("a1.id x, a2.id y, a3.id z FROM a1, a2 RIGHT JOIN a3 ON a3.id = a2.id", "y"),
        ("a1.id x, a2.id y, a3.id z FROM a1 LEFT JOIN a2 ON a2.id = a1.id, a3", "y"),
        ("a1.n x, a2.n y FROM a1 LEFT JOIN a2 ON a1.id = a2.id", "y"),
    ],
)
def test_columns_of_rows_that_may_be_missing(query: str, nullable: str) -> None:
    for server in EVERY:
        found = read(f"{TABLES}CREATE TABLE t SELECT {query}", Server.parse(server), database="d")
        assert not found.problems
        columns = next(one for one in found.tables if one.name == "t").columns
        assert "".join(one.name for one in columns if one.nullable) == nullable
        expected = "4" if ".n" in query.partition("FROM")[0] else None
        assert {one.default.text if one.default else None for one in columns} == {expected}


def test_their_defaults() -> None:
    text = f"CREATE TABLE a (id INT); CREATE TABLE b ({SIDE}); "
    for server in EVERY:
        query = "CREATE TABLE t SELECT b.* FROM a LEFT JOIN b ON a.id = b.id"
        found = read(text + query, Server.parse(server), database="d")
        assert not found.problems
        columns = next(one for one in found.tables if one.name == "t").columns
        assert all(one.nullable for one in columns)
        assert [one.default.text if one.default else None for one in columns] == ["0", None, None, None]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE t SELECT a1.id x FROM a1 LEFT JOIN a2",
        "CREATE TABLE t SELECT a1.id x FROM a1 LEFT JOIN a2 USING (id)",
        "CREATE TABLE t (PRIMARY KEY (y)) SELECT a2.id y FROM a1 LEFT JOIN a2 ON a1.id = a2.id",
        "CREATE VIEW v AS SELECT a2.n FROM a1 LEFT JOIN a2 ON a1.id = a2.id; CREATE TABLE t SELECT * FROM v",
    ],
)
def test_what_is_not_known(statement: str) -> None:
    for server in EVERY:
        problems = read(TABLES + statement, Server.parse(server), database="d").problems
        assert problems
        assert problems[-1].refusal is None


@pytest.mark.parametrize("sign", ["=", "<", ">", "<=", ">=", "<>", "!="])
def test_comparisons_of_numbers(sign: str) -> None:
    for server in EVERY:
        text = f"{TABLES}CREATE TABLE t SELECT id FROM a1 WHERE 1 {sign} n"
        assert not read(text, Server.parse(server), database="d").problems


@pytest.mark.parametrize("condition", ["n=5", "n<5", "n>`id`", "n<=5", "n<>`id`", "5!=n", "s='x'", "'x'<s"])
@pytest.mark.parametrize("rest", ["", " AND id<3", " OR id=1 LIMIT 3"])
def test_comparisons_without_blanks(condition: str, rest: str) -> None:
    table = "CREATE TABLE a (id INT, n INT, s VARCHAR(9)); "
    for server in EVERY:
        text = f"{table}CREATE TABLE t SELECT id FROM a WHERE {condition}{rest}"
        assert not read(text, Server.parse(server), database="d").problems


@pytest.mark.parametrize("condition", ["n=5 n", "n=5 7", "n<5 id", "n=`id` n", "n=5 7 AND n=1"])
def test_two_operands_on_one_side(condition: str) -> None:
    for server in EVERY:
        text = f"{TABLES}CREATE TABLE t SELECT id FROM a1 WHERE {condition}"
        assert read(text, Server.parse(server), database="d").problems


@pytest.mark.parametrize("sign", ["< >", "! =", "=<"])
def test_what_is_no_comparison(sign: str) -> None:
    for server in EVERY:
        text = f"{TABLES}CREATE TABLE t SELECT id FROM a1 WHERE 1 {sign} n"
        assert read(text, Server.parse(server), database="d").problems
