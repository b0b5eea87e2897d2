"""Versioned comments, read as a server reads them (`lex_one_token`, `consume_comment` in sql/sql_lex.cc).

`/*!80023 INVISIBLE */` runs from MySQL 8.0.23 on, `/*M!100301 ... */` on MariaDB only. A comment that runs
ends at the next `*/` outside of strings, be it in another one that runs; one that does not run may hold one
level of comments.
"""

from __future__ import annotations

import re
from functools import cache

from schemacheck.knowledge import characters
from schemacheck.model.server import Server


@cache
def _edges(ansi_quotes: bool, backslash: bool, mariadb: bool) -> re.Pattern[str]:
    double = characters.string('"', backslash=backslash and not ansi_quotes)
    skipped = "|".join((
        characters.string("'", backslash=backslash), double, characters.BACKQUOTED, characters.LINE_COMMENT,
    ))  # fmt: skip
    mark = r"/\*M?!" if mariadb else r"/\*!"
    return re.compile(rf"(?P<skip>{skipped})|(?P<start>{mark})|(?P<comment>/\*)|(?P<end>\*/)", re.DOTALL)


_DIGITS = re.compile("[0-9]*")


def interpret(text: str, server: Server) -> str:
    """The text as this server runs it: comments that count lose their marks, others become blanks; offsets
    stay.

    What is not closed stays as it is: a lexer sees it then.
    """
    if "/*" not in text:
        return text
    edges = _edges("ANSI_QUOTES" in server.sql_mode, server.backslash, server.mariadb)
    out: list[str] = []
    position = copied = 0
    running = False
    while match := edges.search(text, position):
        position = match.end()
        kind = match.lastgroup
        begin = match.start()
        if kind == "skip" or (kind == "end" and not running):
            continue
        if kind == "end":
            running = False
        elif kind == "start" and (digits := _runs(text, match, server)) is not None:
            running = True
            position += digits
        else:
            position = _close(text, match.end(), nested=kind == "start")
            if position < 0:
                # Nothing behind its mark may close it.
                return "".join((*out, text[copied:begin], "/*", characters.blanked(text[begin + 2 :])))
        if kind == "comment":
            continue
        out += _parted(text[copied:begin], characters.blanked(text[begin:position]))
        copied = position
    # A comment that runs and is not closed is a syntax error: its mark stays, unlike a closed one's.
    return "".join((*out, text[copied:])) + ("/*" if running else "")


def insides(text: str, server: Server) -> list[tuple[int, int]]:
    """From where to where comments run that count, in order; one that is not closed runs to the end."""
    edges = _edges("ANSI_QUOTES" in server.sql_mode, server.backslash, server.mariadb)
    out: list[tuple[int, int]] = []
    position, begin = 0, -1
    while match := edges.search(text, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "end" and begin >= 0:
            out.append((begin, match.start()))
            begin = -1
        elif kind == "start" and _runs(text, match, server) is not None:
            begin = match.start() if begin < 0 else begin
        elif kind in ("start", "comment"):
            position = _close(text, match.end(), nested=kind == "start")
            if position < 0:
                break
    return [*out, (begin, len(text))] if begin >= 0 else out


def _parted(before: str, blanks: str) -> tuple[str, str]:
    """Text before a mark, and the blanks that come in its place. Dashes that touch the mark begin no comment,
    and would with a blank behind them: they are parted; where there is no room, the mark stays.
    """
    dashes = len(before) - len(before.rstrip("-"))
    if dashes < 2:
        return before, blanks
    more = dashes - 1
    if more > len(blanks) or "\n" in blanks[:more]:
        return before, "/*" + blanks[2:]
    return before[:-dashes], " ".join("-" * dashes) + blanks[more:]


def _close(text: str, position: int, *, nested: bool) -> int:
    """Behind the `*/` of a comment that does not run, -1 where it is not closed."""
    while True:
        end = text.find("*/", position)
        inner = text.find("/*", position, end) if nested and end >= 0 else -1
        if inner < 0:
            return end + 2 if end >= 0 else -1
        position = text.find("*/", inner + 2) + 2
        if position < 2:
            return -1


def _runs(text: str, mark: re.Match[str], server: Server) -> int | None:
    """How many digits of a version belong to a comment's mark; None where this server does not run it."""
    match = _DIGITS.match(text, mark.end())
    digits = match.group() if match else ""
    size = 5
    if len(digits) < size:
        return 0
    if len(digits) > size and server.has("six-digit-version-comments"):
        blank = text[mark.end() + 6 : mark.end() + 7] or " "
        if server.mariadb or (len(digits) == size + 1 and blank in characters.BLANK):
            size = 6
    wanted = int(digits[:size])
    major, minor, patch = server.version
    if wanted > major * 10_000 + minor * 100 + patch:
        return None
    # MySQL 5.7 and later are no ancestors of MariaDB 10 and later.
    if "M" not in mark.group() and server.has("ignores-later-mysql-comments") and 50_700 <= wanted <= 99_999:
        return None
    return size
