"""One table map against one replica definition: decided once, however often the log repeats it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeGuard

from schemacheck.alignment.pair import Pair
from schemacheck.applier.report import TableReport
from schemacheck.binlog.events.table_map import TableDefinition
from schemacheck.binlog.table import table_from_map, unsaid
from schemacheck.conversion.wire import image
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.engine import check_pair, undecided
from schemacheck.filters.rules import ReplicaRules
from schemacheck.model import Effect, Finding, Key, Link, PairReport, PairState, ServerError, Table, TableKind
from schemacheck.replay.cascades import UNKNOWN_KEYS, hides_children, of_filtered, on_children
from schemacheck.replay.tables import Definitions

#: Findings about what the log leaves unsaid say nothing: rule code -> what must be known.
NEEDS = {
    "SC301": "charset", "SC204": "sign", "SC213": "sign", "SC208": "members", "SC212": "shape",
    "SC105": "name", "SC101": "name",
}  # fmt: skip
#: Rules about what a log does not say of its source: CHECKs, foreign keys, all keys but the primary one,
#: which binlog_row_metadata=FULL adds.
OF_KEYS = ("stricter-unique-key", "foreign-key", "referenced-table", "check-constraint")
#: The rule about foreign keys that refer to the table: it asks for updates and deletes.
OF_CHILDREN = "referenced-table"
UNSAID = "the log does not say whether the source has one like it; if not, "
#: What the log does not say of a column -> what that leaves open.
OPEN = {
    "sign": "the signs of numbers", "charset": "character sets", "members": "the members of ENUM and SET",
    "shape": "the shapes of geometries",
}  # fmt: skip
ORDER = "the order of columns"
#: A MariaDB sequence is a table of one row with these many columns (sql_sequence.cc).
SEQUENCE_COLUMNS = 8
#: Decisions that are remembered; each holds its tables.
REMEMBERED = 10_000


@dataclass(slots=True)
class Decided:
    """What was decided about one table map definition against one replica definition.

    `pair` is the alignment where both tables are known; `error` stops the applier before the first
    row. `seen` are the columns whose first changed value was found. `on_change`
    are findings that count once rows are updated or deleted, `unsure` whether that has effects not known.
    """

    definition: TableDefinition
    replica: Table | None
    source: Table | None
    report: TableReport
    pair: Pair | None
    error: ServerError | None
    finding: Finding | None
    seen: set[str] = field(default_factory=set)
    on_change: PairReport | None = None
    unsure: bool = False


class Decider:
    """Decides table maps; `reports` has one entry per source table, in the order of the log."""

    def __init__(
        self, link: Link, rules: ReplicaRules, source_tables: Definitions, replica_tables: Definitions
    ) -> None:
        self.link = link
        self.rules = rules
        self.source_tables = source_tables
        self.replica_tables = replica_tables
        self.reports: dict[tuple[str, str], TableReport] = {}
        self.notes: list[str] = []
        self._decided: dict[tuple[int, int, int], Decided] = {}
        self._current: dict[int, Decided] = {}

    def moved(self, link: Link | None = None) -> None:
        """Definitions have moved, or the link is another: what was decided may not hold."""
        self._current.clear()
        if link is not None:
            self.link = link
            self._decided.clear()

    def decide(self, table: TableDefinition) -> Decided:
        """The decision about a table map; remembered until a definition moves."""
        decided = self._current.get(id(table))
        if decided is not None:
            return decided
        decide_anew = self._decide_anew(table)
        if len(self._current) >= REMEMBERED:
            self._current.clear()
        self._current[id(table)] = decide_anew
        return decide_anew

    def _decide_anew(self, table: TableDefinition) -> Decided:
        passes, rule, database, name = self.rules.row(table.database, table.name)
        source = self.source_tables.whole(table.database, table.name)
        replica = self.replica_tables.whole(database, name) if passes else None
        key = (id(table), id(source), id(replica))
        decided = self._decided.get(key)
        if decided is None:
            if len(self._decided) >= REMEMBERED:
                self._decided.clear()
                self._current.clear()
            decided = self._decided[key] = self._judge(table, source, replica, passes, rule, (database, name))
        return decided

    def _judge(
        self,
        table: TableDefinition,
        source: Table | None,
        replica: Table | None,
        passes: bool,
        rule: str,
        name: tuple[str, str],
    ) -> Decided:
        missing: dict[str, frozenset[str]] = {}
        if not passes:
            pair = PairReport(table.database, table.name, PairState.NOT_REPLICATED, reason=rule)
            decided = self._remember(table, source, replica, pair, None, None, name, ())
            return self._leaned_on(decided)
        if (
            replica is not None
            and replica.kind is TableKind.SEQUENCE
            and len(table.types) == SEQUENCE_COLUMNS
        ):
            pair = PairReport(
                table.database,
                table.name,
                PairState.COMPARED,
                reason="a sequence: its row is replaced",
                replica=replica,
            )
            return self._remember(table, source, replica, pair, None, None, name, ())
        written, missing = self._written(table, source, replica)
        doubt = self.replica_tables.doubt(*name)
        if doubt is not None:
            reason = f"the replica's definition is not known: {doubt}"
            pair = undecided(table.database, table.name, reason, self.link)
            return self._remember(table, source, replica, pair, None, None, name, ())
        link = self._link_for(table)
        # The error names the table as the replica calls it.
        renamed = (
            replace(written, database=name[0], name=name[1])
            if (written.database, written.name) != name
            else written
        )
        pair = check_pair(renamed, replica, link)
        findings = tuple(f for f in pair.findings if self._meant(f, missing))
        stops = any(f.effect is Effect.STOPS and not f.depends_on_rows for f in findings)
        if source is None and pair.state is PairState.COMPARED and not stops and _demands(replica):
            keys = renamed.keys if table.primary_key() else ()
            findings = (
                *(f for f in findings if f.rule not in OF_KEYS),
                *_of_keys(renamed, keys, replica, link),
            )
        later = tuple(f for f in findings if f.rule == OF_CHILDREN)
        pair = replace(pair, findings=tuple(f for f in findings if f.rule != OF_CHILDREN))
        aligned = (
            Pair.of(renamed, replica, link)
            if replica is not None and pair.state is PairState.COMPARED
            else None
        )
        if aligned is not None and not stops:
            self.report_of((table.database, table.name), name).lacking.update(_lacking(missing))
            later = (*later, *on_children(aligned, partial(self._replicated, table.database)))
        stopping = next(
            (
                f
                for f in findings
                if f.effect is Effect.STOPS and f.error is not None and not f.depends_on_rows
            ),
            None,
        )
        notes = tuple(
            sorted(
                f"{column}: {', '.join(sorted(what))}" for column, what in missing.items() if what - {"name"}
            )
        )
        decided = self._remember(table, source, replica, pair, aligned, stopping, name, notes)
        decided.on_change = replace(pair, findings=later) if later else None
        decided.unsure = source is None and aligned is not None and not stops and hides_children(link)
        return decided

    def move_children(self, decided: Decided) -> None:
        """Rows of the table are updated or deleted, with foreign_key_checks: what that means elsewhere."""
        if decided.on_change is not None:
            decided.report.tell(decided.on_change)
            decided.on_change = None
        if decided.unsure:
            decided.report.lacking[UNKNOWN_KEYS] = None

    def _leaned_on(self, decided: Decided) -> Decided:
        """What changes of a table that is filtered out mean for tables that are not."""
        table, source = decided.definition, decided.source
        if not hides_children(self._link_for(table)):
            return decided
        if source is None:
            decided.unsure = True
        elif findings := tuple(of_filtered(source, partial(self._replicated, table.database))):
            decided.on_change = PairReport(table.database, table.name, PairState.COMPARED, findings)
        return decided

    def _replicated(self, home: str, database: str | None, name: str) -> bool:
        """Whether the replica has a source table and is sent its rows; without a database it is `home`'s."""
        passes, _, home, other = self.rules.row(database or home, name)
        return passes and self.replica_tables.get(home, other) is not None

    def _remember(
        self, table: TableDefinition, source: Table | None, replica: Table | None, pair: PairReport,
        aligned: Pair | None,
        stopping: Finding | None, name: tuple[str, str], notes: tuple[str, ...],
    ) -> Decided:  # fmt: skip
        report = self.report_of((table.database, table.name), name)
        report.decide(pair, notes)
        error = stopping.error if stopping else None
        return Decided(table, replica, source, report, aligned, error, stopping)

    def report_of(self, name: tuple[str, str], replica: tuple[str, str]) -> TableReport:
        """The one report of a source table."""
        report = self.reports.get(name)
        if report is None:
            report = self.reports[name] = TableReport(*name, ".".join(replica))
        return report

    def _written(
        self, table: TableDefinition, source: Table | None, replica: Table | None
    ) -> tuple[Table, dict[str, frozenset[str]]]:
        """The source's table, or the table map's where they disagree; and what nobody said, by column."""
        if source is not None and self._agrees(table, source):
            return source, {}
        if source is not None and self.source_tables.known:
            note = (
                f"{table.qualified_name}: the source's definition is not what the log says; the log "
                "is believed"
            )
            if note not in self.notes:
                self.notes.append(note)
        written = table_from_map(table, source or replica)
        return written, {
            c.name: unsaid(w) for c, w in zip(written.columns, table.columns(), strict=True) if unsaid(w)
        }

    def _agrees(self, table: TableDefinition, source: Table) -> bool:
        columns = table.columns()
        if len(columns) != len(source.columns):
            return False
        try:
            images = [image(column.type, self.link.source) for column in source.columns]
        except KeyError:
            return False
        return all(
            i.real.value == w.type and i.metadata == w.metadata
            and (w.name is None or w.name.casefold() == c.name.casefold())
            and (w.unsigned is None or not c.type.is_integer or w.unsigned == c.type.unsigned)
            for i, w, c in zip(images, columns, source.columns, strict=True)
        )  # fmt: skip

    def _link_for(self, table: TableDefinition) -> Link:
        named = table.columns() and table.columns()[0].name is not None
        settings = {"binlog_format": "ROW", "binlog_row_metadata": "FULL" if named else "MINIMAL"}
        return Link(self.link.source.with_told(settings), self.link.replica)

    def _meant(self, finding: Finding, missing: dict[str, frozenset[str]]) -> bool:
        """Whether a finding rests on what the log says, not on what was assumed for lack of it."""
        need = NEEDS.get(finding.code)
        if need is None or finding.error is not None:
            return True
        if finding.column is None:
            return not any(need in what for what in missing.values())
        return need not in missing.get(finding.column, frozenset())


def _lacking(missing: dict[str, frozenset[str]]) -> dict[str, None]:
    """What hangs on the parts that the log leaves unsaid, which were taken from the replica's definition."""
    result = dict.fromkeys(OPEN[part] for part in OPEN if any(part in what for what in missing.values()))
    unnamed = sum("name" in what for what in missing.values())
    return {ORDER: None, **result} if unnamed > 1 else result


def _demands(replica: Table | None) -> TypeGuard[Table]:
    """Whether it refuses rows for what is in other rows, or for their values."""
    if replica is None:
        return False
    limits = replica.foreign_keys or replica.incoming or replica.checks
    return bool(limits) or any(key.unique for key in replica.keys)


def _of_keys(written: Table, keys: tuple[Key, ...], replica: Table, link: Link) -> Iterator[Finding]:
    """The replica's keys and CHECKs where the log tells none of the source's: unknown."""
    bare = replace(written, keys=keys, foreign_keys=(), incoming=(), checks=())
    for finding in check_pair(bare, replica, link).findings:
        if finding.rule in OF_KEYS and finding.effect <= Effect.INCOMPLETE:
            yield finding
        elif finding.rule in OF_KEYS:
            yield replace(
                finding,
                effect=Effect.UNKNOWN,
                message=f"{UNSAID}{finding.message}",
                remedy="Give the source's definitions (--source)",
                remedy_sql=None,
            )
