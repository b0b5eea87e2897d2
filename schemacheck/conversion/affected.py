"""Which rows of the source hold a value that changes: a condition on the source's column.

`condition` says it for exactly the rows whose values arrive as others; where no condition on the source
tells (noise digits of a FLOAT, bytes read as text), it gives None and both ends are to be compared.
"""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.exact import largest
from schemacheck.conversion.values.integer import decoded_unsigned, span
from schemacheck.conversion.values.outcome import Outcome, What
from schemacheck.conversion.values.string import same_meaning
from schemacheck.model import ColumnType, Link

_COUNTED = ("char", "varchar")
_BYTES = ("binary", "varbinary")
_TEXTS = (*_COUNTED, "tinytext", "text", "mediumtext", "longtext")
_BLOBS = ("tinyblob", "blob", "mediumblob", "longblob")
#: Microseconds in one step of TIME(n), DATETIME(n), TIMESTAMP(n).
_STEP = tuple(10 ** (6 - digits) for digits in range(7))


def condition(
    name: str, source: ColumnType, replica: ColumnType, kind: Kind, outcome: Outcome, link: Link
) -> str | None:
    """SQL over the column `name` (quoted) of the source; None where none is known.

    `kind` and `outcome` are what `classify` and `values` say of the two columns.
    """
    if not outcome.changed or outcome.what in (What.MISREAD, What.REFUSED):
        return None
    if source.is_integer and replica.is_integer:
        return _integer(name, source, replica, kind, link)
    if source.base == replica.base == "decimal":
        return _decimal(name, source, replica)
    if source.base == replica.base == "bit":
        return f"{name} + 0 > {2 ** (replica.length or 1) - 1}"
    if source.base == replica.base and source.base in ("enum", "set"):
        return _members(name, source, replica)
    if source.base in ("time", "datetime", "timestamp"):
        if replica.base == "date":
            return f"{name} <> DATE({name})"
        return f"MICROSECOND({name}) % {_STEP[replica.fraction]} <> 0"
    if source.base in (*_TEXTS, *_BYTES, *_BLOBS) and replica.base in (*_TEXTS, *_BYTES, *_BLOBS):
        return _text(name, source, replica, kind, outcome)
    return None


def _integer(name: str, source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> str:
    """A value arrives unchanged where it is decoded as it is and fits."""
    low, high = span(source)
    bottom, top = span(replica)
    if kind is not Kind.EXACT:
        half = (high - low + 1) // 2
        seen = (0, 2 * half - 1) if decoded_unsigned(replica, link) else (-half, half - 1)
        bottom, top = max(bottom, seen[0]), min(top, seen[1])
    tests = ([f"{name} < {bottom}"] if low < bottom else []) + ([f"{name} > {top}"] if high > top else [])
    return " OR ".join(tests)


def _decimal(name: str, source: ColumnType, replica: ColumnType) -> str:
    """More digits than the replica keeps, a number beyond its largest, or a minus that it does not take."""
    scale = replica.scale or 0
    top = largest(replica.length or 10, scale)
    tests = [f"{name} <> ROUND({name}, {scale})"] if (source.scale or 0) > scale else []
    if (source.length or 10) - (source.scale or 0) > (replica.length or 10) - scale:
        tests.append(f"{name} > {top:f}" if source.unsigned else f"ABS({name}) > {top:f}")
    if replica.unsigned and not source.unsigned:
        tests.append(f"{name} < 0")
    return " OR ".join(tests)


def _members(name: str, source: ColumnType, replica: ColumnType) -> str:
    """Members whose number means another word on the replica, or none."""
    other = [
        number
        for number, member in enumerate(source.members)
        if number >= len(replica.members) or replica.members[number] != member
    ]
    if source.base == "set":
        return f"{name} + 0 & {sum(1 << number for number in other)} <> 0"
    return f"{name} + 0 IN ({', '.join(str(number + 1) for number in other)})"


def _longer(source: ColumnType, replica: ColumnType) -> bool:
    """Whether some value does not fit: by declared lengths, by bytes where a TEXT or BLOB takes part."""
    sized = (*_COUNTED, *_BYTES)
    if source.base in sized and replica.base in sized:
        return (source.length or 0) > (replica.length or 0)
    return source.max_bytes > replica.max_bytes or replica.base in sized


def _text(name: str, source: ColumnType, replica: ColumnType, kind: Kind, outcome: Outcome) -> str | None:
    """Text that does not fit, loses its trailing blanks, is padded, or is read in another character set."""
    if source.compressed or replica.compressed:
        return None
    sent, held = source.charset or "binary", replica.charset or "binary"
    binary = "binary" in (sent, held)
    if binary and sent != held:
        return None
    tests = []
    if outcome.what is What.PADDED or (replica.base == "binary" and source.base != "binary"):
        return f"LENGTH({name}) <> {replica.length or 0}"
    if not same_meaning(sent, held):
        if _longer(source, replica):
            return None  # what does not fit is cut by bytes or by characters
        # A value stays where its text, in the replica's character set, has the bytes that were sent.
        tests.append(f"NOT (CAST(CONVERT({name} USING {held}) AS BINARY) <=> CAST({name} AS BINARY))")
    if _longer(source, replica):
        counted = replica.base in (*_COUNTED, *_BYTES)
        tests.append(
            f"CHAR_LENGTH({name}) > {replica.length or 0}"
            if counted
            else f"LENGTH({name}) > {replica.max_bytes}"
        )
    if replica.base == "char" and source.base != "char" and kind is not Kind.EXACT:
        tests.append(f"LENGTH(TRIM(TRAILING ' ' FROM {name})) < LENGTH({name})")
    return " OR ".join(tests) or None
