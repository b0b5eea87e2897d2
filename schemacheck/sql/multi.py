"""The statements of one text that a client sends to the server at once (CLIENT_MULTI_STATEMENTS)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from schemacheck.dataclass import replace
from schemacheck.knowledge import characters
from schemacheck.model.server import Server
from schemacheck.sql.routine import Body
from schemacheck.sql.scan import delimiter_inside
from schemacheck.sql.versioned_comment import insides, interpret
from schemacheck.sql.words import ROUTINES, first_words, object_of

if TYPE_CHECKING:
    from schemacheck.sql.client import Statement


@cache
def _semicolons(ansi_quotes: bool, backslash: bool) -> re.Pattern[str]:
    skipped = "|".join((
        characters.string("'", backslash=backslash), characters.string('"',
        backslash=backslash and not ansi_quotes),
        characters.BACKQUOTED, characters.COMMENT,
    ))  # fmt: skip
    return re.compile(f"{skipped}|(?P<end>;)", re.DOTALL)


#: An empty statement, which is an error anywhere but at the end.
EMPTY = ";"
_NOTHING = re.compile(rf"(?:{characters.SPACE}++|{characters.COMMENT})*+")
#: What MariaDB runs outside of routines, and what may hold semicolons there.
_COMPOUND = frozenset(("BEGIN", "IF", "LOOP", "WHILE", "REPEAT", "FOR", "CASE", "DECLARE"))


def _inside(spans: list[tuple[int, int]], at: int) -> bool:
    result = bisect_left(spans, (at, 0)) - 1
    return result >= 0 and at <= spans[result][1]


def server_statements(sent: Statement, server: Server) -> Iterator[Statement]:
    """The statements of a text, cut at semicolons as the server does: not inside of a routine's body."""
    text = interpret(sent.text, server) if sent.versioned else sent.text
    cut = _semicolons("ANSI_QUOTES" in server.sql_mode, server.backslash)
    ends = [match.start() for match in cut.finditer(text) if match.lastgroup == "end"]
    if delimiter_inside(text, backslash=server.backslash) is not None:
        # Where the client's DELIMITER got into a statement, its end is not where it was meant to be.
        yield sent
        return
    start = piece = 0
    body: Body | None = None
    item: list[tuple[int, int]] = []
    running = insides(sent.text, server) if sent.versioned else []
    refused: Statement | None = None
    for end in (*ends, len(text)):
        if body is None:
            words = first_words(text[piece:end])
            if words[:1] == ["BEGIN"] and words[1:2] in ([], ["WORK"]):
                words = []
            if words and words[0] in _COMPOUND:
                item.append((start, len(text)))
                break
            if words[:1] == ["CREATE"] and object_of(words) in ROUTINES:
                body = Body(sent)
        going_on = body is not None and body.feed(text[piece:end], backslash=server.backslash)
        piece = end + 1
        if going_on and end < len(text):
            continue
        body = None
        if end < len(text) and _inside(running, end):
            # The server's parser meets the end of a statement where a comment is open: it refuses that one,
            # and what stands behind it (asked of MariaDB).
            refused = replace(sent, text=sent.text, open=sent.open or "versioned comment")
            break
        if end < len(text) or not _NOTHING.fullmatch(text, start):
            item.append((start, end))
        start = piece
    if refused is None and len(item) == 1:
        yield sent
        return
    for start, end in item:
        yield replace(
            sent,
            start=sent.start + start,
            text=EMPTY if _NOTHING.fullmatch(text, start, end) else text[start:end],
            versioned=False,
            open_at=max(0, sent.open_at - start),
        )
    if refused is not None:
        yield refused
