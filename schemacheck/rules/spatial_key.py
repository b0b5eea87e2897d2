"""A spatial key of the replica takes no missing value.

## What it finds
Columns of a SPATIAL key of the replica that are nullable on the source, or that the source does not have.

## What the replica does
A spatial key needs a geometry in every row. NULL becomes the empty value, which is none: the applier stops
with error 1416, whatever the engine and the sql_mode.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b GEOMETRY);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b GEOMETRY NOT NULL, SPATIAL KEY (b));

## Fix
Make the source's column NOT NULL first, or drop the spatial key on the replica.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Effect, Finding, KeyKind
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    for key in pair.replica.keys:
        if key.kind is not KeyKind.SPATIAL:
            continue
        for part in key.parts:
            name = (part.column or "").casefold()
            there = pair.replica.column(part.column or "")
            if there is None or there.nullable:
                continue
            cell = next((c for c in pair.cells if c.replica.name.casefold() == name), None)
            if cell is not None and not cell.source.nullable:
                continue
            why = "may be NULL on the source" if cell else "exists only on the replica"
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{there.name} {why} and is in a spatial key of the replica: a row without a geometry stops "
                "the applier",
                column=there.name,
                replica=side(pair.replica, there),
                error=pair.error("no-geometry"),
                depends_on_rows=True,
                remedy="Make the source's column NOT NULL first, or drop the spatial key on the replica",
                reference="recorded on four servers",
            )


RULE = Rule(
    "SC409",
    "spatial-key",
    _check,
    (About.SPECIAL_KEYS,),
    evidence=lambda ask: ask.nulls() if ask.cell else ask.writes(certain=False),
)
