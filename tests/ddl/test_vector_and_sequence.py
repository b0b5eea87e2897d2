"""Options of VECTOR keys, and tables that are sequences, of MariaDB (asked of 10.11.19 and 11.8.6)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

MARIADB = Server.parse("mariadb-11.8.6")
NAMES = (
    "next_not_cached_value", "minimum_value", "maximum_value", "start_value", "increment", "cache_size",
    "cycle_option", "cycle_count",
)  # fmt: skip
TYPES = (*["bigint(21)"] * 5, "bigint(21) unsigned", "tinyint(1) unsigned", "bigint(21)")


def sequence(options="SEQUENCE=1", more="", **types):
    columns = ", ".join(
        f"`{name}` {types.get(name, kind + ' NOT NULL')}" for name, kind in zip(NAMES, TYPES, strict=True)
    )
    return f"CREATE TABLE s ({columns}{more}) {options}"


def vector(options):
    return f"CREATE TABLE t (a INT PRIMARY KEY, b VECTOR(5) NOT NULL, VECTOR KEY b (b) {options})"


def attributes(options):
    found = read(vector(options), MARIADB, database="d")
    assert not found.problems, found.problems
    return found.tables[0].keys[1].attributes


def number(text, server=MARIADB):
    found = read(text, server, database="d").problems[0].refusal
    return found and found.number


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("DISTANCE=EUCLIDEAN", "`DISTANCE`=EUCLIDEAN"),
        ("distance='cosine' M=6", "`distance`='cosine' `M`=6"),
        ("`M`='6' COMMENT 'x'", "COMMENT 'x' `M`='6'"),
    ],
)
def test_options_of_a_vector_key_are_read_as_they_are_shown(written, shown):
    assert sorted(attributes(written)) == sorted(attributes(shown))


@pytest.mark.parametrize(
    ("options", "error"), [("distance=manhattan", None), ("m=2", None), ("m=201", None), ("x=1", None)]
)
def test_options_that_are_refused(options, error):
    assert number(vector(options)) == error


@pytest.mark.parametrize(
    "text",
    [
        sequence(),
        sequence(more=", KEY (increment)"),
        sequence(more=", CHECK (increment > 0)"),
        sequence(cache_size="bigint NOT NULL"),
        sequence(next_not_cached_value="bigint"),
        sequence(next_not_cached_value="bigint NOT NULL DEFAULT 5"),
        sequence(cycle_option="tinyint(1) NOT NULL"),
        "CREATE TABLE s (a INT) SEQUENCE=1",
    ],
)
def test_a_table_of_sequence_1_is_not_followed(text):
    assert number(text) is None
    assert number(text, Server.parse("mariadb-10.11.19")) is None
