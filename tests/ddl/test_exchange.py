"""ALTER TABLE ... EXCHANGE PARTITION (each line asked of four servers)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

EVERY = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
HASH = "CREATE TABLE p (a INT PRIMARY KEY) PARTITION BY HASH (a) PARTITIONS 2; "
PARTS = (
    "CREATE TABLE p (a INT PRIMARY KEY) PARTITION BY RANGE (a) SUBPARTITION BY HASH (a) (PARTITION p0 VALUES "
    "LESS THAN (9) (SUBPARTITION s0, SUBPARTITION s1)); "
)
TABLE = "CREATE TABLE t (a INT PRIMARY KEY)"
CHANGE = "ALTER TABLE p EXCHANGE PARTITION p0 WITH TABLE t"


def made(text: str, server: str) -> Schema:
    return read(text, Server.parse(server), database="d")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f"{PARTS}{TABLE}; {CHANGE}", 1734),
        (f"{PARTS}{TABLE}; ALTER TABLE p EXCHANGE PARTITION s9 WITH TABLE t", 1735),
        (f"{HASH}{TABLE}; ALTER TABLE p EXCHANGE PARTITION p9 WITH TABLE t", 1735),
        (f"{HASH}{TABLE} MAX_ROWS=9; {CHANGE}", 1731), (f"{HASH}{TABLE} AVG_ROW_LENGTH=9; {CHANGE}", 1731),
        (f"{HASH}{TABLE} MIN_ROWS=9; {CHANGE}", 1731), (f"{HASH}{TABLE} CHARSET=ucs2; {CHANGE}", 1731),
        (f"{HASH}{TABLE} COLLATE=utf8mb4_bin; {CHANGE}", 1731),
        (f"{HASH}{TABLE} ENGINE=MyISAM; {CHANGE}", 1497),
        (f"{HASH}{TABLE} PARTITION BY HASH (a); {CHANGE}", 1732),
        (f"{HASH}CREATE TEMPORARY TABLE t (a INT); {CHANGE}", 1733),
        (f"{HASH}CREATE TABLE t (a BIGINT PRIMARY KEY); {CHANGE}", 1736),
        (f"{HASH}CREATE TABLE t (b INT PRIMARY KEY); {CHANGE}", 1736),
        (f"{HASH}CREATE TABLE t (a INT PRIMARY KEY, b INT); {CHANGE}", 1736),
        (f"{HASH}{TABLE}; CREATE TABLE c (a INT, FOREIGN KEY (a) REFERENCES t (a)); {CHANGE}", 1740),
        ((f"{HASH}CREATE TABLE q (a INT PRIMARY KEY); CREATE TABLE t (a INT PRIMARY KEY, FOREIGN KEY (a) "
         f"REFERENCES q (a)); {CHANGE}"), 1740),
    ],
)  # fmt: skip
def test_what_does_not_fit(text: str, number: int) -> None:
    for server in EVERY:
        refusal = made(text, server).problems[-1].refusal
        assert refusal is not None
        assert refusal.number == number


@pytest.mark.parametrize(
    "text",
    [
        f"{HASH}{TABLE}; {CHANGE}", f"{HASH}{TABLE} COMMENT 'x' AUTO_INCREMENT=9; {CHANGE}",
        f"{PARTS}{TABLE}; ALTER TABLE p EXCHANGE PARTITION s1 WITH TABLE t",
        f"{HASH}CREATE TABLE t (a INT PRIMARY KEY COMMENT 'x'); {CHANGE}",
    ],
)  # fmt: skip
def test_what_fits(text: str) -> None:
    for server in EVERY:
        assert made(text, server).problems == ()


@pytest.mark.parametrize("option", ["STATS_PERSISTENT=1", "CHECKSUM=1", "KEY_BLOCK_SIZE=8"])
def test_options_that_every_server_refuses_are_not_taken(option: str) -> None:
    for server in EVERY:
        assert made(f"{HASH}{TABLE} {option}; {CHANGE}", server).problems


@pytest.mark.parametrize(("ours", "theirs", "fits"), [(9, 0, True), (9, 9, False), (0, 9, False)])
@pytest.mark.parametrize("option", ["MAX_ROWS", "MIN_ROWS"])
def test_the_tables_own_rows_are_none_of_its_partitions(
    option: str, ours: int, theirs: int, fits: bool
) -> None:
    whole = HASH.replace(") PART", f") {option}={ours} PART", 1)
    for server in EVERY:
        assert bool(made(f"{whole}{TABLE} {option}={theirs}; {CHANGE}", server).problems) is not fits


def test_rows_of_a_partition_are_not_followed() -> None:
    whole = HASH.replace("PARTITIONS 2", "(PARTITION p0 MAX_ROWS=9)")
    for server in EVERY:
        for option in ("", "MAX_ROWS=9"):
            problem = made(f"{whole}{TABLE} {option}; {CHANGE}", server).problems[-1]
            assert problem.refusal is None


@pytest.mark.parametrize("word", ["WITH", "WITHOUT"])
def test_validation(word: str) -> None:
    text = f"{HASH}{TABLE}; {CHANGE} {word} VALIDATION"
    assert [bool(made(text, server).problems) for server in EVERY] == [True, False, True, False]


def test_one_partition_is_exchanged() -> None:
    text = f"{HASH}{TABLE}; ALTER TABLE p EXCHANGE PARTITION p0, p1 WITH TABLE t"
    assert all(made(text, server).problems for server in EVERY)


def test_the_name_as_it_is_written_is_a_files() -> None:
    text = f"{HASH}{TABLE}; ALTER TABLE p EXCHANGE PARTITION P0 WITH TABLE t"
    assert [bool(made(text, server).problems) for server in EVERY] == [True, False, True, True]
