"""Statements meet other columns.

## What it finds
Tables under STATEMENT or MIXED format whose columns differ in number, order or name.

## What the replica does
A statement that runs on the replica replicates. INSERT without a column list needs as many values as the
replica has columns (1136), and fills them by the replica's order; a column that the replica does not have
fails with 1054.

## Example
    source:  CREATE TABLE t (a INT, b INT);
    replica: CREATE TABLE t (a INT, b INT, c INT);

`INSERT INTO t VALUES (1, 2)`.

## Fix
Name the columns in every INSERT, or give both ends the same columns in the same order.

## References
MySQL manual, Replication of Columns Having Different Data Types, statement-based replication.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.statement import refusals
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Column, Effect, Example, Finding, ServerError
from schemacheck.rules import About, Rule

#: Statements that give values to columns by their places.
_WITHOUT = ("no-column-list", "load")


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_statements:
        return
    ours = [c for c in pair.source.columns if not c.invisible]
    theirs = [c for c in pair.replica.columns if not c.invisible]
    setting = f"binlog_format={pair.link.binlog_format}"
    if len(ours) != len(theirs):
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"the source has {len(ours)} columns and the replica {len(theirs)}: an INSERT without a column "
            "list stops the applier",
            error=pair.error("value-count"),
            depends_on_rows=True,
            setting=setting,
            remedy="Name the columns in every INSERT, or give both ends the same columns",
            statements=_WITHOUT,
        )
    names = {c.name.casefold() for c in pair.replica.columns}
    for column in pair.source.columns:
        if column.name.casefold() not in names and not _hidden(column):
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{column.name} does not exist on the replica: a statement that names it stops the applier",
                column=column.name,
                source=side(pair.source, column),
                error=pair.error("unknown-column", key=column.name),
                depends_on_rows=True,
                setting=setting,
                remedy=f"Add {column.name} to the replica",
                statements=(f"reads:{column.name}", f"writes:{column.name}"),
            )
    names = {c.name.casefold() for c in theirs}
    shared = [c.name.casefold() for c in ours if c.name.casefold() in names]
    if shared != [c.name.casefold() for c in theirs if c.name.casefold() in set(shared)]:
        yield on_table(
            pair,
            Effect.DIVERGES,
            "the columns are in another order: an INSERT without a column list puts values into other "
            "columns",
            setting=setting,
            remedy="Give both ends the same order of columns",
            example=Example(
                f"INSERT INTO {pair.source.name} VALUES (...), without a column list",  # noqa: S608
                "the same values in other columns",
            ),
            statements=_WITHOUT,
        )
        yield from _refused(pair, ours, theirs)


def _refused(pair: Pair, ours: list[Column], theirs: list[Column]) -> Iterator[Finding]:
    """What columns say to values that were meant for others."""
    result: dict[str, ServerError] = {}
    unique = ("duplicate-entry",) if any(key.unique for key in pair.replica.keys) else ()
    for here, there in zip(ours, theirs, strict=False):
        if here.name.casefold() == there.name.casefold():
            continue
        names = refusals(here.type, there.type, pair.link.replica, strict=pair.link.source.strict)
        if not there.nullable and here.nullable:
            names += ("null-value",)
        if there.generated:
            names += ("generated-value",)
        if pair.link.source.strict and here.type.tells_time:
            names += ("data-truncated",)
        for name in (*names, *unique):
            error = pair.error(name, key="..." if name == "duplicate-entry" else there.name)
            if error is not None:
                text, of_column, _ = error.message.rpartition("for column")
                message = f"{text}..." if of_column else error.message
                result.setdefault(message, ServerError(error.number, message, error.symbol))
    for error in result.values():
        yield on_table(
            pair,
            Effect.STOPS,
            "values that an INSERT without a column list puts into other columns may be refused there "
            f"({error.number})",
            error=error,
            depends_on_rows=True,
            setting=f"binlog_format={pair.link.binlog_format}",
            remedy="Give both ends the same order of columns, or name the columns in every INSERT",
            statements=_WITHOUT,
        )


def _hidden(column: Column) -> bool:
    """A column that the server adds by itself: no statement names it."""
    return column.name.upper().startswith("DB_ROW_HASH_")


RULE = Rule(
    "SC801",
    "statement-column-list",
    _check,
    (About.STATEMENTS,),
    evidence=lambda ask: ask.statements(certain=ask.finding.effect is Effect.UNSUPPORTED),
)
