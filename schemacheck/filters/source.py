"""The source's half: which events a session's statements leave in the binary log.

Sources: `THD::decide_logging_format`, `MYSQL_BIN_LOG::write` and their kin; the recorded runs. What
differs by version is a capability:

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
from schemacheck.filters.spelling import as_logged, columns_only
from schemacheck.filters.trace import Stage, Step
from schemacheck.filters.unsafe import unsafe
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

_TEMPORARY = "what a temporary table leaves in the log is not followed"
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

    def run(self, statement: Statement) -> None:
        """One statement of the session."""
        verb = statement.verb
        if verb in XA or verb == "rollback-to":
            self.unknown.append(
                f"{verb.upper().replace('-', ' ')}: what it leaves in the log is not followed"
            )
        elif isinstance(statement, TransactionStatement):
            self._transaction(statement)
        elif verb in SESSION:
            self._session(statement)
        elif verb == "call":
            name = ".".join(part for part in statement.calls[0] if part) if statement.calls else "?"
            self.unknown.append(
                f"the body of {name}() is not known: CALL is not logged itself, the statements in it are"
            )
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

    def _tell(self, question: str, answer: str, rule: str = "") -> None:
        self.steps.append(Step(Stage.SOURCE, question, answer, rule))

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
                self._tell("Is the transaction committed?", "no: rolled back, nothing is logged", "ROLLBACK")
            self.log.drop()

    def _session(self, statement: Statement) -> None:
        if isinstance(statement, SetStatement) and statement.calls:
            self._dml(replace(statement, verb="select"))
        elif isinstance(statement, UseStatement):
            self.default = self.catalog.case(statement.database)
        elif isinstance(statement, PrepareStatement):
            self.unknown.append("what a prepared statement runs is not followed: ask about that one")
        elif isinstance(statement, SetStatement) and self._set(statement):
            pass
        elif not self.steps:
            self._tell(
                "Is this statement ever logged?",
                "no",
                f"{characters.split(statement.text)[0].upper()} is not written to the binary log",
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

    def _definition(self, statement: Statement) -> None:
        """Definitions, accounts, maintenance: always as a statement."""
        verb = statement.verb
        there = bool(statement.refs) and statement.conditional and verb.startswith("create-table")
        key = (
            self.catalog.resolve((statement.refs[0].database, statement.refs[0].name), self.default)
            if statement.refs
            else None
        )
        existed = there and key is not None and bool(self.catalog.has(key)) and not statement.temporary
        if statement.temporary or (verb in _ON_TEMPORARY and key in self.catalog.temporary):
            self.unknown.append(_TEMPORARY)
            return
        self.log.commit()
        if verb == "not-logged":
            self._tell("Is this statement ever logged?", "no", "not written to the binary log")
            return
        effects = self._has.run(statement, self.default)
        self.notes += effects.unknown
        if effects.error:
            self._refused(effects.error)
            return
        if existed and (
            self.rules.server.has("create-if-not-exists-logs-only-creation") or verb == "create-table-select"
        ):
            self._tell(
                "Does the table exist already?",
                "yes: nothing is made and nothing is logged",
                "CREATE TABLE IF NOT EXISTS",
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
        (self.notes if statement.updated and not effects.fires else self.unknown).extend(effects.unknown)
        if effects.error:
            self._refused(effects.error)
            return
        keys = (self.catalog.resolve((ref.database, ref.name), self.default) for ref in statement.updated)
        if any(key in self.catalog.temporary for key in keys):
            self.unknown.append(_TEMPORARY)
            return
        self._doubts(statement)
        if not statement.updated:
            if statement.calls:
                self.unknown.append("whether the query is logged depends on what its functions change")
            question = "Does the query change data?"
            self._tell(question, "no: not logged", "a query without updates")
            return
        rows, why = self._rows(statement, effects)
        changed = [key for key in effects.changed if key not in self.catalog.temporary]
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
        self._test(QueryEvent(as_logged(statement, self.default), self.default), changed)

    def _refused(self, error: ServerError) -> None:
        """The source itself answers with an error: nothing is logged."""
        self.errors.append(f"{error.number}: {error.message}")
        self._tell(
            "Does the source run the statement?", "no: nothing is logged", f"{error.number}: {error.message}"
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
        reasons = unsafe(statement, effects, self.rules.server, self.catalog)
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
