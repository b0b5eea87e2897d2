"""INSERT and REPLACE of rows of literals, as dumps have them: a pattern, since dumps are long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from schemacheck.sql import characters

_S = characters.SPACE
_SPACE = rf"(?:{_S}++|{characters.COMMENT})*"
_NAME = rf"(?:{characters.BACKQUOTED}|[A-Za-z_][A-Za-z_0-9]*+)"
_HEAD = re.compile(
    rf"{_SPACE}(?:INSERT|REPLACE){_S}++(?:IGNORE{_S}++)?INTO{_SPACE}{_NAME}(?:\.{_NAME})?{_SPACE}"
    rf"(?:\({_SPACE}{_NAME}{_SPACE}(?:,{_SPACE}{_NAME}{_SPACE})*\){_SPACE})?VALUES?{_SPACE}(?=\()",
    re.IGNORECASE | re.DOTALL,
)


def head(text: str) -> str | None:
    """A statement's text up to its first row; None where it begins otherwise."""
    found = _HEAD.match(text)
    return None if found is None else found.group()


def _value(backslash: bool) -> str:
    """The pattern of a literal."""
    # No lookahead is in a possessive group: CPython before 3.11.4 does not step back there.
    string = characters.string("'", backslash=backslash)
    number = r"[-+]?(?:0x[0-9a-fA-F]++|[0-9]++(?:\.[0-9]*+)?(?:[eE][-+]?[0-9]{1,2})?)(?![0-9A-Za-z_$.])"
    return rf"(?:(?:_binary{_SPACE}|[xXbBnN])?{string}|{number}|NULL|DEFAULT|TRUE|FALSE)"


@cache
def _signs(backslash: bool) -> re.Pattern[str]:
    """What rows are made of."""
    return re.compile(
        rf"{characters.COMMENT}|(?P<value>{_value(backslash)})|(?P<end>\))", re.IGNORECASE | re.DOTALL
    )


def values(text: str, at: int, *, backslash: bool) -> Iterator[list[str]]:
    """The literals of each row of a text that `rows` has recognised, as they are written."""
    row: list[str] = []
    for found in _signs(backslash).finditer(text, at):
        if found.lastgroup == "value":
            row.append(found.group())
        elif found.lastgroup == "end":
            yield row
            row = []


@lru_cache(maxsize=64)
def rows(backslash: bool, columns: int) -> re.Pattern[str]:
    """Rows of so many literals each."""
    value = _value(backslash)
    more = rf"(?:,{_SPACE}{value}{_SPACE}){{{columns - 1}}}" if columns else ""
    row = rf"\({_SPACE}{value}{_SPACE}{more}\){_SPACE}" if columns else rf"\({_SPACE}\){_SPACE}"
    return re.compile(rf"{row}(?:,{_SPACE}{row})*", re.IGNORECASE | re.DOTALL)
