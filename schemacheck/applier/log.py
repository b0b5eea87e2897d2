"""Events in order, held against the replica: where the applier stops, and what changes without an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from schemacheck.applier.decide import Decider
from schemacheck.applier.report import LogReport, Place, Stop, TableReport
from schemacheck.applier.rows import look
from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events.control import FormatDescription, Incident, Other
from schemacheck.binlog.events.gtid import Gtid, MariadbGtid
from schemacheck.binlog.events.load import ExecuteLoadQuery
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import NO_FOREIGN_KEY_CHECKS, STATEMENT_END, Rows
from schemacheck.binlog.events.statement import Query, XaPrepare, Xid
from schemacheck.binlog.events.table_map import TableDefinition, TableMap
from schemacheck.binlog.readers import Event, Idle
from schemacheck.binlog.table import charset_of
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.writer import writer
from schemacheck.dataclass import replace
from schemacheck.engine import link_findings
from schemacheck.filters import procedure
from schemacheck.knowledge import characters
from schemacheck.link import Ends, carried
from schemacheck.link.session import Session
from schemacheck.model import Finding, InputProblem, Link, Location, PairState, Schema, ServerError
from schemacheck.model.filters import FilterSet
from schemacheck.replay.change import streamed
from schemacheck.replay.end import End
from schemacheck.replay.logged import SQL_MODES, Logged
from schemacheck.replay.mentions import of_temporary
from schemacheck.replay.statements import Changed
from schemacheck.replay.tables import DDL, Definitions
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.statements.value import DML
from schemacheck.workload import computed

#: LOG_EVENT_IGNORABLE_F of a header's flags.
_IGNORABLE = 0x80


def not_followed(event: Event) -> str:
    """The reason why nothing is known about an event's effect; '' where it has none on tables."""
    if isinstance(event, Incident):
        return (
            f"an INCIDENT event: the source lost events here ({event.message}); the applier stops and the "
            "replica must be rebuilt"
        )
    if isinstance(event, Other) and event.known:
        return ""
    ignorable = (
        " It is marked as ignorable."
        if event.header.flags & _IGNORABLE
        else " The replica's server may stop at it."
    )
    return f"an event of type {event.header.code} was skipped: this type is not read.{ignorable}"


#: Statements that carry no change of their own.
_QUIET = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "XA ", "START TRANSACTION", "RELEASE")
#: The table id of a rows event without rows, which only ends a statement (server: DUMMY_TABLE_ID).
NO_TABLE = 0x00FFFFFF
#: Bits of the status variables sql_mode (sql_class.h, MODE_*) and flags2 (log_event.h).
_MODE_BITS = dict(zip(SQL_MODES, (0, 2, 3, 20, 21, 22), strict=True))
_UNCHECKED = 1 << 26
#: Statements that end their transaction by themselves.
_COMMITS = (
    "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "GRANT", "REVOKE", "FLUSH", "ANALYZE", "OPTIMIZE",
    "REPAIR",
)  # fmt: skip


#: Rules about settings of the applier, which no event tells.
_OF_APPLIER = ("SC941", "SC944", "SC945", "SC946")


class LogCheck:
    """Takes the events of one replication stream in order. `replica` and `source` are the schemas at the
    first event; without `source` only the log's DDL tells more than the table maps.
    """

    def __init__(
        self, replica: Schema, link: Link, *, filters: FilterSet | None = None, source: Schema | None = None
    ) -> None:
        self.report = LogReport(link)
        self.source_tables = Definitions(source, link.source)
        self.end = End(replica, streamed(link), filters, source=self.source_tables)
        self.decider = Decider(link, self.end.rules, self.source_tables, self.end.tables)
        self._maps: list[TableDefinition] = []
        self._opened = False
        self._zones: set[str] = set()
        self._file = ""
        self._begin = 0
        self._in_group = False
        self._gtid: Gtid | MariadbGtid | None = None
        self._alter = 0
        self._passed_over = False
        self._payload: TransactionPayload | None = None
        self._takers: dict[type, Callable[[Any], None]] = {
            **dict.fromkeys(get_args(Idle), lambda _: None),
            TableMap: self._table_map, Rows: self._rows, Query: self._query, Gtid: self._begin_gtid,
            MariadbGtid: self._begin_gtid,
            Xid: self._end, XaPrepare: self._end, FormatDescription: self._describe,
            TransactionPayload: self._unpack, ExecuteLoadQuery: self._load,
        }  # fmt: skip

    @property
    def link(self) -> Link:
        """The two servers, as far as the log has told."""
        return self.end.link

    def take(self, file: str, event: Event) -> None:
        """The next event."""
        if file != self._file:
            self._file = file
            self.report.files.append(file)
        self.report.events += 1
        self._takers.get(type(event), self._not_followed)(event)

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
        ignored = not procedure.domain(self.end.rules.filters, domain)
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

    def _describe(self, event: FormatDescription) -> None:
        """The log knows best who wrote it."""
        server = writer(event)
        if server is None:
            self.report.notes.append(
                f"nothing is known about the server that wrote the log, {event.server_version}: "
                f"{self.link.source} is assumed"
            )
            return
        source = replace(server, settings=self.link.source.settings)
        if source != self.link.source:
            self.report.link = self.end.link = Link(source, self.link.replica)
            self.source_tables.server = source
            self.decider.moved(self.link)

    def _unpack(self, event: TransactionPayload) -> None:
        self._payload = event
        try:
            for inner in unpacked(event):
                self.take(self._file, inner)
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
            # Foreign keys act on these rows, on either end: the applier follows the event's flag.
            if event.action != "insert" and not event.flags & NO_FOREIGN_KEY_CHECKS:
                self.decider.move_children(decided)
            if report.concerned and report.pair.state is PairState.COMPARED:
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

    def _open(self, event: Rows) -> None:
        """All tables are opened, last mapped first, then compared: a missing one comes first."""
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
        head = event.query[:18].upper()
        zone = str(event.variables().get("time_zone", "")) if not self._passed_over else ""
        if zone not in self._zones:
            self._zones.add(zone)
            if (outcome := carried.unread_zone(zone, self.link.replica)) is not None:
                self._problem(event, outcome.why)
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
        logged = _logged(event)
        statement = parse(event.query, logged.on(self.link.source))
        if statement.verb not in DML:
            self.decider.moved()
        for reason in statement.problems:
            self._problem(event, f"a statement was not understood: {reason}", code="SC002")
        if event.error_code and statement.verb in DML:
            reason = (
                f"the source ended {logged.short} with error {event.error_code}: the "
                "applier stops unless the replica ends it likewise"
            )
            self._problem(event, reason)
        if event.error_code == 0:
            self._run(event, logged, statement)
        if _commits(statement.inner or event.query):
            self._end(event)

    def _run(self, event: Query, logged: Logged, statement: Statement) -> None:
        """The source has run the statement; the replica does."""
        where = self._where(event)
        if statement.verb in DDL and not of_temporary(statement, logged, self.end.present):
            inner = replace(logged, query=statement.inner) if statement.inner else logged
            self.source_tables.apply(inner, statement, event.database or None, where)
        if self._passed_over:
            return
        ran = self.end.run(logged, statement, where)
        if ran.executed and statement.verb in DML:
            self._computes(event, logged, statement, ran.changed)
        for problem in ran.problems:
            self._problem(event, problem.message, problem.code)
        for changed in ran.changed:
            self._changed(event, changed, logged)
        if ran.error is not None:
            self._stop(event, ran.error, logged.short, None)

    def _computes(self, event: Query, logged: Logged, statement: Statement, changed: list[Changed]) -> None:
        """What the replica computes anew, perhaps otherwise."""
        session = Session.plain(logged.on(self.link.source))
        session.logged = True
        tables = [table for item in changed if (table := self.source_tables.get(*item.name)) is not None]
        for outcome in computed.otherwise(Ends(self.link), session, statement, logged.query, tables):
            self._problem(event, f"{outcome.why}: {outcome.change}" if outcome.change else outcome.why)

    def _changed(self, event: Query, changed: Changed, logged: Logged) -> None:
        report = self.decider.report_of(changed.name, changed.replica)
        report.tell(changed.pair)
        report.events["statement"] = report.events.get("statement", 0) + 1
        report.first = report.first or self._place(event)
        if changed.error is not None:
            self._stop(event, logged.stops(changed.error), report.name, changed.pair.findings[0], report)

    def _load(self, event: ExecuteLoadQuery) -> None:
        fields = (event.error_code, event.database, event.query, event.status)
        self._statement(Query(event.header, event.thread_id, 0, *fields))

    def _not_followed(self, event: Event) -> None:
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
        notes = dict.fromkeys((*self.report.notes, *self.decider.notes, *self.end.tables.notes))
        self.report.notes = list(notes)
        findings = link_findings(self.link, filtered=True, checked=False)
        self.report.link_findings = tuple(finding for finding in findings if finding.code in _OF_APPLIER)
        return self.report


def _logged(event: Query) -> Logged:
    """The statement of an event with what it says of its session. Raises DamagedEvent."""
    definition = event.variables()
    mode, explicit = definition.get("sql_mode"), definition.get("explicit_defaults_for_timestamp")
    flags, charset = definition.get("flags2"), definition.get("charset_database")
    return Logged(
        event.query, event.database,
        tuple(name for name, bit in _MODE_BITS.items() if mode >> bit & 1) if isinstance(mode, int) else None,
        bool(explicit) if isinstance(explicit, int) else None,
        not (isinstance(flags, int) and flags & _UNCHECKED),
        charset_of(charset) if isinstance(charset, int) else None,
    )  # fmt: skip


def _commits(query: str) -> bool:
    """Whether a statement ends its transaction by itself (CREATE TABLE ... START TRANSACTION does not)."""
    if query[-20:].rstrip(" ;").upper().endswith("START TRANSACTION"):
        return False
    return query.lstrip(characters.BLANK)[:8].upper().startswith(_COMMITS)
