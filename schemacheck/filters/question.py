"""The questions of `schemacheck filter`: a table, a statement, a whole schema, the filters themselves.

Pure: every function takes FilterSets and a link and returns values; `render` makes text of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.dataclass import dataclass
from schemacheck.errors import UsageError
from schemacheck.filters.decision import Decision
from schemacheck.filters.evaluate import Evaluator
from schemacheck.filters.lint import FilterFinding, lint
from schemacheck.filters.tables import TableFilter, TableState
from schemacheck.model import Link, Table
from schemacheck.model.filters import FilterSet


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, the decision with its trace, and for a table its state over all ways to change it."""

    asked: str
    decision: Decision
    state: TableState | None = None


def about_table(
    name: str,
    filters: FilterSet,
    link: Link,
    *,
    binlog_format: str | None = None,
    default_database: str | None = None,
) -> Answer:
    """`db.table`: its state, and the trace of an update of it. Raises UsageError for a name without a
    database.
    """
    database, dot, table = name.partition(".")
    if not dot or not database or not table:
        raise UsageError(f"{name!r} names no table; write database.table")
    decision = Evaluator.of(filters, link).decide_table(
        database, table, default_database=default_database, binlog_format=binlog_format
    )
    return Answer(name, decision, TableFilter(filters, link, binlog_format).state(database, table))


def about_statement(
    sql: str,
    filters: FilterSet,
    link: Link,
    *,
    binlog_format: str | None = None,
    default_database: str | None = None,
) -> Answer:
    """A statement, or several with `;` between: what becomes of it."""
    decision = Evaluator.of(filters, link).decide(
        sql, default_database=default_database, binlog_format=binlog_format
    )
    return Answer(sql, decision)


def about_schema(
    tables: Iterable[Table], filters: FilterSet, link: Link, *, binlog_format: str | None = None
) -> tuple[TableState, ...]:
    """The table form over a schema; a table without a database counts as in the database ''."""
    chosen = TableFilter(filters, link, binlog_format)
    return tuple(chosen.state(table.database or "", table.name) for table in tables)


def about_filters(
    filters: FilterSet, link: Link, *, tables: Iterable[Table] = (), binlog_format: str | None = None
) -> tuple[FilterFinding, ...]:
    """Lint of the filters, with the schema's tables where they are given."""
    return lint(
        filters,
        link,
        tables=((table.database or "", table.name) for table in tables),
        binlog_format=binlog_format,
    )
