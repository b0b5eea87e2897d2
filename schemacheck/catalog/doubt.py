"""Statements of a script that define nothing: where the server refuses one, the client stops, and the
definitions behind it never run.

Each is read when it comes, under the tables and settings of its place; that it is not sure to run is said
where a definition follows. Rows of literals, as dumps insert them, are recognised by a pattern.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.catalog.context import Lines, Place
from schemacheck.catalog.session import Session
from schemacheck.catalog.settings import Variables
from schemacheck.catalog.state import Catalog
from schemacheck.model.account import Taken
from schemacheck.sql.lexer import Refused
from schemacheck.sql.routine import strange
from schemacheck.sql.scan import never_given_back
from schemacheck.sql.script import Statement
from schemacheck.sql.words import Name, cut_name, object_of

if TYPE_CHECKING:
    from schemacheck.catalog.contents import Contents
    from schemacheck.sql.ddl.parse import Definition

#: How mysqldump and mariadb-dump begin a view (`get_view_structure`), and how servers print its query.
_DUMPED_VIEW = "/*!50001 CREATE ALGORITHM="
_PRINTED_QUERY = re.compile(r"\(*(?:select (?:distinct )?[^ \n].* AS `|with (?:recursive )?`)")
_NO_TABLE = re.compile(r"[ \n]from[ \n]+(?![ \n`(]|dual |json_table\()", re.IGNORECASE)
#: What in an ALTER concerns other tables.
_OTHER_TABLES = ("RENAME", "REFERENCES", "EXCHANGE")
#: A statement of more characters is read where it is rows of literals.
_LONGEST = 1_000_000


def _is_dumped(text: str, query: str) -> bool:
    """Whether a view is written as a dump writes one that the server has: its query need not be understood to
    the last function and hint, if its form is whole.
    """
    from schemacheck.sql import query_tree

    if not text.startswith(_DUMPED_VIEW) or _PRINTED_QUERY.match(query) is None or _NO_TABLE.search(query):
        return False
    return query_tree.parse(query) is not None


class Doubts:
    """What of a script may stop its client."""

    def __init__(self, text: str, *, continues: bool = False) -> None:
        """`text` is the whole script's; `continues`: tables were there before."""
        self.session = Session()
        self.text = text
        #: A migration, which its tool takes for applied where all of it has run: what may fail is taken to
        #: run.
        self.applied = False
        #: Tables that this script has made, until the first statement that concerns rows.
        self.fresh: set[Name] = set()
        self._contents: Contents | None = None
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
            if self._is_rows(statement, text, catalog):
                return
            if len(text) > _LONGEST:
                self.found(statement, catalog)
            else:
                run_forms.sure(catalog.tokens(text), catalog, self.session, variables)
                self.contents(catalog).touched(statement, catalog.tokens(text), catalog)
        except Refused as refused:
            if self.applied and not refused.errno:
                self.contents(catalog).unsure(statement, catalog)
            else:
                self.found(statement, catalog)

    def end(self, catalog: Catalog) -> None:
        """The script's end."""
        found = None if self.applied else never_given_back(self.text)
        if found is not None:
            why = (
                "the file may be cut off: a dump restores at its end what it saves here "
                f"(@{found[1]}), and this one does not; dump it again, or remove such lines"
            )
            catalog.problem(Refused(why, 0, "SC002"), Statement(found[0], ""), None)

    def contents(self, catalog: Catalog) -> Contents:
        """What tables hold."""
        if self._contents is None:
            from schemacheck.catalog.contents import Contents

            text = self.text.casefold()
            self._contents = Contents(
                {key: [] for key in self.fresh if key in catalog.tables},
                unchecked="unique_checks" in text or "foreign_key_checks" in text,
            )
        return self._contents

    @property
    def quiet(self) -> bool:
        """Whether nothing was found yet, of a script that has had a statement that defines nothing."""
        return self._found is None and self._contents is not None

    @property
    def taken(self) -> Taken | None:
        """The statements in front of definitions that are taken to run, whatever rows they meet."""
        made = self._contents
        return Taken(made.taken, made.first) if made is not None and made.first is not None else None

    def defined(
        self, statement: Statement, found: Definition | None, catalog: Catalog, *, more: bool
    ) -> None:
        """A definition has run, `more` says that a table has come: where the rows of its table prove that the
        server refuses it, the table is unknown. What changes a temporary table is not followed.
        """
        name = getattr(found, "table", None)
        if name is not None and catalog.key(name[0] or catalog.database, name[1]) in catalog.temporary:
            self.found(statement, catalog, "a temporary table is not followed")
        if self._contents is None:
            if more:
                self.fresh.add(next(reversed(catalog.tables)))
                return
            if name is None or catalog.key(name[0] or catalog.database, name[1]) in self.fresh:
                return
        why, name = self.contents(catalog).defined(statement, found, catalog, more=more)
        if why:
            catalog.fail(Refused(f"the server refuses this: {why}", 0, "SC002"), statement, name)
            self.found(statement, catalog, why)

    def gone(self, key: Name) -> None:
        """There is no table of this name: nor are rows of one."""
        if self._contents is not None:
            self._contents.rows.pop(key, None)

    def found(self, statement: Statement, catalog: Catalog, why: str = "", *, refused: bool = False) -> None:
        """The client may stop at a statement; `refused`: it does."""
        if self._found is None:
            said = "whether the server runs this statement is not known"
            said = "the server refuses this statement" if refused else said
            said += f" ({why})" if why else ""
            self._found = statement, catalog.lines, f"{said}: {'' if refused else 'if not, '}"

    def view(self, statement: Statement, catalog: Catalog, query: str, *, listed: bool = True) -> None:
        """The query of a view or a temporary table: the client stops where a name in it means nothing.
        `listed`: the names of the columns are not those of the query.
        """
        if self._found is not None:
            return
        from schemacheck.catalog.runs import Runs
        from schemacheck.catalog.view_query import ViewQuery

        t = catalog.tokens(query)
        runs = Runs(t, catalog, self.session)
        try:
            if t.peek() == "SELECT":
                runs.view()
                return
        except Refused:
            t.at = 0
        try:
            made = {key[1].casefold() for what, key in self._made if what == "FUNCTION"}
            ViewQuery(t, catalog.flavor.reserved, runs.columns, made).read(listed=listed)
        except Refused as refused:
            if refused.errno or not _is_dumped(statement.text, query):
                self.found(statement, catalog, refused.message)
        except RecursionError:
            self.found(statement, catalog, "the query is nested too deeply")

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
            why = (
                strange(catalog.tokens(text))
                or program_head.doubt(catalog.tokens(text), catalog)
                or program_head.body_refused(catalog.tokens(text))
            )
        except Refused as refused:
            why = refused.message
        if why:
            self.found(statement, catalog, why)
        else:
            self.contents(catalog).wait(statement, catalog)

    def settle(self, statement: Statement, catalog: Catalog, words: list[str]) -> None:
        """A definition follows, with these words: a problem where the client may have stopped before it, or
        stops here.
        """
        if self.session.locked and not self._is_locked(statement, catalog, words):
            self.found(statement, catalog, "tables are locked, and this may be none of them")
        if self._contents is not None:
            self._contents.settle()
        for one in self.prepared.values():
            self.found(one, catalog, "it is prepared, and nowhere executed")
        if self._found is None or self._told:
            return
        self._told = True
        doubtful, lines, said = self._found
        here, catalog.lines = catalog.lines, lines
        message = (
            f"{said}the client stops here, so that the definitions below never run. Move it "
            "below them, or remove it"
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

    def _is_rows(self, statement: Statement, text: str, catalog: Catalog) -> bool:
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
        named = runs.names()
        columns = filled(table, named, strict=catalog.server.strict)
        if literal_rows.rows(catalog.server.backslash, columns).fullmatch(text, len(head)) is None:
            return False
        if why := self.contents(catalog).inserted(statement, text, head, table, named, catalog):
            self.found(statement, catalog, why, refused=True)
        return True
