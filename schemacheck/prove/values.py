"""Values of a column, as literals: an ordinary one first, then the extremes of its type."""

from __future__ import annotations

from schemacheck.conversion.literal import SHAPES
from schemacheck.conversion.values.exact import largest
from schemacheck.model import Column, ColumnType
from schemacheck.model.column_type import span
from schemacheck.model.quote import string
from schemacheck.model.type_facts import TYPES

#: Characters of the longest text that is tried.
_LONG = 200


def literals(column: Column) -> tuple[str, ...]:
    """At least one literal, or none where the type's values are not known here."""
    return _of(column.type)


def _of(kind: ColumnType) -> tuple[str, ...]:
    if kind.is_integer:
        low, high = span(kind)
        return ("1", str(high), str(low), "2")
    if kind.is_decimal:
        top = largest(kind.length or 10, kind.scale or 0)
        return ("1", str(top), *(() if kind.unsigned else (str(-top),)))
    if kind.is_approximate:
        return ("1.5", "123456789.125", "0.1")
    if kind.is_year:
        return ("2001", "2155", "1901")
    if kind.is_bit:
        width = kind.length or 1
        return ("b'1'", f"b'{'1' * width}'", "b'0'")
    if kind.holds_text:
        length = _LONG if kind.length is None or kind.is_text else min(kind.length, _LONG)
        return (string("a"[:length]), string("x" * length), "''")
    if kind.holds_bytes:
        length = _LONG if kind.length is None or kind.is_blob else min(kind.length, _LONG)
        return ("X'61'" if length else "''", f"X'{'FF' * length}'", "''")
    if kind.has_members:
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
    if kind.is_json:
        return ("'{\"a\": 1}'", "'[1, \"b\"]'")
    if kind.is_geometry:
        reference = f", {kind.srid}" if kind.srid else ""
        return (f"ST_GeomFromText('{SHAPES[kind.base]}'{reference})",)
    sample = TYPES[kind.base].sample
    return (string(sample),) if sample else ()
