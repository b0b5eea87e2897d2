"""Changes of partitions beside other parts of an ALTER TABLE (each line asked of four servers)."""

from __future__ import annotations

import pytest

from schemacheck.model import Server
from tests.ddl import refusal

OLD = ("mysql-5.6.24", "mariadb-10.11.19", "mariadb-11.8.6")
NEW = "mysql-9.7.4"
TABLE = "CREATE TABLE t (a INT NOT NULL, b INT, KEY (a)) PARTITION BY "
RANGE = TABLE + "RANGE (a) (PARTITION p0 VALUES LESS THAN (1), PARTITION p1 VALUES LESS THAN (2)); "
HASH = TABLE + "HASH (a) PARTITIONS 4; "


def number(text: str, server: str) -> int | None:
    return refusal.number(text, Server.parse(server))


@pytest.mark.parametrize(
    "change",
    [
        "COALESCE PARTITION 1", "ADD PARTITION PARTITIONS 1", "TRUNCATE PARTITION p1",
        "REBUILD PARTITION ALL", "OPTIMIZE PARTITION ALL", "REORGANIZE PARTITION",
        "EXCHANGE PARTITION p0 WITH TABLE e",
    ],
)  # fmt: skip
@pytest.mark.parametrize("beside", ["ADD c INT", "COMMENT 'a'", "FORCE", "ALGORITHM=COPY, ADD c INT"])
def test_no_other_part_stands_beside_them(beside: str, change: str) -> None:
    for server in (*OLD, NEW):
        assert number(f"{HASH}ALTER TABLE t {beside}, {change}", server) == 1064


@pytest.mark.parametrize("way", ["ALGORITHM=COPY", "ALGORITHM=INPLACE", "LOCK=SHARED", "LOCK=DEFAULT"])
def test_where_nothing_says_how(way: str) -> None:
    for server in OLD:
        assert number(f"{HASH}ALTER TABLE t {way}, COALESCE PARTITION 1", server) == 1064


#: ALGORITHM=INPLACE, INSTANT, COPY, LOCK=NONE, SHARED, both INPLACE and NONE.
WAYS = (
    "ALGORITHM=INPLACE", "ALGORITHM=INSTANT", "ALGORITHM=COPY", "LOCK=NONE", "LOCK=SHARED",
    "ALGORITHM=INPLACE, LOCK=NONE", "ALGORITHM=COPY, LOCK=NONE", "ALGORITHM=INSTANT, LOCK=NONE",
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (f"{RANGE}ADD PARTITION (PARTITION p2 VALUES LESS THAN (3))", (0, 1845, 0, 0, 0, 0, 1846, 1221)),
        (f"{RANGE}DROP PARTITION p1", (0, 1845, 0, 0, 0, 0, 1846, 1221)),
        (f"{RANGE}REORGANIZE PARTITION p0, p1 INTO (PARTITION q VALUES LESS THAN (2))",
         (0, 1845, 0, 1845, 0, 1845, 1846, 1221)),
        (f"{HASH}REBUILD PARTITION ALL", (0, 1845, 0, 1845, 0, 1845, 1846, 1221)),
        (f"{HASH}ADD PARTITION PARTITIONS 2", (0, 1845, 0, 1845, 0, 1845, 1846, 1221)),
        (f"{HASH}COALESCE PARTITION 2", (0, 1845, 0, 1845, 0, 1845, 1846, 1221)),
        (f"{HASH}REORGANIZE PARTITION", (0, 1845, 0, 1845, 0, 1845, 1846, 1221)),
        (f"{HASH}TRUNCATE PARTITION p1", (0,) * 8),
        (f"{HASH}CHECK PARTITION ALL", (0,) * 8),
    ],
)  # fmt: skip
def test_how_mysql_9_7_changes_them(change: str, expected: tuple[int, ...]) -> None:
    table, _, part = change.partition("; ")
    for way, wanted in zip(WAYS, expected, strict=True):
        # Without a number it is unknown, which is allowed.
        assert number(f"{table}; ALTER TABLE t {way}, {part}", NEW) in (wanted, None)


def test_versions_that_were_not_asked() -> None:
    assert number(f"{HASH}ALTER TABLE t ALGORITHM=COPY, COALESCE PARTITION 1", "mysql-8.0.36") is None
