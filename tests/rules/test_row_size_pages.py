"""Rows that are longer than a page of the replica's, by KEY_BLOCK_SIZE or engine. (Asked of MySQL 9.7.)"""

from __future__ import annotations

import pytest

from schemacheck import Effect, Link, Schema, Server, check
from tests.tables_from_rows import tables_from_rows


def _table(options: str, columns: str) -> str:
    return f"CREATE TABLE w (id INT PRIMARY KEY, {columns}) {options};"


def _texts(number: int, length: int) -> str:
    return ", ".join(f"c{n} VARCHAR({length}) CHARACTER SET latin1" for n in range(number))


@pytest.mark.parametrize(
    ("source", "replica", "columns", "found"),
    [
        ("ROW_FORMAT=DYNAMIC", "ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=4", _texts(16, 255), True),
        ("", "KEY_BLOCK_SIZE=4", _texts(16, 255), True),
        ("", "KEY_BLOCK_SIZE=4", _texts(14, 255), False),
        ("", "KEY_BLOCK_SIZE=4", _texts(50, 256), False),
        ("", "KEY_BLOCK_SIZE=2", _texts(8, 255), True),
        ("", "KEY_BLOCK_SIZE=1", _texts(3, 255), False),
        ("", "KEY_BLOCK_SIZE=8", _texts(16, 255), False),
        ("", "KEY_BLOCK_SIZE=8", _texts(32, 250), True),
        ("", "ROW_FORMAT=COMPRESSED", _texts(32, 250), True),
        ("ROW_FORMAT=COMPACT", "KEY_BLOCK_SIZE=4", _texts(16, 255), True),
        ("KEY_BLOCK_SIZE=8", "KEY_BLOCK_SIZE=4", _texts(16, 255), True),
        ("KEY_BLOCK_SIZE=4", "KEY_BLOCK_SIZE=8", _texts(40, 255), False),
        ("KEY_BLOCK_SIZE=4", "ROW_FORMAT=DYNAMIC", _texts(40, 255), False),
        ("KEY_BLOCK_SIZE=4", "ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=4", _texts(16, 255), False),
        ("", "", _texts(40, 255), False),
        ("ENGINE=MyISAM", "", _texts(40, 255), True),
        ("ENGINE=MyISAM", "", _texts(30, 255), False),
        ("", "ENGINE=MyISAM", _texts(40, 255), False),
        ("", "KEY_BLOCK_SIZE=4", "a JSON, b INT, d VARCHAR(50), e TEXT, f DECIMAL(65,30)", False),
    ],
)
@pytest.mark.parametrize("log", ["ROW", "STATEMENT"])
def test_rows_that_are_longer_than_a_page(
    source: str, replica: str, columns: str, found: bool, log: str
) -> None:
    report = check(_table(source, columns), _table(replica, columns), Link.of("mysql-9.7", binlog_format=log))
    assert ("SC410" in {finding.code for finding in report.findings}) is found, report


def _row(**values: str | None) -> dict[str, str | None]:
    return {"TABLE_SCHEMA": "d", "TABLE_NAME": "w", **values}


def _of_rows(options: str) -> Schema:
    columns = [
        _row(COLUMN_NAME=f"c{n}", ORDINAL_POSITION=f"{n}", COLUMN_TYPE="varchar(255)", IS_NULLABLE="NO",
             COLUMN_DEFAULT=None, CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_swedish_ci", EXTRA="",
             COLUMN_KEY="" if n > 1 else "PRI")
        for n in range(1, 17)
    ]  # fmt: skip
    table = _row(TABLE_TYPE="BASE TABLE", ENGINE="InnoDB", TABLE_COLLATION=None, CREATE_OPTIONS=options)
    return tables_from_rows(columns, server=Server.parse("mysql-9.7"), tables=[table])


@pytest.mark.parametrize(
    "options", ["row_format=COMPRESSED KEY_BLOCK_SIZE=4", "KEY_BLOCK_SIZE=4 partitioned"]
)
def test_rows_of_tables_say_how_long_pages_are(options: str) -> None:
    link = Link.of("mysql-9.7")
    report = check(_of_rows("row_format=DYNAMIC"), _of_rows(options), link)
    assert [finding.code for finding in report.findings] == ["SC410"]
    assert check(_of_rows(options), _of_rows(options), link).verdict is Effect.IDENTICAL
