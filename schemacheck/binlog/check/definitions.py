"""The definitions of both ends as the log moves them along."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from schemacheck.binlog.events.statement import Query
from schemacheck.filters import Catalog
from schemacheck.filters.sql import Statement
from schemacheck.inputs import ddl
from schemacheck.model import InputProblem, Location, Schema, Server, Table

#: Bits of the status variable sql_mode that change how DDL is read (sql_class.h, MODE_*).
SQL_MODES = {0: "REAL_AS_FLOAT", 2: "ANSI_QUOTES", 3: "IGNORE_SPACE", 20: "NO_BACKSLASH_ESCAPES", 21: "STRICT_TRANS_TABLES", 22: "STRICT_ALL_TABLES"}
DDL = frozenset({
    "create-table", "create-table-like", "create-table-select", "alter-table", "drop-table", "rename-table", "create-view", "drop-view", "alter-view",
    "create-database", "drop-database", "alter-database", "create-index", "drop-index", "create-sequence", "drop-sequence",
})  # fmt: skip
_STRUCTURE = re.compile(r"(?i)\b(ADD|DROP|MODIFY|CHANGE|CONVERT)\b")


def session(server: Server, query: Query) -> Server:
    """The server with the variables that the event carries for its statement."""
    variables = query.variables()
    settings = {}
    if isinstance(mode := variables.get("sql_mode"), int):
        settings["sql_mode"] = ",".join(name for n, name in SQL_MODES.items() if mode >> n & 1)
    if isinstance(explicit := variables.get("explicit_defaults_for_timestamp"), int):
        settings["explicit_defaults_for_timestamp"] = "ON" if explicit else "OFF"
    return server.with_settings(settings) if settings else server


class Definitions:
    """The tables of one end, by database and name as that server compares them. `None`: known to be there, but not how."""

    def __init__(self, schema: Schema | None, server: Server) -> None:
        self.server = server
        self.fold = server.setting("lower_case_table_names") not in ("", "0")
        self.known = schema is not None
        self.tables: dict[tuple[str, str], Table] = {}
        self.doubtful: dict[tuple[str, str], str] = {}
        self.bare: dict[str, Table] = {}
        for table in schema.tables if schema else ():
            if table.database is None:
                self.bare[self.case(table.name)] = table
            else:
                self.tables[self.key(table.database, table.name)] = table
        for problem in schema.problems if schema else ():
            if problem.table and not problem.skipped:
                self.doubtful[self.key(problem.database or "", problem.table)] = problem.message

    def case(self, name: str) -> str:
        """A name as this server compares it."""
        return name.lower() if self.fold else name

    def key(self, database: str, name: str) -> tuple[str, str]:
        """A table's key."""
        return self.case(database), self.case(name)

    def get(self, database: str, name: str) -> Table | None:
        """The table; one of a schema without database names belongs to any database."""
        key = self.key(database, name)
        found = self.tables.get(key)
        if found is None and key[1] in self.bare:
            found = self.tables[key] = replace(self.bare[key[1]], database=database)
        return found

    def doubt(self, database: str, name: str) -> str | None:
        """Why the table's definition is not known, or None."""
        return self.doubtful.get(self.key(database, name)) or self.doubtful.get(self.key("", name))

    def catalog(self) -> Catalog:
        """What is there, for the evaluation of statements: databases that the schema describes are complete."""
        names: dict[str, list[str]] = {}
        for table in self.tables.values():
            names.setdefault(table.database or "", []).append(table.name)
        return Catalog.of(names, lower=self.fold)

    def apply(self, query: Query, statement: Statement, database: str | None, where: Location) -> list[InputProblem]:
        """Run a definition statement that succeeds. What cannot be followed makes its tables doubtful."""
        self._adopt(statement, database)
        before = dict(self.tables)
        base = Schema(tuple(self.tables.values()))
        after = ddl.read(query.query, session(self.server, query), file=where.file, database=database, base=base)
        self.tables = {self.key(t.database or database or "", t.name): t for t in after.tables}
        self._drop_and_rename(statement, database)
        problems = [replace(p, location=where) for p in after.problems]
        touched = [self.key(ref.database or database or "", ref.name) for ref in statement.updated]
        for key in touched:
            if key not in self.tables:
                self.doubtful.pop(key, None)
                continue
            if problems:
                self.doubtful[key] = problems[0].message
            elif statement.verb == "alter-table" and key in before and self.tables[key] == before[key] and _STRUCTURE.search(query.query):
                self.doubtful[key] = "an ALTER TABLE in the log could not be followed"
            elif statement.verb.startswith("create-table"):
                self.doubtful.pop(key, None)
        if self.known and statement.verb in ("create-table-like", "create-table-select") and touched and touched[0] not in self.tables:
            self.doubtful[touched[0]] = "CREATE TABLE ... LIKE or SELECT in the log could not be followed"
        return problems

    def _adopt(self, statement: Statement, database: str | None) -> None:
        """Tables of a schema without database names get the one in which the statement looks for them."""
        for ref in statement.refs:
            if ref.database or database:
                self.get(ref.database or database or "", ref.name)

    def _drop_and_rename(self, statement: Statement, database: str | None) -> None:
        if statement.verb == "drop-table" and not statement.temporary:
            for ref in statement.refs:
                self.tables.pop(self.key(ref.database or database or "", ref.name), None)
                self.bare.pop(self.case(ref.name), None)
        if statement.verb == "drop-database" and (statement.database or database):
            gone = self.case(statement.database or database or "")
            for key in [key for key in self.tables if key[0] == gone]:
                del self.tables[key]
        for old, new in statement.renames:
            here = self.key(old[0] or database or "", old[1])
            there = self.key(new[0] or database or "", new[1])
            if here in self.tables and here != there:
                self.tables[there] = replace(self.tables.pop(here), name=new[1], database=new[0] or database)

    def closed(self) -> Iterable[str]:
        """Databases of which something is known."""
        return {key[0] for key in self.tables}
