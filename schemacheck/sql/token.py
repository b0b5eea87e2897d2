"""The kinds of words that SQL text is made of."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class TokenType(Enum):
    """What a token is. Punctuation is of one character each: `<=>` are three tokens that touch."""

    VAR = "an unquoted word"
    IDENTIFIER = "a name in quotes"
    STRING = "a string"
    NATIONAL_STRING = "a string N'...'"
    NUMBER = "a number"
    HEX_STRING = "0x1F or x'1F'"
    BIT_STRING = "0b1 or b'1'"
    DOT = "."
    SIGN = "other punctuation"
    OPEN = "what begins a string, a name or a comment that is not closed"

    # Members are singletons; the enum's own hash is a Python call, and every token's kind is looked up in
    # sets.
    __hash__ = object.__hash__


class Token(NamedTuple):
    """One token: its text without quotes that keep a value together, and its first and last offset
    (inclusive).
    """

    token_type: TokenType
    text: str
    start: int
    end: int
