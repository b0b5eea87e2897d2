"""A column whose character set nobody said is never a pass: two such columns look alike and may hold other
bytes.
"""

from __future__ import annotations

import pytest

import schemacheck
from schemacheck.engine import check_pair
from schemacheck.model import Column, ColumnType, Effect, Link, Table

LINK = Link.of("mysql-8.0")
SAID = ColumnType.parse("varchar(20)", charset="utf8mb4")


def pair(source: ColumnType, replica: ColumnType) -> Effect:
    return check_pair(Table("t", (Column("c", source),)), Table("t", (Column("c", replica),)), LINK).verdict


@pytest.mark.parametrize(
    "text", ["char(5)", "varchar(20)", "tinytext", "text", "mediumtext", "longtext", "enum('a')", "set('a')"]
)
def test_unsaid_charset_is_unknown(text: str) -> None:
    bare, said = ColumnType.parse(text), ColumnType.parse(text, charset="utf8mb4")
    assert pair(bare, bare) is pair(said, bare) is pair(bare, said) is Effect.UNKNOWN
    assert pair(said, said) is Effect.IDENTICAL


@pytest.mark.parametrize(
    "text",
    [
        "int",
        "varbinary(20)",
        "blob",
        "json",
        "bit(3)",
        "date",
        "decimal(10,2)",
        "text character set binary",
        "enum('a') character set binary",
    ],
)
def test_types_without_a_charset_stay_decided(text: str) -> None:
    assert pair(ColumnType.parse(text), ColumnType.parse(text)) is Effect.IDENTICAL


def test_the_column_is_named() -> None:
    table = Table("t", (Column("a", SAID), Column("b", ColumnType.parse("text"))))
    assert check_pair(table, table, LINK).reason == "the character set of b is not given"


def test_mysqldump_xml_does_not_say_it() -> None:
    dump = """<?xml version="1.0"?><mysqldump><database name="d"><table_structure name="t">
      <field Field="a" Type="varchar(20)" Null="YES" Key="" Extra="" Comment="" /></table_structure></database></mysqldump>"""  # noqa: E501
    assert schemacheck.check(dump, dump, LINK).verdict is Effect.UNKNOWN
