"""Events in order, held against the replica: where the applier stops, and what changes without an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemacheck.binlog.check.applier import applier
from schemacheck.binlog.check.cascades import moves_children
from schemacheck.binlog.check.decide import Decided, Decider
from schemacheck.binlog.check.definitions import DDL, Definitions
from schemacheck.binlog.check.foreign import asked
from schemacheck.binlog.check.mentions import of_temporary
from schemacheck.binlog.check.misread import error_of, runs_past
from schemacheck.binlog.check.query import QUERIES, query_first, shortened, statement_commits, stopped_by
from schemacheck.binlog.check.report import LogReport, Place, Stop, TableReport
from schemacheck.binlog.check.rows import look
from schemacheck.binlog.check.session import session
from schemacheck.binlog.check.statements import Changed, StatementDecider
from schemacheck.binlog.check.unfollowed import not_followed
from schemacheck.binlog.check.writer import writer
from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events.control import FormatDescription, Incident, Other, Start
from schemacheck.binlog.events.gtid import Gtid, MariadbGtid
from schemacheck.binlog.events.load import ExecuteLoadQuery, Load
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import STATEMENT_END, Rows
from schemacheck.binlog.events.statement import Query, XaPrepare, Xid
from schemacheck.binlog.events.table_map import TableDefinition, TableMap, WireColumn
from schemacheck.binlog.readers import Event
from schemacheck.dataclass import replace
from schemacheck.filters import procedure
from schemacheck.filters.event import QueryEvent
from schemacheck.filters.faults import answers
from schemacheck.filters.replica import Applier
from schemacheck.filters.rules import ReplicaRules
from schemacheck.model import Finding, InputProblem, Link, Location, PairState, Schema, ServerError
from schemacheck.model.filters import FilterSet
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.statements.value import DML

#: Statements that carry no change of their own.
_QUIET = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "XA ", "START TRANSACTION", "RELEASE")
#: The table id of a rows event without rows, which only ends a statement (server: DUMMY_TABLE_ID).
NO_TABLE = 0x00FFFFFF


class LogCheck:
    """Takes the events of one replication stream in order.

    `replica` is the replica's schema as it is at the first event, `source` the source's; without the latter
    only DDL in the log tells more than the table maps do. `own`: the server runs its own. `link` gives both
    servers and the replica's settings; the log tells the source's flavour and version.
    """

    def __init__(
        self, replica: Schema, link: Link, *, filters: FilterSet | None = None, source: Schema | None = None,
        own: bool = False,
    ) -> None:  # fmt: skip
        self.report = LogReport(link)
        self.link = link
        self.rules = ReplicaRules(filters or FilterSet(), link.replica)
        self.executed = True  # the filters let the last statement pass
        self.source_tables = Definitions(source, link.source)
        self.replica_tables = Definitions(replica, link.replica if own else applier(link))
        self.catalog = self.replica_tables.presence()
        self.decider = Decider(link, self.rules, self.source_tables, self.replica_tables)
        self.statements = StatementDecider(self.source_tables, self.replica_tables, self.catalog)
        self._maps: list[TableDefinition] = []
        self._opened = False
        self._file = ""
        self._begin = 0
        self._in_group = False
        self._gtid: Gtid | MariadbGtid | None = None
        self._alter = 0
        self._passed_over = False
        self._payload: TransactionPayload | None = None
        self._takers: dict[type, Callable[[Any], None]] = {
            TableMap: self._table_map, Rows: self._rows, Query: self._query, Gtid: self._begin_gtid,
            MariadbGtid: self._begin_gtid,
            Xid: self._end, XaPrepare: self._end, FormatDescription: self._describe, Start: self._describe,
            TransactionPayload: self._unpack,
            Other: self._not_followed, Incident: self._not_followed, ExecuteLoadQuery: self._load,
            Load: self._load,
        }  # fmt: skip

    def wants_rows(self, table: TableDefinition | None) -> bool:
        """Whether a decoder must keep this table's rows: only where some value may matter."""
        if table is None:
            return False
        decided = self.decider.decide(table)
        return decided.report.concerned and decided.report.pair.state is PairState.COMPARED

    def skips_rows(self, table: TableDefinition | None) -> bool:
        """The opposite, for `Decoder(skip_rows=...)`."""
        return not self.wants_rows(table)

    def take(self, file: str, event: Event) -> None:
        """The next event."""
        if file != self._file:
            self._file = file
            self.report.files.append(file)
        self.report.events += 1
        taker = self._takers.get(type(event))
        if taker is not None:
            taker(event)

    # ---- places
    def _place(self, event: Event) -> Place:
        header = (self._payload or event).header
        begin = self._begin if self._in_group else header.position
        return Place(
            self._file, header.position, header.log_pos, begin, self._gtid.gtid if self._gtid else None
        )

    def _begin_gtid(self, event: Gtid | MariadbGtid) -> None:
        self._gtid = event
        self._begin = (self._payload or event).header.position
        self._in_group = True
        self._alter = event.extra_flags if isinstance(event, MariadbGtid) else 0
        self._passed_over = isinstance(event, MariadbGtid) and self._ignores(event.domain)
        self._close_statement()

    def _ignores(self, domain: int) -> bool:
        """Whether the receiver leaves out a whole GTID domain (MariaDB: DO_DOMAIN_IDS, IGNORE_DOMAIN_IDS)."""
        verdict = procedure.domain(self.rules.filters, domain)
        ignored = verdict is not None and not verdict.passes
        note = f"transactions of GTID domain {domain} are filtered out"
        if ignored and note not in self.report.notes:
            self.report.notes.append(note)
        return ignored

    def _end(self, _event: Event) -> None:
        self._in_group = self._passed_over = False
        self._gtid = None
        self._close_statement()

    def _close_statement(self) -> None:
        self._maps.clear()
        self._opened = False

    def _describe(self, event: FormatDescription | Start) -> None:
        """The log knows best who wrote it."""
        found = writer(event)
        if found is None:
            self.report.notes.append(
                f"nothing is known about the server that wrote the log, {event.server_version}: "
                f"{self.link.source} is assumed"
            )
            return
        source = replace(found, settings=self.link.source.settings)
        if source != self.link.source:
            self.link = Link(source, self.link.replica)
            self.report.link = self.link
            self.source_tables.server = source
            self.decider.moved(self.link)

    def _unpack(self, event: TransactionPayload) -> None:
        self._payload = event
        try:
            for inner in event.events(skip_rows=self.skips_rows):
                self.report.events += 1
                taker = self._takers.get(type(inner))
                if taker is not None:
                    taker(inner)
        finally:
            self._payload = None

    # ---- rows
    def _table_map(self, event: TableMap) -> None:
        if self._opened:
            self._close_statement()
        if not self._in_group:
            self._begin = event.header.position
            self._in_group = True
        self._maps.append(event.table)

    def _rows(self, event: Rows) -> None:
        table = event.table
        if self._passed_over:
            return
        if not self._opened:
            self._opened = True
            self._open(event)
        if table is not None:
            decided = self.decider.decide(table)
            report = decided.report
            report.events[event.action] = report.events.get(event.action, 0) + 1
            if report.first is None:
                report.first = self._place(event)
            if moves_children(event):
                self.decider.move_children(decided)
            if decided.misread and event.body is not None:
                self._misread(event, decided, decided.misread)
            if report.concerned and event.body is not None:
                try:
                    look(event, decided, self._place(event))
                except DamagedEvent as error:
                    self._problem(event, error.reason)
        elif event.table_id != NO_TABLE:
            self._problem(
                event,
                f"the rows of table id {event.table_id} have no table map before them: does the check start "
                "inside a transaction?",
            )
        if event.flags & STATEMENT_END:
            self._close_statement()

    def _misread(self, event: Rows, decided: Decided, columns: tuple[WireColumn, ...]) -> None:
        """The applier takes its own columns for the source's: it stops where a row then ends behind the
        event.
        """
        name = runs_past(event, columns)
        database, _, table = decided.report.replica.partition(".")
        error = error_of(name, event, self.link.replica, (database, table), self._file) if name else None
        if error is not None:
            self._stop(event, error, decided.report.name, decided.doubt, decided.report)

    def _open(self, event: Rows) -> None:
        """The applier opens all tables of a statement, last mapped first, then compares them: a missing table
        comes before any other error.
        """
        decisions = [self.decider.decide(table) for table in reversed(self._maps)]
        for missing in (True, False):
            for decided in decisions:
                if decided.error is not None and (decided.report.pair.state is PairState.MISSING) is missing:
                    self._stop(event, decided.error, decided.report.name, decided.finding, decided.report)
                    if not missing:
                        return

    def _stop(
        self,
        event: Event,
        error: ServerError,
        what: str,
        finding: Finding | None,
        table: TableReport | None = None,
    ) -> None:
        stop = Stop(self._place(event), error, what, finding)
        if table is not None and table.stop is None:
            table.stop = stop
        if self.report.stop is None:
            self.report.stop = stop

    # ---- statements
    def _query(self, event: Query) -> None:
        text = event.query
        head = text[:18].upper()
        if head.startswith(_QUIET):
            self._boundary(event, head)
            return
        if not self._in_group:
            self._begin = event.header.position
        # MariaDB's START ALTER and ROLLBACK ALTER: the statement counts at COMMIT ALTER.
        if not self._alter & (2 | 8):
            self._statement(event)

    def _boundary(self, event: Query, head: str) -> None:
        if head.startswith(("BEGIN", "START", "XA START")):
            if self._gtid is None:
                self._begin = event.header.position
            self._in_group = True
        elif head.startswith(("COMMIT", "ROLLBACK", "XA")) and not head.startswith("ROLLBACK TO"):
            self._end(event)

    def _statement(self, event: Query) -> None:
        default = event.database or None
        statement = parse(event.query, session(self.link.source, event))
        if statement.verb not in DML:
            self.decider.moved()
        for reason in statement.problems:
            self._problem(event, f"a statement was not understood: {reason}", code="SC002")
        if event.error_code and statement.verb in DML:
            reason = (
                f"the source ended {shortened(event.query)} with error {event.error_code}: the "
                "applier stops unless the replica ends it likewise"
            )
            self._problem(event, reason)
        error = self._run(event, statement, default) if event.error_code == 0 else None
        if error is not None:
            self._stop(event, stopped_by(error, event), shortened(event.query), None)
        if statement_commits(statement.inner or event.query):
            self._end(event)

    def _run(self, event: Query, statement: Statement, default: str | None) -> ServerError | None:
        """Filters and catalog first, then the definitions; the error that stops the applier."""
        defines = statement.verb in DDL
        if statement.inner:
            event = replace(event, query=statement.inner)
        if defines:
            if why := of_temporary(statement, event, self.catalog):
                self._problem(event, why, "SC004")
                return None
            self.source_tables.apply(event, statement, default, self._where(event))
        if self._passed_over:
            return None
        arrived = self.rules.rewrite(self.rules.arriving(default))[0] if default else None
        for database in {
            arrived,
            *(ref.database for ref in statement.refs),
            *(new for _, (new, _) in statement.renames),
        }:
            if database is not None:
                self.replica_tables.describe(self.catalog, database)
        targets = {
            key[0]
            for _, name in statement.renames
            if (key := self.catalog.resolve(name, arrived)) is not None
        }
        unsure = [database for database in targets if self.catalog.has_database(database) is None]
        place = [self.catalog.resolve((ref.database, ref.name), arrived) for ref in statement.refs[:1]]
        taken = any(key is not None and self.catalog.has(key) for key in place)
        applier = Applier(self.rules, self.catalog)
        applier.apply(QueryEvent(asked(statement, event, self.replica_tables, arrived), default))
        self.executed = bool(applier.executed)
        for reason in applier.unknown:
            self._problem(
                event, f"what the filters make of {shortened(event.query)} cannot be determined: {reason}"
            )
        if applier.error is None and applier.executed and statement.verb in DML:
            self._changes(event, statement, (default, arrived), applier)
        if applier.error is None and applier.executed and statement.verb == "create-trigger":
            return self.statements.trigger(statement, arrived, self.link)
        if applier.error is None and applier.executed and statement.verb == "truncate":
            return self.replica_tables.truncated(event, statement, arrived)
        if applier.error is not None and taken and query_first(statement, applier.error, self.link.replica):
            return self.statements.query(statement, (default, arrived), self.link)[0] or applier.error
        if applier.error is not None or not applier.executed or not defines:
            return applier.error
        if answers(statement) and not self.replica_tables.has_tables(place):
            return None
        for database in unsure:
            why = f"whether the database {database} is there is not known: {shortened(event.query)}"
            self._problem(event, why, "SC004")
        passed_over = taken and statement.conditional and statement.verb == "create-table-select"
        if statement.verb in QUERIES and not passed_over:
            refusal, reason = self.statements.query(statement, (default, arrived), self.link)
            if refusal is not None:
                return refusal
            if reason and statement.verb != "create-table-select":  # the catalog follows that query
                self._problem(
                    event,
                    f"whether {shortened(event.query)} runs on the replica cannot be determined: {reason}",
                    "SC004",
                )
        problems, error = self.replica_tables.apply(event, statement, arrived, self._where(event))
        for one in problems:
            self._problem(event, one.message, one.code)
        return error

    def _changes(
        self, event: Query, statement: Statement, databases: tuple[str | None, str | None], applier: Applier
    ) -> None:
        """The tables that a statement changes on the replica; nothing in the log tells more about their rows
        than its text.
        """
        for reason in applier.notes:
            if reason not in statement.problems:
                self._problem(
                    event, f"what {shortened(event.query)} changes cannot be determined: {reason}", "SC004"
                )
        # The sql_mode travels with the statement.
        link = Link(session(self.link.source, event), self.link.replica)
        for changed in self.statements.decide(statement, databases, applier.changed, link):
            self._changed(event, changed)

    def _changed(self, event: Query, changed: Changed) -> None:
        report = self.decider.report_of(changed.name, changed.replica)
        report.tell(changed.pair)
        report.events["statement"] = report.events.get("statement", 0) + 1
        report.first = report.first or self._place(event)
        if changed.error is not None:
            self._stop(event, stopped_by(changed.error, event), report.name, changed.pair.findings[0], report)

    def _load(self, event: ExecuteLoadQuery | Load) -> None:
        if isinstance(event, ExecuteLoadQuery):
            fields = (event.error_code, event.database, event.query, event.status)
            self._statement(Query(event.header, event.thread_id, 0, *fields))
        else:
            self._problem(event, not_followed(event), "SC004")

    def _not_followed(self, event: Other | Incident) -> None:
        reason = not_followed(event)
        if reason:
            self._problem(event, reason)

    def _where(self, event: Event) -> Location:
        return Location(f"{self._file}@{(self._payload or event).header.position}")

    def _problem(self, event: Event, message: str, code: str = "SC003") -> None:
        problem = InputProblem(code, message, self._where(event))
        if problem not in self.report.problems and len(self.report.problems) < 1000:
            self.report.problems.append(problem)

    def finish(self) -> LogReport:
        """The answer so far."""
        self.report.tables = list(self.decider.reports.values())
        notes = dict.fromkeys((*self.report.notes, *self.decider.notes, *self.replica_tables.notes))
        self.report.notes = list(notes)
        return self.report
