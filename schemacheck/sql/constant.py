"""Integer constants that are written as expressions, as the bounds of partitions are."""

from __future__ import annotations

import re
from collections.abc import Callable

from schemacheck.knowledge import characters
from schemacheck.model.quote import unquote

_TOKEN = re.compile(
    rf"\s*(?:(?P<number>\d+(?![\w.]))|(?P<text>{characters.string(chr(39))})|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<operator>[-+*%(),]))",
    re.ASCII | re.DOTALL,
)


class NotConstant(Exception):
    """Something that is no integer constant, or none that is computed here."""


def integer(text: str, call: Callable[[str, str], int]) -> int | None:
    """The integer that an expression is; None for NULL. Raises NotConstant."""
    found, at = [], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            if not characters.strip(text[at:]):
                break
            raise NotConstant
        found.append((token.lastgroup or "", token.group(token.lastgroup or 0)))
        at = token.end()
    if [(kind, value.upper()) for kind, value in found] == [("word", "NULL")]:
        return None
    reader = _Reader([*found, ("end", "")], call)
    value = reader.sum()
    if reader.tokens[reader.at][0] != "end":
        raise NotConstant
    return value


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]], called: Callable[[str, str], int]) -> None:
        self.tokens, self.at, self.called = tokens, 0, called

    def take(self, *words: str) -> str | None:
        value = self.tokens[self.at][1].upper()
        if self.tokens[self.at][0] in ("operator", "word") and value in words:
            self.at += 1
            return value
        return None

    def sum(self) -> int:
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> int:
        value = self.factor()
        while operator := self.take("*", "%", "MOD", "DIV"):
            other = self.factor()
            if operator == "*":
                value *= other
            elif other == 0:
                raise NotConstant
            else:
                # Both cut towards zero.
                quotient = abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
                value = quotient if operator == "DIV" else value - quotient * other
        return value

    def factor(self) -> int:
        if sign := self.take("-", "+"):
            return -self.factor() if sign == "-" else self.factor()
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise NotConstant
            return value
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return int(text)
        if kind == "word" and self.take("("):
            return self.call(text.upper())
        raise NotConstant

    def call(self, name: str) -> int:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind != "text" or not self.take(")"):
            raise NotConstant
        return self.called(name, unquote(text))
