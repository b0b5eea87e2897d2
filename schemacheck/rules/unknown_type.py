"""The replica does not know the type.

## What it finds
Columns of a type whose byte in the table map event the replica does not know: JSON or VECTOR of MySQL towards
MariaDB or an older MySQL; COMPRESSED columns of MariaDB towards MySQL.

## What the replica does
A MariaDB SQL thread stops without reporting an error (Last_SQL_Errno is 0). Where such a column comes after
the replica's last column, skipping it stops the applier with error 1030 or has crashed the replica. MySQL
refuses the column as it refuses any other type (never-convertible), and stops with error 1610 where it must
skip it.

## Example
    source:  CREATE TABLE t (a INT, c JSON);
    replica: CREATE TABLE t (a INT, c LONGTEXT);

## Fix
Store the value in LONGTEXT on the source, or filter the table out.

## References
Recorded: MySQL 9.7 to MySQL 5.6, MariaDB 10.11 and 11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table, side
from schemacheck.findings.refused_conversion import both_have
from schemacheck.model import Column, Effect, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    refuses = pair.link.replica.has("unknown-type-refused")
    for column in pair.unreadable:
        if column in pair.extra_source:
            yield _skipped(pair, column, dies=not refuses)
        elif not refuses:
            yield _finding(
                pair, column, "the applier stops at the first row event", "unknown-type", also=(1105,)
            )


def _skipped(pair: Pair, column: Column, *, dies: bool) -> Finding:
    """A column behind the replica's last one: how long its values are is not known there."""
    if dies:
        return _finding(
            pair,
            column,
            "the replica server may die while it skips the column",
            "crash",
            also=(1030, 1105, 0),
            depends_on_rows=True,
        )
    return _finding(
        pair,
        column,
        "it cannot skip the column and stops at the first row with a value",
        "corrupt-event",
        also=(1105,),
        depends_on_rows=True,
    )


def _finding(
    pair: Pair, column: Column, how: str, error: str, *, also: tuple[int, ...], depends_on_rows: bool = False
) -> Finding:
    return on_table(
        pair,
        Effect.STOPS,
        f"{pair.link.replica} does not know the type byte of {column.type.sql()}; {how}",
        column=column.name,
        source=side(pair.source, column),
        error=pair.error(error),
        depends_on_rows=depends_on_rows,
        also=also,
        remedy=both_have(column),
        reference="recorded: MySQL 9.7 to MySQL 5.6, MariaDB 10.11 and 11.8",
    )


RULE = Rule(
    "SC211",
    "unknown-type",
    _check,
    (About.UNREADABLE,),
    evidence=lambda ask: ask.filled(certain=False) if ask.finding.depends_on_rows else ask.writes(),
)
