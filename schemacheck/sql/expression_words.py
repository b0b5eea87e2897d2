"""The words of an expression: its names and functions."""

from __future__ import annotations

import re
from functools import cache

from schemacheck.knowledge import characters

_QUOTED = rf"{characters.BACKQUOTED}|{characters.string(chr(39))}|{characters.string(chr(34))}"


@cache
def _call() -> re.Pattern[str]:
    name, space = characters.NAME, characters.SPACE
    called = rf"(@@?(?:{name}|\.)+)|((?<!{name})[a-z_]{name}*+){space}*\("
    return re.compile(called, re.IGNORECASE | re.ASCII)


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(_QUOTED, re.DOTALL)


def called(text: str) -> frozenset[str]:
    """Functions and variables (`@@server_id`) outside of quotes, lower case."""
    return frozenset(
        (variable or function).lower() for variable, function in _call().findall(_quoted().sub("''", text))
    )


@cache
def _name() -> re.Pattern[str]:
    """A string, or a name that is no function's and stands before no string (DATE'...')."""
    name, space = characters.NAME, characters.SPACE
    return re.compile(rf"'(?:[^']|'')*'|`((?:[^`]|``)*)`|([A-Za-z_]{name}*+)(?!{space}*[\('])")


def uses(expression: str, name: str) -> bool:
    """Whether a canonical expression names a column."""
    folded = name.casefold()
    return any(
        (match.group(1) or match.group(2) or "").replace("``", "`").casefold() == folded
        for match in _name().finditer(expression)
    )
