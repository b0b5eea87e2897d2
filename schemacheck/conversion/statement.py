"""What a statement's value meets in a replica's column: the same literal, stored by another type.

Row events carry stored values; a statement carries what somebody wrote, and the replica converts it
by itself, under the source's sql_mode. `refusals` says which errors some statement that runs on the source
may meet there; `differing_literal` looks for a literal that the two columns keep otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from schemacheck.conversion.literal import POINT, Literal, stored_text
from schemacheck.conversion.values.exact import DIGITS, largest
from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType, Server
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, span

_BYTES = ("binary", "varbinary", *BLOBS)
#: Bytes of the longest TEXT that is filled with letters.
_TRIED = 65_535


@dataclass(frozen=True, slots=True)
class Apart:
    """A literal, and what each end keeps of it."""

    literal: Literal
    source: str
    replica: str


def differing_literal(source: ColumnType, replica: ColumnType, ours: Server, theirs: Server) -> Apart | None:
    """The first literal of which the ends keep different values under INSERT IGNORE; None: none is known.

    One of which they keep different texts of one instant comes last: 10:11:12 and 10:11:12.000.
    """
    alike: Apart | None = None
    applier = applying(ours, theirs)
    for literal in _probes(source, replica):
        here, there = stored_text(literal, source, ours), stored_text(literal, replica, applier)
        if here is not None and there is not None and here != there:
            numbers = source.is_number and replica.is_number and not (source.is_bit or replica.is_bit)
            if numbers and Decimal(here) == Decimal(there):
                continue
            if source.base == replica.base and source.has_fraction and _instant(here) == _instant(there):
                alike = alike or Apart(literal, here, there)
                continue
            return Apart(literal, here, there)
    if source.holds_bytes != replica.holds_bytes and source.is_plain_string and replica.is_plain_string:
        return Apart(
            Literal("\N{LATIN SMALL LETTER E WITH ACUTE}"),
            *("bytes" if c.holds_bytes else "a letter" for c in (source, replica)),
        )
    return alike


@lru_cache(maxsize=64)
def applying(source: Server, replica: Server) -> Server:
    """The replica as it runs the source's statements: MariaDB rounds fractions of a second for those of
    MySQL 5.6 and later (Query_log_event sets TIME_ROUND_FRACTIONAL).
    """
    if not (source.has("microseconds-mysql") and replica.has("rounds-seconds-as-mysql")):
        return replica
    return replica.with_told({"sql_mode": f"{replica.setting('sql_mode')},TIME_ROUND_FRACTIONAL"})


def _instant(text: str) -> str:
    """A time without the zeros at its end."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _probes(source: ColumnType, replica: ColumnType) -> Iterator[Literal]:
    """Literals at the edges of both types, those that need no IGNORE on the source first."""
    if source.is_geometry:
        yield POINT
    for column in (source, replica):
        base = column.base
        if column.has_members:
            yield Literal("1", number=True)
            yield Literal("2", number=True)
            for member in column.members:
                yield Literal(member)
        if base in ("uuid", "inet6"):
            yield Literal("123E4567-E89B-12D3-A456-426655440000" if base == "uuid" else "2001:0DB8::0001")
        if column.is_json:
            yield Literal('{"k":1}')
    for column in (source, replica):
        for edge in _edges(column):
            yield Literal(f"{edge:f}", number=True)
    yield Literal("5", number=True)
    yield Literal("2000", number=True)
    yield Literal("10.1.2.3")
    yield Literal("1.2345678", number=True)
    yield Literal("-1.5", number=True)
    yield Literal("0.1", number=True)
    yield Literal("16777217", number=True)
    yield Literal("9007199254740993", number=True)
    yield Literal("1.00000000000000000001", number=True)
    yield Literal("2024-02-29 10:11:12.123456")
    yield Literal("2024-02-29 10:11:12.765432")
    yield Literal("10:11:12.765432")
    yield Literal("1001-01-01 10:11:12")
    yield Literal("10:11:12.123456")
    yield Literal("a ")
    for column in (source, replica):
        if column.is_sized:
            yield Literal("x" * ((column.length or 0) + 1))
        elif column.is_lob and column.max_bytes <= _TRIED:
            yield Literal("x" * (column.max_bytes + 1))
    yield Literal("\N{GRINNING FACE}")
    for character in "é€яΩאก日ß":
        yield Literal(character)
    yield Literal("x")


def _edges(column: ColumnType) -> Iterator[Decimal]:
    """One beyond each end of a numeric column's range."""
    if column.is_integer:
        low, high = span(column)
        yield Decimal(high + 1)
        yield Decimal(low - 1)
    elif column.is_decimal:
        yield largest(column.length or 10, column.scale or 0) + 1
        if column.unsigned:
            yield Decimal(-1)
    elif column.is_bit:
        yield Decimal(2 ** (column.length or 1))
    elif column.is_year:
        yield Decimal(3000)


def refusals(source: ColumnType, replica: ColumnType, server: Server, *, strict: bool) -> tuple[str, ...]:
    """The names of the errors with which the replica may refuse a value that the source takes, likeliest
    first. `strict`: the source's sql_mode, which travels with the statement; a few come without it."""
    if source == replica:
        return ()
    result = _always(source, replica, server)
    if source.base != replica.base and (source.is_geometry or replica.is_address):
        result += ("geometry-operand",)
    if replica.has_day and not source.is_temporal:
        result += ("wrong-temporal-operand",)
    if source.holds_bytes and not replica.holds_bytes:
        # A literal of bytes is compared with text.
        result += ("cannot-convert-string",)
    if strict:
        result += _strict(source, replica)
        if (replica.is_address or source.is_geometry) and source.base != replica.base:
            result += ("cannot-cast",)
        timed = replica.is_time and source.is_temporal and not source.is_time
        if timed or source.is_number != replica.is_number or source.has_members != replica.has_members:
            # A comparison in UPDATE and DELETE reads text as a number, or as a time.
            result += ("truncated-wrong-value",)
        if replica.has_day and not source.has_day:
            result += ("incorrect-temporal-operand",)
            if not source.is_temporal:
                result += ("truncated-wrong-value",)
    return tuple(dict.fromkeys(result))


def _always(source: ColumnType, replica: ColumnType, server: Server) -> tuple[str, ...]:
    """Errors under any sql_mode."""
    if replica.is_geometry:
        if source.is_geometry:
            if replica.base not in ("geometry", source.base):
                return ("invalid-geometry", "incorrect-string")
            return ("wrong-srid",) if replica.srid is not None and replica.srid != source.srid else ()
        return ("invalid-geometry", "cannot-cast", "geometry-operand", "null-geometry")
    if replica.is_json and not source.is_json:
        return (
            ("json-check-violated",)
            if server.has("json-is-longtext")
            else ("invalid-json-text", "json-charset")
        )
    return ()


def _strict(source: ColumnType, replica: ColumnType) -> tuple[str, ...]:
    """Errors under a strict sql_mode, by the kind of the replica's column."""
    if replica.is_number:
        return _into_number(source, replica)
    if replica.is_plain_string:
        return _into_string(source, replica)
    if replica.has_members:
        same = source.base == replica.base and set(source.members) <= set(replica.members)
        if same and len(replica.members) >= len(source.members):
            return ()
        return ("data-truncated",)
    if replica.is_temporal:
        if source.base == replica.base or (source.base, replica.base) in (
            ("date", "datetime"), ("timestamp", "datetime"), ("timestamp", "date"), ("datetime", "date"),
        ):  # fmt: skip
            return ()
        return ("incorrect-temporal", "data-truncated")
    if replica.is_json and source.base in (*_BYTES, "bit", "geometry", "point", "linestring"):
        return ("incorrect-string",)
    if replica.is_vector:
        return ("incorrect-vector", "data-too-long")
    if replica.is_address and source.base != replica.base:
        return ("incorrect-temporal",)
    return ()


def _into_number(source: ColumnType, replica: ColumnType) -> tuple[str, ...]:
    if replica.is_bit:
        if source.is_bit:
            return ("data-too-long",) if (source.length or 1) > (replica.length or 1) else ()
        return ("data-too-long", "out-of-range") if source.is_decimal else ("data-too-long",)
    if not source.is_number:
        return ("incorrect-string", "data-truncated", "out-of-range")
    low, high = _bounds(source)
    bottom, top = _bounds(replica)
    if high <= top and low >= bottom and (not replica.is_year or source.is_year):
        return ()
    return ("out-of-range",)


def _bounds(column: ColumnType) -> tuple[Decimal, Decimal]:
    if column.is_integer:
        low, high = span(column)
        return Decimal(low), Decimal(high)
    if column.is_decimal or column.scale is not None:
        top = largest(column.length or 10, column.scale or 0)
        return (Decimal(0) if column.unsigned else -top), top
    if column.is_approximate:
        top = Decimal("3.4e38") if column.is_single else Decimal("1.7e308")
        return (Decimal(0) if column.unsigned else -top), top
    if column.is_year:
        return Decimal(1901), Decimal(2155)
    return Decimal(0), Decimal(2 ** (column.length or 1) - 1)


def _into_string(source: ColumnType, replica: ColumnType) -> tuple[str, ...]:
    result: tuple[str, ...] = ()
    if _written_length(source) > _room(replica):
        result += ("data-too-long",)
    ours, theirs = source.charset or "binary", replica.charset or "binary"
    binary = source.holds_bytes or source.is_bit or source.is_geometry
    if theirs != "binary" and (binary or (source.is_character and not charsets.covers(theirs, ours))):
        result += ("incorrect-string",)
    return result


def _written_length(column: ColumnType) -> int:
    """The most characters in which a value of the column may be written (more bytes than characters count as
    bytes).
    """
    if column.is_sized:
        return column.length or 0
    if column.is_lob:
        return column.max_bytes
    if column.has_members:
        longest = max(map(len, column.members), default=0)
        return longest if column.is_enum else sum(map(len, column.members)) + len(column.members) - 1
    # A literal may be longer than the stored value: fractions, zeros and spaces that are not kept.
    return DIGITS["double"] + 10**6


def _room(column: ColumnType) -> int:
    if column.is_sized:
        return column.length or 0
    return column.max_bytes // (
        charsets.max_bytes(column.charset) if column.charset and column.is_text else 1
    )
