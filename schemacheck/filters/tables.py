"""Which tables of a schema does this replica get, and by which rule."""

from __future__ import annotations

import enum
from functools import lru_cache

from schemacheck.dataclass import dataclass
from schemacheck.errors import BadSetting
from schemacheck.filters.evaluate import FORMATS, Evaluator
from schemacheck.filters.rules import NO_TABLE_RULES, ReplicaRules
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet


class Reach(enum.Enum):
    """What a replica gets of a table."""

    REPLICATED = "replicated"
    PARTLY = "partly"
    NOT_REPLICATED = "not-replicated"


@dataclass(frozen=True, slots=True)
class TableState:
    """One table of the source: what the replica gets of it, into which table. `rule` decides, `reason` is for
    people; `ddl` is the same of ALTER TABLE.
    """

    database: str
    table: str
    replica_database: str
    replica_table: str
    state: Reach
    rule: str
    reason: str
    ddl: Reach


@dataclass(frozen=True, slots=True)
class _Way:
    """How a statement can reach a table: default database, and the name that is tested."""

    session: str
    passes: bool
    rule: str
    tested: str


class TableFilter:
    """Answers for tables; what depends on the database alone is worked out once per database."""

    def __init__(self, filters: FilterSet, link: Link, binlog_format: str | None = None) -> None:
        self.format = (binlog_format or link.binlog_format).upper()
        if self.format not in FORMATS:
            raise BadSetting(f"binlog_format has no value {self.format!r}; allowed: {', '.join(FORMATS)}")
        self.filters = filters
        self._evaluator = Evaluator.of(filters, link)
        self._ways: dict[str, tuple[_Way, ...]] = {}
        self._logged: dict[str, tuple[bool, str]] = {}
        self._free = not filters.has_database_rules and not filters.rewrite_db and not self._evaluator.source

    def state(self, database: str, table: str) -> TableState:
        """What becomes of changes of `database`.`table`, as the source names it."""
        rules = self._evaluator.replica
        passes, rule, new, name = rules.row(database, table)
        if database not in self._logged:
            self._logged[database] = self._evaluator.source.logs(database)
        logged, why = self._logged[database]
        if not logged:
            passes, rule = False, why
        row = Reach.REPLICATED if passes else Reach.NOT_REPLICATED
        if self._free:
            text = f"{'replicated' if passes else 'not replicated'}: {rule}"
            return TableState(database, table, new, name, row, rule, text, row)
        ddl, ddl_rule, examples = self._statements(rules, database, name)
        if self.format == "ROW":
            text = f"{'replicated' if passes else 'not replicated'}: {rule}"
            return TableState(database, table, new, name, row, rule, text, ddl)
        state = ddl
        if self.format == "MIXED" and row is not ddl:
            state = Reach.PARTLY
            examples = (f"rows are {'replicated' if passes else 'ignored'} ({rule})", *examples)
        if state is not Reach.NOT_REPLICATED and new != (arrived := rules.arriving(database)):
            # Asked of 9.7.4, MariaDB 10.11.19 and 11.8.9; so too in the manual, --replicate-rewrite-db.
            state = Reach.PARTLY
            examples = (*examples, f"statements that name the database go to {arrived}.{name}, not to {new}")
        decided = ddl_rule if state is ddl else rule
        if state is Reach.PARTLY:
            return TableState(
                database, table, new, name, state, decided, "only some changes: " + "; ".join(examples), ddl
            )
        text = f"{'replicated' if state is Reach.REPLICATED else 'not replicated'}: {decided}"
        return TableState(database, table, new, name, state, decided, text, ddl)

    def _statements(
        self, rules: ReplicaRules, database: str, table: str
    ) -> tuple[Reach, str, tuple[str, ...]]:
        """Statements on one table: what all ways to write them come to."""
        if database not in self._ways:
            self._ways[database] = self._all_ways(rules, database)
        answers: list[tuple[bool, str, str]] = []
        memo: dict[str, tuple[bool, str]] = {}
        for method in self._ways[database]:
            if not method.passes:
                answers.append((False, method.rule, method.session))
                continue
            if not rules.has_table_rules:
                answers.append((True, method.rule, method.session))
                continue
            if method.tested not in memo:
                answer, rule = rules.table(method.tested, table)
                memo[method.tested] = rules.unmatched() if answer is None else (answer, rule)
            passes, rule = memo[method.tested]
            answers.append((passes, rule, method.session))
        kinds = {passes for passes, _, _ in answers}
        if len(kinds) == 1:
            return (Reach.REPLICATED if True in kinds else Reach.NOT_REPLICATED), answers[0][1], ()
        first = [next(a for a in answers if a[0] is kind) for kind in (True, False)]
        examples = tuple(f"{'executed' if p else 'ignored'} {session} ({rule})" for p, rule, session in first)
        return Reach.PARTLY, first[1][1], examples

    def _all_ways(self, rules: ReplicaRules, database: str) -> tuple[_Way, ...]:
        """Default databases that make a difference: the table's own, those of rules, another, none."""
        named = [
            *self.filters.do_db,
            *self.filters.ignore_db,
            *self.filters.binlog_do_db,
            *self.filters.binlog_ignore_db,
        ]
        named += [old for old, _ in self.filters.rewrite_db]
        other = "another"
        while other in named or other == database:
            other += "_"
        arrived = rules.arriving(database)
        ways = []
        for default in dict.fromkeys([database, *named, other, None]):
            logged, why = self._evaluator.source.logs(default)
            new = rules.rewrite(rules.arriving(default))[0] if default is not None else None
            passes, rule = rules.database(new)
            if not rules.databases and not rules.has_table_rules:
                rule = NO_TABLE_RULES
            session = (
                f"with the default database {default}"
                if default not in (None, other)
                else ("without a default database" if default is None else "with any other default database")
            )
            if not logged:
                passes, rule = False, why
            if default == database and new != arrived:
                ways.append(_Way(f"{session} and the bare table name", passes, rule, str(new)))
            ways.append(_Way(session, passes, rule, arrived))
        # ways that cannot differ for any table are one
        return tuple(
            {
                (method.passes, method.tested if method.passes else ""): method for method in reversed(ways)
            }.values()
        )[::-1]


@lru_cache(maxsize=1024)
def table_filter(filters: FilterSet, link: Link, binlog_format: str | None = None) -> TableFilter:
    """One compiled TableFilter per (filters, link, format): all three are hashable values."""
    return TableFilter(filters, link, binlog_format)
