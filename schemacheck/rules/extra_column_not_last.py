"""An extra column stands before common columns.

## What it finds
Columns that only one table has, in front of or between the common columns.

## What the replica does
Columns are paired by position: every common column behind the extra one is paired with its neighbour. Where
the types line up, values land in the wrong columns without any error; where they do not, the applier stops
with a conversion error.

## Example
    source:  CREATE TABLE t (c1 INT, c2 INT, c3 INT);
    replica: CREATE TABLE t (c1 INT, c2 INT, cnew2 INT, c3 INT);

## Fix
Move the extra column to the end, or drop it on this side until the other has it.

## References
MySQL manual, Replication with More Columns on Master or Slave; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table, says_1532, side
from schemacheck.findings.order import misplaced
from schemacheck.model import Column, Effect, Example, Finding
from schemacheck.model.definition_sql import add, modify
from schemacheck.model.quote import quoted
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    order = misplaced(pair)
    for column in order.inserted_on_replica:
        shifted = next(c for c in pair.cells if c.replica is column)
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"only the replica has {column.name}, before common columns: it receives the values of "
            f"{shifted.source.name}, and each column behind it those of its neighbour",
            column=column.name,
            replica=side(pair.replica, column),
            also=(1062, 1032),
            reference=says_1532(pair.link.replica),
            remedy=f"Move {column.name} behind the common columns on the replica",
            remedy_sql=modify(
                pair.replica,
                column,
                column,
                pair.link.replica,
                f" AFTER {quoted(pair.replica.columns[-1].name)}",
            ),
            example=Example(f"{shifted.source.name} = 1", f"{column.name} = 1"),
        )
    for column in order.inserted_on_source:
        shifted = next(c for c in pair.cells if c.source is column)
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"only the source has {column.name}, before common columns: its values arrive "
            f"in {shifted.replica.name}, and those of each column behind it in its neighbour",
            column=column.name,
            source=side(pair.source, column),
            also=(1062, 1032),
            reference=says_1532(pair.link.replica),
            remedy=f"Add {column.name} to the replica at the same place, or move it to the end on the source",
            remedy_sql=add(
                pair.replica, column, pair.link.replica, _place(pair, column, shifted.replica_index)
            ),
            example=Example(f"{column.name} = 1", f"{shifted.replica.name} = 1"),
        )


def _place(pair: Pair, column: Column, index: int) -> str:
    """Behind the column that precedes it on the source, where the replica has that one, or gets it before."""
    at = pair.source.columns.index(column)
    before = pair.source.columns[at - 1] if at else None
    if before and (pair.replica.column(before.name) or before in misplaced(pair).inserted_on_source):
        return f" AFTER {quoted(before.name)}"
    return " FIRST" if index == 0 else f" AFTER {quoted(pair.replica.columns[index - 1].name)}"


RULE = Rule("SC102", "extra-column-not-last", _check, (About.PLACES,), evidence=lambda ask: ask.events())
