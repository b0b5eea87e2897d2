"""What a statement's value meets in a replica's column: the same literal, stored by another type.

Row events carry stored values; a statement carries what somebody wrote, and the replica converts it
by itself, under the source's sql_mode. `refusals` says which errors some statement that runs on the source
may meet there; `keeps_alike` whether two columns keep the same of what is written.
"""

from __future__ import annotations

from decimal import Decimal

from schemacheck.conversion.values.exact import DIGITS, largest
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import ColumnType, Server
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, span

_BYTES = ("binary", "varbinary", *BLOBS)
#: Letters that are written out.
_SHOWN = 40
#: Digits of a second that a server keeps at most.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Apart:
    """A literal, and what each end keeps of it."""

    literal: str
    source: str
    replica: str


def keeps_alike(source: ColumnType, replica: ColumnType, ours: Server, theirs: Server) -> bool:
    """Whether two columns surely keep the same of every literal, under INSERT IGNORE too."""
    if source.is_geometry and replica.is_geometry:
        return True
    if source.is_integer and replica.is_integer:
        return span(source) == span(replica)
    if replace(source, collation=None, text="") != replace(replica, collation=None, text=""):
        return False
    if source.is_json:
        return ours.has("json-is-longtext") == theirs.has("json-is-longtext")
    rounds = source.has_fraction and source.fraction < _DIGITS
    return not rounds or _cuts(ours) == _cuts(_applying(ours, theirs))


def differing_literal(source: ColumnType, replica: ColumnType) -> Apart | None:
    """A number or a text of which the columns keep different values under INSERT IGNORE; None for others."""
    if source.is_integer and replica.is_integer:
        ranges = span(source), span(replica)
        for value in [edge + step for low, high in ranges for edge, step in ((high, 1), (low, -1))]:
            here, there = (str(max(low, min(high, value))) for low, high in ranges)
            if here != there:
                return Apart(str(value), here, there)
    sizes = source.length or 0, replica.length or 0
    if source.holds_text and replica.holds_text and min(sizes) < max(sizes) and min(sizes):
        text = "x" * (min(sizes) + 1)
        shown = f"'{text}'" if len(text) <= _SHOWN else f"REPEAT('x', {len(text)})"
        here, there = (
            text[:size] if size <= _SHOWN else f"xxx... ({min(size, len(text))} characters)" for size in sizes
        )
        return Apart(shown, here, there)
    return None


def _cuts(server: Server) -> bool:
    """Whether digits of a second that do not fit are cut off; they round the second otherwise."""
    return server.has("fraction-cut") and "TIME_ROUND_FRACTIONAL" not in server.sql_mode


def _applying(source: Server, replica: Server) -> Server:
    """The replica as it runs the source's statements: MariaDB rounds fractions of a second for those of
    MySQL 5.6 and later (Query_log_event sets TIME_ROUND_FRACTIONAL).
    """
    if not (source.has("microseconds-mysql") and replica.has("rounds-seconds-as-mysql")):
        return replica
    return replica.with_told({"sql_mode": f"{replica.setting('sql_mode')},TIME_ROUND_FRACTIONAL"})


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
    """The most characters in which a value of the column may be written."""
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
