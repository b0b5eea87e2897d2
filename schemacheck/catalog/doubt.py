"""What may hide a definition of a script.

Statements that define nothing are taken to run where their form is known and what they name is there,
whatever rows they meet: those that change rows are counted. At all others the client may stop, which is said
where a definition follows.
"""

from __future__ import annotations

import re

from schemacheck.catalog import asked
from schemacheck.catalog.context import Place
from schemacheck.catalog.settings import Variables
from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import replace
from schemacheck.model import Table
from schemacheck.model.account import Taken
from schemacheck.model.location import Location
from schemacheck.model.question import Question
from schemacheck.sql.client import Statement
from schemacheck.sql.lexer import Refused
from schemacheck.sql.routine import strange
from schemacheck.sql.scan import never_given_back
from schemacheck.sql.words import Name, changed_tables, cut_name, locked_tables, object_of

#: What in an ALTER concerns other tables.
_OTHER_TABLES = ("RENAME", "REFERENCES", "EXCHANGE")
#: The server, the session or the script ends here, or has other tables behind it.
_ENDS = frozenset(("CLONE", "HANDLER", "KILL", "RESIGNAL", "RESTART", "SHUTDOWN", "SIGNAL", "UNINSTALL"))
_TRANSACTION = frozenset(("BEGIN", "COMMIT", "ROLLBACK", "START"))
#: What a session may not set while a transaction is open (1568, 1694, 1559, 1766).
_OUTSIDE = re.compile(r"TRANSACTION|ISOLATION|SQL_LOG_BIN|BINLOG_|GTID|SKIP_REPLICATION", re.IGNORECASE)
_CHANGES = frozenset(("DELETE", "INSERT", "LOAD", "REPLACE", "UPDATE"))
#: A statement of more characters is read where it is rows of literals.
_LONGEST = 20_000


class Doubts:
    """What of a script may stop its client."""

    def __init__(self, text: str) -> None:
        """`text` is the whole script's."""
        self.text = text
        #: A migration, which its tool takes for applied where all of it has run; a change, which is judged
        #: statement by statement.
        self.applied = False
        #: A dump: it may name a place in its server's log (CHANGE MASTER) for a replica that is made of it.
        self.dumped = False
        self.taken: Taken | None = None
        self._waiting: list[Location] = []
        self._found: list[tuple[Statement, Location, str, Question | None]] = []
        self._told = False
        self._locked: set[Name] = set()
        self._made: set[Name] = set()
        self._transaction = False

    def note(
        self, statement: Statement, text: str, catalog: Catalog, words: list[str], variables: Variables
    ) -> None:
        """A statement that defines nothing, as this server reads it."""
        if words[0] in _CHANGES:
            self._waiting.append(catalog.lines.at(statement.start))
        if self.applied or (self._found and not asked.are_there()):
            return
        if self.dumped and (words[0] == "CHANGE" or self._of_unread(text, catalog)):
            return
        why = _unsure(text, catalog, variables)
        if why:
            self.found(statement, catalog, why)
        elif words[0] in _ENDS or (words[0] == "SET" and "READ ONLY" in " ".join(words)):
            self.found(statement, catalog, "nothing may be defined behind it")
        elif words[:2] in (["FLUSH", "TABLES"], ["FLUSH", "TABLE"]) and "WITH" in words:
            self.found(statement, catalog, "all tables are locked")
        elif self._transaction and words[0] == "SET" and _OUTSIDE.search(text):
            self.found(statement, catalog, "it may not stand in a transaction")
        elif words[0] == "LOCK":
            self._locked = {
                catalog.key(table[0] or catalog.database, table[1]) for table in locked_tables(text)
            }
        elif words[0] in ("UNLOCK", "BEGIN", "START"):
            self._locked.clear()
        if words[0] in _TRANSACTION:
            self._transaction = words[0] in ("BEGIN", "START")
        for name in changed_tables(text):
            key = catalog.key(name[0] or catalog.database, name[1])
            if name[0] is None and not (
                key in catalog.tables or key in catalog.failed or key in catalog.temporary
            ):
                self.found(statement, catalog, f"table {name[1]!r} is not known")

    def _of_unread(self, text: str, catalog: Catalog) -> bool:
        """Whether a statement changes rows of a table that was not read, and has its problem already."""
        names = [catalog.key(name[0] or catalog.database, name[1]) for name in changed_tables(text)]
        return any(name in catalog.failed for name in names)

    def end(self, catalog: Catalog) -> None:
        """The script's end."""
        result = None if self.applied else never_given_back(self.text)
        if result is not None:
            why = (
                "the file may be cut off: a dump restores at its end what it saves here "
                f"(@{result[1]}), and this one does not; dump it again, or remove such lines"
            )
            catalog.problem(Refused(why, 0), Statement(result[0], ""), None)

    def found(self, statement: Statement, catalog: Catalog, why: str) -> None:
        """The client may stop at a statement."""
        if not self._found or asked.are_there():
            place = catalog.lines.at(statement.start)
            self._found.append((statement, place, why, asked.about_data(catalog, statement)))

    def routine(self, statement: Statement, catalog: Catalog, text: str) -> None:
        """A routine, whose body is not read but for words with which no statement of one begins."""
        try:
            why = strange(catalog.tokens(text))
        except Refused as refused:
            why = refused.message
        if why:
            self.found(statement, catalog, why)
        else:
            self._waiting.append(catalog.lines.at(statement.start))

    def view(self, statement: Statement, catalog: Catalog, text: str) -> None:
        """A view, whose query may read what is not there."""
        if self.applied or (self._found and not asked.are_there()):
            return
        from schemacheck.catalog import data_statements

        if why := data_statements.of_view(catalog.tokens(text), catalog):
            self.found(statement, catalog, why)

    def settle(self, statement: Statement, catalog: Catalog, words: list[str]) -> None:
        """A definition follows: a problem where the client may have stopped before it, or stops here."""
        self._transaction = False
        if self._locked and not self._is_locked(statement, catalog, words):
            self.found(statement, catalog, "tables are locked, and this may be none of them")
        if self._waiting:
            before = self.taken
            first = before.first if before is not None else self._waiting[0]
            self.taken = Taken((before.count if before is not None else 0) + len(self._waiting), first)
            self._waiting.clear()
        while self._found and not self._told and not asked.left(self._found[0][3], self._found[0][2]):
            del self._found[0]
        if not self._found or self._told:
            return
        self._told = True
        doubtful, place, why, question = self._found[0]
        why = asked.left(question, why)
        message = (
            f"whether the server runs this statement is not known ({why}): if not, the client stops here, "
            "so that the definitions below never run. Move it below them, or remove it"
        )
        here, catalog.lines = catalog.lines, Place(place)
        catalog.problem(Refused(message, 0, code="SC001"), doubtful, None)
        catalog.lines = here

    def changed(self, statement: Statement, catalog: Catalog, key: Name | None, before: Table | None) -> None:
        """A definition of a table has run; `before` is the table as it was, `key` None where its name is not
        read. A table that the script has made or changed, and corrects behind statements that are taken to
        run, is unknown: the client may have stopped at one of them.

        Dumps add keys, foreign keys and AUTO_INCREMENT behind the rows: that is no correction.
        """
        again, after = key is None or key in self._made, catalog.tables.get(key) if key else None
        if key is not None:
            self._made.add(key)
        if self.taken is None or self.applied or not again:
            return
        if key is not None and (before is after or key in catalog.failed):
            return
        if before is not None and after is not None and _extends(before, after):
            return
        message = (
            "it changes a table behind statements whose rows or bodies decide whether they run (the first in "
            f"line {self.taken.first.line}): put definitions in front of them"
        )
        refused = Refused(message, 0, code="SC001")
        catalog.fail(refused, statement, None if after is None else key)

    def _is_locked(self, statement: Statement, catalog: Catalog, words: list[str]) -> bool:
        """Whether a definition changes nothing but one table that is locked."""
        name = cut_name(statement.text, catalog.database)
        if name is None or catalog.key(*name) not in self._locked:
            return False
        changes = words[0] == "ALTER" or object_of(words) == "INDEX"
        return changes and not any(word in statement.text.upper() for word in _OTHER_TABLES)


def _extends(before: Table, after: Table) -> bool:
    """Whether a table is another one with further keys, or with AUTO_INCREMENT, and no more."""
    if not {key for key in before.keys if not key.generated} <= set(after.keys):
        return False
    plain = [
        replace(
            table,
            columns=tuple(replace(column, auto_increment=False) for column in table.columns),
            keys=(),
            foreign_keys=(),
            checks=(),
        )
        for table in (before, after)
    ]
    same = plain[0] == plain[1] and before.partition_sql == after.partition_sql
    return same and set(before.checks) <= set(after.checks)


def _unsure(text: str, catalog: Catalog, variables: Variables) -> str:
    """Why it is not sure that the server runs a statement; '' where it is."""
    from schemacheck.catalog import data_statements, run_forms

    try:
        if data_statements.rows_of_literals(text, catalog):
            return ""
        if len(text) > _LONGEST:
            return "it is too long to be read"
        run_forms.sure(catalog.tokens(text), text, catalog, variables)
    except Refused as refused:
        return refused.message
    return ""
