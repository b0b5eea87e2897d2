"""How many bytes a value takes, without looking at what it says."""

from __future__ import annotations

from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.values.number import DIGIT_BYTES

_FIXED = {
    **t.INTEGERS, t.FLOAT: 4, t.DOUBLE: 8, t.YEAR: 1, t.DATE: 3, t.NEWDATE: 3, t.TIME: 3, t.DATETIME: 8,
    t.TIMESTAMP: 4,
}  # fmt: skip
_BASE = {t.TIME2: 3, t.DATETIME2: 5, t.TIMESTAMP2: 4}
_PACKED = frozenset(
    {t.TINY_BLOB, t.MEDIUM_BLOB, t.LONG_BLOB, t.BLOB, t.BLOB_COMPRESSED, t.GEOMETRY, t.JSON, t.VECTOR}
)


def stored_size(column: t.WireColumn) -> tuple[int, int]:
    """(bytes of every value, 0) or (0, bytes of the length that stands before the value). Raises ShortRead
    for a type of unknown size.
    """
    kind, length = column.type, column.length
    if kind in _FIXED:
        return _FIXED[kind], 0
    if kind in _BASE:
        return _BASE[kind] + min((length + 1) // 2, 3), 0
    if kind == t.NEWDECIMAL:
        whole, part = divmod(length - column.scale, 9), divmod(column.scale, 9)
        return DIGIT_BYTES[whole[1]] + 4 * (whole[0] + part[0]) + DIGIT_BYTES[part[1]], 0
    if kind == t.BIT:
        return (length + 7) // 8, 0
    if kind in (t.ENUM, t.SET):
        return length, 0
    if kind in (t.STRING, t.VARCHAR, t.VAR_STRING, t.VARCHAR_COMPRESSED):
        return 0, 1 if length < 256 else 2
    if kind in _PACKED:
        return 0, length
    if kind == t.TYPED_ARRAY:
        return 0, 4
    raise ShortRead(f"values of type {kind} have no known size")
