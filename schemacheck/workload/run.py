"""The statements of a file on a link, one after the other: what the source logs of each, what the replica
makes of it, and where they end.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.catalog.asked import aside
from schemacheck.catalog.steps import Step
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.engine import check_pair
from schemacheck.link import variables
from schemacheck.link.connect import connects
from schemacheck.link.ends import Ends
from schemacheck.link.installation import connecting
from schemacheck.link.outcome import RUNS, Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import (
    ColumnType,
    DefaultKind,
    Effect,
    Finding,
    Link,
    Location,
    PairReport,
    PairState,
    Schema,
    Table,
    TableKind,
)
from schemacheck.replay.cascades import keeps_children
from schemacheck.replay.change import BothEnds
from schemacheck.replay.logged import bare
from schemacheck.sql.statements import Statement, parse, parse_script
from schemacheck.sql.statements.features import FEATURES, features
from schemacheck.sql.statements.value import DataStatement, SetStatement, UseStatement
from schemacheck.workload import computed, definition, events
from schemacheck.workload.session import TRANSACTION, is_upkeep, savepoints, take

#: Rules about what sessions bring along, and about events of row changes.
_OF_SESSIONS = ("SC911", "SC912", "SC913", "SC924")
_CHANGES = frozenset({"insert", "replace", "update", "delete", "update-multi", "delete-multi"})
#: A rule about REPLACE alone.
_OF_REPLACE = "SC509"
#: Changes that take parents from their children, or both at once (SC405).
_REPLACING = ("replace", "update-multi", "delete-multi")
_DEFINITIONS = frozenset({
    "create-table", "create-table-like", "alter-table", "create-index", "drop-index", "drop-table",
    "truncate", "create-database", "rename-table",
})  # fmt: skip
#: What changes no row and no definition; a table that is missing on the replica does not stop it (recorded).
_UPKEEP = frozenset({"ANALYZE", "OPTIMIZE", "REPAIR", "CHECK", "FLUSH"})
_TRANSACTIONAL = frozenset({"innodb", "rocksdb"})
_FILTERS = ("replicate_", "binlog_do_", "binlog_ignore_")
_OF_STATEMENTS = "SC80"
_ALIKE = "Define the columns alike"


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of the statements of a file: `count` of them; `at`: the place of that which decides (None:
    none does); `further` is what becomes of others that do not just run, up to what stops the replica.
    """

    outcome: Outcome
    count: int
    at: Location | None = None
    further: tuple[tuple[Outcome, Location | None], ...] = ()


def of_others(findings: tuple[Finding, ...], answer: Answer | None) -> tuple[Finding, ...]:
    """Findings about a link: what sessions and events of some kind do is a note where it is decided what
    becomes of the statements that there are.
    """
    if answer is None or answer.outcome.kind is Kind.UNKNOWN:
        return findings
    return tuple(
        replace(
            finding, effect=Effect.COMPATIBLE, depends_on_rows=True,
            message=f"of other statements than those given: {finding.message}",
        )
        if finding.code in _OF_SESSIONS and finding.effect > Effect.COMPATIBLE
        else finding
        for finding in findings
    )  # fmt: skip


def run_script(
    ends: Ends, text: str, tables: tuple[Schema, Schema] = (Schema(), Schema()), *, file: str = "-",
    database: str = "",
) -> Answer:  # fmt: skip
    """Run the statements of a file on a link.

    `tables` are those that the source and the replica have before; they may hold rows, the same on both ends.
    `database` is the default one; else it is the first that USE names. Kind.UNKNOWN wherever a statement is
    not followed, or the source itself seems to refuse it.
    """
    ends = connecting(ends)
    count = len(parse_script(text, ends.source))
    if (stopped := connects(ends) or _of_link(ends)) is not None:
        return Answer(stopped, count)
    for schema in tables:
        unread = next(
            (problem for problem in schema.problems if not problem.skipped and problem.table is None), None
        )
        if unread is not None:
            return Answer(_unknown(unread.message), count, unread.location)
    used = (
        statement.database
        for statement in parse_script(text, ends.source)
        if isinstance(statement, UseStatement)
    )
    run = Run(ends, BothEnds(*tables, ends.link, database or next(used, None), None))
    lost = (problem for schema in tables for problem in schema.problems if problem.table is not None)
    run.unread.update((str(problem.table).casefold(), problem.message) for problem in lost)
    listed: list[tuple[Outcome, Location | None]] = []
    with aside():  # its definitions run on both ends, which no answer of a server says
        for step in run.both.steps(file, text):
            outcome = next(run.take(step), RUNS)
            if outcome is not RUNS:
                listed.append((outcome, _line(step.location) if step.sql else None))
            if outcome.dead:
                break
    if not listed:
        last, place = next(run.finish(), (RUNS, None))
        return Answer(last, count, _line(place))
    # What comes behind a statement that is not decided is not certain; behind rows that differ it is.
    dead = next((at for at, (outcome, _) in enumerate(listed) if outcome.dead), 0)
    outcome, place = listed.pop(dead if listed[0][0].kind is Kind.DIVERGES else 0)
    return Answer(outcome, count, place, tuple(listed))


def _line(place: Location | None) -> Location | None:
    return Location(place.file, place.line) if place else None


def _of_link(ends: Ends) -> Outcome | None:
    """Why nothing can be said about any statement on this link, or what stops the applier before its first
    event.
    """
    if ends.link.kind.cluster:
        return _unknown("statements are followed over ordinary replication, not within a cluster")
    for server in (ends.source, ends.replica):
        for name, value in server.settings:
            if name.startswith(_FILTERS) and name != "replicate_same_server_id" and value:
                why = f"{name} filters the statements, which is not followed here (schemacheck filter)"
                return _unknown(why)
    skipped = ends.replica.setting("slave_skip_errors").upper()
    if skipped not in ("", "OFF"):
        return _unknown(f"slave_skip_errors = {skipped} on the replica hides what its applier leaves out")
    folder = ends.replica.setting("slave_load_tmpdir")
    if folder and folder not in (ends.replica.setting("tmpdir"), "/tmp", "/var/tmp"):  # noqa: S108
        why = f"whether the replica can write to slave_load_tmpdir = {folder[:60]} (error 12 if not)"
        return replace(_unknown(why), change="Make the directory on the replica's host")
    return next(variables.of_ends(ends), None)


def _unknown(why: str, rule: str = "") -> Outcome:
    return Outcome(Kind.UNKNOWN, rule, 0, why)


@dataclass(slots=True)
class Run:
    """A script while it runs. `waiting` is what its open transaction comes to at COMMIT, `engines` are those
    of the tables that it has changed, `points` its savepoints; `defined` the tables that a definition has
    changed, and where; `unread` says why a table's definition, by its name, was not understood.
    """

    ends: Ends
    both: BothEnds
    session: Session = field(init=False)
    waiting: list[Outcome] | None = None
    engines: set[bool] = field(default_factory=set)
    points: list[str] = field(default_factory=list)
    defined: dict[tuple[str, str], Location | None] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.both.any_session = True
        self.session = Session.plain(self.ends.source)

    def take(self, step: Step) -> Iterator[Outcome]:
        """What keeps one statement from running alike on both ends, first things first."""
        yield from (_unknown(problem.message) for problem in step.problems if not problem.skipped)
        if not step.sql:
            return
        text, server = step.sql, step.server or self.ends.source
        statement = parse(text, server)
        yield from map(_unknown, statement.problems)
        if step.words[:1] == ("EXECUTE",):
            yield _unknown("EXECUTE IMMEDIATE is not followed")
        elif statement.inner or any(mark in text for mark in ("/*!", "/*M!", "/*+")):
            yield _unknown("versioned comments, hints, SET STATEMENT and ANALYZE are not followed")
        elif isinstance(statement, SetStatement):
            yield from self._set(statement)
        elif statement.verb in _CHANGES:
            if self.waiting is None:
                self.engines = set()
                self.waiting = [] if self.session.get("autocommit").upper() in ("0", "OFF") else None
            outcome = next(self._change(step, statement), None)
            if outcome is not None and (self.waiting is None or outcome.kind is Kind.UNKNOWN):
                yield outcome
            elif outcome is not None and self.waiting is not None:
                self.waiting.append(outcome)
        elif statement.verb in _DEFINITIONS:
            yield from self._definition(step, statement)
        elif TRANSACTION.fullmatch(" ".join(statement.text.split())):
            yield from self._transaction(statement)
        elif step.words[:1] and step.words[0] in _UPKEEP and self.waiting is None and is_upkeep(statement):
            if next(events.of_parser(self.ends.source, text, functions=False), None) is not None:
                yield _unknown(f"{self.ends.source} itself seems to refuse it")
            if statement.verb != "not-logged":
                yield from events.of_statement(self.ends, self.session, text, None)
        elif not isinstance(statement, UseStatement):
            yield _unknown(f"statements of this kind are not followed: {text[:60]!r}")

    def finish(self) -> Iterator[tuple[Outcome, Location | None]]:
        """What is to be said of the whole: an open transaction, tables that have come to differ."""
        if self.waiting is not None:
            yield _unknown("a transaction is not ended"), None
        for name, place in self.defined.items():
            here, there = self.both.source.tables.whole(*name), self.both.replica.tables.whole(*name)
            if here is not None:
                outcome = _of_pair(self._pair(here, there, self.ends.link.binlog_format))
                if outcome is not None:
                    why = f"this definition makes another table on the replica; of later rows: {outcome.why}"
                    yield replace(outcome, kind=Kind.UNKNOWN, number=0, why=why), place

    def _set(self, statement: SetStatement) -> Iterator[Outcome]:
        if self.waiting is not None and (self.engines or "log" in statement.text.lower()):
            yield _unknown("SET within a transaction is not followed")
        elif why := take(self.session, statement):
            yield _unknown(why)

    def _transaction(self, statement: Statement) -> Iterator[Outcome]:
        """What was changed counts at COMMIT; ROLLBACK leaves nothing in the log, and a part of it less."""
        verb, waiting, engines = statement.verb, self.waiting or [], self.engines
        if verb in ("savepoint", "rollback-to", "release"):
            points = None if self.waiting is None or False in engines else savepoints(self.points, statement)
            if points is None:
                yield _unknown(f"what {statement.text[:60]!r} leaves of a transaction is not followed")
            self.points = points or []
            return
        self.waiting, self.engines, self.points = ([] if verb == "begin" else None), set(), []
        if False in engines and (verb == "rollback" or True in engines):
            yield _unknown("a transaction over tables that cannot be rolled back")
        if verb != "rollback":
            yield from waiting

    def _table(self, step: Step, name: str, database: str | None) -> Table | None:
        return self.both.source.tables.whole(database or step.database or self.both.home, name)

    def _change(self, step: Step, statement: Statement) -> Iterator[Outcome]:
        """A change of rows: as rows or as a statement, or, where the source decides, as both."""
        tables: list[Table] = []
        for ref in statement.refs:
            table = self._table(step, ref.name, ref.database)
            why = self.unread.get(ref.name.casefold(), "" if table else "give it with --tables")
            if table is None or why:
                yield _unknown(f"the definition of {ref.written} is not known: {why}")
                return
            if table.kind is not TableKind.TABLE or table.triggers:
                yield _unknown(f"{ref.written} is no plain table, or has triggers, which are not followed")
            tables.append(table)
        updated = [t for t, ref in zip(tables, statement.refs, strict=True) if ref.updated is not False]
        if not updated or statement.calls:
            yield _unknown(f"it names no table, or calls stored functions: {step.sql[:60]!r}")
            return
        if next(events.of_parser(self.ends.source, step.sql), None) is not None:
            yield _unknown(f"{self.ends.source} itself seems to refuse it")
        self.engines |= {(table.engine or "InnoDB").lower() in _TRANSACTIONAL for table in updated}
        form = (self.session.get("binlog_format") or self.ends.link.binlog_format).upper()
        loose = self.engines == {True} and self.session.get("transaction_isolation").upper()[:5] == "READ-"
        unsafe = [text for text in statement.unsafe if not (self.ends.source.mariadb and text == "RAND()")]
        if form != "ROW" and statement.verb.endswith("-multi"):
            yield _unknown(f"where it is logged as a statement it is not followed: {step.sql[:60]!r}")
        elif form == "ROW" or (
            form == "MIXED" and (unsafe or loose or _of_several_keys(statement, updated[0]))
        ):
            yield from self._as_rows(step, statement, updated)
        elif form == "MIXED" and _in_doubt(statement, tables):
            outcome = next(self._as_rows(step, statement, updated), None)
            outcome = outcome or next(self._as_statement(step, statement, tables), None)
            if outcome is not None:
                yield replace(outcome, kind=Kind.UNKNOWN, number=0)
        else:
            yield from self._as_statement(step, statement, tables)

    def _as_rows(self, step: Step, statement: Statement, updated: list[Table]) -> Iterator[Outcome]:
        update = statement.verb.startswith("update")
        yield from events.of_rows(self.ends, self.session, step.sql, updated[0], update=update)
        for table in updated:
            name = table.name.lower() if self.ends.source.folds_names else table.name
            there = self.both.replica.tables.whole(table.database or self.both.home, name)
            if statement.verb in _REPLACING and there and there.incoming and keeps_children(self.ends.link):
                yield _unknown(f"{name} has children, which the replica may change or miss otherwise (SC405)")
            limited = variables.of_rows(self.ends, (table.engine or "InnoDB").lower())
            pair = self._pair(table, there, "ROW")
            yield from filter(None, (_of_pair(pair, replaces=statement.verb == "replace"), limited))

    def _as_statement(self, step: Step, statement: Statement, tables: list[Table]) -> Iterator[Outcome]:
        zones = [end.setting("system_time_zone") for end in (self.ends.source, self.ends.replica)]
        zone = self.session.get("time_zone") or self.ends.source.setting("time_zone") or "SYSTEM"
        moments = any(column.type.is_timestamp for table in tables for column in table.columns)
        if moments and all(zones) and zones[0] != zones[1] and zone.upper() == "SYSTEM":
            # The event names SYSTEM, and each end takes its own.
            why = f"the ends' system_time_zone differ ({', '.join(zones)}): texts are other moments there"
            yield Outcome(Kind.DIVERGES, "SC942", 0, why)
        yield from events.of_statement(self.ends, self.session, step.sql, tables[0])
        ran = self.both.replica.attempt(self.both.logged(step), step.location)
        yield from (_unknown(problem.message) for problem in ran.problems)
        if ran.error is not None:
            yield Outcome(Kind.SQL, "SC941", ran.error.number, bare(ran.error.message), _ALIKE)
        about = features(step.sql, self.ends.source)
        marks = about.features if about is not None and "unread" not in about.features else None
        yield from filter(None, (_of_pair(report.pair, marks) for report in ran.changed))
        if _in_doubt(statement, tables):
            yield _unknown("it is logged as a statement and may change other rows on the replica")
        yield from computed.otherwise(self.ends, self.session, statement, step.sql, tables)

    def _definition(self, step: Step, statement: Statement) -> Iterator[Outcome]:
        if self.waiting is not None:
            yield _unknown("a definition ends the transaction in which it is, which is not followed")
        if statement.temporary:
            yield _unknown("temporary tables are not followed")
        if next(events.of_parser(self.ends.source, step.sql, functions=False), None) is not None:
            yield _unknown(f"{self.ends.source} itself seems to refuse it")
        ends = events.in_session(self.ends, self.session, "STATEMENT", step.sql)
        both, counted = self.both, len(self.both.problems)
        yield from events.of_statement(self.ends, self.session, step.sql, None)
        yield from definition.otherwise(ends, self.session, statement, step.sql)
        both.take(step)
        yield from (_unknown(problem.message) for problem in both.problems[counted:] if not problem.skipped)
        stop = both.refused
        if stop is not None and stop.error is not None:
            why = f"{self.ends.replica} refuses the definition: {bare(stop.error.message)}"
            change = "Write definitions that both servers take"
            yield Outcome(Kind.SQL, "SC932", stop.error.number, why, change)
        elif stop is not None:
            yield Outcome(Kind.DIVERGES, "SC911", 0, "the replica leaves the definition out without an error")
        yield from (_unknown(refused_statement.differs) for refused_statement in both.differing)
        named = [(ref.database, ref.name) for ref in statement.updated]
        for database, name in (*named, *(new for _, new in statement.renames)):
            home = database or step.database or both.home
            self.defined[both.source.tables.key(home, name)] = step.location

    def _pair(self, here: Table, there: Table | None, form: str) -> PairReport:
        """What the engine says of a table's rows in a format, by the replica's table of this name."""
        source = self.ends.source.with_told({**self.session.variables, "binlog_format": form})
        return check_pair(here, there, Link(source, self.ends.replica))


def _of_pair(
    pair: PairReport, marks: tuple[str, ...] | None = None, *, replaces: bool = False
) -> Outcome | None:
    """What a pair means for a change of its rows: the error that stops each, or that values decide. `marks`:
    those of the statement; findings about statements with others say nothing of it.
    """
    findings = tuple(finding for finding in pair.findings if replaces or finding.code != _OF_REPLACE)
    if marks is not None:
        findings = tuple(f for f in findings if not f.statements or _is_about(f.statements, marks))
    if pair.source is not None and pair.replica is not None and _stored(pair.source) == _stored(pair.replica):
        # Of columns alike these rules say what some statement computes: `computed` knows this one.
        findings = tuple(finding for finding in findings if not finding.code.startswith(_OF_STATEMENTS))
    for finding in findings:
        if finding.effect is Effect.STOPS and not finding.depends_on_rows and finding.error is not None:
            return Outcome(
                Kind.SQL, finding.code, finding.error.number, finding.message, finding.remedy or _ALIKE
            )
    worst = next((finding for finding in findings if finding.effect > Effect.COMPATIBLE), None)
    if worst is not None:
        return Outcome(Kind.UNKNOWN, worst.code, 0, f"values decide: {worst.message}", worst.remedy or _ALIKE)
    return None if pair.state is PairState.COMPARED else _unknown(pair.reason)


def _is_about(wanted: tuple[str, ...], marks: tuple[str, ...]) -> bool:
    """Whether a statement has a mark of a finding; marks that are no feature are taken to be there."""
    return any(mark not in FEATURES or mark in marks for mark in wanted)


def _stored(table: Table) -> list[ColumnType]:
    """The columns' types."""
    return [column.type for column in table.columns]


def _in_doubt(statement: Statement, tables: list[Table]) -> bool:
    """Whether the log's format, or the rows, hang on keys, on what is read, or on defaults that compute."""
    several = any(_of_several_keys(statement, table) or table.gipk for table in tables[:1])
    columns = (column for table in tables for column in table.columns)
    computes = any(c.default is not None and c.default.kind is DefaultKind.EXPRESSION for c in columns)
    return several or computes or any(ref.updated is False for ref in statement.refs)


def _of_several_keys(statement: Statement, table: Table) -> bool:
    """Whether ON DUPLICATE KEY UPDATE has several unique keys to ask: MIXED logs it as rows (asked of four
    servers, 24 statements each).
    """
    updates = isinstance(statement, DataStatement) and statement.updates_duplicates
    return updates and sum(key.unique for key in table.keys) > 1
