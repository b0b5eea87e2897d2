"""What running a statement on a server does: the tables it changes, or the error it ends with."""

from __future__ import annotations

from schemacheck.catalog.presence import Key, Presence
from schemacheck.dataclass import dataclass, field
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


@dataclass(slots=True)
class Effects:
    """`changed` are the tables in order, with `cascades` some by foreign keys; `fires`: a known trigger or
    function runs, and is not followed.
    """

    changed: list[Key] = field(default_factory=list)
    cascades: bool = False
    error: ServerError | None = None
    unknown: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    temporary_read: bool = False
    fires: bool = False


def parse_error(statement: Statement, default: str | None, catalog: Presence) -> ServerError | None:
    """What the parser refuses first: a name without a database, a table named twice."""
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
    """Runs statements. `forgiving`: CREATE TABLE as OR REPLACE, DROP as IF EXISTS (slave_ddl_exec_mode)."""

    def __init__(self, catalog: Presence, server: Server, *, forgiving: bool = False) -> None:
        self.catalog = catalog
        self._server = server
        self._forgiving = forgiving

    def run(self, statement: Statement, default: str | None) -> Effects:
        """Run one statement (not CALL: see `body`), and keep what it defines."""
        if statement.inner and not self._server.has("statements-within-statements"):
            return Effects(error=ServerError(1064, "You have an error in your SQL syntax", "ER_PARSE_ERROR"))
        if statement.verb in DML:
            return self._dml(statement, default)
        effects = self._definition(statement, default)
        if effects.error is None:
            self.catalog.define(statement, default)
        return effects

    def _dml(self, statement: Statement, default: str | None) -> Effects:
        effects = Effects(unknown=list(statement.problems), unsafe=list(statement.unsafe))
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
                    self._change(base, event, effects)
        updates = isinstance(statement, DataStatement) and statement.updates_duplicates
        also = _ALSO.get(statement.verb, ("update",) if updates else ())
        for other in also:
            for base in self.catalog.views.get(keys[0][0], (keys[0][0],)):
                self._change(base, other, effects)
        for name in statement.calls:
            self._call(name, default, effects)
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

    def _change(self, key: Key, event: str, effects: Effects) -> None:
        """A table changes: its foreign keys cascade; what its triggers run is not followed."""
        if key not in effects.changed:
            effects.changed.append(key)
        for trigger in self.catalog.triggers.get(key, ()):
            if event in trigger.event.split(",") and trigger.body:
                effects.unknown.append(f"what the trigger {trigger.key[1]} changes is not followed")
                effects.fires = True
        for child, events in self.catalog.children.get(key, ()):
            if event in events and child not in effects.changed:
                effects.changed.append(child)
                effects.cascades = True

    def _call(self, name: Name, default: str | None, effects: Effects) -> None:
        written = f"{name[0]}.{name[1]}" if name[0] else name[1]
        key = self.catalog.resolve(name, default)
        lost = key is not None and key not in self.catalog.routines
        if (
            lost
            and key is not None
            and self.catalog.lists_programs(key[0], "function")
            and name[0] is not None
        ):
            effects.error = effects.error or fault(
                "missing-routine", self._server, kind="FUNCTION", name=f"{key[0]}.{key[1]}"
            )
            return
        effects.fires |= key in self.catalog.routines
        effects.unknown.append(
            f"the body of {written}() is not followed: tables that it changes cannot be determined"
        )

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
