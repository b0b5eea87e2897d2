"""The evaluation of statements: from SQL text on the source to what the replica does."""

from __future__ import annotations

from schemacheck.catalog.presence import Presence
from schemacheck.dataclass import dataclass
from schemacheck.errors import BadSetting, UsageError
from schemacheck.filters import procedure
from schemacheck.filters.decision import Decision, Outcome, Stage, Step, TableOutcome
from schemacheck.filters.replica import Applier
from schemacheck.filters.rules import ReplicaRules, SourceRules, lower_case
from schemacheck.filters.source import Session
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from schemacheck.sql.statements import Ref, Statement, parse_script

FORMATS = ("ROW", "STATEMENT", "MIXED")


@dataclass(slots=True)
class Evaluator:
    """Filters of one link, compiled once for many questions. `filters` holds both ends' options."""

    link: Link
    source: SourceRules
    replica: ReplicaRules

    @classmethod
    def of(cls, filters: FilterSet, link: Link) -> Evaluator:
        """Compile the filters for the servers of a link."""
        return cls(link, SourceRules(filters, link.source), ReplicaRules(filters, link.replica))

    def decide(
        self,
        sql: str | tuple[Statement, ...],
        *,
        default_database: str | None = None,
        source_catalog: Presence | None = None,
        replica_catalog: Presence | None = None,
    ) -> Decision:
        """What becomes of a statement or script. `default_database` None: none is chosen; catalogs say what
        is there and stay as they are. Raises BadSetting, UsageError for no statement.
        """
        form = self.link.binlog_format.upper()
        if form not in FORMATS:
            raise BadSetting(f"binlog_format has no value {form!r}; allowed: {', '.join(FORMATS)}")
        before = source_catalog.copy() if source_catalog else Presence(bool(lower_case(self.link.source)))
        after = replica_catalog.copy() if replica_catalog else Presence(bool(lower_case(self.link.replica)))
        session = Session(
            self.source, before, form, None if default_database is None else before.case(default_database)
        )
        statements = parse_script(sql, self.link.source) if isinstance(sql, str) else sql
        if not statements:
            raise UsageError(f"no statement in {sql!r}")
        for statement in statements:
            session.run(statement)
        session.finish()
        applier = Applier(self.replica, after)
        lists = procedure.domains(self.replica.filters)
        if lists and session.events:
            # No input tells the gtid_domain_id of the session that writes.
            applier.unknown.append(f"whether the GTID domain of the session passes {lists}")
        for event in session.events:
            applier.apply(event)
        return self._decision(session, applier)

    def decide_table(self, database: str, table: str, *, default_database: str | None = None) -> Decision:
        """What becomes of an update of one table; `default_database` None: the table's own."""
        change = Statement(
            f"UPDATE `{database}`.`{table}` ...", "update", (Ref(database, table, updated=True),)
        )
        return self.decide(
            (change,), default_database=database if default_database is None else default_database
        )

    def _decision(self, session: Session, applier: Applier) -> Decision:
        if not session.steps and not session.unknown:
            rule = "nothing in it changes data or definitions"
            session.steps.append(Step(Stage.SOURCE, "Is anything written to the binary log?", "no", rule))
        tables = tuple(TableOutcome(f"{d}.{t}", self._reached(d, t, applier)) for d, t in session.changed)
        unknown = tuple(dict.fromkeys([*session.unknown, *applier.unknown]))
        reached = sum(1 for table in tables if table.replica)
        doubtful = {f"{d}.{t}" for d, t in session.unsure}
        if doubtful and 0 < reached < len(tables):
            unknown += (
                (
                    "which tables are updated cannot be determined from the statement, and the filters "
                    "decide differently"
                ),
            )
        notes = tuple(dict.fromkeys([*unknown, *session.notes, *(applier.notes if session.events else ())]))
        if unknown:
            outcome = Outcome.UNKNOWN
        elif applier.error:
            outcome = Outcome.STOPS
        elif not session.events:
            outcome = Outcome.NOT_LOGGED
        elif tables and 0 < reached < len(tables):
            outcome = Outcome.PARTLY
        elif applier.executed and (reached or not tables):
            outcome = Outcome.PARTLY if applier.ignored and not tables else Outcome.EXECUTED
        else:
            outcome = Outcome.IGNORED
        logged = None if session.unknown and not session.events else bool(session.events)
        return Decision(outcome, logged, tables, applier.error, tuple(session.steps + applier.steps), notes)

    def _reached(self, database: str, table: str, applier: Applier) -> str | None:
        key = self.replica.arriving(database), self.replica.arriving(table)
        if key in applier.changed:
            return ".".join(key)
        key = self.replica.rewrite(key[0])[0], key[1]
        return ".".join(key) if key in applier.changed else None
