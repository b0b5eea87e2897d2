"""Which rows of the source hold a value that changes: limits on the source's column.

`limits` says it for exactly the rows whose values arrive as others; where nothing on the source tells (noise
digits of a FLOAT, bytes read as text), it gives None and both ends are to be compared. `condition` is the
same as SQL.
"""

from __future__ import annotations

from typing import NamedTuple

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.exact import largest
from schemacheck.conversion.values.integer import decoded_unsigned
from schemacheck.conversion.values.outcome import Outcome, What
from schemacheck.conversion.values.string import same_meaning
from schemacheck.model import ColumnType, Link
from schemacheck.model.column_type import span

#: What is beyond a limit, as SQL over a column and a bound.
_SQL = {
    "below": "{0} < {1}",
    "above": "{0} > {1}",
    "beyond": "ABS({0}) > {1}",
    "bits above": "{0} + 0 > {1}",
    "digits": "{0} <> ROUND({0}, {1})",
    "second digits": "MICROSECOND({0}) % {1} <> 0",
    "time of day": "{0} <> DATE({0})",
    "members": "{0} + 0 IN ({1})",
    "set members": "{0} + 0 & {1} <> 0",
    "other bytes": "LENGTH({0}) <> {1}",
    "characters": "CHAR_LENGTH({0}) > {1}",
    "bytes": "LENGTH({0}) > {1}",
    "blanks": "LENGTH(TRIM(TRAILING ' ' FROM {0})) < LENGTH({0})",
    "charset": "NOT (CAST(CONVERT({0} USING {1}) AS BINARY) <=> CAST({0} AS BINARY))",
}


class Limit(NamedTuple):
    """Values that change: `what` is one of `_SQL`, `bound` the number, character set, or members (from 0)."""

    what: str
    bound: object = None

    def sql(self, name: str) -> str:
        """The condition over the column `name` (quoted)."""
        bound = self.bound
        if isinstance(bound, tuple):
            bits = self.what == "set members"
            bound = sum(1 << n for n in bound) if bits else ", ".join(str(n + 1) for n in bound)
        elif self.what == "second digits":
            bound = 10 ** (6 - int(str(bound)))
        return _SQL[self.what].format(name, bound)


def condition(
    name: str, source: ColumnType, replica: ColumnType, kind: Kind, outcome: Outcome, link: Link
) -> str | None:
    """SQL over the column `name` (quoted) of the source, for what `limits` says; None where none is known."""
    result = limits(source, replica, kind, outcome, link)
    return None if result is None else " OR ".join(limit.sql(name) for limit in result) or None


def limits(
    source: ColumnType, replica: ColumnType, kind: Kind, outcome: Outcome, link: Link
) -> tuple[Limit, ...] | None:
    """What a value is beyond that changes: one of these; None where it is not known.

    `kind` and `outcome` are what `classify` and `values` say of the two columns.
    """
    if not outcome.changed or outcome.what in (What.MISREAD, What.REFUSED):
        return None
    if source.is_integer and replica.is_integer:
        return _integer(source, replica, kind, link)
    if source.is_decimal and replica.is_decimal:
        return _decimal(source, replica)
    if source.is_bit and replica.is_bit:
        return (Limit("bits above", 2 ** (replica.length or 1) - 1),)
    if source.base == replica.base and source.has_members:
        return (_members(source, replica),)
    if source.has_fraction:
        return (Limit("time of day") if replica.is_date else Limit("second digits", replica.fraction),)
    if source.is_plain_string and replica.is_plain_string:
        return _text(source, replica, kind, outcome)
    return None


def _integer(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> tuple[Limit, ...]:
    """A value arrives unchanged where it is decoded as it is and fits."""
    low, high = span(source)
    bottom, top = span(replica)
    if kind is not Kind.EXACT:
        half = (high - low + 1) // 2
        seen = (0, 2 * half - 1) if decoded_unsigned(replica, link) else (-half, half - 1)
        bottom, top = max(bottom, seen[0]), min(top, seen[1])
    below = (Limit("below", bottom),) if low < bottom else ()
    return (*below, Limit("above", top)) if high > top else below


def _decimal(source: ColumnType, replica: ColumnType) -> tuple[Limit, ...]:
    """More digits than the replica keeps, a number beyond its largest, or a minus that it does not take."""
    scale = replica.scale or 0
    result = [Limit("digits", scale)] if (source.scale or 0) > scale else []
    if (source.length or 10) - (source.scale or 0) > (replica.length or 10) - scale:
        top = f"{largest(replica.length or 10, scale):f}"
        result.append(Limit("above" if source.unsigned else "beyond", top))
    if replica.unsigned and not source.unsigned:
        result.append(Limit("below", 0))
    return tuple(result)


def _members(source: ColumnType, replica: ColumnType) -> Limit:
    """Members whose number means another word on the replica, or none."""
    other = [
        number
        for number, member in enumerate(source.members)
        if number >= len(replica.members) or replica.members[number] != member
    ]
    return Limit("set members" if source.is_set else "members", tuple(other))


def _longer(source: ColumnType, replica: ColumnType) -> bool:
    """Whether some value does not fit: by declared lengths, by bytes where a TEXT or BLOB takes part."""
    if source.is_sized and replica.is_sized:
        return (source.length or 0) > (replica.length or 0)
    return source.max_bytes > replica.max_bytes or replica.is_sized


def _text(source: ColumnType, replica: ColumnType, kind: Kind, outcome: Outcome) -> tuple[Limit, ...] | None:
    """Text that does not fit, loses its trailing blanks, is padded, or is read in another character set."""
    if source.compressed or replica.compressed:
        return None
    sent, held = source.charset or "binary", replica.charset or "binary"
    binary = "binary" in (sent, held)
    if binary and sent != held:
        return None
    result = []
    if outcome.what is What.PADDED or (replica.is_binary and not source.is_binary):
        return (Limit("other bytes", replica.length or 0),)
    if not same_meaning(sent, held):
        if _longer(source, replica):
            return None  # what does not fit is cut by bytes or by characters
        # A value stays where its text, in the replica's character set, has the bytes that were sent.
        result.append(Limit("charset", held))
    if _longer(source, replica):
        counted = replica.is_sized
        result.append(
            Limit("characters", replica.length or 0) if counted else Limit("bytes", replica.max_bytes)
        )
    if replica.is_char and not source.is_char and kind is not Kind.EXACT:
        result.append(Limit("blanks"))
    return tuple(result)
