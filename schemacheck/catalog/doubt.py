"""Queries and data manipulation in a script: where the server refuses one, the client stops, and what follows
never runs.

Nothing is asked of such a statement before a definition follows it. Rows of literals, as dumps insert them,
are recognised here; all else is given to sqlglot's parser. What that does not read may be valid all the
same, so that it is unknown whether what follows runs.
"""

from __future__ import annotations

from schemacheck.catalog.context import Lines, Place
from schemacheck.catalog.state import Catalog
from schemacheck.sql.lexer import Refused
from schemacheck.sql.readable import is_read, is_rows
from schemacheck.sql.script import Statement

#: The statements that are looked at.
VERBS = frozenset(("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"))
#: So many wait at most before they are read.
_MOST = 500


class Doubts:
    """The statements of a script in which its client may stop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Statement, str, Lines | Place]] = []
        self._found: tuple[Statement, Lines | Place] | None = None
        self._told = False

    def note(self, statement: Statement, text: str, catalog: Catalog) -> None:
        """A statement of one of these verbs, as this server reads it."""
        if self._told or self._found or is_rows(text, backslash=catalog.server.backslash):
            return
        self._waiting.append((statement, text, catalog.lines))
        if len(self._waiting) >= _MOST:
            self._read()

    def settle(self, catalog: Catalog) -> None:
        """A definition follows: a problem where the client may have stopped before it."""
        if self._told:
            return
        self._read()
        if self._found is None:
            return
        self._told = True
        statement, lines = self._found
        here, catalog.lines = catalog.lines, lines
        why = (
            "this statement is not understood: if the server refuses it, the client stops here, and the "
            "definitions behind it never run"
        )
        catalog.problem(Refused(why, 0), statement, None)
        catalog.lines = here

    def _read(self) -> None:
        for statement, text, lines in self._waiting:
            if not is_read(text):
                self._found = statement, lines
                break
        self._waiting.clear()
