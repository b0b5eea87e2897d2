"""Statements meet narrower or stricter columns.

## What it finds
Columns under STATEMENT or MIXED format whose replica type, NULL, default or generated value refuses or
changes values that the source takes.

## What the replica does
The statement runs on the replica under the source's sql_mode, which travels with it. Under a strict mode a
value that does not fit is an error (1264, 1406, 1366, 1265), otherwise it is cut without one; decimals and
fractions of a second are rounded without an error in any mode. A NULL for a NOT NULL column is 1048, a
missing value for a column without default 1364, a value for a generated column 3105 (MariaDB 1906). A column
that is computed on the source only takes its default.

## Example
    source:  CREATE TABLE t (b INT);
    replica: CREATE TABLE t (b TINYINT);

## Remedy
Give the replica at least the source's range, and defaults for extra columns.

## References
MySQL manual, Replication of Columns Having Different Data Types, statement-based replication; Strict SQL
Mode; asked of MariaDB 10.11 for 37 types into each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.conversion.statement import Taken, taken
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Column, Effect, Example, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule

#: What servers say to a value of another kind, by the kind.
_REFUSALS = (1264, 1265, 1292, 1366, 1406, 1416)


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.statement_format:
        return
    strict = pair.link.source.strict
    for here in pair.source.columns:
        there = pair.replica.column(here.name)
        if there is None or (here.generated and there.generated):
            continue
        if there.generated:
            if not strict and pair.link.replica.has("generated-value-ignored"):
                continue
            yield _finding(
                pair,
                here,
                there,
                f"{here.name} is computed on the replica only: a statement that gives it a value",
                "generated-value",
            )
            continue
        if here.generated:
            lost = Taken(None, Example(f"({here.expression})", "the column's default"))
            yield _changed(
                pair,
                here,
                there,
                f"{here.name} is computed on the source only, and no statement gives it a value",
                lost,
            )
            continue
        if here.nullable and not there.nullable:
            yield _finding(
                pair,
                here,
                there,
                f"{here.name} may be NULL on the source only: a statement with NULL",
                "null-value",
            )
        found = taken(here.type, there.type)
        if found is not None:
            what = f"{here.name}: {here.type.sql()} on the source, {there.type.sql()} on the replica"
            if found.error and strict:
                yield _finding(
                    pair,
                    here,
                    there,
                    f"{what}: a statement with such a value",
                    found.error,
                    example=found.example,
                )
            else:
                yield _changed(pair, here, there, what, found)
    for column in pair.replica.columns:
        if pair.source.column(column.name) is None and not column.has_default and not column.nullable:
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{column.name} exists only on the replica, without a default: "
                + (
                    "an INSERT fails under the strict sql_mode that travels with it"
                    if strict
                    else "an INSERT stores the implicit default of the type, with a warning"
                ),
                column=column.name,
                replica=side(pair.replica, column),
                error=server_error(
                    "no-default", pair.link.replica, pair.source.database, pair.source.name, key=column.name
                )
                if strict
                else None,
                depends_on_rows=strict,
                setting="sql_mode",
                remedy=f"Give {column.name} a default",
            )


def _finding(
    pair: Pair, here: Column, there: Column, message: str, error: str, *, example: Example | None = None
) -> Finding:
    """A statement that fails on the replica."""
    replica = pair.link.replica
    number = server_error(error, replica, pair.source.database, pair.source.name, key=there.name)
    number = number or server_error(
        "data-truncated", replica, pair.source.database, pair.source.name, key=there.name
    )
    return on_table(
        pair,
        Effect.UNSUPPORTED,
        f"{message} stops the applier",
        column=here.name,
        source=side(pair.source, here),
        replica=side(pair.replica, there),
        error=number,
        depends_on_rows=True,
        also=_REFUSALS if example else (),
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=f"Give {there.name} the source's definition on the replica",
        remedy_sql=modify(pair.replica, there, here),
        example=example,
    )


def _changed(pair: Pair, here: Column, there: Column, message: str, found: Taken) -> Finding:
    """A statement that runs, and stores another value."""
    return on_table(
        pair,
        Effect.DIVERGES,
        f"{message}; {found.example.source} is stored as {found.example.replica} without an error",
        column=here.name,
        source=side(pair.source, here),
        replica=side(pair.replica, there),
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=f"Give {there.name} the source's definition on the replica",
        remedy_sql=modify(pair.replica, there, here),
        example=found.example,
    )


RULE = Rule(
    "SC802",
    "statement-values",
    "Statements meet narrower or stricter columns",
    __doc__ or "",
    _check,
    (About.STATEMENTS,),
)
