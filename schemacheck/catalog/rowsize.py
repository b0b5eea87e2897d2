"""Bytes that columns take in a key and in a row, as the server counts them against its limits."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, TEXTS, ColumnType, member_bytes
from schemacheck.model.table import Column

#: The longest record without BLOBs (MAX_... of unireg.h): 65,535 bytes.
LONGEST_ROW = 65_535
_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
_POINTER = 8


def key_bytes(column: Column, prefix: int | None) -> int:
    """Bytes of a key part (without length and NULL bytes): `prefix` counts characters."""
    kind = column.type
    most = charsets.max_bytes(kind.charset) if kind.charset and kind.is_character else 1
    if prefix is not None:
        return prefix * most
    if kind.is_plain_string:
        return kind.longest
    return field_bytes(kind)


def field_bytes(kind: ColumnType) -> int:
    """Bytes of a column in the record buffer (pack_length)."""
    if kind.size is not None:
        return kind.size + (kind.fraction + 1) // 2 * kind.has_fraction
    if kind.is_decimal:
        precision, scale = kind.length or 10, kind.scale or 0
        whole = precision - scale
        return whole // 9 * 4 + _DIGITS[whole % 9] + scale // 9 * 4 + _DIGITS[scale % 9]
    if kind.is_bit:
        return ((kind.length or 1) + 7) // 8
    if kind.has_members:
        return member_bytes(kind)
    if kind.is_padded:
        return kind.longest
    if kind.is_varying:
        # MariaDB's COMPRESSED has a byte that says how.
        size = kind.longest + kind.compressed
        return size + (1 if size < 256 else 2)
    if kind.is_lob:
        return (TEXTS if kind.is_text else BLOBS).index(kind.base) + 1 + _POINTER
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
    fixed = not kind.is_char or kind.charset in (None, "ucs2", "utf32")
    return not fixed and charsets.max_bytes(kind.charset or "") > 1


def page_bytes(kind: ColumnType, stays: int, *, mariadb: bool) -> int:
    """How many bytes a column takes on InnoDB's page: fixed and short ones whole, `stays` of a long one."""
    if kind.is_off_page:
        return stays
    if kind.is_varying or _varies(kind):
        # MariaDB moves only what may be longer than 255 bytes off the page (DATA_BIG_LEN_MTYPE); the
        # length of what goes takes one byte (dict_index_too_big_for_tree).
        size = kind.longest
        return (min(size, stays) if size > (255 if mariadb else 39) else size) + 1
    return field_bytes(kind)
