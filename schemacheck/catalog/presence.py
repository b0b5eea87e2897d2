"""What is there on a server, as far as it is known: names of tables, views, triggers, programs, foreign keys.

The log and filters mostly know names alone; `Catalog` (state.py) holds tables whose definitions are known.
`Presence` answers "is it there" with yes, no or unknown: a database is closed (all its tables are
listed) or open (a table that nobody mentioned counts as present). Where `tables_only`, that is said of
tables alone: stored programs and events that nobody mentioned may be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from schemacheck.dataclass import dataclass, field
from schemacheck.model import Server, Table
from schemacheck.model.sequence import is_series
from schemacheck.sql.statements import ANY, Name, Statement, parse
from schemacheck.sql.statements.value import (
    AccountStatement,
    DefinitionStatement,
    ProgramStatement,
    UseStatement,
)

#: (database, table), as the server compares names
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger: on which event its body runs, in which database."""

    key: Key
    event: str
    body: tuple[Statement, ...]
    timing: str = ""


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: list(held) if isinstance(held, list) else held for key, held in value.items()}
    return set(value) if isinstance(value, set) else value


@dataclass(slots=True)
class Presence:
    """One server's objects; changed by the statements that run on it."""

    lower: bool = False
    tables_only: bool = False
    #: The server has the tables of MariaDB's SEQUENCE engine.
    has_series: bool = False
    closed: set[str] = field(default_factory=set)
    #: Databases that are there, and of whose tables nothing is said by that.
    homes: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    tables: dict[Key, bool] = field(default_factory=dict)
    temporary: set[Key] = field(default_factory=set)
    views: dict[Key, tuple[Key, ...]] = field(default_factory=dict)
    triggers: dict[Key, list[Trigger]] = field(default_factory=dict)
    events: set[Key] = field(default_factory=set)
    lost_accounts: set[str] = field(default_factory=set)
    #: Grants on tables that were not run: (table, account).
    lost_grants: set[tuple[Key, str]] = field(default_factory=set)
    routines: dict[Key, tuple[Statement, ...]] = field(default_factory=dict)
    #: Programs that are there (`procedure`, `function`, `event`), and the kinds of which all are listed.
    held: set[tuple[str, Key]] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    children: dict[Key, list[tuple[Key, frozenset[str]]]] = field(default_factory=dict)

    def copy(self) -> Presence:
        """The same, of which nothing changes with this one; what the collections hold never changes."""
        new = Presence()
        for name in self.__slots__:
            setattr(new, name, _copied(getattr(self, name)))
        return new

    @classmethod
    def of(
        cls, schema: Mapping[str, Iterable[str]] | None = None, definitions: Iterable[str] = (), *,
        missing: Iterable[Key] = (), lower: bool = False, default_database: str | None = None,
        tables_only: bool = False, server: Server = ANY,
    ) -> Presence:  # fmt: skip
        """Closed databases with tables, on which statements run (USE counts); then tables are taken away."""
        catalog = cls(lower, tables_only)
        for database, names in (schema or {}).items():
            catalog.closed.add(catalog.case(database))
            for name in names:
                catalog.tables[catalog.key(database, name)] = True
        for text in definitions:
            statement = parse(text, server)
            if isinstance(statement, UseStatement):
                default_database = statement.database
            catalog.define(statement, default_database)
        for database, name in missing:
            catalog.tables[catalog.key(database, name)] = False
        return catalog

    def case(self, name: str) -> str:
        """A name as this server keeps it."""
        return name.lower() if self.lower else name

    def key(self, database: str, name: str) -> Key:
        """A table's key."""
        return self.case(database), self.case(name)

    def resolve(self, name: Name, default: str | None) -> Key | None:
        """The key of a name as written, or None where no database is known."""
        database = name[0] if name[0] is not None else default
        return None if database is None else self.key(database, name[1])

    def has_database(self, database: str) -> bool | None:
        """Whether a database is there; None: not known."""
        name = self.case(database)
        if name in self.gone:
            return False
        return (
            True
            if name in self.closed
            or name in self.homes
            or any(key[0] == name for key, there in self.tables.items() if there)
            else None
        )

    def lists_programs(self, database: str, kind: str) -> bool:
        """Whether a stored program or event of this database that nobody mentioned is certainly not there."""
        is_known = not self.tables_only or kind in self.listed
        return database in self.gone or (database in self.closed and is_known)

    def program(self, kind: str, name: Name, default: str | None) -> tuple[str, Key] | None:
        """A program's place in `held`: servers compare their names without case."""
        key = self.resolve(name, default)
        return None if key is None else (kind, (key[0], key[1].casefold()))

    def has(self, key: Key) -> bool | None:
        """Whether a table or view is there; None: not known."""
        if key in self.temporary or key in self.views:
            return True
        if self.has_series and is_series(key[1]):
            return True
        if key in self.tables:
            return self.tables[key]
        return False if key[0] in self.closed or key[0] in self.gone else None

    def never_made(self, statement: Statement, default: str | None) -> None:
        """A statement was not run that would have made something: what is not known to be there is not."""
        if (
            isinstance(statement, DefinitionStatement)
            and statement.verb == "create-database"
            and statement.database
            and self.has_database(statement.database) is None
        ):
            self.gone.add(self.case(statement.database))
        if isinstance(statement, AccountStatement) and statement.verb == "create-user":
            self.lost_accounts |= set(statement.accounts)
        if isinstance(statement, AccountStatement) and statement.verb == "grant":
            self.lost_grants |= self._grants(statement, default)
        if statement.verb.startswith("create-table") or statement.verb in ("create-view", "create-sequence"):
            first = next(((ref.database, ref.name) for ref in statement.refs), None)
            key = self.resolve(first, default) if first is not None else None
            if key is not None and self.has(key) is None:
                self.tables[key] = False

    def hold_triggers(self, tables: Mapping[Key, Table]) -> None:
        """The triggers that an input tells of its tables. What they do is not followed."""
        for key, table in tables.items():
            made: dict[tuple[str, str], list[str]] = {}
            for trigger in table.triggers:
                made.setdefault((trigger.name, trigger.timing), []).append(trigger.event.lower())
            if made:
                self.triggers[key] = [
                    Trigger((key[0], name), ",".join(events), (), timing)
                    for (name, timing), events in made.items()
                ]

    def trigger(self, name: Name, default: str | None) -> Key | None:
        """The table of a trigger, or None where the trigger is not known."""
        wanted = self.resolve(name, default)
        tables = self.triggers.items()
        return next((table for table, made in tables if any(one.key == wanted for one in made)), None)

    def define(self, statement: Statement, default: str | None) -> None:
        """Take over what a definition statement makes, changes or drops. Unknown names are no error here."""
        if isinstance(statement, ProgramStatement):
            self._program(statement, default)
        elif isinstance(statement, DefinitionStatement):
            self._definition(statement, default)
        elif isinstance(statement, AccountStatement) and statement.verb == "grant":
            self.lost_grants -= self._grants(statement, default)

    def _grants(self, statement: AccountStatement, default: str | None) -> set[tuple[Key, str]]:
        """What a GRANT on a table gives, and to whom."""
        result = (self.resolve((ref.database, ref.name), default) for ref in statement.refs)
        tables = [key for key in result if key is not None] if statement.scope in ("table", "column") else []
        return {(key, account) for key in tables for account in statement.accounts}

    def _definition(self, statement: DefinitionStatement, default: str | None) -> None:
        refs = [self.resolve((ref.database, ref.name), default) for ref in statement.refs]
        keys = [key for key in refs if key is not None]
        verb = statement.verb
        if verb in ("create-database", "drop-database"):
            self._database(verb, statement.database)
        elif verb.startswith("create-table") and keys:
            if statement.temporary:
                self.temporary.add(keys[0])
            else:
                self.tables[keys[0]] = True
        elif verb in ("create-view", "alter-view") and keys:
            self.views[keys[0]] = tuple(keys[1:])
        elif verb == "create-sequence" and keys:
            self.tables[keys[0]] = True
        elif verb in ("drop-table", "drop-view", "drop-sequence"):
            for key in keys:
                self._drop(key, view=verb == "drop-view")
        for old, new in statement.renames:
            lost = self.resolve(old, default) if statement.conditional else None
            if lost is not None and self.has(lost) is False:
                continue
            self._rename(self.resolve(old, default), self.resolve(new, default))
        if keys:
            for parent, events in statement.cascades:
                above = self.resolve(parent, keys[0][0])
                if above is not None:
                    self.children.setdefault(above, []).append((keys[0], events))

    def _program(self, statement: ProgramStatement, default: str | None) -> None:
        if statement.name is None:
            return
        name = self.resolve(statement.name, default)
        makes, _, thing = statement.verb.partition("-")
        self._hold(statement, thing, default)
        if thing == "trigger" and makes == "create":
            table = self.resolve((statement.refs[0].database, statement.refs[0].name), default)
            if table is not None:
                called = name or self.key(table[0], statement.name[1])
                made = Trigger(called, statement.event, statement.body, statement.timing)
                self.triggers.setdefault(table, []).append(made)
        elif thing == "trigger":
            for triggers in self.triggers.values():
                triggers[:] = [trigger for trigger in triggers if trigger.key != name]
        elif thing in ("procedure", "function") and name is not None:
            if makes == "create":
                self.routines[name] = statement.body
            elif makes == "drop":
                self.routines.pop(name, None)
        elif thing == "event" and name is not None and makes in ("create", "drop"):
            (self.events.add if makes == "create" else self.events.discard)(name)

    def _hold(self, statement: ProgramStatement, thing: str, default: str | None) -> None:
        place = self.program(thing, statement.name, default) if statement.name else None
        if place is None or thing not in ("procedure", "function", "event"):
            return
        if statement.verb.startswith("drop-") or statement.new_name:
            self.held.discard(place)
        if statement.new_name is not None:
            place = self.program(thing, statement.new_name, default) or place
        if not statement.verb.startswith("drop-"):
            self.held.add(place)

    def _database(self, verb: str, database: str | None) -> None:
        if database is None:
            return
        name = self.case(database)
        if verb == "create-database":
            self.gone.discard(name)
            self.closed.add(name)
            return
        self.closed.discard(name)
        self.gone.add(name)
        for key in [key for key in self.tables if key[0] == name]:
            del self.tables[key]
        for key in [key for key in self.views if key[0] == name]:
            del self.views[key]

    def _drop(self, key: Key, *, view: bool) -> None:
        if key in self.temporary:
            self.temporary.discard(key)
        elif key in self.views:
            if view:
                del self.views[key]
                self.tables[key] = False
        elif not view:
            self.tables[key] = False
            self.triggers.pop(key, None)

    def _rename(self, old: Key | None, new: Key | None) -> None:
        if old is None or new is None:
            return
        if old in self.views:
            self.views[new] = self.views.pop(old)
            return
        self.tables[old] = False
        self.tables[new] = True
        if old in self.triggers:
            self.triggers[new] = self.triggers.pop(old)
