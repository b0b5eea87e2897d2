"""Bodies of stored programs: their statements, flattened; a branch counts as taken, and that is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.filters.sql.lexer import tokens
from schemacheck.sql import characters

if TYPE_CHECKING:
    from schemacheck.filters.sql.statement import Statement
    from schemacheck.model.server import Server

_LEADING = {
    "IF": "THEN",
    "ELSEIF": "THEN",
    "WHEN": "THEN",
    "WHILE": "DO",
    "FOR": "DO",
    "ELSE": "",
    "LOOP": "",
    "REPEAT": "",
    "BEGIN": "",
    "THEN": "",
}
_STARTS = {
    "BEGIN", "RETURN", "INSERT", "UPDATE", "DELETE", "REPLACE", "SELECT", "SET", "CALL", "IF", "WITH",
    "TRUNCATE", "CREATE", "ALTER", "DROP", "DO", "LOOP", "WHILE",
    "REPEAT", "CASE", "COMMIT", "START", "DECLARE", "ROLLBACK", "RENAME", "FLUSH", "ANALYZE", "GRANT",
    "REVOKE", "PREPARE", "EXECUTE", "SIGNAL", "LOAD",
}  # fmt: skip
_BRANCHES = {"IF", "ELSEIF", "WHEN", "WHILE", "ELSE", "FOR"}


def body(text: str, server: Server, *, skip_characteristics: bool = False) -> tuple[Statement, ...]:
    """The statements in a body, in order. With `skip_characteristics` the text begins behind the
    parameters.
    """
    from schemacheck.filters.sql.analyse import analyse

    found = []
    branched = False
    for piece in _pieces(text, skip_characteristics=skip_characteristics):
        rest, conditional = _strip(piece)
        branched |= conditional
        if not rest:
            continue
        head = tokens(rest)[0].upper
        if head == "RETURN":
            rest = "DO " + rest[len("RETURN") :]
        elif head == "SET":
            rest = "DO " + re.split(r":?=", rest, maxsplit=1)[-1]
        elif head in ("DECLARE", "END", "LEAVE", "ITERATE", "UNTIL"):
            continue
        inner = analyse(rest, server)
        found.append(inner)
    if branched:
        from dataclasses import replace

        note = "the body has branches: which of its statements run cannot be determined"
        found = [replace(one, problems=(*one.problems, note)) for one in found]
    return tuple(found)


def _pieces(text: str, *, skip_characteristics: bool) -> list[str]:
    """The text between semicolons, from the body's first statement on."""
    items = tokens(text)
    start = 0
    if skip_characteristics:
        previous = ""
        for position, token in enumerate(items):
            word = token.upper
            # CONTAINS SQL, READS SQL DATA, SET in RETURNS SET(...) are no statements
            if word in _STARTS and not (previous == "RETURNS" and word == "SET"):
                start = position
                break
            previous = word
        else:
            return []
    items = items[start:]
    pieces, first = [], 0
    for position, token in enumerate(items):
        if token.text == ";":
            pieces.append(text[items[first].start : token.start] if position > first else "")
            first = position + 1
    if first < len(items):
        pieces.append(text[items[first].start : items[-1].end])
    return [piece for piece in pieces if piece]


def _strip(piece: str) -> tuple[str, bool]:
    """A statement without the control words before it; whether one of them was a branch."""
    branched = False
    while True:
        items = tokens(piece)
        if not items:
            return "", branched
        head = items[0].upper
        if len(items) > 1 and items[1].text == ":" and items[0].name:
            piece = characters.strip(piece[items[1].end :])
            continue
        if head == "END":
            return "", branched
        if head == "CASE":
            branched = True
            upto = next((t for t in items if t.upper == "THEN"), None)
            if upto is None:
                return "", branched
            piece = characters.strip(piece[upto.end :])
            continue
        if head not in _LEADING:
            return piece, branched
        branched |= head in _BRANCHES
        if not _LEADING[head]:
            piece = characters.strip(piece[items[0].end :])
            continue
        upto = next((t for t in items if t.upper == _LEADING[head]), None)
        if upto is None:
            return "", branched
        piece = characters.strip(piece[upto.end :])
