"""Values of a column, as literals: an ordinary one first, then the extremes of its type."""

from __future__ import annotations

from schemacheck.conversion.literal import SHAPES
from schemacheck.conversion.values.exact import largest
from schemacheck.model import Column, ColumnType
from schemacheck.model.column_type import BLOBS, TEXTS, span
from schemacheck.model.quote import string

_ADDRESSES = {
    "inet4": ("'1.2.3.4'",), "inet6": ("'::1'",), "uuid": ("'12345678-1234-1234-1234-123456789abc'",),
}  # fmt: skip
#: Characters of the longest text that is tried.
_LONG = 200


def literals(column: Column) -> tuple[str, ...]:
    """At least one literal, or none where the type's values are not known here."""
    return _of(column.type)


def _of(kind: ColumnType) -> tuple[str, ...]:
    base = kind.base
    if kind.is_integer:
        low, high = span(kind)
        return ("1", str(high), str(low), "2")
    if base == "decimal":
        top = largest(kind.length or 10, kind.scale or 0)
        return ("1", str(top), *(() if kind.unsigned else (str(-top),)))
    if base in ("float", "double"):
        return ("1.5", "123456789.125", "0.1")
    if base == "year":
        return ("2001", "2155", "1901")
    if base == "bit":
        width = kind.length or 1
        return ("b'1'", f"b'{'1' * width}'", "b'0'")
    if base in ("char", "varchar", *TEXTS):
        length = _LONG if kind.length is None or base in TEXTS else min(kind.length, _LONG)
        return (string("a"[:length]), string("x" * length), "''")
    if base in ("binary", "varbinary", *BLOBS):
        length = _LONG if kind.length is None or base in BLOBS else min(kind.length, _LONG)
        return ("X'61'" if length else "''", f"X'{'FF' * length}'", "''")
    if base in ("enum", "set"):
        members = [string(member) for member in kind.members]
        return tuple(dict.fromkeys((*members[:1], *members[-1:], *members[1:2])))
    return _moments(kind) or _other(kind)


def _moments(kind: ColumnType) -> tuple[str, ...]:
    part = f".{'123456'[: kind.fraction]}" if kind.fraction else ""
    moments = {
        "date": ("2001-02-03", "2037-12-31"),
        "time": (f"12:34:56{part}", "-838:59:59"),
        "datetime": (f"2001-02-03 04:05:06{part}", "9999-12-31 23:59:59"),
        "timestamp": (f"2001-02-03 04:05:06{part}", "2038-01-19 03:14:07"),
    }
    return tuple(map(string, moments.get(kind.base, ())))


def _other(kind: ColumnType) -> tuple[str, ...]:
    if kind.base == "json":
        return ("'{\"a\": 1}'", "'[1, \"b\"]'")
    if kind.base in SHAPES:
        reference = f", {kind.srid}" if kind.srid else ""
        return (f"ST_GeomFromText('{SHAPES[kind.base]}'{reference})",)
    return _ADDRESSES.get(kind.base, ())
