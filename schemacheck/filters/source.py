"""The source's half: which events a session's statements leave in the binary log.

Sources: `THD::decide_logging_format`, `MYSQL_BIN_LOG::write` and their kin; the recorded runs. What
differs by version is a capability:

* temporary-tables-only-in-statement-format: MIXED never logs temporary tables (MySQL 8.0);
* create-if-not-exists-logs-only-creation: CREATE TABLE IF NOT EXISTS of a table that is there is not logged
  (MariaDB);
* cascades-are-logged-as-rows: rows that a foreign key changes are in the log (MySQL 9.6).
"""

from __future__ import annotations

from schemacheck.catalog.presence import Key, Presence
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.filters import procedure
from schemacheck.filters.effects import Effects, Machine
from schemacheck.filters.event import QueryEvent, RowsEvent
from schemacheck.filters.log import Log
from schemacheck.filters.rules import SourceRules
from schemacheck.filters.spelling import as_logged, columns_only, without_temporary_model
from schemacheck.filters.trace import Stage, Step
from schemacheck.filters.unsafe import unsafe
from schemacheck.filters.xa import Xa
from schemacheck.knowledge import characters
from schemacheck.model import ServerError
from schemacheck.sql.assignment import Literal, Word
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import (
    DML,
    SESSION,
    XA,
    DefinitionStatement,
    PrepareStatement,
    SetStatement,
    TransactionStatement,
    UseStatement,
)

_DEPTH = 16
#: Statements that work on a temporary table where one has the name.
_ON_TEMPORARY = frozenset(
    {"drop-table", "alter-table", "truncate", "create-index", "drop-index", "analyze", "optimize", "repair"}
)


@dataclass(slots=True)
class Session:
    """A client's session on the source: runs statements, collects what is logged."""

    rules: SourceRules
    catalog: Presence
    format: str
    default: str | None
    log: Log = field(default_factory=Log)
    steps: list[Step] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unsure: list[Key] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _prepared: dict[str, Statement] = field(default_factory=dict)
    _xa: Xa = field(default_factory=Xa)
    _logged_temporary: set[Key] = field(default_factory=set)

    def run(self, statement: Statement, depth: int = 0) -> None:
        """One statement of the session."""
        verb = statement.verb
        if depth > _DEPTH:
            self.unknown.append("statements run each other too deeply")
            return
        if verb in XA:
            event = self._xa.run(statement, self.default, self.log, self.rules.server)
            if event is not None:
                self._test(event, [])
        elif isinstance(statement, TransactionStatement):
            self._transaction(statement)
        elif verb in SESSION:
            self._session(statement, depth)
        elif verb == "call":
            self._procedure(statement, depth)
        elif verb == "unknown":
            self.unknown += statement.problems
        elif verb in DML:
            self._dml(statement)
        else:
            self._definition(statement)

    def finish(self) -> None:
        """The session ends: what is not committed is not logged."""
        if self.log.waiting:
            self.unknown.append(
                "the script ends before COMMIT: what follows is not known, the open transaction counts as "
                "rolled back"
            )

    @property
    def _has(self) -> Machine:
        return Machine(self.catalog, self.rules.server)

    def _transaction(self, statement: TransactionStatement) -> None:
        verb = statement.verb
        if verb == "begin":
            self.log.begin()
        elif verb == "commit":
            self.log.commit()
        elif verb == "rollback":
            if self.log.waiting:
                self.steps.append(
                    Step(
                        Stage.SOURCE,
                        "Is the transaction committed?",
                        "no: rolled back, nothing is logged",
                        "ROLLBACK",
                    )
                )
            self.log.drop()
        elif verb == "savepoint":
            self.log.savepoint(statement.savepoint)
        elif verb == "rollback-to":
            self.log.back_to(statement.savepoint)

    def _session(self, statement: Statement, depth: int) -> None:
        if isinstance(statement, SetStatement) and statement.calls:
            self._dml(replace(statement, verb="select"))
        elif isinstance(statement, UseStatement):
            self.default = self.catalog.case(statement.database)
        elif isinstance(statement, PrepareStatement) and statement.verb == "prepare":
            self.unknown += statement.problems
            if statement.prepared is not None:
                self._prepared[statement.name] = statement.prepared
        elif isinstance(statement, PrepareStatement):
            if statement.name in self._prepared:
                self.run(self._prepared[statement.name], depth + 1)
            else:
                self.unknown.append(f"the prepared statement {statement.name} is not known")
        elif isinstance(statement, SetStatement) and self._set(statement):
            pass
        elif not self.steps:
            self.steps.append(
                Step(
                    Stage.SOURCE,
                    "Is this statement ever logged?",
                    "no",
                    f"{characters.split(statement.text)[0].upper()} is not written to the binary log",
                )
            )

    def _set(self, statement: SetStatement) -> bool:
        """Variables of the session that change what is logged; whether one of them was set."""
        found = False
        for one in statement.assignments:
            name = one.name[-1].lower()
            if one.user or one.scope not in ("", "session", "local"):
                continue
            value = one.value.text.upper() if isinstance(one.value, Literal | Word) else ""
            if name == "binlog_format":
                self.format = value if value in ("ROW", "STATEMENT", "MIXED") else self.format
            elif name == "autocommit":
                self.log.set_autocommit(on=value not in ("0", "OFF", "FALSE"))
            found = found or name in ("binlog_format", "autocommit")
        return found

    def _procedure(self, statement: Statement, depth: int) -> None:
        """CALL is not logged: the statements in the procedure are, with its database as default database."""
        found = self._has.procedure(statement.calls[0], self.default) if statement.calls else None
        if found is None or depth > _DEPTH:
            name = ".".join(part for part in statement.calls[0] if part) if statement.calls else "?"
            self.unknown.append(
                f"the body of {name}() is not known: CALL is not logged itself, the statements in it are"
            )
            return
        database, body = found
        self.steps.append(
            Step(
                Stage.SOURCE,
                "Is CALL logged?",
                f"no: its statements are, each with the default database {database}",
            )
        )
        before, self.default = self.default, database
        for one in body:
            self.run(one, depth + 1)
        self.default = before

    def _definition(self, statement: Statement) -> None:
        """Definitions, accounts, maintenance: always as a statement."""
        verb = statement.verb
        there = bool(statement.refs) and statement.conditional and verb.startswith("create-table")
        key = (
            self.catalog.resolve((statement.refs[0].database, statement.refs[0].name), self.default)
            if statement.refs
            else None
        )
        only_statement = self.rules.server.has("temporary-tables-only-in-statement-format")
        if (
            verb == "create-table-like"
            and self.format != "STATEMENT"
            and (self.format == "ROW" or only_statement)
        ):
            statement = without_temporary_model(statement, self.default, self.catalog)
        existed = there and key is not None and bool(self.catalog.has(key)) and not statement.temporary
        if statement.temporary or (verb in _ON_TEMPORARY and key in self.catalog.temporary):
            self._temporary(statement, key)
            return
        self.log.commit()
        if verb == "not-logged":
            self.steps.append(
                Step(Stage.SOURCE, "Is this statement ever logged?", "no", "not written to the binary log")
            )
            return
        effects = self._has.run(statement, self.default)
        self.notes += effects.unknown
        if effects.error:
            self._refused(effects.error)
            return
        if existed and (
            self.rules.server.has("create-if-not-exists-logs-only-creation") or verb == "create-table-select"
        ):
            self.steps.append(
                Step(
                    Stage.SOURCE,
                    "Does the table exist already?",
                    "yes: nothing is made and nothing is logged",
                    "CREATE TABLE IF NOT EXISTS",
                )
            )
            return
        default = self.default
        if isinstance(statement, DefinitionStatement) and verb.endswith("-database"):
            default = statement.database
            if default is None:
                default = self.default
                statement = replace(statement, database=default, implied_database=True)
        logged = as_logged(statement, self.default)
        if verb == "create-table-select" and self._rows(statement, effects)[0]:
            self._create_select(statement, key)
            return
        self._test(QueryEvent(logged, default), effects.changed)

    def _create_select(self, statement: Statement, key: Key | None) -> None:
        """CREATE TABLE ... SELECT under row format: the bare CREATE TABLE, then the rows."""
        logged = columns_only(statement, self.default)
        passes, _ = self.rules.logs(self.default)
        self._test(QueryEvent(logged, self.default), [key] if key else [])
        if key and (passes or not self.rules.server.has("create-select-is-atomic")):
            self._rows_event([key], "insert", [])

    def _temporary(self, statement: Statement, key: Key | None) -> None:
        verb = statement.verb
        only_statement = self.rules.server.has("temporary-tables-only-in-statement-format")
        logged = self.format == "STATEMENT" or (self.format == "MIXED" and not only_statement)
        if verb.startswith("create-table"):
            if key is not None:
                self.catalog.temporary.add(key)
                if logged:
                    self._logged_temporary.add(key)
        elif key is not None and verb != "drop-table":
            logged = logged and key in self._logged_temporary
        elif key is not None:
            self.catalog.temporary.discard(key)
            statement = replace(
                statement, temporary=True, conditional=statement.conditional or self.format == "ROW"
            )
            logged = key in self._logged_temporary or self.rules.server.has("drop-temporary-is-always-logged")
        if not logged:
            self.steps.append(
                Step(
                    Stage.FORMAT,
                    "Are temporary tables logged?",
                    f"not under {self.format}",
                    "temporary tables are logged as statements only",
                )
            )
            return
        self._test(QueryEvent(as_logged(statement, self.default), self.default), [])

    def _dml(self, statement: Statement) -> None:
        if (
            statement.updated
            and statement.text[:4].upper() == "WITH"
            and not self.rules.server.has("with-before-update")
        ):
            self._refused(ServerError(1064, "this server knows WITH before SELECT only", "ER_PARSE_ERROR"))
            return
        statement = self._has.settled(statement, self.default)
        effects = self._has.run(statement, self.default)
        (self.notes if statement.updated else self.unknown).extend(effects.unknown)
        if effects.error:
            self._refused(effects.error)
            return
        self._doubts(statement)
        if not statement.updated:
            changes = self._has.changes_data(statement, self.default)
            if changes is None:
                self.unknown.append("whether the query is logged depends on what its functions change")
            if not changes:
                self.steps.append(
                    Step(
                        Stage.SOURCE,
                        "Does the query change data?",
                        "no: not logged",
                        "a query without updates",
                    )
                )
                return
        rows, why = self._rows(statement, effects)
        changed = [key for key in effects.changed if key not in self.catalog.temporary]
        if not statement.updated:
            statement = statement.renamed(
                ()
            )  # logged as SELECT `db`.`f`(...) for each function that changes data
        self.steps.append(
            Step(
                Stage.FORMAT,
                f"How is the change logged under {self.format}?",
                "as rows" if rows else "as a statement",
                surprise=why,
            )
        )
        if rows:
            event = statement.verb.split("-")[0]
            self._rows_event(
                changed, {"load": "insert", "replace": "insert"}.get(event, event), effects.cascaded
            )
            return
        if (
            not changed
            and self.rules.server.has("temporary-tables-only-in-statement-format")
            and self.format != "STATEMENT"
        ):
            return
        self._test(QueryEvent(as_logged(statement, self.default), self.default), changed)

    def _refused(self, error: ServerError) -> None:
        """The source itself answers with an error: nothing is logged."""
        self.errors.append(f"{error.number}: {error.message}")
        self.steps.append(
            Step(
                Stage.SOURCE,
                "Does the source run the statement?",
                "no: nothing is logged",
                f"{error.number}: {error.message}",
            )
        )

    def _doubts(self, statement: Statement) -> None:
        """Tables that an UPDATE may or may not change."""
        maybe = [
            self.catalog.resolve((r.database, r.name), self.default)
            for r in statement.refs
            if r.updated is None
        ]
        if maybe:
            self.unsure += [key for key in maybe if key is not None]
            self.notes.append(
                "a column in SET has no table before it: which of the joined tables it belongs to is not "
                "known"
            )

    def _rows(self, statement: Statement, effects: Effects) -> tuple[bool, str]:
        """Whether rows are logged, and why where that is not plain."""
        if self.format != "MIXED":
            return self.format == "ROW", ""
        reasons = unsafe(statement, effects, self.rules.server, self.catalog, in_xa=self._xa.open)
        if effects.unknown and not reasons:
            self.notes.append(
                "under MIXED an unsafe statement inside a function or trigger would be logged as rows"
            )
        return bool(reasons), f"unsafe as a statement: {', '.join(reasons)}" if reasons else ""

    def _rows_event(self, keys: list[Key], event: str, cascaded: list[Key]) -> None:
        """Row events of those tables whose database passes."""
        kept = []
        server = self.rules.server
        native = server.setting("innodb_native_foreign_keys").upper() in ("ON", "1")
        with_cascades = server.has("cascades-are-logged-as-rows") and not native
        for key in keys:
            if key in cascaded and not with_cascades:
                continue
            verdict = procedure.source(self.rules, key[0], rows=True)
            self.steps += verdict.steps
            if verdict.passes:
                kept.append(key)
        marks = kept + ([] if with_cascades else cascaded)
        if kept:
            self.log.emit(
                RowsEvent(tuple(kept), event, tuple(key for key in cascaded if key in kept)), changed=marks
            )

    def _test(self, event: QueryEvent, changed: list[Key]) -> None:
        """Log a statement if its default database passes."""
        others = any(ref.database not in (None, event.default) for ref in event.statement.updated)
        verdict = procedure.source(self.rules, event.default, rows=False, others=others)
        self.steps += verdict.steps
        if verdict.passes:
            self.log.emit(event, changed=changed)
