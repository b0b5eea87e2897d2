"""What a statement's value meets in a replica's column: the same literal, stored by another type.

Row events carry stored values; a statement carries what somebody wrote, and the replica converts it
by itself, under the source's sql_mode. `taken` looks for a value that the source's column holds and
the replica's refuses or changes (asked: MariaDB 10.11, every pair of the types in the tests).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from schemacheck.conversion.values.exact import DIGITS, largest
from schemacheck.conversion.values.integer import span
from schemacheck.model import ColumnType, Example
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOB_BYTES, BLOBS, TEXTS

#: Character sets that hold every character, and those that hold the Basic Multilingual Plane.
_ALL = ("utf8mb4", "utf16", "utf16le", "utf32", "gb18030")
_PLANE = ("utf8mb3", "ucs2")
_LENGTHS = {"date": 10, "time": 10, "datetime": 19, "timestamp": 19, "year": 4}
_BINARY = ("binary", "varbinary", *BLOBS)


@dataclass(frozen=True, slots=True)
class Taken:
    """A value that the replica's column does not keep. `error` names the server's error under a
    strict sql_mode, None: it is changed without an error in any mode."""

    error: str | None
    example: Example


def taken(source: ColumnType, replica: ColumnType) -> Taken | None:
    """The first value of the source's column that the replica's refuses or changes; None: it keeps all."""
    if source == replica:
        return None
    if source.base in ("enum", "set"):
        return _members(source, replica)
    if _is_string(replica):
        return _as_text(source, replica)
    if source.base == replica.base and source.base in ("json", "date", "year", "uuid", "inet4", "inet6"):
        return None
    if source.is_geometry and replica.is_geometry:
        return (
            None
            if replica.base in ("geometry", source.base)
            else Taken("invalid-geometry", Example("another shape", "an error"))
        )
    if source.base == "bit" and replica.base == "bit":
        have, room = source.length or 1, replica.length or 1
        return (
            Taken("data-too-long", Example(f"b'{'1' * have}'", f"b'{'1' * room}'")) if have > room else None
        )
    if source.base in ("date", "time", "datetime", "timestamp") and replica.base in (
        "date",
        "time",
        "datetime",
        "timestamp",
    ):
        return _temporal(source, replica)
    if _range(source) is not None and _range(replica) is not None:
        return _number(source, replica)
    return _foreign(source, replica)


def _foreign(source: ColumnType, replica: ColumnType) -> Taken:
    """Another kind of value: refused by the replica's kind, or read as something else."""
    error = "data-truncated"
    if replica.base in _LENGTHS and replica.base != "year":
        error = "incorrect-temporal"
    elif replica.is_geometry:
        error = "invalid-geometry"
    elif replica.base == "bit":
        error = "data-too-long"
    elif _range(replica) is not None:
        error = "incorrect-string"
    return Taken(error, Example(f"a value of {source.plain()}", f"as {replica.plain()}"))


def _members(source: ColumnType, replica: ColumnType) -> Taken | None:
    """ENUM and SET are written as words."""
    longest = ",".join(source.members) if source.base == "set" else max(source.members, key=len, default="")
    if replica.base == source.base or (source.base, replica.base) == ("enum", "set"):
        lost = next((m for m in source.members if m not in replica.members), None)
        return None if lost is None else Taken("data-truncated", Example(f"'{lost}'", "''"))
    if _is_string(replica):
        return _room(f"'{longest}'", len(longest), replica)
    return _foreign(source, replica)


def _is_string(column: ColumnType) -> bool:
    return column.base in ("char", "varchar", *_BINARY, *TEXTS)


def _as_text(source: ColumnType, replica: ColumnType) -> Taken | None:
    """Anything into a string column: the text must fit, in characters, bytes and character set."""
    if _is_string(source):
        return _text(source, replica)
    if source.base == "bit" and replica.base not in _BINARY:
        return Taken("incorrect-string", Example("b'11111111'", "'?'"))
    if source.base in _LENGTHS:
        size = _LENGTHS[source.base] + (source.fraction + 1 if source.length else 0)
        return _room(f"a {source.base}", size, replica)
    bounds = _range(source)
    if bounds is not None and source.base not in ("float", "double"):
        widest = max((f"{value:f}" for value in bounds), key=len)
        return _room(widest, len(widest), replica)
    if source.base in ("json", "xmltype"):
        return (
            None
            if replica.base in ("longtext", "longblob")
            else Taken("data-too-long", Example(f"a long {source.base}", "cut"))
        )
    if source.base in ("uuid", "inet4", "inet6"):
        return _room(f"a {source.base}", {"uuid": 36, "inet4": 15, "inet6": 39}[source.base], replica)
    if bounds is not None:
        size = DIGITS[source.base] + 7 if source.scale is None else (source.length or 0) + 2
        return _room("-1.23456e-38" if source.base == "float" else "-1.23456789012345e-308", size, replica)
    return _foreign(source, replica)


def _room(value: str, size: int, replica: ColumnType) -> Taken | None:
    """Plain text of `size` characters."""
    if size <= _characters(replica):
        return _padded(replica, value, size)
    return Taken("data-too-long", Example(value, f"cut to {_characters(replica)} characters"))


def _padded(replica: ColumnType, value: str, size: int) -> Taken | None:
    if replica.base == "binary" and not (size == replica.length and value[:2] == "a "):
        return Taken(None, Example(value, "padded with zero bytes"))
    return None


def _characters(column: ColumnType) -> int:
    """How many characters of one byte a string column takes."""
    if column.base in ("char", "varchar", "binary", "varbinary"):
        return column.length or 0
    kinds = TEXTS if column.base in TEXTS else BLOBS
    return BLOB_BYTES[kinds.index(column.base)]


def _text(source: ColumnType, replica: ColumnType) -> Taken | None:
    ours, theirs = source.charset or "binary", replica.charset or "binary"
    room, have = _characters(replica), _characters(source)
    if source.base in ("char", "varchar") and replica.base not in ("char", "varchar"):
        have *= charsets.max_bytes(ours)  # the replica counts bytes
    if have > room:
        return Taken("data-too-long", Example(f"REPEAT('x', {have})", f"cut to {room}"))
    if ours == "binary" != theirs:
        return Taken("incorrect-string", Example("x'FF'", "'?'"))
    if theirs != "binary" and not _holds(ours, theirs):
        letter = "'\N{GRINNING FACE}'" if theirs in _PLANE else f"a character that {theirs} lacks"
        return Taken("incorrect-string", Example(letter, "'?'"))
    if (source.base == "char") != (replica.base == "char"):
        return Taken(
            None, Example("'a' for 'a '", "'a '") if source.base == "char" else Example("'a '", "'a'")
        )
    if (source.base == "binary") != (replica.base == "binary") or (
        source.base == "binary" and source.length != replica.length
    ):
        return Taken(None, Example("x'01'", "with other zero bytes behind it"))
    return None


def _holds(ours: str, theirs: str) -> bool:
    """Whether one character set has every character of another."""
    return ours in (theirs, "ascii") or theirs in _ALL or (theirs in _PLANE and ours not in _ALL)


def _temporal(source: ColumnType, replica: ColumnType) -> Taken | None:
    now = "'2024-02-29 10:11:12'"
    if source.base == replica.base or {source.base, replica.base} == {"datetime", "timestamp"}:
        if source.base == "datetime" and replica.base == "timestamp":
            return Taken("out-of-range", Example("'1001-01-01 00:00:00'", "'0000-00-00 00:00:00'"))
        if replica.fraction < source.fraction:
            return Taken(None, Example("a fraction of a second", f"rounded to {replica.fraction} digits"))
        return None
    if source.base == "date" and replica.base == "datetime":
        return None
    if source.base == "date" and replica.base == "timestamp":
        return Taken("out-of-range", Example("'1001-01-01'", "'0000-00-00 00:00:00'"))
    if source.base in ("datetime", "timestamp") and replica.base in ("date", "time"):
        return Taken(None, Example(now, "cut to its date" if replica.base == "date" else "cut to its time"))
    return _foreign(source, replica)


def _range(column: ColumnType) -> tuple[Decimal, Decimal] | None:
    """Smallest and largest value of a numeric column."""
    if column.is_integer:
        low, high = span(column)
        return Decimal(low), Decimal(high)
    if column.base == "decimal" or (column.base in ("float", "double") and column.scale is not None):
        top = largest(column.length or 10, column.scale or 0)
        return (Decimal(0) if column.unsigned else -top), top
    if column.base in ("float", "double"):
        top = Decimal("3.4e38") if column.base == "float" else Decimal("1.7e308")
        return (Decimal(0) if column.unsigned else -top), top
    if column.base == "year":
        return Decimal(1901), Decimal(2155)
    if column.base == "bit":
        return Decimal(0), Decimal(2 ** (column.length or 1) - 1)
    return None


def _number(source: ColumnType, replica: ColumnType) -> Taken | None:
    """Numbers into numbers: beyond the range is an error, digits that have no place are rounded
    without one.
    """
    ours, theirs = _range(source), _range(replica)
    assert ours is not None and theirs is not None  # noqa: PT018 both were asked before
    low, high = ours
    bottom, top = theirs
    if high > top or low < bottom or (replica.base == "year" and source.base != "year"):
        value = high if high > top else low
        return Taken(
            "data-too-long" if replica.base == "bit" else "out-of-range",
            Example(f"{value:f}"[:40], f"{max(bottom, min(top, value)):f}"[:40]),
        )
    decimals, room = _decimals(source), _decimals(replica)
    if room is not None and (decimals is None or decimals > room):
        return Taken(None, Example("a digit behind the point", f"rounded to {room} decimals"))
    if replica.base in ("float", "double") and replica.base != source.base:
        digits = len(f"{high:f}".replace(".", ""))
        if source.base not in ("float", "double") and digits > DIGITS[replica.base]:
            return Taken(None, Example(f"{high:f}", f"with {DIGITS[replica.base]} digits"))
        if (source.base, replica.base) == ("double", "float"):
            return Taken(None, Example("1.23456789", "1.23457"))
    return None


def _decimals(column: ColumnType) -> int | None:
    """Digits behind the point; None: any."""
    if column.base == "decimal" or column.scale is not None:
        return column.scale or 0
    return None if column.base in ("float", "double") else 0
