"""The replica has more columns.

## What it finds
Columns behind the common ones that only the replica has.

## What the replica does
An inserted row gets their default: literal, constant expression, NULL or the next AUTO_INCREMENT value.
MySQL 5.6 and MariaDB 10.11 store an empty value for a default of TEXT, BLOB, JSON and GEOMETRY, and NULL (or
zero) for CURRENT_TIMESTAMP and expressions that are not constant; MySQL 9.7 and MariaDB 11.8 evaluate all of
them, MySQL for an empty row. Without a default the server stores the implicit one (0, the empty string) and a
warning 1364, also under a strict sql_mode; the manual demands a default. Before 5.1.40 the applier stopped.
An AUTO_INCREMENT column of less than INT is used up by inserts, and the applier stops (1467; MariaDB 167).
MariaDB looks a row up by a key of the replica, or compares whole rows, extra columns with their default
included: a row that holds another value there (written on the replica, or left where the source dropped the
column) is not found by an UPDATE or DELETE (1032), unless a primary or NOT NULL unique key has common columns
only.

## Example
    source:  CREATE TABLE t (c1 INT);
    replica: CREATE TABLE t (c1 INT, c2 INT NOT NULL);

## Fix
Give the extra column a DEFAULT, or declare it NULL.

## References
MySQL manual, Replication with More Columns on Master or Slave; Bug#38173; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.applied_default import instead_of_default
from schemacheck.dataclass import replace
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Column, ColumnType, Effect, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule

#: Integers of so few values that a table may use them up (INT: more than 2,147,483,647 rows).
_FEW = ("tinyint", "smallint", "mediumint")


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    for column in pair.extra_replica:
        if column.auto_increment and column.type.base in _FEW:
            yield _exhausted(pair, column)
        elif column.has_default or column.nullable:
            instead = instead_of_default(column, pair.link.replica)
            gets = f"{instead}, not its default" if instead else "its default"
            yield on_table(
                pair, Effect.COMPATIBLE,
                f"{column.name} exists only on the replica, behind the common columns; an inserted "
                f"row gets {gets}{_other_values(pair, column)}",
                column=column.name, replica=side(pair.replica, column), remedy="No action is needed",
            )  # fmt: skip
        else:
            yield _without_default(pair, column)


def _exhausted(pair: Pair, column: Column) -> Finding:
    return on_table(
        pair,
        Effect.UNSUPPORTED,
        f"{column.name} exists only on the replica and numbers its rows: the applier "
        f"stops after the last {column.type.sql()}, even if rows were deleted meanwhile",
        column=column.name,
        replica=side(pair.replica, column),
        error=pair.error("ai-exhausted", key=column.name),
        depends_on_rows=True,
        remedy=f"Make {column.name} BIGINT UNSIGNED",
        remedy_sql=modify(
            pair.replica, column, replace(column, type=ColumnType("bigint", unsigned=True)), pair.link.replica
        ),
        reference="asked of MySQL 9.7.4 and MariaDB 11.8.6",
    )


def _other_values(pair: Pair, column: Column) -> str:
    """What is said of rows that hold another value in an extra column than an arriving row would get."""
    key = pair.lookup_key()
    extra = {column.name.casefold() for column in pair.extra_replica}
    alone = key is not None and not key.folded & extra
    if alone or column.generated or not pair.link.replica.has("lookup-needs-replica-key"):
        return ""
    return (
        "; without a key of common columns an UPDATE or DELETE does not find rows that hold another value "
        "there (1032): rows written on the replica, or older than the source's DROP COLUMN"
    )


def _without_default(pair: Pair, column: Column) -> Finding:
    stops = pair.link.replica.has("extra-column-needs-default")
    error = pair.error("no-default", key=column.name)
    outcome = (
        "the applier stops at the first insert"
        if stops
        else "inserted rows get the implicit default of the type, with a warning"
    )
    return on_table(
        pair,
        Effect.STOPS if stops else Effect.UNSUPPORTED,
        f"{column.name} exists only on the replica and has no default, which the manual forbids; {outcome}",
        column=column.name,
        replica=side(pair.replica, column),
        error=error if stops else None,
        remedy=f"Give {column.name} a DEFAULT on the replica, or declare it NULL",
        remedy_sql=modify(pair.replica, column, replace(column, nullable=True), pair.link.replica),
    )


RULE = Rule(
    "SC103", "extra-replica-column", _check, (About.PLACES,), evidence=lambda ask: ask.writes(certain=False)
)
