"""Rows to insert: a literal for every column of a table that needs one, each column's another."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.conversion.values import SHAPES
from schemacheck.conversion.values.exact import largest
from schemacheck.model import Column, ColumnType, KeyKind, Table
from schemacheck.model.column_type import span
from schemacheck.model.quote import quoted, string
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


_DATES = {
    "date": "2001-02-{:02}", "datetime": "2001-02-{:02} 03:04:05", "timestamp": "2001-02-{:02} 03:04:05",
    "time": "03:04:{:02}",
}  # fmt: skip
#: Small values that every type of theirs holds, none of them 0 or empty.
_MANY = 25


def distinct(column: Column, number: int) -> str | None:
    """A literal that differs for neighbouring numbers; None where no value of the type is known."""
    kind = column.type
    small = number % _MANY + 1
    if kind.is_integer or kind.is_approximate:
        return str(small)
    if kind.is_decimal and (kind.length or 10) - (kind.scale or 0) > 1:
        return str(small)
    if kind.is_year:
        return str(2000 + small)
    if kind.holds_text and kind.length != 0:
        return string(chr(ord("a") + small - 1))
    if kind.is_temporal:
        return string(_DATES[kind.base].format(small))
    if kind.has_members:
        return string(kind.members[number % len(kind.members)])
    entries = literals(column)
    return entries[number % len(entries)] if entries else None


def written(table: Table) -> list[Column]:
    """The columns that a statement can write."""
    return [c for c in table.columns if c.generated is None and not c.name.startswith("DB_ROW_HASH_")]


def unique(table: Table) -> set[str]:
    """The columns (folded) of the primary key and of unique keys."""
    kinds = (KeyKind.PRIMARY, KeyKind.UNIQUE)
    return {
        part.column.casefold() for key in table.keys if key.kind in kinds for part in key.parts if part.column
    }


def values(table: Table, number: int, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Literals by column for this number's row; `given` replaces some. Unknown ones are left out."""
    result = {}
    keys = unique(table)
    for place, column in enumerate(written(table)):
        name = column.name.casefold()
        own = (given or {}).get(name)
        literal = own or distinct(column, number if name in keys else number + place)
        if literal is not None:
            result[column.name] = literal
    return result


def insert(table: Table, row: Mapping[str, str], verb: str = "INSERT") -> str:
    """The statement, with the columns named."""
    names = ", ".join(map(quoted, row))
    return f"{verb} INTO {quoted(table.name)} ({names}) VALUES ({', '.join(row.values())})"


def where(table: Table, row: Mapping[str, str]) -> str:
    """What finds a row: its unique columns, else all columns whose values compare exactly."""
    given = [(c, row[c.name]) for c in table.columns if c.name in row]
    exact = [(c, v) for c, v in given if not (c.type.is_geometry or c.type.is_approximate or c.type.is_json)]
    keys = unique(table)
    chosen = [(c, v) for c, v in exact if c.name.casefold() in keys] or exact or given
    return " AND ".join(f"{quoted(c.name)} = {v}" for c, v in chosen)
