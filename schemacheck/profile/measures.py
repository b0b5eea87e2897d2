"""What is asked of a column: aggregate functions by its type, and what their results say.

Asked of MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.9: each of them takes every expression. A FLOAT is
asked as a DOUBLE, since its own text has six digits.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.model.quote import quoted
from schemacheck.profile.document import Bound, ColumnProfile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from schemacheck.model import Column, ColumnType

#: Character sets that data is moved into, and those that hold all of their characters.
CHARSETS = {"ascii": (), "latin1": ("ascii",), "utf8mb3": ("ascii", "latin1", "ucs2")}
#: Members of an ENUM that are counted one by one: each costs an expression for every row.
_MEMBERS = 255


@dataclass(frozen=True, slots=True)
class Measure:
    """A field of ColumnProfile, its key where that is a mapping, and the aggregate that gives it."""

    field: str
    sql: str
    key: str | int | None = None


def measures(column: Column, conditions: Iterable[str] = (), *, bounds: bool = True) -> list[Measure]:
    """All that is asked of a column; `conditions` are counted, `bounds` False leaves bounds out."""
    name = quoted(column.name)
    asked = [Measure("nulls", f"COUNT(*) - COUNT({name})"), *_by_type(name, column.type)]
    asked += [Measure("counted", _rows(condition), condition) for condition in conditions]
    return [m for m in asked if bounds or m.field not in ("minimum", "maximum")]


def _rows(condition: str) -> str:
    return f"COALESCE(SUM({condition}), 0)"


def _by_type(name: str, kind: ColumnType) -> Iterator[Measure]:
    if kind.is_number:
        value = f"CAST({name} AS UNSIGNED)" if kind.is_bit else name
        exact = " + 0e0" if kind.is_approximate else ""
        yield Measure("minimum", f"MIN({value}){exact}")
        yield Measure("maximum", f"MAX({value}){exact}")
        yield Measure("zero", _rows(f"{value} = 0"))
        if kind.is_decimal:
            yield Measure("fraction", _digits(f"SUBSTRING_INDEX({name}, '.', -1)") if kind.scale else "0")
    elif kind.is_temporal:
        yield Measure("minimum", f"CONCAT(MIN({name}))")
        yield Measure("maximum", f"CONCAT(MAX({name}))")
        if not kind.is_time:
            yield Measure("zero", _rows(f"{name} + 0 = 0"))
        if not kind.is_date:
            seconds = f"LPAD(MICROSECOND({name}), 6, '0')"
            yield Measure("fraction", _digits(seconds) if kind.fraction else "0")
    elif kind.is_plain_string:
        yield Measure("longest_bytes", f"COALESCE(MAX(LENGTH({name})), 0)")
        yield Measure("empty", _rows(f"LENGTH({name}) = 0"))
        if kind.holds_text:
            yield Measure("longest_characters", f"COALESCE(MAX(CHAR_LENGTH({name})), 0)")
            yield Measure("blanks", _rows(f"LENGTH(TRIM(TRAILING ' ' FROM {name})) < LENGTH({name})"))
            yield from _outside(name, kind.charset or "")
    elif kind.is_enum:
        yield Measure("empty", _rows(f"CAST({name} AS UNSIGNED) = 0"))
        if len(kind.members) <= _MEMBERS:
            for number in range(len(kind.members) + 1):
                yield Measure("members", _rows(f"CAST({name} AS UNSIGNED) = {number}"), number)
    elif kind.is_set:
        yield Measure("empty", _rows(f"CAST({name} AS UNSIGNED) = 0"))
        for number in range(len(kind.members)):
            yield Measure("members", _rows(f"CAST({name} AS UNSIGNED) & {1 << number} <> 0"), number)


def _digits(text: str) -> str:
    """The longest of texts without the zeros at their end."""
    return f"COALESCE(MAX(CHAR_LENGTH(TRIM(TRAILING '0' FROM {text}))), 0)"


def _outside(name: str, charset: str) -> Iterator[Measure]:
    """Values that are others after a way through a character set; what the server cannot take there (more
    than max_allowed_packet) counts.
    """
    for other, within in CHARSETS.items():
        if charset in (other, *within) or not charset:
            continue
        again = f"CAST(CONVERT(CONVERT({name} USING {other}) USING {charset}) AS BINARY)"
        same = f"COALESCE({again} = CAST({name} AS BINARY), FALSE)"
        yield Measure("outside", _rows(f"{name} IS NOT NULL AND NOT {same}"), other)


def result(kind: ColumnType, asked: Sequence[Measure], values: Sequence[Any]) -> ColumnProfile:
    """The profile of a column: what its measures gave, in their order."""
    fields: dict[str, Any] = {}
    if kind.holds_text:
        fields["outside"] = dict.fromkeys(inside(kind.charset or ""), 0)
    for measure, value in zip(asked, values, strict=True):
        if measure.field in ("minimum", "maximum"):
            fields[measure.field] = bound(value)
        elif measure.key is not None:
            fields.setdefault(measure.field, {})[measure.key] = int(value)
        else:
            fields[measure.field] = None if value is None else int(value)
    return ColumnProfile(kind.sql(), **fields)


def inside(charset: str) -> list[str]:
    """Of CHARSETS those that hold every character of a character set."""
    return [other for other, within in CHARSETS.items() if charset in (other, *within)]


def bound(value: Any) -> Bound:
    """A bound as a driver gives it; a DOUBLE is exact in its shortest text."""
    if value is None or isinstance(value, str):
        return value
    return Decimal(repr(value) if isinstance(value, float) else str(value))
