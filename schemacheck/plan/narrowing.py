"""Rows whose values another type of the same family does not hold as they are: the condition that finds them.

What a server cuts, rounds or replaces, or refuses in a strict sql_mode: asked of four servers, with values at
the edges of every type.
"""

from __future__ import annotations

from schemacheck.model import Column, charset
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.quote import quoted, string

#: Characters of the longest integer.
_DIGITS = 20
#: Types of another family that hold every value.
_HOLDS_ALL = {("float", "double"), ("date", "datetime"), ("year", "int"), ("year", "bigint")}


def unkept(old: Column, new: Column) -> str | None:
    """The condition of the rows whose values are others in the new column; '' where it holds all; None where
    no condition is known that says it.
    """
    here, there, name = old.type, new.type, quoted(new.name)
    if here == there:
        return ""
    if here.is_integer and there.is_integer:
        low, high = span(there)
        least, most = span(here)
        return "" if low <= least and most <= high else f"{name} NOT BETWEEN {low} AND {high}"
    if there.is_decimal and here.is_exact:
        return _decimal(here, there, name)
    if here.is_integer and there.is_counted:
        size = there.length or 1
        return "" if size >= _DIGITS else f"CHAR_LENGTH({name}) > {size}"
    if here.holds_text and there.holds_text:
        return _text(here, there, name)
    if here.holds_text and there.is_enum:  # letters of another case and blanks behind are lost
        known = f"CONVERT({name} USING utf8mb4) COLLATE utf8mb4_bin NOT IN"
        return f"{known} ({', '.join(map(string, there.members))}) OR {name} LIKE '% '"
    if here.is_enum and there.holds_text and there.is_counted and here.charset == there.charset:
        cut = [string(member) for member in here.members if len(member) > (there.length or 1)]
        return f"{name} IN ({', '.join(cut)})" if cut else ""
    if there.is_binary:  # zeros are appended, and stay on the way back
        return None
    if here.holds_bytes and there.holds_bytes:
        return f"LENGTH({name}) > {there.max_bytes}" if here.max_bytes > there.max_bytes else ""
    if here.base == there.base and here.has_fraction:
        given, stored = here.fraction or 0, there.fraction or 0
        return "" if given <= stored else f"MICROSECOND({name}) % {10 ** (6 - stored)} <> 0"
    if here.base == there.base and here.members:
        gone = [string(member) for member in here.members if member not in there.members]
        if here.is_set:
            return " OR ".join(f"FIND_IN_SET({member}, {name}) > 0" for member in gone)
        return f"{name} NOT IN ({', '.join(map(string, there.members))})" if gone else ""
    return "" if (here.base, there.base) in _HOLDS_ALL and here.unsigned == there.unsigned else None


def _decimal(here: ColumnType, there: ColumnType, name: str) -> str:
    scale = there.scale or 0
    digits = (there.length or 10) - scale
    parts = []
    if here.is_integer:
        low, high = span(here)
        wider, signed = max(-low, high) >= 10**digits, low < 0
    else:
        wider, signed = (here.length or 10) - (here.scale or 0) > digits, not here.unsigned
        parts = [f"{name} <> ROUND({name}, {scale})"] if (here.scale or 0) > scale else []
    parts += [f"ABS({name}) >= 1{'0' * digits}"] if wider else []
    parts += [f"{name} < 0"] if there.unsigned and signed else []
    return " OR ".join(parts)


def _text(here: ColumnType, there: ColumnType, name: str) -> str:
    """CHAR, VARCHAR and TEXT hold characters of their set, so many or so many bytes."""
    parts = []
    target = there.charset or "utf8mb4"
    if here.charset and not charset.covers(target, here.charset):
        back = f"CONVERT(CONVERT({name} USING {target}) USING {here.charset})"
        parts.append(f"CAST({back} AS BINARY) <> CAST({name} AS BINARY)")
    if there.is_text:
        # A character takes four bytes at most.
        if _bytes(here) * (1 if here.charset == target else 4) > there.max_bytes:
            parts.append(f"LENGTH(CONVERT({name} USING {target})) > {there.max_bytes}")
        return " OR ".join(parts)
    size = there.length or 1
    if here.is_text or (here.length or 1) > size:
        parts.append(f"CHAR_LENGTH({name}) > {size}")
    if there.is_char and not here.is_char:
        parts.append(f"{name} LIKE '% '")
    return " OR ".join(parts)


def _bytes(kind: ColumnType) -> int:
    """The most bytes that a value has as a string."""
    if kind.is_text:
        return kind.max_bytes
    return (kind.length or 1) * (charset.max_bytes(kind.charset) if kind.charset else 4)
