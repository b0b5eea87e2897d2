"""Literals of channel options, as `sql_yacc.yy` of both flavours reads them.

What is written without quotes and is neither a number nor a list stands for a string too: a shell takes
quotes away.
"""

from __future__ import annotations

import re

_HEX = re.compile(r"0x([0-9a-f]+)|x'((?:[0-9a-f]{2})+)'", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"([0-9]*)(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII)
#: What may stand for a string without quotes: words, paths, host names, addresses, hashes.
_BARE = re.compile(
    r"[a-z_./~*$][^'\"@()+\s]*|[0-9a-f:]*:[0-9a-f:.]+|[0-9]+(\.[0-9]+){2,}[\w.:-]*", re.IGNORECASE
)
_LIST = re.compile(r"\((.*)\)", re.DOTALL)
_HIGHEST = 2**64 - 1
_DIGITS = 20


def quoted(value: str) -> bool:
    """Whether this is a string literal in quotes."""
    return len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]


def text(value: str) -> str:
    """The string that a literal means; other text as it is."""
    if not quoted(value):
        return value
    mark = value[0]
    return re.sub(r"\\(.)", r"\1", value[1:-1].replace(mark * 2, mark), flags=re.DOTALL)


def is_text(value: str) -> bool:
    """Whether this is a string literal, or may stand for one without its quotes."""
    if quoted(value):
        return re.search(r"(?<!\\)" + value[0], value[1:-1].replace(value[0] * 2, "")) is None
    return _BARE.fullmatch(value) is not None


def written(value: str) -> str:
    """A string as a literal."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def number(value: str, *, hexadecimal: bool = True, strings: bool = True) -> int | None:
    """The whole number that strtoull finds in a numeric literal: 1.5 and 1e3 are 1; None: not such a literal.
    `hexadecimal`: 0x10 is one; `strings`: x'10' too, which MariaDB reads as a string.
    """
    found = _HEX.fullmatch(value)
    if found is not None:
        digits = found.group(1) or (found.group(2) if strings else None)
        return min(int(digits, 16), _HIGHEST) if hexadecimal and digits else None
    if not any(c in "0123456789" for c in value) or (plain := _NUMBER.fullmatch(value)) is None:
        return None
    digits = plain.group(1) or "0"
    return min(int(digits), _HIGHEST) if len(digits) <= _DIGITS else _HIGHEST


def period(value: str) -> float | None:
    """The value of a numeric literal that is not hexadecimal; None: not such a literal."""
    if number(value, hexadecimal=False) is None:
        return None
    try:
        return float(value)
    except ValueError:
        return None


def listed(value: str) -> list[str] | None:
    """The members of a list in brackets; None: no such list."""
    found = _LIST.fullmatch(value.strip())
    if found is None:
        return None
    return [part.strip() for part in found.group(1).split(",")] if found.group(1).strip() else []


def flag(value: str | None, *, default: bool = False) -> bool:
    """Whether an option of 0 and 1 is on; `default` where it is not given."""
    if value is None:
        return default
    found = number(value)
    return bool(found) if found is not None else value.upper() in ("ON", "YES", "TRUE")
