"""The words of an expression: its names and functions."""

from __future__ import annotations

import re

from schemacheck.model.normal import expression as expression_of
from schemacheck.model.quote import quoted
from schemacheck.sql import characters

_QUOTED = rf"{characters.BACKQUOTED}|{characters.string(chr(39))}|{characters.string(chr(34))}"
_WORD = re.compile(
    rf"{_QUOTED}|[A-Za-z_]{characters.NAME}*(?={characters.SPACE}*\()|[A-Za-z_]{characters.NAME}*", re.DOTALL
)
_STRINGS = re.compile(_QUOTED, re.DOTALL)
_CALLED = re.compile(
    rf"(@@?(?:{characters.NAME}|\.)+)|((?<!{characters.NAME})[a-z_]{characters.NAME}*+){characters.SPACE}*\(",
    re.IGNORECASE | re.ASCII,
)


def words(text: str) -> list[str]:
    """All words outside of quotes, as written."""
    return [word for word in _WORD.findall(text) if word[0] not in "`'\""]


def called(text: str) -> frozenset[str]:
    """Functions and variables (`@@server_id`) outside of quotes, lower case."""
    return frozenset(
        (variable or function).lower() for variable, function in _CALLED.findall(_STRINGS.sub("''", text))
    )


_NAME = re.compile(
    rf"'(?:[^']|'')*'|`((?:[^`]|``)*)`|([A-Za-z_]{characters.NAME}*+)(?!{characters.SPACE}*\()"
)


def uses(expression: str, name: str) -> bool:
    """Whether a canonical expression names a column."""
    folded = name.casefold()
    return any(
        (found.group(1) or found.group(2) or "").replace("``", "`").casefold() == folded
        for found in _NAME.finditer(expression)
    )


def with_name(expression: str, old: str, new: str) -> str:
    """The expression with one column's name replaced."""

    def put(found: re.Match[str]) -> str:
        name = (found.group(1) or found.group(2) or "").replace("``", "`")
        return quoted(new) if name.casefold() == old.casefold() else found.group()

    return expression_of(_NAME.sub(put, expression))
