"""Statements of a script that define nothing: where the server refuses one, the client stops, and the
definitions behind it never run.

Each is read when it comes, under the tables and settings of its place; that it is not sure to run is said
where a definition follows. Rows of literals, as dumps insert them, are recognised by a pattern.
"""

from __future__ import annotations

from schemacheck.catalog.context import Lines, Place
from schemacheck.catalog.session import Session
from schemacheck.catalog.settings import Variables
from schemacheck.catalog.state import Catalog
from schemacheck.sql.lexer import Refused
from schemacheck.sql.routine import strange
from schemacheck.sql.script import Statement
from schemacheck.sql.words import Name, cut_name, object_of

#: What in an ALTER concerns other tables.
_OTHER_TABLES = ("RENAME", "REFERENCES", "EXCHANGE")
#: A statement of more characters is read where it is rows of literals.
_LONGEST = 1_000_000


class Doubts:
    """What of a script may stop its client."""

    def __init__(self, *, continues: bool = False) -> None:
        """`continues`: tables were there before."""
        self.session = Session()
        self._found: tuple[Statement, Lines | Place, str] | None = None
        self._told = False
        self._continues = continues
        self._made: set[tuple[str, Name]] = set()
        #: Statements that were prepared and not executed yet, by name.
        self.prepared: dict[str, Statement] = {}

    def note(self, statement: Statement, text: str, catalog: Catalog, variables: Variables) -> None:
        """A statement that defines nothing, as this server reads it."""
        if self._found is not None:
            return
        from schemacheck.catalog import run_forms

        try:
            if self._is_rows(text, catalog):
                return
            if len(text) > _LONGEST:
                self.found(statement, catalog)
            else:
                run_forms.sure(catalog.tokens(text), catalog, self.session, variables)
        except Refused:
            self.found(statement, catalog)

    def found(self, statement: Statement, catalog: Catalog, why: str = "") -> None:
        """The client may stop at a statement."""
        if self._found is None:
            self._found = statement, catalog.lines, why

    def view(self, statement: Statement, catalog: Catalog, query: str) -> None:
        """The query of a view: the client stops where a name in it means nothing."""
        if self._found is not None:
            return
        from schemacheck.catalog.runs import Runs
        from schemacheck.sql import query_tree

        try:
            t = catalog.tokens(query)
            if t.peek() not in ("SELECT", "WITH", "VALUES", "TABLE", "("):
                self.found(statement, catalog, "a view's query is expected")
                return
            Runs(t, catalog, self.session).view()
        except Refused as refused:
            if refused.errno:
                self.found(statement, catalog, refused.message)
            elif query_tree.parse(query) is None:
                self.found(statement, catalog, "the view's query is not understood")

    def named(self, statement: Statement, catalog: Catalog, verb: str, text: str) -> None:
        """CREATE, ALTER or DROP of a database, a routine, a trigger or an event: where it is made twice, or
        is not there, the client stops.
        """
        from schemacheck.sql.object_name import object_named

        found = object_named(catalog.tokens(text), verb)
        if found is None:
            return
        what, (database, name), tolerant = found
        key = what, catalog.key(name if what == "DATABASE" else database or catalog.database, name)
        if verb == "CREATE":
            if key in self._made and not tolerant:
                self.found(statement, catalog, "it is made twice")
            self._made.add(key)
            return
        there = key in self._made or self._continues or (what == "DATABASE" and name == catalog.database)
        if what == "DATABASE":
            there = there or name in catalog.databases or any(one[0] == key[1][0] for one in catalog.tables)
        if not there and not tolerant:
            self.found(statement, catalog, "it is not there")
        if verb == "DROP":
            self._made.discard(key)

    def routine(self, statement: Statement, catalog: Catalog, text: str) -> None:
        """A routine, whose body is not read: its head is, and words and signs with which no statement of one
        begins are seen.
        """
        if self._found is not None:
            return
        from schemacheck.catalog import program_head

        try:
            why = strange(catalog.tokens(text)) or program_head.doubt(catalog.tokens(text), catalog)
        except Refused as refused:
            why = refused.message
        if why:
            self.found(statement, catalog, why)

    def settle(self, statement: Statement, catalog: Catalog, words: list[str]) -> None:
        """A definition follows, with these words: a problem where the client may have stopped before it, or
        stops here.
        """
        if self.session.locked and not self._is_locked(statement, catalog, words):
            self.found(statement, catalog, "tables are locked, and this may be none of them")
        for one in self.prepared.values():
            self.found(one, catalog, "it is prepared, and nowhere executed")
        if self._found is None or self._told:
            return
        self._told = True
        doubtful, lines, why = self._found
        here, catalog.lines = catalog.lines, lines
        message = (
            f"whether the server runs this statement is not known{why and f' ({why})'}: if not, the client "
            "stops here, and the definitions behind it never run. Put it behind them, or leave it out"
        )
        catalog.problem(Refused(message, 0), doubtful, None)
        catalog.lines = here

    def _is_locked(self, statement: Statement, catalog: Catalog, words: list[str]) -> bool:
        """Whether a definition changes nothing but one table that is locked for it."""
        name = cut_name(statement.text, catalog.database)
        if name is None or not self.session.locked.get(catalog.key(*name)):
            return False
        changes = words[0] == "ALTER" or object_of(words) == "INDEX"
        return changes and not any(word in statement.text.upper() for word in _OTHER_TABLES)

    def _is_rows(self, text: str, catalog: Catalog) -> bool:
        """Whether a statement inserts rows of literals. Raises Refused where its table does not take them."""
        from schemacheck.catalog.runs import Runs, filled
        from schemacheck.sql import literal_rows

        head = literal_rows.head(text)
        if head is None:
            return False
        t = catalog.tokens(head)
        t.at += 1
        t.take("IGNORE")
        t.need("INTO")
        runs = Runs(t, catalog, self.session)
        table = runs.target()
        columns = filled(table, runs.names(), strict=catalog.server.strict)
        return literal_rows.rows(catalog.server.backslash, columns).fullmatch(text, len(head)) is not None
