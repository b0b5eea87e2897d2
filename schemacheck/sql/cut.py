"""Text cut into the words that a server's lexer sees, of which chains (`a.b.c`) are still one."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import NamedTuple

from schemacheck.knowledge import characters

#: `sql_functions` of MySQL and MariaDB (sql/lex.h): with IGNORE_SPACE, blanks may come between. Some are of
#: one flavour, or of newer versions: as a name before a parenthesis none is read here.
FUNCTIONS = frozenset((
    "ADDDATE", "ADD_MONTHS", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CUME_DIST", "CURDATE",
    "CURRENT_DATE", "CURRENT_TIME", "CURTIME", "DATE_ADD", "DATE_FORMAT", "DATE_SUB", "DECODE", "DENSE_RANK",
    "EXTRACT", "FIRST_VALUE", "GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "JSON_TABLE", "LAG", "LEAD",
    "MAX", "MEDIAN", "MID", "MIN", "NOW", "NTH_VALUE", "NTILE", "PERCENTILE_CONT", "PERCENTILE_DISC",
    "PERCENT_RANK", "POSITION", "RANK", "ROW_NUMBER", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP",
    "STDDEV_SAMP", "ST_COLLECT", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "SYSDATE", "SYSTEM_USER", "TRIM",
    "TRIM_ORACLE", "VARIANCE", "VAR_POP", "VAR_SAMP",
))  # fmt: skip


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
    """One token: its text without the quotes around a value, its first and last offset (inclusive)."""

    token_type: TokenType
    text: str
    start: int
    end: int


#: The kinds of the pattern's groups, by number.
_KINDS = (
    TokenType.SIGN, TokenType.VAR, TokenType.SIGN, TokenType.IDENTIFIER, TokenType.STRING,
    TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.NATIONAL_STRING, TokenType.VAR, TokenType.NUMBER,
    TokenType.OPEN, TokenType.SIGN,
)  # fmt: skip
_EXPONENTS = ("e", "E")
_OPAQUE = frozenset((3, 4, 5, 6, 7, 9, 10))
_CONTROLS = r"\x00-\x08\x0e-\x1f\x7f"
CONTROL = re.compile(f"[{_CONTROLS}]")


class Cut(NamedTuple):
    """The words of a text: their kinds, where they start and end, and what they are in capitals ('' for what
    is quoted and for numbers).

    `rough`: there are chains, or something is not closed. `controls`: control characters may be among the
    words.
    """

    kinds: list[TokenType]
    starts: list[int]
    ends: list[int]
    words: list[str]
    rough: bool
    controls: bool


def cut(text: str, *, ansi_quotes: bool, backslash: bool, dollar_quotes: bool) -> Cut:
    """The words of a statement under a sql_mode, as the fields of `Tokens` say it."""
    matches = _pattern(ansi_quotes, backslash, dollar_quotes).finditer(text)
    # A text in capitals has every character where it was.
    folded = characters.upper(text)
    result = [(group, *match.span(group)) for match in matches if (group := match.lastindex) is not None]
    kinds = [_KINDS[group] for group, _, _ in result]
    words = ["" if group in _OPAQUE else folded[start:end] for group, start, end in result]
    rough = TokenType.OPEN in kinds
    if "." in text:
        kinds = [TokenType.DOT if word == "." else kind for kind, word in zip(kinds, words, strict=True)]
        rough = rough or any("." in word != "." for word in words)
        # A number with a dot, of whose exponent the digits are missing.
        rough = rough or any(
            _KINDS[group] is TokenType.NUMBER and text[end : end + 1] in _EXPONENTS
            for group, _, end in result
        )
    return Cut(
        kinds, [start for _, start, _ in result], [end for _, _, end in result], words, rough,
        CONTROL.search(text) is not None,
    )  # fmt: skip


@cache
def _pattern(ansi_quotes: bool, backslash: bool, dollar_quotes: bool) -> re.Pattern[str]:
    """One token with the blanks and comments before it."""
    name, start = characters.NAME, characters.NAME_START
    single = characters.string("'", backslash=backslash)
    double = characters.string('"', backslash=backslash)
    # A dot that touches a word and a name makes a chain: what follows it is a name, be it `1e5` or `0x1`.
    # No group that may fail half-way is possessive: CPython before 3.11.4 does not step back there.
    chain = rf"(?:\.{name}++)*"
    exponent = "[eE][+-]?[0-9]++"
    no_dollar_quote = r"(?!\$[0-9A-Za-z_\x80-\U0010ffff]*+\$)" if dollar_quotes else ""
    kinds = (
        rf"(?![NnXxBb]'){no_dollar_quote}{start}{name}*+{chain}",
        # A name stands directly behind `@` and `@@` (MY_LEX_USER_END, MY_LEX_SYSTEM_VAR; asked of MariaDB).
        rf"[(),;=<>!+*%&|^~?:{{}}\[\]\\]|(?<!@)@(?=[.'\"`@]|{name})|(?<=@)@(?=`|{name})",
        characters.BACKQUOTED + ("|" + characters.string('"', backslash=False) if ansi_quotes else ""),
        single if ansi_quotes else f"{single}|{double}",
        rf"0x[0-9A-Fa-f]++(?!{name})|[xX]'(?:[0-9A-Fa-f]{{2}})*+'",
        rf"0b[01]++(?!{name})|[bB]'[01]*+'",
        f"[nN]{single}",
        rf"0[xb]{name}*+{chain}|[0-9]++(?![eE][+-]?[0-9]){start}{name}*+{chain}",
        rf"[0-9]++(?:\.[0-9]*+)?(?:{exponent})?|\.[0-9]++(?:{exponent})?",
        r"['\"`]|/\*|[xXbB]'|\$|@",
        ".",
    )
    skipped = rf"(?:{characters.SPACE}++|{characters.COMMENT})*"
    return re.compile(skipped + "(?:" + "|".join(f"({kind})" for kind in kinds) + r"|\Z)", re.DOTALL)
