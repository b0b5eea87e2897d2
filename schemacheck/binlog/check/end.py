"""One server that runs the statements of a change: the source its own, the replica those that arrive."""

from __future__ import annotations

import copy
from dataclasses import fields

from schemacheck.binlog.check.definitions import Definitions
from schemacheck.binlog.check.log import LogCheck
from schemacheck.binlog.events.statement import Query
from schemacheck.dataclass import replace
from schemacheck.model import InputProblem, Link, Location, Schema, Server, ServerError, Table
from schemacheck.model.filters import FilterSet
from schemacheck.model.quote import quoted
from schemacheck.sql.ddl.actions import AlterTable, Rename
from schemacheck.sql.ddl.parse import Definition
from schemacheck.sql.statements import Ref

#: The database of schemas that name none; servers' messages show it, and nobody knows the name.
UNNAMED = "..."


class End:
    """One server that runs the statements: the source its own, the replica those that arrive."""

    def __init__(
        self,
        schema: Schema,
        link: Link,
        database: str,
        filters: FilterSet | None = None,
        *,
        own: bool = False,
        listed: frozenset[str] = frozenset(),
    ) -> None:
        """`listed`: the kinds of programs that the inputs tell: one of them that is not told is not there."""
        self.database = database
        self.check = LogCheck(placed(schema, database), link, filters=filters, own=own)
        # All tables of the database are in the schema, also where it has none.
        self.check.catalog.closed.add(self.tables.case(database))
        self.check.catalog.listed |= listed
        self.seen = 0

    @property
    def server(self) -> Server:
        """The server of this end, on which statements run."""
        return self.check.link.replica

    @property
    def tables(self) -> Definitions:
        """The tables of this end: its statements run as those of a replica do."""
        return self.check.replica_tables

    def lacks(self, ref: Ref, event: Query) -> bool:
        """Whether nothing of this name is there."""
        key = self.check.catalog.resolve((ref.database, ref.name), event.database or None)
        return key is not None and self.check.catalog.has(key) is False

    def has_view(self, ref: Ref, event: Query) -> bool:
        """Whether a view of this name is there."""
        key = self.check.catalog.resolve((ref.database, ref.name), event.database or None)
        return key in self.check.catalog.views

    def table(self, event: Query, alter: Definition | None) -> Table | None:
        """The table that ALTER TABLE names, under its new name where it has got one."""
        if not isinstance(alter, AlterTable):
            return None
        names = [alter.table, *(one.to for one in alter.actions if isinstance(one, Rename))]
        found = (self.tables.get(home or event.database, name) for home, name in reversed(names))
        return next((table for table in found if table is not None), None)

    def run(self, event: Query, where: Location | None) -> tuple[list[InputProblem], ServerError | None]:
        """Execute a statement: what of it could not be followed, and the error that it ends with. A refused
        one leaves everything as it was.
        """
        report, present = self.check.report, self.check.catalog
        before, held = copy.deepcopy(present), dict(self.tables.tables)
        self.check.take("", event)
        stop, report.stop = report.stop, None
        if stop is not None:
            for field in fields(present):
                setattr(present, field.name, getattr(before, field.name))
        found = [replace(one, location=where) for one in report.problems[self.seen :]]
        self.seen = len(report.problems)
        for key, table in self.tables.tables.items():
            if table is not held.get(key) and table.location and table.location.file.startswith("@"):
                self.tables.tables[key] = replace(table, location=where)
        return found, stop.error if stop is not None else None

    def make(self, event: Query, name: tuple[str, str], other: End, *, quiet: bool) -> ServerError | None:
        """A table as another end has made it, of whose query the log has rows alone; the error of a name that
        is taken. `quiet`: with IF NOT EXISTS.
        """
        key = self.tables.key(*name)
        table = other.tables.get(*name)
        if quiet and self.tables.get(*name) is not None:
            table = None
        words = "CREATE TABLE IF NOT EXISTS" if quiet else "CREATE TABLE"
        made = f"{words} {quoted(name[0])}.{quoted(name[1])} (x INT)"
        _, error = self.run(replace(event, query=made), None)
        if error is not None:
            return replace(error, message=error.message.replace(made, event.query))
        if table is not None and key in self.tables.tables:
            self.tables.tables[key] = table
        return None

    def schema(self, before: Schema) -> Schema:
        """The tables as they are now."""
        held, home = self.check.catalog.held, self.database
        places = [(one, self.tables.key(one.database or home, one.name.casefold())) for one in before.events]
        events = tuple(one for one, key in places if ("event", key) in held)
        tables = tuple(_named(table) for table in self.tables.tables.values())
        return replace(before, tables=tables, events=events)


def placed(schema: Schema, database: str) -> Schema:
    """The schema with a database for the tables that name none."""
    tables = tuple(table if table.database else replace(table, database=database) for table in schema.tables)
    events = tuple(one if one.database else replace(one, database=database) for one in schema.events)
    routines = tuple(one if one.database else replace(one, database=database) for one in schema.routines)
    return replace(schema, tables=tables, events=events, routines=routines)


def _named(table: Table) -> Table:
    """The opposite: no database where nobody named it."""
    return replace(table, database=None) if table.database == UNNAMED else table
