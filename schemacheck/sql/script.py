"""A script cut into statements, and its versioned comments read as this server reads them.

Cutting follows the mysql client (strings, names, comments, DELIMITER), reading the comments the
server's lexer (`/*!80023 INVISIBLE */` runs from MySQL 8.0.23 on, `/*M!100301 ... */` on MariaDB
only). Both keep every character's offset: what does not count becomes blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from schemacheck.model.server import Server

# CPython before 3.11.4 does not step back where a lookahead fails inside a possessive group: no lookahead stands in one here.
_STRING = r"'(?:[^'\\]++|\\.|'')*+'"
_QUOTED = r'"(?:[^"\\]++|\\.|"")*+"'
#: Under NO_BACKSLASH_ESCAPES a backslash is a character like any other.
_RAW = r"'(?:[^']++|'')*+'|" + r'"(?:[^"]++|"")*+"'
COMMENT = r"--(?=[\s\x00-\x1f]|\Z)[^\n]*+|\#[^\n]*+|/\*(?!M?!)[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
_REST = r"|`[^`]*+`|" + COMMENT + r")|(?P<versioned>/\*M?!)|(?P<open>['\"`]|/\*)"


def strings(*, backslash: bool) -> str:
    """The pattern of a string, and of a name in double quotes."""
    return _STRING + "|" + _QUOTED if backslash else _RAW


_DELIMITER_LINE = re.compile(r"[ \t]*(?:delimiter|\\d)[ \t]+([^\r\n]+)", re.IGNORECASE)
#: Commands of the mysql client, which end with their line where no delimiter stands in it (recorded on the clients of MariaDB 10.11 and 11.8).
_COMMAND = re.compile(
    r"(?:(?:use|source|charset|connect|tee|prompt|system|pager|help)[ \t]+[^\s;][^\r\n]*+"
    r"|(?:exit|quit|connect|status|warnings|nowarning|notee|pager|nopager|rehash|print|clear|go|ego|edit|help)[ \t]*+(?=[\r\n]|\Z))", re.IGNORECASE,
)  # fmt: skip
#: Their short forms: some take the rest of the line.
_SHORT = re.compile(r"\\(?:[.uCTPR!hr][^\r\n]*+|.|\Z)")
_BLANK = re.compile(r"(?:\s++|" + COMMENT + ")+")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: where it starts in the script, its text without the delimiter, and whether versioned comments stand in it.

    `whole` says that a delimiter other than the semicolon cut it: a routine's body is all here.
    `open` names what is not closed at the end of the script ('string', 'comment'), else None; `open_at` is where it
    begins, in the statement's text.
    """

    start: int
    text: str
    versioned: bool = False
    open: str | None = None
    open_at: int = 0
    whole: bool = False


@cache
def _pieces(delimiter: str, backslash: bool) -> re.Pattern[str]:
    return re.compile(
        "(?P<skip>"
        + strings(backslash=backslash)
        + _REST
        + r"|(?P<end>"
        + re.escape(delimiter)
        + ")"
        + (r"|(?P<client>\\[Gg])" if delimiter == ";" else ""),
        re.DOTALL,
    )


def statements(text: str, backslash: Callable[[], bool] = lambda: True) -> Iterator[Statement]:
    """The statements of a script, in order. DELIMITER lines are followed, not given out.

    `backslash` is asked before each statement whether backslashes escape (no NO_BACKSLASH_ESCAPES).
    """
    delimiter = ";"
    position = 0
    size = len(text)
    while position < size:
        blank = _BLANK.match(text, position)
        if blank:
            position = blank.end()
            if position >= size:
                return
        line = _DELIMITER_LINE.match(text, position) if text[position] in "dD\\" else None
        if line:
            delimiter = line.group(1).split()[0] if line.group(1).split() else delimiter
            position = line.end()
            continue
        start = position
        command = _command(text, position, delimiter)
        if command:
            position = command
            yield Statement(start, text[start:command], whole=delimiter != ";")
            continue
        versioned = False
        unclosed = None
        unclosed_at = 0
        for piece in _pieces(delimiter, backslash()).finditer(text, position):
            kind = piece.lastgroup
            if kind == "skip":
                continue
            if kind == "versioned":
                versioned = True
                continue
            if kind == "open":
                unclosed = "comment" if piece.group() == "/*" else "string"
                unclosed_at = piece.start() - start
                position = end = size
            else:
                end = piece.start()
                position = piece.end()
            break
        else:
            end = position = size
        body = text[start:end]
        if body.strip():
            yield Statement(start, body, versioned, unclosed, unclosed_at, delimiter != ";")


def _command(text: str, position: int, delimiter: str) -> int | None:
    """Where a command of the mysql client ends that begins here, or None. The mysql client of 9.x has none; scripts of old do."""
    if text[position] == "\\":
        short = _SHORT.match(text, position)
        return short.end() if short else None
    before = position
    while before and text[before - 1] in " \t":
        before -= 1
    if before and text[before - 1] not in "\r\n":
        return None
    line = _COMMAND.match(text, position)
    return line.end() if line and delimiter not in line.group() else None


_VERSIONED = re.compile(
    r"(?P<skip>" + _STRING + "|" + _QUOTED + r"|`[^`]*+`|" + COMMENT + ")"
    r"|(?P<start>/\*(?P<m>M?)!(?P<number>\d{0,6}))|(?P<end>\*/)",
    re.DOTALL,
)
_EDGE = re.compile(r"/\*|\*/")


def interpret(text: str, server: Server) -> str:
    """The text as this server runs it: comments that count lose their marks, others become blanks; offsets stay."""
    if "/*" not in text:
        return text
    out: list[str] = []
    position = copied = 0
    while True:
        found = _VERSIONED.search(text, position)
        if found is None:
            break
        kind = found.lastgroup
        if found.group("skip") is not None:
            position = found.end()
            continue
        out.append(text[copied : found.start()])
        if kind == "end" or found.group("start") is None:
            # The end of a comment that counts.
            out.append("  ")
            position = copied = found.end()
            continue
        number = _number(found.group("number"), server)
        if _runs(found.group("m") == "M", number, server):
            position = copied = found.start("number") + len(number) if found.group("number") else found.end()
            out.append(" " * (position - found.start()))
        else:
            position = copied = _close(text, found.end())
            out.append(_blank(text[found.start() : position]))
    out.append(text[copied:])
    return "".join(out)


def _blank(text: str) -> str:
    """Blanks of the same length, lines kept."""
    return re.sub(r"[^\n]", " ", text)


def _close(text: str, position: int) -> int:
    """Behind the `*/` of a comment that does not count; comments inside it are nested."""
    depth = 1
    for edge in _EDGE.finditer(text, position):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def _number(digits: str, server: Server) -> str:
    """The version's digits: five, or six where the server knows six."""
    if len(digits) < 5:
        return ""
    return digits[:6] if server.has("six-digit-version-comments") else digits[:5]


def _runs(mariadb_only: bool, digits: str, server: Server) -> bool:
    """Whether the server executes a comment of this version."""
    if mariadb_only and not server.mariadb:
        return False
    if not digits:
        return True
    wanted = int(digits)
    major, minor, patch = server.version
    if wanted > major * 10_000 + minor * 100 + patch:
        return False
    # MySQL 5.7 and later are no ancestors of MariaDB 10 and later.
    return mariadb_only or not (server.has("ignores-later-mysql-comments") and 50_700 <= wanted <= 99_999)


_WORD_OR_SPACE = re.compile(
    r"(?:\s++|--(?=[\s\x00-\x1f]|\Z)[^\n]*+|\#[^\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)|(?P<word>[A-Za-z_][A-Za-z_0-9]*+)|(?P<other>"
    + _STRING
    + r"|`[^`]*+`|.)",
    re.DOTALL,
)


def first_words(text: str, most: int = 14) -> list[str]:
    """A statement's first unquoted words in capitals, up to the first parenthesis; [] where it does not begin with a word."""
    words: list[str] = []
    for found in _WORD_OR_SPACE.finditer(text):
        if found.group("word"):
            words.append(found.group().upper())
            if len(words) >= most:
                break
        elif found.group("other") is not None and (not words or found.group() == "("):
            break
    return words
