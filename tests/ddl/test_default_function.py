"""DEFAULT(column) in expressions of a table (each line asked of MySQL 9.7.4)."""

from __future__ import annotations

from functools import partial

import pytest

from schemacheck.model import Server
from tests.ddl import refusal

SERVER = Server.parse("mysql-9.7.4")
USES = (
    "c INT DEFAULT (DEFAULT(a))", "c INT AS (DEFAULT(a)) VIRTUAL", "c VARCHAR(30) AS (DEFAULT(`A`)) STORED",
    "CHECK (DEFAULT(a) IS NOT NULL)", "CHECK (DEFAULT(t.a) IS NOT NULL) NOT ENFORCED",
)  # fmt: skip
GENERATED, CHECKED = "c INT AS (DEFAULT(a) + 1) STORED", "CHECK (b > DEFAULT(a))"


number = partial(refusal.number, server=SERVER)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("a INT DEFAULT 1", 0), ("a INT", 0), ("a INT NOT NULL", 1364), ("a INT DEFAULT (1 + 1)", 3773),
        ("a INT DEFAULT (NULL)", 3773), ("a TIMESTAMP DEFAULT CURRENT_TIMESTAMP", 0), ("a BLOB", 0),
        ("a TIMESTAMP NOT NULL", 1364), ("a INT AS (b + 1)", 1364), ("a BLOB DEFAULT ('x')", 3773),
        ("a JSON", 0), ("a ENUM('x') NOT NULL", 1364), ("a INT PRIMARY KEY", 1364),
        ("a INT NOT NULL DEFAULT 3", 0), ("a INT DEFAULT 1 INVISIBLE", 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("use", USES)
def test_a_column_with_a_default(use: str, column: str, expected: int) -> None:
    assert number(f"CREATE TABLE t (b INT, {column}, {use})") == expected
    assert number(f"CREATE TABLE t (b INT, {column}); ALTER TABLE t ADD {use}") == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("MODIFY a INT NOT NULL", 1364), ("MODIFY a INT DEFAULT (2)", 3773), ("MODIFY a BIGINT DEFAULT 2", 0),
        ("ALTER a DROP DEFAULT", 1364), ("ALTER a SET DEFAULT (1 + 1)", 3773), ("ALTER a SET DEFAULT 4", 0),
        ("ADD d INT, ALTER a DROP DEFAULT", 1364), ("ALTER b DROP DEFAULT", 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("use", USES)
def test_what_a_change_leaves_of_it(use: str, change: str, expected: int) -> None:
    table = f"CREATE TABLE t (a INT DEFAULT 1, b INT, {use})"
    assert number(f"{table}; ALTER TABLE t {change}") == expected


@pytest.mark.parametrize(
    "change", ["DROP x, ALTER a DROP DEFAULT", "MODIFY x INT AS (1), ALTER a DROP DEFAULT"]
)
def test_what_asks_for_it_goes_with_it(change: str) -> None:
    assert not number(f"CREATE TABLE t (a INT DEFAULT 1, x INT AS (DEFAULT(a))); ALTER TABLE t {change}")


@pytest.mark.parametrize("key", ["KEY ((DEFAULT(a)))", "KEY ((DEFAULT(b) + b))"])
def test_functional_keys(key: str) -> None:
    assert number(f"CREATE TABLE t (a INT, b INT, {key})") == 3758
    assert number(f"CREATE TABLE t (a INT, b INT); ALTER TABLE t ADD {key}") == 3758


#: ALGORITHM=INPLACE, INSTANT, LOCK=NONE, ALGORITHM=COPY, neither.
WAYS = (", ALGORITHM=INPLACE", ", ALGORITHM=INSTANT", ", LOCK=NONE", ", ALGORITHM=COPY", "")


@pytest.mark.parametrize(
    "change",
    [
        "MODIFY a INT DEFAULT 2", "MODIFY a INT DEFAULT 1", "MODIFY a INT DEFAULT 1 FIRST", "CHANGE a a INT",
        "CHANGE a A INT DEFAULT 2", "ALTER a SET DEFAULT 5", "ALTER a SET DEFAULT 1",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("use", "copied"),
    [
        (GENERATED, True),
        (CHECKED, True),
        (f"{CHECKED} NOT ENFORCED", False),
        ("c INT DEFAULT (DEFAULT(a))", False),
    ],
)
def test_what_defines_the_column_anew_is_copied(use: str, change: str, copied: bool) -> None:
    table = f"CREATE TABLE t (a INT DEFAULT 1, b INT DEFAULT 3, {use}); ALTER TABLE t {change}"
    refused = [bool(number(table + way)) for way in WAYS]
    assert refused == [copied, copied, copied, False, False]


@pytest.mark.parametrize("use", [GENERATED, CHECKED])
def test_other_changes_are_as_ever(use: str) -> None:
    for change in ("ALTER b SET DEFAULT 5", "ADD d INT", "ALTER a SET INVISIBLE", "ALTER a SET VISIBLE"):
        table = f"CREATE TABLE t (a INT DEFAULT 1, b INT DEFAULT 3, {use}); ALTER TABLE t {change}"
        assert [number(table + way) for way in WAYS] == [0] * 5
