"""Tables in tablespaces, and those of a secondary engine (each line asked of MySQL 9.7.4)."""

from __future__ import annotations

from functools import partial

import pytest

from schemacheck.model import Server
from tests.ddl import refusal

SERVER = Server.parse("mysql-9.7.4")
HASH = "PARTITION BY HASH (a)"
RANGE = "PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (9) {})"
SUBS = (
    "PARTITION BY RANGE (a) SUBPARTITION BY HASH (a) (PARTITION p0 VALUES LESS THAN (9) (SUBPARTITION s {}))"
)


number = partial(refusal.number, server=SERVER)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", 0), ("ENCRYPTION='N'", 0), ("ENCRYPTION='Y'", 3825), ("ROW_FORMAT=COMPRESSED", 1478),
        ("ROW_FORMAT=DYNAMIC", 0), ("KEY_BLOCK_SIZE=8", 1478), ("COMPRESSION='zlib'", 1031),
        ("ENGINE=MyISAM", 0), ("DATA DIRECTORY='/a'", 1478), ("ENCRYPTION=''", 3184), (HASH, 1478),
        ("ENCRYPTION='Y' " + HASH, 3825), (RANGE.format(""), 1478),
    ],
)  # fmt: skip
@pytest.mark.parametrize("space", ["TABLESPACE=innodb_system", "TABLESPACE `innodb_system` STORAGE DISK"])
def test_the_system_tablespace(space: str, options: str, expected: int) -> None:
    assert number(f"CREATE TABLE t (a INT) {space} {options}") == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("innodb_temporary", 1478), ("innodb_temporary ENCRYPTION='Y'", 1478),
        ("innodb_temporary ENGINE=MyISAM", 0), (f"innodb_temporary {HASH}", 1478), ("mysql", 3723),
        ("mysql ENGINE=MyISAM", 3723), ("''", 1064), ("innodb_file_per_table", 0),
        (f"innodb_file_per_table {HASH}", 0), ("innodb_file_per_table ENCRYPTION=''", 3184),
        ("innodb_file_per_table ROW_FORMAT=COMPRESSED", 0),
    ],
)  # fmt: skip
def test_other_tablespaces(options: str, expected: int) -> None:
    assert number(f"CREATE TABLE t (a INT) TABLESPACE={options}") == expected


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        ("innodb_system", 1478),
        ("`innodb_system`", 1478),
        ("mysql", 3723),
        ("''", 1064),
        ("innodb_file_per_table", 0),
    ],
)
def test_partitions_of_their_own(space: str, expected: int) -> None:
    given = f"TABLESPACE={space}"
    assert number(f"CREATE TABLE t (a INT) {RANGE.format(given)}") == expected
    assert number(f"CREATE TABLE t (a INT) {SUBS.format(given)}") == expected
    assert (
        number(f"CREATE TABLE t (a INT) TABLESPACE=innodb_file_per_table {RANGE.format(given)}") == expected
    )
    added = f"ADD PARTITION (PARTITION p1 VALUES LESS THAN (99) {given})"
    assert number(f"CREATE TABLE t (a INT) {RANGE.format('')}; ALTER TABLE t {added}") == expected


@pytest.mark.parametrize(
    ("table", "change", "expected"),
    [
        ("", "TABLESPACE=innodb_system", 0), ("TABLESPACE=innodb_system", HASH, 1478),
        ("TABLESPACE=innodb_system", "ENCRYPTION='Y'", 3825), ("TABLESPACE=innodb_system", "ADD b INT", 0),
        ("TABLESPACE=innodb_system", "ROW_FORMAT=COMPRESSED", 1478),
        ("TABLESPACE=innodb_system", f"TABLESPACE=innodb_file_per_table {HASH}", 0),
        ("TABLESPACE=innodb_system", "ENGINE=MyISAM", 0), (HASH, "TABLESPACE=innodb_system", 1478),
        ("TABLESPACE=innodb_system ENGINE=MyISAM", "ENGINE=InnoDB", 0),
        ("TABLESPACE=innodb_system ENGINE=MyISAM", f"ENGINE=InnoDB {HASH}", 1478),
        (HASH, "TABLESPACE=innodb_system REMOVE PARTITIONING", 0), ("", "TABLESPACE=innodb_temporary", 1478),
    ],
)  # fmt: skip
def test_changes(table: str, change: str, expected: int) -> None:
    assert number(f"CREATE TABLE t (a INT) {table}; ALTER TABLE t {change}") == expected


@pytest.mark.parametrize("verb", ["SECONDARY_LOAD", "SECONDARY_UNLOAD"])
@pytest.mark.parametrize(
    ("table", "change", "expected"),
    [
        ("", "COMMENT 'a'", 3889), ("", "SECONDARY_ENGINE=rapid", 0),
        ("SECONDARY_ENGINE=rapid", "COMMENT 'a'", 0), ("SECONDARY_ENGINE=NULL", "COMMENT 'a'", 3889),
        ("SECONDARY_ENGINE=rapid", "SECONDARY_ENGINE=NULL", 3889),
        ("SECONDARY_ENGINE=rapid", "SECONDARY_ENGINE=rapid", 0), (HASH, "COMMENT 'a'", 3889),
    ],
)  # fmt: skip
def test_a_second_engine_to_load(table: str, change: str, expected: int, verb: str) -> None:
    assert number(f"CREATE TABLE t (a INT) {table}; ALTER TABLE t {change}; ALTER TABLE t {verb}") == expected


def test_another_second_engine() -> None:
    text = "CREATE TABLE t (a INT) SECONDARY_ENGINE=one; ALTER TABLE t SECONDARY_ENGINE=another"
    assert number(text) == 3889


@pytest.mark.parametrize("engine", ["MyISAM", "MEMORY", "CSV", "InnoDB"])
def test_a_second_engine_and_the_first(engine: str) -> None:
    alone = 0 if engine == "InnoDB" else 1178
    assert number(f"CREATE TABLE t (a INT NOT NULL) ENGINE={engine} SECONDARY_ENGINE=rapid") == alone
    assert number(f"CREATE TABLE t (a INT NOT NULL) ENGINE={engine} SECONDARY_ENGINE=NULL") == alone
    table = f"CREATE TABLE t (a INT NOT NULL) ENGINE={engine}"
    assert number(f"{table}; ALTER TABLE t SECONDARY_ENGINE=rapid") == alone
    table = "CREATE TABLE t (a INT NOT NULL) SECONDARY_ENGINE=rapid"
    assert number(f"{table}; ALTER TABLE t ENGINE={engine}") == 3889
    assert number(f"{table}; ALTER TABLE t SECONDARY_ENGINE=NULL, ENGINE={engine}") == 3889


@pytest.mark.parametrize("part", ["ADD KEY z (b)", "ADD KEY z (b, c)", "ADD UNIQUE z (b)", "ADD KEY z (c)"])
@pytest.mark.parametrize("how", ["VISIBLE", "INVISIBLE"])
def test_a_key_that_has_made_room(how: str, part: str) -> None:
    """ALTER INDEX of the key that was made for a foreign key, beside a key in its place."""
    parent = "CREATE TABLE p (b INT PRIMARY KEY); "
    reference = "CONSTRAINT f FOREIGN KEY (b) REFERENCES p (b)"
    gone = 0 if "(c)" in part else 1176
    for made, expected in ((reference, gone), (f"KEY f (b), {reference}", 0)):
        table = f"{parent}CREATE TABLE t (b INT, c INT, {made})"
        assert number(f"{table}; ALTER TABLE t ALTER INDEX f {how}, {part}") == expected
        assert number(f"{table}; ALTER TABLE t {part}, ALTER INDEX f {how}") == expected
