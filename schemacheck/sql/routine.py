"""Where a routine's body ends in a script that has no DELIMITER: its statements come one by one."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from schemacheck.knowledge import characters
from schemacheck.knowledge.characters import NAME
from schemacheck.model.column_type import ColumnType
from schemacheck.model.type_text import BadType
from schemacheck.sql.cut import TokenType
from schemacheck.sql.scan import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.sql.client import Statement
    from schemacheck.sql.lexer import Tokens

_LOOPS = frozenset(("IF", "LOOP", "WHILE", "REPEAT", "FOR"))
_CLOSED = frozenset((*_LOOPS, "CASE"))
#: In a routine's head, what comes before a name.
_NAMED = frozenset(
    ("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "EXISTS", "ON", "FOLLOWS", "PRECEDES", ".", ",")
)
#: In a routine's head, what a body may come behind.
_BEHIND = frozenset((")", "'", "DETERMINISTIC", "DATA", "SQL", "DEFINER", "INVOKER"))
_BODY = frozenset(("RETURN", "SELECT", "CALL", "SIGNAL"))
#: Behind these an expression goes on: an END here is somebody's column.
_OPERAND = frozenset((
    "CASE", "WHEN", "THEN", "ELSE", "AND", "OR", "XOR", "NOT", "BETWEEN", "LIKE", "IN", "IS", "(", ",",
    "=", "<", ">", "+", "-", "*", "/", "%", "|", "&", "^", "!",
))  # fmt: skip


#: With what statements of a body begin.
_BEGINS = frozenset((
    "ALTER", "ANALYZE", "BEGIN", "CALL", "CASE", "CHECK", "CLOSE", "COMMIT", "CONTINUE", "CREATE",
    "DEALLOCATE", "DECLARE", "DELETE", "DO", "DROP", "ELSE", "ELSEIF", "ELSIF", "END", "EXECUTE",
    "EXIT", "FETCH", "FLUSH", "FOR", "FUNCTION", "GET", "GOTO", "GRANT", "HANDLER", "IF", "INSERT",
    "INSTALL", "ITERATE", "KILL", "LEAVE", "LOAD", "LOCK", "LOOP", "NULL", "OPEN", "OPTIMIZE",
    "PREPARE", "PROCEDURE", "PURGE", "RELEASE", "RENAME", "REPAIR", "REPEAT", "REPLACE", "RESET",
    "RESIGNAL", "RETURN", "REVOKE", "ROLLBACK", "SAVEPOINT", "SELECT", "SET", "SHOW", "SIGNAL", "START",
    "TRUNCATE", "UNINSTALL", "UNLOCK", "UNTIL", "UPDATE", "USE", "VALUES", "WHEN", "WHILE", "WITH",
    "XA", "(", ";",
))  # fmt: skip
#: Signs that touch and mean nothing in a body.
_NOTHING = frozenset(("//", "*/"))


def strange(t: Tokens) -> str:
    """What in a routine no server reads, as far as that shows without reading its body; '' for nothing."""
    words = t.words
    body = body_at(t)
    if body is not None and words[body] not in _BEGINS and words[body + 1 : body + 2] != [":"]:
        return f"{t.raw(body)[:40]!r} begins no statement of a routine" if body < t.size else "it has no body"
    for index in range(t.size - 1):
        if words[index] == "$$" or (
            words[index] + words[index + 1] in _NOTHING and t.ends[index] == t.starts[index + 1]
        ):
            return "// or $$ is no delimiter here: put DELIMITER lines around the routine"
        following = words[index + 1]
        if (
            words[index] == ";"
            and following not in _BEGINS
            and words[index + 2 : index + 3] != [":"]
            and t.kinds[index + 1] is not TokenType.IDENTIFIER
        ):
            return f"{t.raw(index + 1)[:40]!r} begins no statement of a routine"
    return ""


#: Between a procedure's parameters and its body; '' is a string.
_ABOUT = frozenset((
    "COMMENT", "LANGUAGE", "SQL", "NOT", "DETERMINISTIC", "CONTAINS", "NO", "READS", "MODIFIES", "DATA",
    "SECURITY", "DEFINER", "INVOKER", "",
))  # fmt: skip


def body_at(t: Tokens) -> int | None:
    """Where the body of a trigger, an event or a procedure begins; None for others."""
    words, size = t.words, t.size
    what = next(
        (index for index in range(min(size, 20)) if words[index] in ("TRIGGER", "EVENT", "PROCEDURE")), size
    )
    if what == size:
        return None
    if words[what] == "EVENT":
        return next((index + 1 for index in range(what, size) if words[index] == "DO"), size)
    if words[what] == "TRIGGER":
        at = next((index + 1 for index in range(what, size) if words[index] == "ROW"), size)
        return at + 2 if words[at] in ("FOLLOWS", "PRECEDES") else at
    at = next((index for index in range(what, size) if words[index] == "("), size)
    depth = 0
    while at < size:
        depth += (words[at] == "(") - (words[at] == ")")
        at += 1
        if depth == 0:
            break
    while at < size and words[at] in _ABOUT:
        at += 1
    return at


#: A word of a body that may be a table, behind its database.
_TABLES = re.compile(
    r"(?:(?:\b(?:FROM|\w*JOIN|INTO|UPDATE|TABLE|INSERT|REPLACE|IGNORE|DELAYED|\w+_PRIORITY)[\s(]+)+|,\s*)"
    rf"(?:({NAME}+)\s*\.\s*)?({NAME}+)",
    re.IGNORECASE | re.ASCII,
)


def tables_named(body: str) -> Iterator[tuple[str, str]]:
    """The words of a body without strings and quotes that may be tables: database and name."""
    return ((word[1] or "", word[2]) for word in _TABLES.finditer(body))


def text_behind_name(t: Tokens, text: str) -> str:
    """A routine's parameters, result (as servers write it) and body, behind its name. Of characteristics only
    DETERMINISTIC decides how often it runs; Made has whose rights (asked of four servers).
    """
    if t.end:
        return ""
    begins, words = t.offset(), t.words
    if t.peek() == "(":
        t.skip_parentheses()
    result = t.at + 1 if t.peek() == "RETURNS" else t.size
    ends = (_BEGINS | _ABOUT) - {"(", ""}
    while not t.end and words[t.at] not in ends:
        t.at += 1
    first = t.at
    head = text[begins : t.offset()]
    with suppress(BadType):
        written = ColumnType.parse(characters.strip(text[t.offset(result) : t.offset()]))
        head = f"{text[begins : t.offset(result)]}{written.sql()} "
    while not t.end and words[t.at] in _ABOUT and (words[t.at] or words[t.at - 1] == "COMMENT"):
        t.at += 1
    if t.end or first == t.at:
        return head + text[t.offset(first) :]
    told = words[first : t.at]
    fixed = "DETERMINISTIC" in told and "NOT" not in told
    return f"{head}{'DETERMINISTIC ' if fixed else ''}{text[t.offset() :]}"


class Body:
    """The blocks that are open. `feed` takes the statements in order, the one with CREATE first."""

    __slots__ = ("head", "open", "statement")

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.open: list[str] = []
        self.head = True

    def feed(self, text: str, *, backslash: bool = True) -> bool:
        """Whether the routine goes on behind this statement."""
        # `begins`: a statement of the body begins with this word.
        begins, handler, parentheses, previous = not self.head, False, 0, ""
        words = [*tokens(text, backslash=backslash), ""]
        for index, word in enumerate(words[:-1]):
            first, begins = begins or (self.head and word in _CLOSED and previous in _BEHIND), False
            if word in "()":
                parentheses += 1 if word == "(" else -1
            elif previous in (".", "@"):
                pass
            elif word == "END":
                self._end(words[index + 1], previous, first=first)
            elif previous == "END":
                pass
            elif word == "BEGIN":
                if not parentheses and (first or handler or (self.head and previous not in _NAMED)):
                    self._push("BEGIN")
                    begins = True
            elif word == "CASE":
                self._push("CASE" if first else "case")
            elif word in _LOOPS and first:
                self._push(word)
                begins = word in ("LOOP", "REPEAT")
            elif word == "LOOP" and self._top in ("FOR", "WHILE"):
                self.open[-1] = "LOOP"
                begins = True
            elif word in ("THEN", "ELSE"):
                begins = self._top != "case" and not parentheses
            elif word == ":" or (word == "DO" and not first) or (word == "ROW" and previous == "EACH"):
                begins = True
            elif word == "HANDLER":
                handler = True
            elif word in _BODY or (first and word not in ("FOLLOWS", "PRECEDES")):
                self.head = False
            previous = word
        self.head = False
        return bool(self.open)

    @property
    def _top(self) -> str:
        return self.open[-1] if self.open else ""

    def _push(self, kind: str) -> None:
        self.open.append(kind)
        self.head = False

    def _end(self, following: str, previous: str, *, first: bool) -> None:
        if following in _CLOSED and following in self.open:
            self._close(following)
        elif self._top == "case":
            if previous not in _OPERAND:
                self.open.pop()
        elif first or previous == "BEGIN":
            self._close("BEGIN")

    def _close(self, kind: str) -> None:
        """The last block of this kind and what was taken for a block inside it."""
        if kind in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(kind) :]
