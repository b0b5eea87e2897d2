"""A column has another name.

## What it finds
Columns at the same position with different names that stand nowhere else.

## What the replica does
Row events do not look at names: values arrive. Statements that name the column fail with error 1054. MariaDB
12 pairs by name where the source logs full row metadata, and then leaves a renamed column out.

## Example
    source:  CREATE TABLE t (a INT, b INT);
    replica: CREATE TABLE t (a INT, c INT);

## Fix
Rename the column on the replica, or make sure that only rows are replicated.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_cell
from schemacheck.findings.order import misplaced
from schemacheck.model import Effect, Finding
from schemacheck.model.definition_sql import rename
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if pair.by_name:
        return
    order = misplaced(pair)
    for cell in pair.differing:
        if (
            cell.same_name
            or cell.source.name.casefold() in order.shared
            or cell.replica.name.casefold() in order.shared
        ):
            continue
        statement = pair.logs_statements
        error = pair.error("unknown-column", key=cell.source.name)
        tail = (
            "a statement that names it stops the applier"
            if statement
            else "row events pair by position, so its values arrive"
        )
        yield on_cell(
            pair,
            cell,
            Effect.UNSUPPORTED if statement else Effect.COMPATIBLE,
            f"{cell.source.name} is called {cell.replica.name} on the replica; {tail}",
            error=error if statement else None,
            depends_on_rows=statement,
            remedy=f"Rename {cell.replica.name} to {cell.source.name} on the replica",
            remedy_sql=rename(pair.replica, cell.replica, cell.source.name, pair.link.replica),
            texts=(cell.source.name, cell.replica.name),
            statements=(f"reads:{cell.source.name}", f"writes:{cell.source.name}"),
        )


RULE = Rule(
    "SC105", "renamed-column", _check, (About.PLACES,), evidence=lambda ask: ask.statements(certain=True)
)
