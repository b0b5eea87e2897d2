"""System versioning on one end only, or with another end of time.

## What it finds
Tables WITH SYSTEM VERSIONING on one end only; on both, where one server's end of time is 2038 and the other's
2106 (MariaDB 11.5 and later). Under STATEMENT and MIXED: a column WITHOUT SYSTEM VERSIONING on one end only.

## What the replica does
An UPDATE or DELETE on the source writes history rows, which arrive as inserts of a row that exists: the
applier stops with error 1062 at the first one, or keeps history rows as current ones where no key forbids it.
Where both ends keep versions, row_end of a current row is each server's own end of time: another value where
the table names that column. A statement
leaves the history rows of the replica's own columns, which later statements may read (FOR SYSTEM_TIME).

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY) WITH SYSTEM VERSIONING;
    replica: CREATE TABLE t (a INT PRIMARY KEY);

## Fix
Add SYSTEM VERSIONING on the replica, before the source.

## References
Recorded on MariaDB 10.11 and 11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import ANY
from schemacheck.findings.on_pair import on_cell, on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.model.definition_sql import table_name
from schemacheck.model.table import WITHOUT_VERSIONS
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    yield from _replica_only(pair)
    yield from _own_columns(pair)
    yield from _own_end(pair)
    if not pair.source.system_versioned or pair.replica.system_versioned or not pair.logs_rows:
        return
    keyed = any(key.unique for key in pair.replica.keys)
    can = pair.link.replica.has("ddl-system-versioning")
    sql = f"ALTER TABLE {table_name(pair.replica)} ADD SYSTEM VERSIONING;" if can else None
    if keyed:
        yield on_table(
            pair,
            Effect.DIVERGES,
            "the source keeps system versions and the replica does not: a DELETE arrives as an update of "
            "row_end, and the row stays",
            remedy="Add system versioning to the replica's table",
            remedy_sql=sql,
            example=Example("a deleted row", "the row is there"),
            reference="recorded on MariaDB 10.11 and 11.8",
        )
    yield on_table(
        pair,
        Effect.STOPS if keyed else Effect.DIVERGES,
        "the source keeps system versions and the replica does not: the history row that an UPDATE or "
        "DELETE writes arrives as an insert",
        error=pair.error("duplicate-key", key=ANY) if keyed else None,
        depends_on_rows=keyed,
        remedy="Add system versioning to the replica's table",
        remedy_sql=sql,
        example=Example("UPDATE t SET b = 2", "one more row"),
        reference="recorded on MariaDB 10.11 and 11.8",
    )


def _own_end(pair: Pair) -> Iterator[Finding]:
    """The row_end that says that a row is current."""
    ends = [server.has("timestamps-to-2106") for server in (pair.link.source, pair.link.replica)]
    if pair.source.system_versioned and pair.replica.system_versioned and ends[0] != ends[1]:
        years = ("2106", "2038") if ends[0] else ("2038", "2106")
        named = any(c.expression == "row end" and c.name != "row_end" for c in pair.source.columns)
        yield on_table(
            pair,
            Effect.DIVERGES if named else Effect.COMPATIBLE,
            f"row_end of a current row is {years[0]} on the source and {years[1]} on the replica, each "
            "server's own end of time: the row is current on both",
            example=Example(f"row_end {years[0]}", f"row_end {years[1]}") if named else None,
            reference="recorded between MariaDB 10.11 and 11.8",
        )


def _own_columns(pair: Pair) -> Iterator[Finding]:
    """Columns whose changes statements keep on one end only."""
    both = pair.source.system_versioned and pair.replica.system_versioned and pair.logs_statements
    for cell in pair.cells if both else ():
        without = [WITHOUT_VERSIONS in column.attributes for column in (cell.source, cell.replica)]
        if without[0] != without[1]:
            texts = [WITHOUT_VERSIONS if item else "versioned" for item in without]
            yield on_cell(
                pair,
                cell,
                Effect.DIVERGES,
                f"{cell.source.name} is {texts[0]} on the source and {texts[1]} on the replica: an "
                "UPDATE leaves another history",
                setting=f"binlog_format={pair.link.binlog_format}",
                remedy="Define the column alike on both ends, or set binlog_format=ROW on the source",
                example=Example("rows FOR SYSTEM_TIME ALL", "another number of rows"),
                texts=(texts[0], texts[1]),
                reference="asked of MariaDB 10.11 and 11.8",
            )


def _replica_only(pair: Pair) -> Iterator[Finding]:
    """A row that one statement replaces twice leaves two history rows of one time, and one key."""
    ours, theirs = (any(key.unique for key in table.keys) for table in (pair.source, pair.replica))
    versioned = pair.replica.system_versioned and not pair.source.system_versioned
    if not versioned or not (ours and theirs) or not pair.logs_rows:
        return
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        "only the replica keeps system versions: a statement that changes one row twice (REPLACE with "
        "several rows) writes two history rows of one time",
        error=pair.error("duplicate-key", event="Delete_rows", key=ANY),
        depends_on_rows=True,
        remedy="Drop system versioning on the replica",
        reference="recorded on MariaDB 10.11 and 11.8",
    )


RULE = Rule(
    "SC507",
    "system-versioning",
    _check,
    (About.OPTIONS, About.VERSIONS, About.STATEMENTS),
    evidence=lambda ask: ask.changes(certain=False),
)
