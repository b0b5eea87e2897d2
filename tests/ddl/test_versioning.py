"""System versioning: what MariaDB refuses (each line asked of 10.11 and 11.8)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

SERVERS = ("mariadb-10.11.19", "mariadb-11.8.6")
START, END = "s TIMESTAMP(6) AS ROW START", "e TIMESTAMP(6) AS ROW END"
PERIOD = "PERIOD FOR SYSTEM_TIME (s, e)"


def made(text: str, server: str) -> Schema:
    return read(text, Server.parse(server), database="d")


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("a INT WITHOUT SYSTEM VERSIONING, b INT WITHOUT SYSTEM VERSIONING", 4123),
        ("a INT, KEY (a, row_end)", 1072), ("a INT, Row_Start INT", 1060),
    ],
)  # fmt: skip
def test_what_is_refused_with_system_versioning(body: str, number: int) -> None:
    for server in SERVERS:
        found = made(f"CREATE TABLE t ({body}) WITH SYSTEM VERSIONING", server)
        refusal = found.problems[0].refusal
        assert not found.tables
        # Without a number it is unknown, which is allowed.
        assert refusal is None or refusal.number == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("CREATE TABLE t (a INT WITH SYSTEM VERSIONING, row_end INT)", 1060),
        ("CREATE TABLE t (a INT, row_start INT); ALTER TABLE t ADD SYSTEM VERSIONING", 1060),
        ("CREATE TABLE t (a INT) WITH SYSTEM VERSIONING; ALTER TABLE t ADD KEY (row_start)", 1072),
    ],
)
def test_what_is_refused_of_a_change(text: str, number: int) -> None:
    for server in SERVERS:
        refusal = made(text, server).problems[0].refusal
        assert refusal is None or refusal.number == number


@pytest.mark.parametrize(
    "body",
    [
        "a INT, b INT WITHOUT SYSTEM VERSIONING", "a INT PRIMARY KEY, b INT UNIQUE",
    ],
)  # fmt: skip
def test_what_is_taken_with_system_versioning(body: str) -> None:
    for server in SERVERS:
        found = made(f"CREATE TABLE t ({body}) WITH SYSTEM VERSIONING", server)
        assert found.problems == ()
        assert found.tables[0].system_versioned


def test_periods_and_numbers_of_transactions_are_not_known() -> None:
    for server in SERVERS:
        for text in (
            f"a INT, s BIGINT UNSIGNED AS ROW START, e BIGINT UNSIGNED AS ROW END, {PERIOD}",
            f"a INT, {START}, {END}, {PERIOD}",
            f"a INT, {PERIOD}",
            "a INT, s TIMESTAMP(6) NOT NULL INVISIBLE GENERATED ALWAYS AS ROW START",
            "a INT, s DATE, e DATE, PERIOD FOR p (s, e)",
            "a INT, s DATE, e DATE, UNIQUE (a, p WITHOUT OVERLAPS)",
        ):
            found = made(f"CREATE TABLE t ({text}) WITH SYSTEM VERSIONING", server)
            assert not found.tables
            assert found.problems[0].refusal is None
