"""Triggers and events of a script: they stand beside the tables that it makes."""

from __future__ import annotations

from dataclasses import replace

from schemacheck.catalog.table_statements import TROUBLE, Standing
from schemacheck.model.problem import InputProblem
from schemacheck.model.program import Event
from schemacheck.model.schema import Schema
from schemacheck.sql.ddl import program
from schemacheck.sql.lexer import Refused
from schemacheck.sql.script import Statement
from schemacheck.sql.words import Name, first_words, object_of


class Programs(Standing):
    """A catalogue with triggers, which go with their tables, and events."""

    _events: dict[Name, Event] | None = None

    def schema(self) -> Schema:
        """What stands at the end."""
        return replace(super().schema(), events=tuple((self._events or {}).values()))

    def create_program(self, statement: Statement, text: str) -> None:
        """CREATE of a trigger or an event; what cannot be read is noted."""
        what = object_of(first_words(text))
        try:
            if what == "TRIGGER":
                self._create_trigger(statement, text)
            elif what == "EVENT":
                found = program.event(self.tokens(text), text, self.database)
                database, name = found.name
                events = self._events = self._events or {}
                place = self.lines.at(statement.start)
                events[self.key(database, name)] = Event(name, found.body, database, found.enabled, place)
        except Refused as refused:
            self._unread(what, refused.message, statement)
        except TROUBLE as error:
            self._unread(what, type(error).__name__, statement)

    def _create_trigger(self, statement: Statement, text: str) -> None:
        found = program.trigger(self.tokens(text), text, self.database)
        key = self.key(*found.table)
        table = self.tables.get(key)
        if key in self.temporary or key in self.failed:
            return
        if table is None:
            self._unread("TRIGGER", f"its table {found.table[1]!r} is not known", statement)
            return
        place = self.lines.at(statement.start)
        called = found.triggers[0].name.casefold()
        before = [one for one in table.triggers if one.name.casefold() != called]
        if len(before) < len(table.triggers) and found.if_not_exists:
            return
        made = [replace(one, location=place) for one in found.triggers]
        self.tables[key] = replace(table, triggers=(*before, *made))

    def drop_program(self, text: str, what: str) -> None:
        """DROP of a trigger or an event: it goes, where it is known."""
        if what not in ("TRIGGER", "EVENT"):
            return
        database, name = program.dropped(self.tokens(text), what, self.database)
        if what == "EVENT":
            (self._events or {}).pop(self.key(database, name), None)
            return
        home = self.key(database, "")[0]
        for key, table in self.tables.items():
            kept = tuple(one for one in table.triggers if one.name.casefold() != name.casefold())
            if key[0] == home and len(kept) < len(table.triggers):
                self.tables[key] = replace(table, triggers=kept)

    def _unread(self, what: str, why: str, statement: Statement) -> None:
        """Note what is left out: listed, no finding."""
        message = f"a {what.lower()} was not read: {why}"
        place = self.lines.at(statement.start)
        self.problems.append(InputProblem("SC001", message, place, skipped=True))
