"""The words of an expression under a sql_mode, and what a character set makes of a literal."""

from __future__ import annotations

import re
from functools import cache

from schemacheck.knowledge import characters
from schemacheck.model import charset as charsets
from schemacheck.model.quote import quoted, string, unquote

_INTRODUCER = re.compile(r"_[a-z][a-z0-9]*\Z")
_SINGLE, _DOUBLE = r"'(?:[^'\\]++|''|\\.)*+'", r'"(?:[^"\\]++|""|\\.)*+"'


@cache
def _pattern(*, ansi_quotes: bool, backslash: bool, joined: bool) -> re.Pattern[str]:
    """The words of an expression. Quotes may hold names, a backslash may be a character like any other;
    `joined`: `!` behind another operator belongs to it.
    """
    single, double = (_SINGLE, _DOUBLE) if backslash else ("'(?:[^']++|'')*+'", '"(?:[^"]++|"")*+"')
    strings, names = (f"(?:[nN](?='))?{single}", "`(?:[^`]++|``)*+`")
    strings, names = (strings, f"{names} | {double}") if ansi_quotes else (f"{strings} | {double}", names)
    return re.compile(
        rf"""(?P<space>{characters.SPACE}+|--[ \t][^\n]*|\#[^\n]*|/\*.*?\*/) | (?P<string> {strings} )
          | (?P<bits> [xX]'[0-9A-Fa-f]*' | [bB]'[01]*' | 0x[0-9A-Fa-f]+ | 0b[01]+ ) | (?P<name> {names} )
          | (?P<number> [0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?(?!{characters.NAME}) | \.[0-9]+(?:[eE][+-]?[0-9]+)? )
          | (?P<word> @{{0,2}}{characters.NAME}+ )
          | (?P<joined> {_JOINED if joined else "(?!)"} ) | (?P<operator> <=> | <> | != | <= | >= | \|\| | && | << | >> | ->> | -> | := | [-+*/%=<>!~^&|(),.?:;{{}}] ) | (?P<other> . )""",  # noqa: E501
        re.VERBOSE | re.DOTALL,
    )


#: Signs that MySQL's lexer takes for one (`MY_LEX_CMP_OP`): `!!` is the `!` at its front, the others are no
#: operators (1064). To MariaDB each `!` is a word of its own. Asked of 5.6, 9.7, 10.11 and 11.8.
_JOINED = "!! | <<! | <>! | <=!(?!=) | [=<>]!(?!=)"
#: Beside the words of sql_mode: whose text it is, where the two read it otherwise.
MYSQL, MARIADB = "mysql-grammar", "mariadb-grammar"
#: No sql_mode that changes what an expression means.
PLAIN: frozenset[str] = frozenset()
_FLAVORS = {False: frozenset((MYSQL,)), True: frozenset((MARIADB,))}


def printed_by(*, mariadb: bool) -> frozenset[str]:
    """How a server's own text is read: under no sql_mode."""
    return _FLAVORS[mariadb]


def tokens(text: str, modes: frozenset[str]) -> list[tuple[str, str]]:
    """The words of an expression as they are written under no sql_mode: (kind, text).

    `||` that means OR is the word; NOT keeps its place, see `expression`.
    """
    backslash = "NO_BACKSLASH_ESCAPES" not in modes
    result = []
    pattern = _pattern(ansi_quotes="ANSI_QUOTES" in modes, backslash=backslash, joined=MYSQL in modes)
    for match in pattern.finditer(text):
        kind, value = str(match.lastgroup), match.group()
        if kind == "space":
            continue
        if kind == "string":
            value = string(unquote(value.lstrip("nN"), backslash=backslash))
        elif kind == "name":
            value = quoted(value[1:-1].replace(value[0] * 2, value[0]).lower())
        elif kind in ("word", "bits"):
            value = value.lower()
        elif value == "!!" and kind == "joined":
            kind, value = "operator", "!"
        elif value == "||" and "PIPES_AS_CONCAT" not in modes:
            kind, value = "word", "or"
        result.append((kind, value))
    return result


#: The character set of the connection, which the server writes down where a CAST names none.
_CONNECTION = "utf8mb4"
CHARSET_WORDS = {"ascii": "latin1", "unicode": "ucs2"}
#: Character sets in which the bytes of plain letters are other letters, or none.
_OTHER_BYTES = frozenset(("binary", "ucs2", "utf16", "utf16le", "utf32"))


def in_charset(name: str) -> str:
    """The character set of a CAST, where it is not the connection's."""
    plain = charsets.canonical(name)
    return f" charset {plain}" if plain and plain != _CONNECTION else ""


def is_introducer(word: str) -> bool:
    """`_utf8mb4`."""
    return _INTRODUCER.match(word) is not None


def introduces(introducer: str, literal: str) -> bool:
    """Whether a literal is another value by its introducer; servers print one before every string."""
    charset = charsets.canonical(introducer[1:])
    if literal[:1] != "'" or charset in _OTHER_BYTES:
        return True
    return charset not in ("utf8mb4", "utf8mb3") and not literal.isascii()
