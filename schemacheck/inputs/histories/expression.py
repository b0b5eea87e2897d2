"""Liquibase's expressions over contexts and labels: `a and !b`, `a, b`, `(a or b) and not c`
(liquibase.util.ExpressionMatcher).
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\s*(?:(?P<sign>[(),!])|(?P<word>[^\s(),!]+))")
#: Words of one expression, and parentheses inside each other.
_MOST, _DEEPEST = 1000, 20


class BadExpression(ValueError):
    """An expression that cannot be read."""


def selects(expression: str, names: set[str]) -> bool:
    """Whether an expression is true where these names hold (lower case). Raises BadExpression."""
    words = [(match["sign"] or match["word"]).lower() for match in _TOKEN.finditer(expression)]
    if len(words) > _MOST or "".join(words) != re.sub(r"\s", "", expression).lower():
        raise BadExpression(f"not understood: {expression[:60]!r}")
    value, at = _any(words, 0, names, 0)
    if at != len(words):
        raise BadExpression(f"not understood near {words[at]!r}: {expression[:60]!r}")
    return value


def _any(words: list[str], at: int, names: set[str], depth: int) -> tuple[bool, int]:
    value, at = _all(words, at, names, depth)
    while at < len(words) and words[at] in ("or", ","):
        other, at = _all(words, at + 1, names, depth)
        value = value or other
    return value, at


def _all(words: list[str], at: int, names: set[str], depth: int) -> tuple[bool, int]:
    value, at = _one(words, at, names, depth)
    while at < len(words) and words[at] == "and":
        other, at = _one(words, at + 1, names, depth)
        value = value and other
    return value, at


def _one(words: list[str], at: int, names: set[str], depth: int) -> tuple[bool, int]:
    negated = False
    while at < len(words) and words[at] in ("!", "not"):
        negated, at = not negated, at + 1
    if at == len(words) or depth > _DEEPEST or words[at] in (")", ",", "and", "or"):
        raise BadExpression("a name is expected")
    if words[at] == "(":
        value, at = _any(words, at + 1, names, depth + 1)
        if at == len(words) or words[at] != ")":
            raise BadExpression("a parenthesis is not closed")
    else:
        value = words[at].removeprefix("@") in names
    return value is not negated, at + 1
