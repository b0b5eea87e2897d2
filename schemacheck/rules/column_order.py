"""Common columns are in another order.

## What it finds
Columns that both tables have, in another order.

## What the replica does
Columns are paired by position, names are never looked at. Where the types line up, values land in the wrong
columns without any error; where they do not, the applier stops with a conversion error. The 5.6 manual names
error 1532 here; no server of any version raises it for this (5.1 says 1535).

## Example
    source:  CREATE TABLE t (c1 INT, c2 INT, c3 INT);
    replica: CREATE TABLE t (c2 INT, c1 INT);

## Fix
Bring the replica's columns into the source's order with MODIFY ... AFTER.

## References
MySQL manual, Replication with More Columns on Master or Slave; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table, says_1532, side
from schemacheck.findings.order import misplaced
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    order = misplaced(pair)
    if not pair.logs_rows or not order.reordered:
        return
    cells = [c for c in pair.cells if not c.same_name and c.source.name.casefold() in order.shared]
    if not cells:
        return
    first = cells[0]
    lands = ", ".join(f"{c.source.name} in {c.replica.name}" for c in cells[:4])
    yield on_table(
        pair,
        Effect.DIVERGES,
        "the columns have another order and row events go by position, so values "
        f"arrive in the wrong columns: {lands}",
        source=side(pair.source, first.source),
        replica=Side(
            first.replica.location or pair.replica.location,
            f"{first.replica.name} {first.replica.type.sql()}",
        ),
        also=(1062, 1032),
        reference=says_1532(pair.link.replica),
        remedy="Order the replica's columns as on the source: "
        f"{', '.join(c.name for c in pair.source.columns)}",
        example=Example(f"{first.source.name} = 1", f"{first.replica.name} = 1"),
    )


RULE = Rule("SC101", "column-order", _check, (About.PLACES,), evidence=lambda ask: ask.events())
