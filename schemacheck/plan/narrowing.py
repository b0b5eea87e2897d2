"""Rows whose values another type does not hold as they are: the condition that finds them.

What a server cuts, rounds or replaces, or refuses in a strict sql_mode: asked of four servers, with values
at the edges of every type.
"""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.model import Column, charset
from schemacheck.model.column_type import BLOBS, TEXTS, ColumnType
from schemacheck.model.quote import quoted, string

#: Bytes of the integer types.
_BYTES = {"tinyint": 1, "smallint": 2, "mediumint": 3, "int": 4, "bigint": 8}
#: Digits of integers that a binary fraction holds.
_MANTISSA = {"float": 24, "double": 53}
_STRINGS = ("binary", "varbinary", *BLOBS)
_MOMENTS = ("datetime", "timestamp")
_UNICODE = ("utf8mb4", "utf16", "utf16le", "utf32", "gb18030")
_INTEGER = "^ *[+-]?[0-9]+ *$"
_NUMBER = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$"
_CLOCK = "^-?[0-9]{1,3}:[0-9]{2}(:[0-9]{2}([.][0-9]*)?)?$"
_DATE = "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_YEAR = "^(19|20|21)[0-9]{2}$"


def unkept(old: Column, new: Column) -> str | None:
    """The condition of the rows whose values are others in the new column; '' where it holds all; None where
    no condition is known that says it.
    """
    here, there, name = old.type, new.type, quoted(new.name)
    if here == there:
        return ""
    if here.base in _STRINGS and not (there.base in _STRINGS or there.is_character):
        # Bytes are read as characters then.
        here, name = replace(here, base="text"), f"CONVERT({name} USING latin1)"
    if there.base in _BYTES:
        return _integer(here, there, name)
    if there.base == "decimal":
        return _decimal(here, there, name)
    if there.base in _MANTISSA:
        return _float(here, there, name)
    if there.is_character and not there.members:
        return _text(here, there, name)
    if there.base in _STRINGS:
        return f"LENGTH({name}) > {there.max_bytes}" if _bytes(here) > there.max_bytes else ""
    if there.base in _MOMENTS or there.base in ("date", "time"):
        return _temporal(here, there, name)
    return _other(here, there, name)


def _range(kind: ColumnType) -> tuple[int, int]:
    bits = 8 * _BYTES[kind.base]
    return (0, 2**bits - 1) if kind.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _integer(here: ColumnType, there: ColumnType, name: str) -> str | None:
    low, high = _range(there)
    outside = f"{name} NOT BETWEEN {low} AND {high}"
    if here.base in _BYTES:
        least, most = _range(here)
        return "" if low <= least and most <= high else outside
    if here.base in ("decimal", *_MANTISSA):
        whole = here.base == "decimal" and not here.scale
        return outside if whole else f"{outside} OR {name} <> ROUND({name})"
    if here.base == "bit":
        return "" if 2 ** (here.length or 1) - 1 <= high else f"{name} + 0 > {high}"
    if here.base == "year":
        return outside if high < 2155 else ""
    if _is_text(here):
        return f"{name} NOT REGEXP '{_INTEGER}' OR CAST({name} AS DECIMAL(65)) NOT BETWEEN {low} AND {high}"
    return None


def _decimal(here: ColumnType, there: ColumnType, name: str) -> str | None:
    scale = there.scale or 0
    digits = (there.length or 10) - scale
    parts = [f"ABS({name}) >= 1{'0' * digits}"]
    if here.base in _BYTES:
        low, high = _range(here)
        parts = [] if max(-low, high) < 10**digits else parts
        signed = low < 0
    elif here.base == "decimal":
        whole, fraction = (here.length or 10) - (here.scale or 0), here.scale or 0
        parts = [] if whole <= digits else parts
        parts += [] if fraction <= scale else [f"{name} <> ROUND({name}, {scale})"]
        signed = not here.unsigned
    elif here.base in _MANTISSA:
        parts.append(f"{name} <> ROUND({name}, {scale})")
        signed = not here.unsigned
    elif _is_text(here):
        as_number = f"CAST({name} AS DECIMAL(65,30))"
        parts = [f"{name} NOT REGEXP '{_NUMBER}'", f"ABS({as_number}) >= 1{'0' * digits}"]
        parts.append(f"{as_number} <> ROUND({as_number}, {scale})")
        signed = True
    else:
        return None
    return " OR ".join([*parts, *([f"{name} < 0"] if there.unsigned and signed else [])])


def _float(here: ColumnType, there: ColumnType, name: str) -> str | None:
    signed = [f"{name} < 0"] if there.unsigned and not here.unsigned else []
    if here.base in _BYTES and 8 * _BYTES[here.base] <= _MANTISSA[there.base]:
        return " OR ".join(signed)
    if (here.base, there.base) in (("float", "double"), ("float", "float"), ("double", "double")):
        return " OR ".join(signed) if there.scale is None else None
    if _is_text(here) and there.base == "double":
        return " OR ".join([f"{name} NOT REGEXP '{_NUMBER}'", *signed])
    return None


def _text(here: ColumnType, there: ColumnType, name: str) -> str | None:
    """CHAR, VARCHAR and TEXT hold characters of their set, so many or so many bytes."""
    parts = []
    target = there.charset or "utf8mb4"
    if here.base in _STRINGS:
        parts.append(f"NOT (CAST(CONVERT({name} USING {target}) AS BINARY) <=> {name})")
    elif here.is_character and here.charset and not _holds(here.charset, target):
        back = f"CONVERT(CONVERT({name} USING {target}) USING {here.charset})"
        parts.append(f"CAST({back} AS BINARY) <> CAST({name} AS BINARY)")
    elif here.is_geometry or here.base in ("vector", "bit"):
        return None
    if there.base in TEXTS:
        # A character takes four bytes at most.
        most = _bytes(here) * (1 if here.charset == target or not here.is_character else 4)
        if most > there.max_bytes:
            parts.append(f"LENGTH(CONVERT({name} USING {target})) > {there.max_bytes}")
    else:
        size = there.length or 1
        longest = max(map(len, here.members), default=0) if here.base == "enum" else here.length or 0
        fits = here.base in ("char", "varchar", "binary", "varbinary", "enum") and longest <= size
        parts += [] if fits else [f"CHAR_LENGTH({name}) > {size}"]
        if there.base == "char" and here.base != "char" and _is_text(here):
            parts.append(f"{name} LIKE '% '")
    return " OR ".join(parts)


def _holds(here: str, target: str) -> bool:
    """Whether a character set has every character of another one."""
    if here in (target, "ascii") or target in _UNICODE:
        return True
    return target in ("utf8", "utf8mb3", "ucs2") and here not in _UNICODE


def _temporal(here: ColumnType, there: ColumnType, name: str) -> str | None:
    parts = []
    if _is_text(here):
        if there.base == "time":
            return f"{name} NOT REGEXP '{_CLOCK}'"
        value = f"CAST({name} AS DATETIME(6))"
        parts = [f"{name} NOT REGEXP '{_DATE}'", f"({name} IS NOT NULL AND {value} IS NULL)"]
        moment = value
    elif here.base in (*_MOMENTS, "date"):
        moment = name
    elif here.base == there.base == "time":
        return _fraction(here, there, name)
    else:
        return None
    if there.base == "time":
        return f"{name} IS NOT NULL"
    if there.base == "date":
        parts += [] if here.base == "date" else [f"CAST({moment} AS DATE) <> {moment}"]
        return " OR ".join(parts)
    if there.base == "timestamp" and here.base != "timestamp":
        parts.append(f"NOT (FROM_UNIXTIME(UNIX_TIMESTAMP({moment})) <=> {moment})")
    cut = "" if here.base == "date" else _fraction(here, there, moment)
    return " OR ".join([*parts, *([cut] if cut else [])])


def _fraction(here: ColumnType, there: ColumnType, name: str) -> str:
    given, kept = (6 if _is_text(here) else here.fraction or 0), there.fraction or 0
    return "" if given <= kept else f"MICROSECOND({name}) % {10 ** (6 - kept)} <> 0"


def _other(here: ColumnType, there: ColumnType, name: str) -> str | None:
    """BIT, YEAR, ENUM, SET, JSON."""
    if there.base == "bit":
        most = 2 ** (there.length or 1) - 1
        if here.base == "bit":
            return "" if (here.length or 1) <= (there.length or 1) else f"{name} + 0 > {most}"
        return f"{name} NOT BETWEEN 0 AND {most}" if here.base in _BYTES else None
    if there.base == "year":
        if here.base in _BYTES:
            return f"{name} NOT BETWEEN 1901 AND 2155 AND {name} <> 0"
        return f"{name} NOT REGEXP '{_YEAR}'" if _is_text(here) else None
    if there.base == "enum" and (here.base == "enum" or _is_text(here)):
        kept = here.base == "enum" and not set(here.members) - set(there.members)
        padded = f" OR {name} LIKE '% '" if _is_text(here) else ""
        return "" if kept else f"{name} NOT IN ({', '.join(map(string, there.members))}){padded}"
    if there.base == "set" and here.base in ("set", "enum"):
        gone = [m for m in here.members if m not in there.members]
        return " OR ".join(f"FIND_IN_SET({string(m)}, {name}) > 0" for m in gone)
    if there.base == "json" and _is_text(here):
        return f"NOT JSON_VALID({name})"
    return None


def _is_text(kind: ColumnType) -> bool:
    return kind.base in ("char", "varchar", *TEXTS)


def _bytes(kind: ColumnType) -> int:
    """The most bytes that a value has as a string."""
    if kind.base in ("char", "varchar"):
        return (kind.length or 0) * (charset.max_bytes(kind.charset) if kind.charset else 4)
    if kind.base in (*_STRINGS, *TEXTS):
        return kind.max_bytes
    if kind.members:
        return 4 * sum(len(m) + 1 for m in kind.members)
    return 1 << 32 if kind.base in ("json", "vector") or kind.is_geometry else 100
