"""Bodies of stored programs: their statements, flattened; a branch counts as taken, and that is said."""

from __future__ import annotations

import re
from collections.abc import Callable

from schemacheck.dataclass import replace
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements.value import Statement

#: Reads a statement's text; what knows all statements hands it in.
Parse = Callable[[str], Statement]

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


def body(t: Tokens, first: int, parse: Parse, *, skip_characteristics: bool = False) -> tuple[Statement, ...]:
    """The statements in a body, in order, which begins at a word of the statement; `parse` reads each. With
    `skip_characteristics` the words before are those behind the parameters.
    """
    statements = []
    branched = False
    for begin, end in _pieces(t, first, skip_characteristics=skip_characteristics):
        start, conditional = _strip(t, begin, end)
        branched |= conditional
        if start >= end or t.words[start] in ("DECLARE", "END", "LEAVE", "ITERATE", "UNTIL"):
            continue
        text = t.text[t.starts[start] : t.ends[end - 1]]
        if t.words[start] == "RETURN":
            text = "DO " + text[len("RETURN") :]
        elif t.words[start] == "SET":
            text = "DO " + re.split(r":?=", text, maxsplit=1)[-1]
        statements.append(parse(text))
    if branched:
        note = "the body has branches: which of its statements run cannot be determined"
        statements = [replace(statement, problems=(*statement.problems, note)) for statement in statements]
    return tuple(statements)


def _pieces(t: Tokens, first: int, *, skip_characteristics: bool) -> list[tuple[int, int]]:
    """The words between semicolons, from the body's first statement on: (first, behind the last)."""
    if skip_characteristics:
        # CONTAINS SQL, READS SQL DATA, SET in RETURNS SET(...) are no statements
        begins = (
            at
            for at in range(first, t.size)
            if t.words[at] in _STARTS and not (t.words[at] == "SET" and t.words[at - 1] == "RETURNS")
        )
        first = next(begins, t.size)
    ends = [at for at in range(first, t.size) if t.words[at] == ";"] + [t.size]
    begins_at = [first, *(at + 1 for at in ends)]
    return [(begin, end) for begin, end in zip(begins_at, ends, strict=False) if begin < end]


def _strip(t: Tokens, first: int, last: int) -> tuple[int, bool]:
    """Where a statement begins behind the control words before it; whether one of them was a branch."""
    branched = False
    while first < last:
        head = t.words[first]
        if first + 1 < last and t.words[first + 1] == ":" and t.words[first + 2] != "=":
            first += 2
            continue
        until = "THEN" if head == "CASE" else _LEADING.get(head)
        if head == "END":
            return last, branched
        if until is None:
            return first, branched
        branched |= head == "CASE" or head in _BRANCHES
        if until:
            first = next((at for at in range(first, last) if t.words[at] == until), last)
        first += 1
    return last, branched
