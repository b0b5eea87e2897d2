"""A column is invisible on one end.

## What it finds
Common columns that are INVISIBLE on one end only.

## What the replica does
Invisible columns are ordinary columns of the row image: values arrive. An INSERT without a column list has
another number of values on each end, which matters for statements.

## Example
    source:  CREATE TABLE t (a INT, b INT);
    replica: CREATE TABLE t (a INT, b INT INVISIBLE);

## Fix
No action is needed for row events; for statements, align the visibility.

## References
Recorded on MySQL 9.7 and MariaDB.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    for cell in pair.differing:
        if cell.source.invisible != cell.replica.invisible:
            end = "source" if cell.source.invisible else "replica"
            yield on_cell(
                pair,
                cell,
                Effect.COMPATIBLE,
                f"{cell.source.name} is invisible on the {end} only; its values arrive",
                remedy="No action is needed",
                texts=(
                    "invisible" if cell.source.invisible else "visible",
                    "invisible" if cell.replica.invisible else "visible",
                ),
                reference="recorded on MySQL 9.7 and MariaDB",
            )


RULE = Rule("SC504", "invisible-column", _check, (About.ATTRIBUTES,))
