"""Bytes that columns take in a key and in a row, as the server counts them against its limits."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.model import charset as charsets
from schemacheck.model.column_type import (
    BLOBS,
    FIXED_BYTES,
    GEOMETRIES,
    INTEGER_BITS,
    TEXTS,
    ColumnType,
    member_bytes,
)
from schemacheck.model.table import Column

#: The longest record without BLOBs (MAX_... of unireg.h): 65,535 bytes.
LONGEST_ROW = 65_535
_FIXED = {"float": 4, "double": 8, "date": 3, "year": 1} | FIXED_BYTES
_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
_POINTER = 8
#: What InnoDB may keep beside the page.
_LONG = frozenset((*TEXTS, *BLOBS, *GEOMETRIES, "json", "vector"))


def key_bytes(column: Column, prefix: int | None) -> int:
    """Bytes of a key part (without length and NULL bytes): `prefix` counts characters."""
    kind = column.type
    most = charsets.max_bytes(kind.charset) if kind.charset and kind.is_character else 1
    if prefix is not None:
        return prefix * most
    if kind.is_text or kind.is_blob:
        return kind.max_bytes
    if kind.base in ("char", "varchar", "binary", "varbinary"):
        return kind.max_bytes if kind.charset or kind.base.endswith("binary") else kind.length or 0
    return field_bytes(kind)


def field_bytes(kind: ColumnType) -> int:
    """Bytes of a column in the record buffer (pack_length)."""
    base = kind.base
    if base in _FIXED:
        return _FIXED[base]
    if kind.is_integer:
        return INTEGER_BITS[base] // 8
    if base == "decimal":
        precision, scale = kind.length or 10, kind.scale or 0
        whole = precision - scale
        return whole // 9 * 4 + _DIGITS[whole % 9] + scale // 9 * 4 + _DIGITS[scale % 9]
    if base in ("time", "datetime", "timestamp"):
        return {"time": 3, "datetime": 5, "timestamp": 4}[base] + (kind.fraction + 1) // 2
    if base == "bit":
        return ((kind.length or 1) + 7) // 8
    if base in ("enum", "set"):
        return member_bytes(kind)
    if base in ("char", "binary"):
        return kind.max_bytes if kind.charset or base == "binary" else kind.length or 0
    if base in ("varchar", "varbinary"):
        size = kind.max_bytes if kind.charset or base == "varbinary" else kind.length or 0
        # MariaDB's COMPRESSED has a byte that says how.
        size += kind.compressed
        return size + (1 if size < 256 else 2)
    if base in TEXTS or base in BLOBS:
        return (TEXTS if base in TEXTS else BLOBS).index(base) + 1 + _POINTER
    return 4 + _POINTER


def row_bytes(columns: Iterable[Column]) -> int:
    """Bytes of the record, NULL bits included."""
    total = bits = 0
    for column in columns:
        total += field_bytes(column.type)
        bits += column.nullable
    return total + (bits + 7) // 8


def _varies(kind: ColumnType) -> bool:
    """A CHAR of characters of several lengths, which InnoDB stores as a VARCHAR."""
    fixed = kind.base != "char" or kind.charset in (None, "ucs2", "utf32")
    return not fixed and charsets.max_bytes(kind.charset or "") > 1


def page_bytes(kind: ColumnType, stays: int, *, mariadb: bool) -> int:
    """How many bytes a column of a type takes on InnoDB's page: fixed and short ones whole, `stays`
    (`validate.kept`) of a long one.
    """
    if kind.base in _LONG:
        return stays
    if kind.base in ("varchar", "varbinary") or _varies(kind):
        # MariaDB moves only what may be longer than 255 bytes off the page (DATA_BIG_LEN_MTYPE); the
        # length of what goes takes one byte (dict_index_too_big_for_tree).
        size = kind.max_bytes if kind.charset or kind.base == "varbinary" else kind.length or 0
        return (min(size, stays) if size > (255 if mariadb else 39) else size) + 1
    return field_bytes(kind)
