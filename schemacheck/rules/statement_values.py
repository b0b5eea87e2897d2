"""Statements meet narrower or stricter columns.

## What it finds
Columns under STATEMENT or MIXED format whose replica type, NULL or default refuses values that the source
takes.

## What the replica does
The statement runs on the replica under the source's sql_mode, which travels with it. Under a strict mode a
value that does not fit is an error (1264, 1406, 1265), a NULL for a NOT NULL column 1048, a missing value for
a column without default 1364; otherwise values are cut.

## Example
    source:  CREATE TABLE t (b INT);
    replica: CREATE TABLE t (b TINYINT);

## Remedy
Give the replica at least the source's range, and defaults for extra columns.

## References
MySQL manual, Replication of Columns Having Different Data Types, statement-based replication.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion import What, classify, outcome
from schemacheck.conversion.classify import Kind
from schemacheck.conversion.error import server_error
from schemacheck.model import Column, Effect, Example, Finding
from schemacheck.rules.definition import modify
from schemacheck.rules.finding import on_table, side
from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import Rule

_STRICT = {"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES"}
_CUT = {What.CLIPPED: "out-of-range", What.ROUNDED: "data-truncated", What.TRUNCATED: "data-too-long", What.EMPTIED: "data-truncated"}


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.statement_format:
        return
    strict = bool(pair.link.source.sql_mode & _STRICT)
    for here in pair.source.columns:
        there = pair.replica.column(here.name)
        if there is None or there.generated:
            continue
        if here.nullable and not there.nullable:
            yield _finding(pair, here, there, f"{here.name} may be NULL on the source only", "null-value", Example("NULL", "an error"), stops=True)
        cut = _cut(pair, here, there)
        if cut is not None:
            yield _finding(pair, here, there, f"{here.name}: {here.type.sql()} on the source, {there.type.sql()} on the replica", cut[0], cut[1], stops=strict)
    for column in pair.replica.columns:
        if pair.source.column(column.name) is None and not column.has_default and not column.nullable and strict:
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{column.name} exists only on the replica, without a default: an INSERT fails under the strict sql_mode that travels with it",
                column=column.name,
                replica=side(pair.replica, column),
                error=server_error("no-default", pair.link.replica, pair.source.database, pair.source.name, key=column.name),
                depends_on_rows=True,
                setting="sql_mode",
                remedy=f"Give {column.name} a default",
            )


def _cut(pair: Pair, here: Column, there: Column) -> tuple[str, Example] | None:
    """The error and an example of a value that the replica's column does not hold."""
    if here.type == there.type:
        return None
    if here.type.base in ("enum", "set"):
        lost = next((m for m in here.type.members if there.type.base == here.type.base and m not in there.type.members), None)
        return None if lost is None else ("data-truncated", Example(f"'{lost}'", "''"))
    if here.type.is_integer and there.type.is_integer:
        from schemacheck.conversion.values.integer import span

        low, high = span(here.type)
        bottom, top = span(there.type)
        value = high if high > top else low
        return ("out-of-range", Example(str(value), str(max(bottom, min(top, value))))) if low < bottom or high > top else None
    kind = classify(here.type, there.type, pair.link.source, pair.link.replica)
    if kind in (Kind.IMPOSSIBLE, Kind.UNREADABLE):
        return None if here.type.base == there.type.base else ("data-truncated", Example(f"a value of {here.type.sql()}", f"as {there.type.sql()}"))
    out = outcome(here.type, there.type, Kind.LOSSY if kind is Kind.EXACT else kind, pair.link)
    return (_CUT[out.what], Example(out.source, out.replica)) if out.what in _CUT else None


def _finding(pair: Pair, here: Column, there: Column, message: str, error: str, example: Example, *, stops: bool) -> Finding:
    number = server_error(error, pair.link.replica, pair.source.database, pair.source.name, key=there.name)
    tail = "such a statement stops the applier" if stops else "such values are cut on the replica"
    return on_table(
        pair,
        Effect.UNSUPPORTED if stops else Effect.LOSSY,
        f"{message}: {tail}",
        column=here.name,
        source=side(pair.source, here),
        replica=side(pair.replica, there),
        error=number if stops else None,
        depends_on_rows=stops,
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=f"Give {there.name} the source's definition on the replica",
        remedy_sql=modify(pair.replica, there, here),
        example=example,
    )


RULE = Rule("SC802", "statement-values", "Statements meet narrower or stricter columns", __doc__ or "", _check)
