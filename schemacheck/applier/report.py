"""What a check of logs answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model import Effect, Finding, InputProblem, Link, PairReport, PairState, ServerError


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event stands: `position` is its offset in `file`, `end_position` what the server calls
    end_log_pos (0: not written), `transaction` the offset where its transaction begins: there
    Exec_Source_Log_Pos (Exec_Master_Log_Pos) stays when the applier stops.
    """

    file: str
    position: int
    end_position: int
    transaction: int
    gtid: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the applier stops, and with what. `what` names the table or quotes the statement."""

    place: Place
    error: ServerError
    what: str
    finding: Finding | None = None

    @property
    def title(self) -> str:
        """`error 1136 (ER_...)`; some stops have no number (a server that dies)."""
        if not self.error.number:
            return "no error number"
        return f"error {self.error.number}" + (f" ({self.error.symbol})" if self.error.symbol else "")


@dataclass(frozen=True, slots=True)
class Change:
    """The first row whose value changes without an error. `row` counts from 1 in its event."""

    place: Place
    row: int
    column: str
    source: str
    replica: str
    rule: str


@dataclass(slots=True)
class TableReport:
    """One source table of the log; `replica` is its name there. `events` and `rows` count by action; `pair`
    is the answer about rows and statements. `unsaid` names, by column, what was taken from the replica's
    definition, `lacking` why the data may differ without the source's.
    """

    database: str
    table: str
    replica: str
    by_rows: PairReport | None = None
    by_statements: PairReport | None = None
    events: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] | None = None
    first: Place | None = None
    stop: Stop | None = None
    changes: list[Change] = field(default_factory=list)
    unsaid: tuple[str, ...] = ()
    lacking: dict[str, None] = field(default_factory=dict)
    pair: PairReport = field(init=False)
    concerned: bool = field(init=False)

    def __post_init__(self) -> None:
        self._settle()

    def decide(self, pair: PairReport, unsaid: tuple[str, ...]) -> None:
        """Take a decision about row events over; the worst one stands."""
        if self.by_rows is None or _weight(pair) > _weight(self.by_rows):
            self.by_rows, self.unsaid = pair, unsaid
            self._settle()

    def tell(self, pair: PairReport) -> None:
        """Take over what a statement makes of the table; each finding is kept."""
        pair_report = self.by_statements
        if pair_report is not None:
            new = tuple(finding for finding in pair.findings if finding not in pair_report.findings)
            if not new:
                return
            pair = replace(
                pair_report if pair_report.state is PairState.UNREADABLE else pair,
                findings=pair_report.findings + new,
            )
        self.by_statements = pair
        self._settle()

    def _settle(self) -> None:
        rows, statements = self.by_rows, self.by_statements
        pair = rows or statements or PairReport(self.database, self.table, PairState.COMPARED)
        if rows is not None and statements is not None:
            base = statements if rows.state is PairState.NOT_REPLICATED else rows
            both = dict.fromkeys((*base.findings, *statements.findings))
            pair = replace(base, findings=tuple(sorted(both, key=lambda finding: -finding.effect.rank)))
        self.pair = pair
        self.concerned = (
            pair.state not in (PairState.COMPARED, PairState.NOT_REPLICATED) or pair.verdict >= Effect.LOSSY
        )

    @property
    def name(self) -> str:
        """`database.table` as the source calls it."""
        return f"{self.database}.{self.table}"


@dataclass(slots=True)
class LogReport:
    """The answer about all logs. `stop` is the first one; the log is read on after it. `problems` are what
    could not be read or followed: never a pass.
    """

    link: Link
    link_findings: tuple[Finding, ...] = ()
    files: list[str] = field(default_factory=list)
    stop: Stop | None = None
    tables: list[TableReport] = field(default_factory=list)
    problems: list[InputProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    events: int = 0

    @property
    def concerned(self) -> list[TableReport]:
        """The tables that need attention, worst first."""
        return sorted((t for t in self.tables if t.concerned), key=lambda t: -t.pair.verdict.rank)

    @property
    def lacking(self) -> dict[tuple[str, ...], list[str]]:
        """What the log does not say and decides whether data stays the same -> names of the source tables."""
        result: dict[tuple[str, ...], list[str]] = {}
        for table in self.tables:
            if table.lacking:
                result.setdefault(tuple(table.lacking), []).append(table.name)
        return result

    @property
    def verdict(self) -> Effect:
        """The worst effect; a problem is unknown; so is what the log lacks, where nothing else is found."""
        if self.problems:
            return Effect.UNKNOWN
        effects = [t.pair.verdict for t in self.tables if t.pair.state is not PairState.NOT_REPLICATED]
        effects += [finding.effect for finding in self.link_findings]
        worst = max([*effects, Effect.STOPS] if self.stop else effects, default=Effect.IDENTICAL)
        return Effect.UNKNOWN if worst < Effect.LOSSY and self.lacking else worst


def _weight(pair: PairReport) -> tuple[bool, int]:
    return pair.state is not PairState.NOT_REPLICATED, pair.verdict.rank


def document(report: LogReport) -> dict[str, Any]:
    """One JSON object: `verdict`, `stop` (or null), `tables` with findings and changed values, `problems`."""
    return {
        "source": str(report.link.source),
        "replica": str(report.link.replica),
        "files": report.files,
        "events": report.events,
        "verdict": report.verdict.value,
        "stop": _stop(report.stop),
        "link_findings": [_finding(finding) for finding in report.link_findings],
        "tables": [_table(table) for table in report.tables],
        "problems": [
            {"code": p.code, "message": p.message, "where": str(p.location)} for p in report.problems
        ],
        "notes": report.notes,
    }


def _stop(stop: Stop | None) -> dict[str, Any] | None:
    if stop is None:
        return None
    return {
        **asdict(stop.place), "errno": stop.error.number or None, "symbol": stop.error.symbol,
        "message": stop.error.message, "what": stop.what,
        "remedy": stop.finding.remedy if stop.finding else "",
    }  # fmt: skip


def _table(table: TableReport) -> dict[str, Any]:
    return {
        "database": table.database, "table": table.table, "replica": table.replica,
        "state": table.pair.state.value,
        "verdict": table.pair.verdict.value, "events": table.events, "rows": table.rows,
        "first": asdict(table.first) if table.first else None,
        "stop": _stop(table.stop), "findings": [_finding(f) for f in table.pair.findings],
        "changes": [asdict(c) for c in table.changes],
        "unsaid": list(table.unsaid), "lacking": list(table.lacking), "reason": table.pair.reason,
    }  # fmt: skip


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code, "rule": finding.rule, "effect": finding.effect.value, "column": finding.column,
        "message": finding.message,
        "errno": (finding.error.number or None) if finding.error else None,
        "depends_on_rows": finding.depends_on_rows, "remedy": finding.remedy,
    }  # fmt: skip
