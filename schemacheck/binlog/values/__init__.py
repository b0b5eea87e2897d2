"""Values of a row image, by column type.

What each type becomes: integers, YEAR, ENUM (the index), SET and BIT (the bits): int. FLOAT, DOUBLE: float.
DECIMAL: Decimal. DATE, TIME, DATETIME, TIMESTAMP: text as the server shows it, TIMESTAMP in UTC. CHAR to
BLOB, GEOMETRY (SRID and WKB): bytes in the column's character set. JSON: `Json`. VECTOR: a tuple of floats.
NULL: None.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.mariadb_zlib import column as uncompress
from schemacheck.binlog.values import number, temporal
from schemacheck.binlog.values.json import Json
from schemacheck.binlog.values.json import text as json_text


class Absent(Enum):
    """The type of ABSENT."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


#: The row image does not contain this column (binlog_row_image MINIMAL, NOBLOB, FULL_NODUP).
ABSENT = Absent.ABSENT

Value = None | int | float | Decimal | str | bytes | Json | tuple[float, ...] | Absent
Reader = Callable[[Cursor, t.WireColumn, bool], Value]


def _integer(c: Cursor, column: t.WireColumn, unsigned: bool) -> int:
    size = t.INTEGERS[column.type]
    return c.uint(size) if unsigned else c.sint(size)


def _char(c: Cursor, column: t.WireColumn, _: bool) -> bytes:
    return c.take(c.uint(1 if column.length < 256 else 2))


def _blob(c: Cursor, column: t.WireColumn, _: bool) -> bytes:
    if not 1 <= column.length <= 4:
        raise ShortRead(f"a BLOB whose length takes {column.length} bytes")
    return c.take(c.uint(column.length))


def _enumeration(c: Cursor, column: t.WireColumn, _: bool) -> int:
    if not 1 <= column.length <= 8:
        raise ShortRead(f"an ENUM or SET of {column.length} bytes")
    return c.uint(column.length)


def _json(c: Cursor, column: t.WireColumn, unsigned: bool) -> Json:
    return Json(json_text(_blob(c, column, unsigned)))


def _year(c: Cursor, _: t.WireColumn, __: bool) -> int:
    offset = c.uint(1)
    return 1900 + offset if offset else 0


def _array(c: Cursor, _: t.WireColumn, __: bool) -> Json:
    return Json(json_text(c.take(c.uint(4))))


READERS: dict[int, Reader] = {
    **dict.fromkeys(t.INTEGERS, _integer),
    t.FLOAT: lambda c, _, __: number.binary(c, 4),
    t.DOUBLE: lambda c, _, __: number.binary(c, 8),
    t.NEWDECIMAL: lambda c, column, _: number.decimal(c, column.length, column.scale),
    t.BIT: lambda c, column, _: c.big((column.length + 7) // 8),
    t.YEAR: _year,
    t.DATE: lambda c, _, __: temporal.date(c),
    t.NEWDATE: lambda c, _, __: temporal.date(c),
    t.TIME: lambda c, _, __: temporal.old_time(c),
    t.DATETIME: lambda c, _, __: temporal.old_datetime(c),
    t.TIMESTAMP: lambda c, _, __: temporal.timestamp(c.uint(4), 0, 0),
    t.TIME2: lambda c, column, _: temporal.time(c, column.length),
    t.DATETIME2: lambda c, column, _: temporal.datetime(c, column.length),
    t.TIMESTAMP2: lambda c, column, _: temporal.timestamp(
        c.big(4), temporal.fraction(c, column.length), column.length
    ),
    t.STRING: _char,
    t.VARCHAR: _char,
    t.VAR_STRING: _char,
    t.ENUM: _enumeration,
    t.SET: _enumeration,
    **dict.fromkeys((t.TINY_BLOB, t.MEDIUM_BLOB, t.LONG_BLOB, t.BLOB, t.GEOMETRY), _blob),
    t.BLOB_COMPRESSED: lambda c, column, unsigned: uncompress(_blob(c, column, unsigned)),
    t.VARCHAR_COMPRESSED: lambda c, column, unsigned: uncompress(_char(c, column, unsigned)),
    t.JSON: _json,
    t.VECTOR: lambda c, column, unsigned: number.vector(_blob(c, column, unsigned)),
    t.TYPED_ARRAY: _array,
}


def read_value(c: Cursor, column: t.WireColumn, unsigned: bool) -> Value:
    """One value that is not NULL. Raises ShortRead."""
    reader = READERS.get(column.type)
    if reader is None:
        raise ShortRead(f"values of type {column.type} cannot be read")
    return reader(c, column, unsigned)
