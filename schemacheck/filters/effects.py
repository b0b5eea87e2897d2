"""What running a statement on a server does: the tables it changes, or the error it ends with."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.catalog.presence import Key, Presence
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.filters.faults import definition, fault, no_table
from schemacheck.model import Server, ServerError
from schemacheck.sql.statements import Name, Statement
from schemacheck.sql.statements.value import DML, DataStatement, ProgramStatement

#: Events beside the first that fire triggers and cascades: REPLACE deletes the row that is there.
_ALSO = {"replace": ("delete",)}
_EVENT = {
    "insert": "insert",
    "replace": "insert",
    "load": "insert",
    "update": "update",
    "update-multi": "update",
    "delete": "delete",
    "delete-multi": "delete",
}
#: Statements whose table list takes each name once.
_UNIQUE = frozenset(
    {"update-multi", "delete-multi", "drop-table", "analyze", "optimize", "repair", "flush-tables"}
)
_DEPTH = 16


@dataclass(slots=True)
class Effects:
    """`changed` are the tables in the order of the first change, `cascaded` those that only a foreign
    key reaches; `unknown` says what could not be decided."""

    changed: list[Key] = field(default_factory=list)
    cascaded: list[Key] = field(default_factory=list)
    error: ServerError | None = None
    unknown: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    temporary_read: bool = False

    def add(self, other: Effects) -> None:
        """Take over what another statement did as part of this one."""
        self.changed += [key for key in other.changed if key not in self.changed]
        self.cascaded += [key for key in other.cascaded if key not in self.cascaded]
        self.unknown += [text for text in other.unknown if text not in self.unknown]
        self.unsafe += [text for text in other.unsafe if text not in self.unsafe]
        self.error = self.error or other.error


def parse_error(statement: Statement, default: str | None, catalog: Presence) -> ServerError | None:
    """What the parser refuses before anything else is looked at: a name without a database, a table named
    twice.
    """
    names: set[tuple[str, str]] = set()
    for ref in statement.refs:
        key = catalog.resolve((ref.database, ref.name), default)
        if key is None:
            return ServerError(1046, "No database selected", "ER_NO_DB_ERROR")
        if statement.verb in _UNIQUE:
            alias = ("", ref.alias.casefold()) if ref.alias else key
            if alias in names:
                return ServerError(
                    1066, f"Not unique table/alias: '{ref.alias or ref.name}'", "ER_NONUNIQ_TABLE"
                )
            names.add(alias)
    if (
        default is None
        and isinstance(statement, DataStatement)
        and any(database is None for database, _ in statement.targets)
    ):
        return ServerError(1046, "No database selected", "ER_NO_DB_ERROR")
    return None


class Machine:
    """Runs statements on a catalog. `inner` is asked before each statement inside a stored program
    whether its database lets it run (MySQL on a replica). `forgiving` machines run CREATE TABLE as
    OR REPLACE and DROP as IF EXISTS (MariaDB's slave_ddl_exec_mode=IDEMPOTENT)."""

    def __init__(
        self,
        catalog: Presence,
        server: Server,
        inner: Callable[[str], bool] | None = None,
        *,
        forgiving: bool = False,
    ) -> None:
        self.catalog = catalog
        self._server = server
        self._forgiving = forgiving
        self._inner = inner

    def run(self, statement: Statement, default: str | None) -> Effects:
        """Run one statement (not CALL: see `body`), and keep what it defines."""
        if statement.inner and not self._server.has("statements-within-statements"):
            return Effects(error=ServerError(1064, "You have an error in your SQL syntax", "ER_PARSE_ERROR"))
        if statement.verb in DML:
            return self._dml(statement, default, 0)
        effects = self._definition(statement, default)
        if effects.error is None:
            self.catalog.define(statement, default)
        return effects

    def settled(self, statement: Statement, default: str | None) -> Statement:
        """An UPDATE of several tables with every table whose columns are known marked as updated or not."""
        if not isinstance(statement, DataStatement) or not statement.set_columns:
            return statement
        owned = []
        for ref in statement.refs:
            key = self.catalog.resolve((ref.database, ref.name), default)
            owned.append(self.catalog.columns.get(key) if key else None)
        if any(
            columns is None for columns, ref in zip(owned, statement.refs, strict=True) if ref.updated is None
        ):
            return statement
        wanted = {name.casefold() for name in statement.set_columns}
        refs = [
            ref if ref.updated is not None else replace(ref, updated=bool(wanted & (columns or frozenset())))
            for ref, columns in zip(statement.refs, owned, strict=True)
        ]
        return statement.renamed(tuple(refs))

    def procedure(self, name: Name, default: str | None) -> tuple[str, tuple[Statement, ...]] | None:
        """A stored program's database and body, or None where it is not known."""
        key = self.catalog.resolve(name, default)
        if key is None or key not in self.catalog.routines:
            return None
        return key[0], self.catalog.routines[key]

    def changes_data(self, statement: Statement, default: str | None) -> bool | None:
        """Whether the functions in a statement change any table; None where a body is not known."""
        answers = [self._changes(name, default, 0) for name in statement.calls]
        return True if True in answers else (None if None in answers else False)

    def _changes(self, name: Name, default: str | None, depth: int) -> bool | None:
        found = self.procedure(name, default)
        if found is None or depth > _DEPTH:
            return None
        database, body = found
        answers: list[bool | None] = []
        for one in body:
            if one.verb in _EVENT:
                answers.append(True)
            answers += [self._changes(call, database, depth + 1) for call in one.calls]
        return True if True in answers else (None if None in answers else False)

    def _dml(self, statement: Statement, default: str | None, depth: int) -> Effects:
        effects = Effects(unknown=list(statement.problems), unsafe=list(statement.unsafe))
        if depth > _DEPTH:
            effects.unknown.append("stored programs call each other too deeply")
            return effects
        effects.error = parse_error(statement, default, self.catalog)
        if effects.error:
            return effects
        resolved = [
            (self.catalog.resolve((ref.database, ref.name), default), ref.updated) for ref in statement.refs
        ]
        keys = [(key, updated) for key, updated in resolved if key is not None]
        for key, updated in keys:
            self._open(key, updated, effects)
        if effects.error:
            return effects
        event = _EVENT.get(statement.verb, "")
        for key, updated in keys:
            if updated is not False:
                for base in self.catalog.views.get(key, (key,)):
                    self._change(base, event, effects, depth)
        updates = isinstance(statement, DataStatement) and statement.updates_duplicates
        also = _ALSO.get(statement.verb, ("update",) if updates else ())
        for other in also:
            for base in self.catalog.views.get(keys[0][0], (keys[0][0],)):
                self._change(base, other, effects, depth)
        for name in statement.calls:
            self._call(name, default, effects, depth)
        return effects

    def _open(self, key: Key, updated: bool | None, effects: Effects) -> None:
        """A table or view must be there."""
        if key in self.catalog.temporary:
            effects.temporary_read |= not updated
            return
        bases = self.catalog.views.get(key)
        for base in bases or (key,):
            if self.catalog.has(base) is False and effects.error is None:
                effects.error = (
                    fault("broken-view", self._server, view=f"{key[0]}.{key[1]}")
                    if bases
                    else no_table(base, self.catalog, self._server)
                )

    def _change(self, key: Key, event: str, effects: Effects, depth: int) -> None:
        """A table changes: its triggers run, its foreign keys cascade."""
        if key not in effects.changed:
            effects.changed.append(key)
        for trigger in self.catalog.triggers.get(key, ()):
            if event in trigger.event.split(","):
                self._body(trigger.body, trigger.key[0], effects, depth)
        for child, events in self.catalog.children.get(key, ()):
            if event in events and child not in effects.changed:
                effects.changed.append(child)
                effects.cascaded.append(child)

    def _call(self, name: Name, default: str | None, effects: Effects, depth: int) -> None:
        found = self.procedure(name, default)
        if found is None:
            written = f"{name[0]}.{name[1]}" if name[0] else name[1]
            key = self.catalog.resolve(name, default)
            if key is not None and self.catalog.lists_programs(key[0], "function") and name[0] is not None:
                effects.error = effects.error or fault(
                    "missing-routine", self._server, kind="FUNCTION", name=f"{key[0]}.{key[1]}"
                )
                return
            effects.unknown.append(
                f"the body of {written}() is not known: tables that it changes cannot be determined"
            )
            return
        self._body(found[1], found[0], effects, depth)

    def _body(self, body: tuple[Statement, ...], database: str, effects: Effects, depth: int) -> None:
        for one in body:
            if one.verb not in DML and one.verb != "call":
                continue
            if self._inner is not None and (one.refs or one.verb == "call") and not self._inner(database):
                # the tables are opened with the outer statement (prelocking), the statement is not run
                for ref in one.refs:
                    key = self.catalog.resolve((ref.database, ref.name), database)
                    if key is not None:
                        self._open(key, ref.updated, effects)
                continue
            if one.verb == "call":
                for name in one.calls:
                    self._call(name, database, effects, depth + 1)
                continue
            effects.add(self._dml(one, database, depth + 1))

    def _definition(self, statement: Statement, default: str | None) -> Effects:
        """Definitions, maintenance and the rest: which objects, and the errors that a wrong name makes."""
        effects = Effects(unknown=list(statement.problems), unsafe=list(statement.unsafe))
        effects.error = parse_error(statement, default, self.catalog)
        if effects.error:
            return effects
        resolved = [self.catalog.resolve((ref.database, ref.name), default) for ref in statement.refs]
        keys = [key for key in resolved if key is not None]
        effects.temporary_read = any(key in self.catalog.temporary for key in keys[1:])
        effects.error = definition(
            statement, keys, default, self.catalog, self._server, forgiving=self._forgiving
        )
        if effects.error is None:
            effects.changed = [
                key for key, ref in zip(keys, statement.refs, strict=True) if ref.updated is not False
            ]
            if statement.verb.startswith("drop-"):
                effects.changed = [key for key in effects.changed if self.catalog.has(key) is not False]
            if (
                isinstance(statement, ProgramStatement)
                and statement.verb == "drop-trigger"
                and statement.name is not None
            ):
                table = self.catalog.trigger(statement.name, default)
                effects.changed = [table] if table else []
            effects.changed += [
                key
                for _, new in statement.renames
                if (key := self.catalog.resolve(new, default)) and key not in effects.changed
            ]
        return effects
