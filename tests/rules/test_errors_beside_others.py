"""Errors that findings name beside their first one, as the servers were asked for them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.facts.definitions import answers_of

LINKS = {
    "text of bits": ("mysql-5.6", "mariadb-11.8", "b BIT(9)", "b VARCHAR(360)", 1300),
    "text of bits on one version": ("mariadb-11.8", "mariadb-11.8", "b BIT(9)", "b VARCHAR(360)", 1300),
    "a set as a document": (
        "mariadb-10.11", "mysql-9.7", "b SET('x', 'y')",
        "b SET('x', 'y'), KEY fx ((CAST(b->'$.a' AS UNSIGNED ARRAY)))", 3146,
    ),
    "an enum as a document": (
        "mysql-9.7", "mysql-9.7", "b ENUM('x', 'y')",
        "b ENUM('x', 'y'), KEY fx ((CAST(b->'$.a' AS UNSIGNED ARRAY)))", 3146,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "replica", "ours", "theirs", "number"), LINKS.values(), ids=LINKS)
def test_the_error_is_named(source: str, replica: str, ours: str, theirs: str, number: int) -> None:
    record: dict[str, Any] = {
        "source_ddl": f"CREATE TABLE t (id INT PRIMARY KEY, {ours})",
        "replica_ddl": f"CREATE TABLE t (id INT PRIMARY KEY, {theirs})",
        "binlog_format": "STATEMENT",
        "outcome": "applied",
    }
    answers = answers_of(record, {"source": source, "replica": replica})
    assert not isinstance(answers, str), answers
    assert number in {also for pair in answers for found in pair.findings for also in found.also}


@pytest.mark.parametrize("server", ["mysql-5.6", "mysql-9.7", "mariadb-10.11", "mariadb-11.8"])
@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ("DROP COLUMN c, DROP KEY kb, DROP COLUMN b", "c"),
        ("DROP COLUMN b, DROP KEY kb", "kb"),
        ("DROP KEY kb, DROP COLUMN c", "kb"),
    ],
)
def test_the_first_part_that_is_missing_is_named(server: str, parts: str, name: str) -> None:
    record: dict[str, Any] = {
        "source_ddl": "CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT, KEY kb (b))",
        "replica_ddl": "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
        "source_sql": [f"ALTER TABLE t {parts}"],
        "outcome": "applied",
    }
    answers = answers_of(record, {"source": server, "replica": server})
    assert not isinstance(answers, str), answers
    errors = [found.error for pair in answers for found in pair.findings if found.error is not None]
    assert [error.number for error in errors] == [1091]
    quoted = f"`{name}`" if server.startswith("mariadb") else f"'{name}'"
    assert quoted in errors[0].message.split(";")[0]
