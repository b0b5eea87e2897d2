"""The source's half: which events a session's statements leave in the binary log.

Sources: `THD::decide_logging_format`, `MYSQL_BIN_LOG::write` and their kin; the recorded runs. What a
statement does that the source refuses, rolls back, runs on a temporary table or as the rows of a query or a
foreign key is not followed: unknown.
"""

from __future__ import annotations

from schemacheck.catalog.presence import Key, Presence
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.filters import procedure
from schemacheck.filters.decision import Event, QueryEvent, RowsEvent, Stage, Step
from schemacheck.filters.effects import Effects, Machine
from schemacheck.filters.rules import SourceRules
from schemacheck.knowledge import characters
from schemacheck.model import Server
from schemacheck.sql.assignment import Literal, Word
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import (
    DML,
    SESSION,
    TEXT_LOGGED_BY_SERVER,
    XA,
    DefinitionStatement,
    PrepareStatement,
    SetStatement,
    TransactionStatement,
    UseStatement,
)


def unsafe(statement: Statement, effects: Effects, server: Server, catalog: Presence) -> list[str]:
    """The reasons for which a statement is unsafe; none where it is logged as a statement."""
    reasons = [
        reason
        for reason in dict.fromkeys([*statement.unsafe, *effects.unsafe])
        if reason != "RAND()" or not server.has("rand-is-safe")
    ]
    if server.has("temporary-tables-only-in-statement-format") and (
        effects.temporary_read or any(key in catalog.temporary for key in effects.changed)
    ):
        reasons.append("a temporary table")
    return reasons


def as_logged(statement: Statement, default: str | None) -> Statement:
    """The statement as it is logged: DROP TABLE and views name tables of the default database without it
    (mysql_rm_table, mysql_create_view), so that `replicate-rewrite-db` holds.
    """
    if statement.verb not in TEXT_LOGGED_BY_SERVER:
        return statement
    return _bare(
        statement, default, 1 if statement.verb in ("create-view", "alter-view") else len(statement.refs)
    )


def _bare(statement: Statement, default: str | None, count: int) -> Statement:
    """The first names without the database, where that is the default one."""
    if default is None:
        return statement
    refs = tuple(
        replace(ref, database=None) if i < count and ref.database == default else ref
        for i, ref in enumerate(statement.refs)
    )
    return statement.renamed(refs)


_TEMPORARY = "what a temporary table leaves in the log is not followed"
#: Statements that work on a temporary table where one has the name.
_ON_TEMPORARY = frozenset(
    {"drop-table", "alter-table", "truncate", "create-index", "drop-index", "analyze", "optimize", "repair"}
)


@dataclass(slots=True)
class Session:
    """A client's session on the source: runs statements, collects what is logged. `begun` counts the events
    before the transaction that is open (None: none is).
    """

    rules: SourceRules
    catalog: Presence
    format: str
    default: str | None
    events: list[Event] = field(default_factory=list)
    changed: list[Key] = field(default_factory=list)
    begun: int | None = None
    steps: list[Step] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unsure: list[Key] = field(default_factory=list)

    def run(self, statement: Statement) -> None:
        """One statement of the session."""
        verb = statement.verb
        if verb in XA or verb == "rollback-to":
            self.unknown.append(
                f"{verb.upper().replace('-', ' ')}: what it leaves in the log is not followed"
            )
        elif isinstance(statement, TransactionStatement):
            self._transaction(verb)
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
        """The session ends: what is not committed is rolled back."""
        self._transaction("rollback")

    def _transaction(self, verb: str) -> None:
        if verb == "rollback" and self.begun is not None and len(self.events) > self.begun:
            self.unknown.append("what a transaction that is not committed leaves in the log is not followed")
        self.begun = len(self.events) if verb == "begin" else None

    def _tell(self, question: str, answer: str, rule: str = "") -> None:
        self.steps.append(Step(Stage.SOURCE, question, answer, rule))

    def _run(self, statement: Statement) -> Effects | None:
        effects = Machine(self.catalog, self.rules.server).run(statement, self.default)
        if effects.error is None:
            return effects
        self.unknown += effects.unknown
        self.unknown.append(f"the source refuses it: {effects.error.number} {effects.error.message}")
        return None

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
        result = False
        for assignment in statement.assignments:
            name = assignment.name[-1].lower()
            if assignment.user or assignment.scope not in ("", "session", "local"):
                continue
            value = assignment.value.text.upper() if isinstance(assignment.value, Literal | Word) else ""
            if name == "binlog_format":
                self.format = value if value in ("ROW", "STATEMENT", "MIXED") else self.format
            elif name == "autocommit" and value not in ("1", "ON"):
                self.begun = len(self.events)
            result = result or name in ("binlog_format", "autocommit")
        return result

    def _definition(self, statement: Statement) -> None:
        verb = statement.verb
        first = statement.refs[0] if statement.refs else None
        key = self.catalog.resolve((first.database, first.name), self.default) if first else None
        if statement.temporary or (verb in _ON_TEMPORARY and key in self.catalog.temporary):
            self.unknown.append(_TEMPORARY)
            return
        if verb == "not-logged":
            self._tell("Is this statement ever logged?", "no", "not written to the binary log")
            return
        if statement.conditional and verb.startswith("create-table") and key and self.catalog.has(key):
            self.unknown.append("whether CREATE TABLE IF NOT EXISTS of a table that is there is logged")
            return
        effects = self._run(statement)
        if effects is None:
            return
        self.notes += effects.unknown
        self.begun = None if self.begun is None else len(self.events)  # it commits what was before it
        default = self.default
        if isinstance(statement, DefinitionStatement) and verb.endswith("-database"):
            default = statement.database
            if default is None:
                default = self.default
                statement = replace(statement, database=default, implied_database=True)
        if verb == "create-table-select" and self._rows(statement, effects)[0]:
            self.unknown.append("CREATE TABLE ... SELECT is logged as a definition and rows: not followed")
            return
        self._test(QueryEvent(as_logged(statement, self.default), default), effects.changed)

    def _dml(self, statement: Statement) -> None:
        if (
            statement.updated
            and statement.text[:4].upper() == "WITH"
            and not self.rules.server.has("with-before-update")
        ):
            self.unknown.append("the source knows WITH before SELECT only")
            return
        effects = self._run(statement)
        if effects is None:
            return
        (self.notes if statement.updated and not effects.fires else self.unknown).extend(effects.unknown)
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
        answer = "as rows" if rows else "as a statement"
        question = f"How is the change logged under {self.format}?"
        self.steps.append(Step(Stage.FORMAT, question, answer, surprise=why))
        if rows and effects.cascades:
            self.unknown.append("whether rows that a foreign key changes are logged is not followed")
        elif rows:
            self._rows_event(changed)
        else:
            self._test(QueryEvent(as_logged(statement, self.default), self.default), changed)

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

    def _rows_event(self, keys: list[Key]) -> None:
        sent = []
        for key in keys:
            verdict = procedure.source(self.rules, key[0], rows=True)
            self.steps += verdict.steps
            if verdict.passes:
                sent.append(key)
        if sent:
            self._emit(RowsEvent(tuple(sent)), sent)

    def _test(self, event: QueryEvent, changed: list[Key]) -> None:
        others = any(ref.database not in (None, event.default) for ref in event.statement.updated)
        verdict = procedure.source(self.rules, event.default, rows=False, others=others)
        self.steps += verdict.steps
        if verdict.passes:
            self._emit(event, changed)

    def _emit(self, event: Event, changed: list[Key]) -> None:
        self.events.append(event)
        self.changed += [key for key in changed if key not in self.changed]
