"""One real value through a conversion (`conversion.values`): integers, members and strings; no others."""

from __future__ import annotations

import re
from decimal import Decimal

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.binlog.values import ABSENT, Value
from schemacheck.conversion import Kind
from schemacheck.conversion.values import integer
from schemacheck.conversion.values.string import same_meaning
from schemacheck.model import ColumnType, Link
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import span

_CONTROL = re.compile(r"[\x00-\x1f]")


def text(raw: bytes, charset: str | None) -> str:
    """Bytes as text of a character set; what is none of it stays visible. Without one: as in a literal."""
    if charset in (None, "binary"):
        return _shown(raw.decode()) if raw.isascii() else "0x" + raw.hex().upper()
    try:
        return "'" + raw.decode(charsets.codec(charset or "") or "", "backslashreplace") + "'"
    except (LookupError, NotImplementedError):
        return "0x" + raw.hex().upper()


def _shown(plain: str) -> str:
    """Text in quotes as a literal has it."""
    escaped = plain.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", escaped) + "'"


def display(value: Value, column: ColumnType) -> str:
    """A value as a person would write it, with the column's character set and members."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return text(value, column.charset)
    if isinstance(value, int) and column.is_enum:
        return f"'{column.members[value - 1]}'" if 0 < value <= len(column.members) else f"number {value}"
    if isinstance(value, int) and column.is_set:
        words = [m for n, m in enumerate(column.members) if value >> n & 1]
        beyond = value >> len(column.members)
        return f"'{','.join(words)}'" + (
            f" and bits beyond the members ({beyond << len(column.members):#x})" if beyond else ""
        )
    if isinstance(value, int) and column.is_bit:
        return f"b'{value:b}'"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float):
        return f"{value:.6g}" if column.is_single else repr(value)
    return f"'{value}'" if isinstance(value, str) else str(value)


def arrival(value: Value, cell: Cell, pair: Pair) -> tuple[str, str] | None:
    """(source's text, replica's text) where this value arrives changed, else None."""
    if value is None or value is ABSENT:
        return None
    seen = _seen(value, cell, pair.link)
    here = display(value, cell.source.type)
    return (here, seen) if seen not in (None, here) else None


def _seen(value: Value, cell: Cell, link: Link) -> str | None:
    source, replica = cell.source.type, cell.replica.type
    if isinstance(value, int) and source.is_integer and replica.is_integer:
        return str(_integer(value, source, replica, cell.kind, link))
    if isinstance(value, int) and source.has_members and replica.base == source.base:
        return display(value, replica)
    if isinstance(value, bytes):
        return _bytes(value, source, replica, cell.kind)
    return None


def _integer(value: int, source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> int:
    raw = kind is Kind.EXACT
    unsigned = replica.unsigned if raw else integer.decoded_unsigned(replica, link)
    seen = integer.read_as(value, source, unsigned=unsigned)
    low, high = span(replica)
    return seen if raw else max(low, min(high, seen))


def _bytes(value: bytes, source: ColumnType, replica: ColumnType, kind: Kind) -> str | None:
    """Cut to the replica's room, and read in its character set; nothing is converted."""
    held = replica.charset or "binary"
    sent = source.charset or "binary"
    data = value
    if kind is not Kind.EXACT:
        data = _cut(value, replica, held)
    if data == value and (same_meaning(sent, held) or value.isascii()):
        return None
    return text(data, held)


def _cut(value: bytes, replica: ColumnType, charset: str) -> bytes:
    if replica.is_sized:
        if charset == "binary" or charsets.max_bytes(charset) == 1:
            return value[: replica.length or 0]
        codec = charsets.codec(charset) or ""
        try:
            return value.decode(codec)[: replica.length or 0].encode(codec)
        except (UnicodeError, LookupError):
            return value
    try:
        return value[: replica.max_bytes]
    except KeyError:
        return value
