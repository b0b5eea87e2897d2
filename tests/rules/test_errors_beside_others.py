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


@pytest.mark.parametrize(
    ("statement", "number"),
    [("TRUNCATE TABLE t", 1062), ("ALTER TABLE t ADD c INT", None), ("TRUNCATE TABLE u", None)],
)
def test_rows_behind_a_statement_that_is_passed_over(statement: str, number: int | None) -> None:
    tables = ["CREATE TABLE t (id INT PRIMARY KEY)", "CREATE TABLE u (id INT, KEY (id))"]
    record: dict[str, Any] = {
        "source_ddl": tables,
        "replica_ddl": tables,
        "source_sql": [statement],
        "binlog_format": "ROW",
        "outcome": "applied",
    }
    answers = answers_of(record, {"source": "mariadb-11.8", "replica": "mysql-5.6"})
    assert not isinstance(answers, str), answers
    met = {found.error.number for pair in answers for found in pair.findings if found.error is not None}
    assert met == ({number} if number else set())
