"""Common columns differ, and the replica has more columns.

## What it finds
Common columns of different type where the replica has additional columns.

## What the replica does
The manual: when the replica has more columns, each common column must use the same data type. The servers
carry on all the same, under the usual rules of conversion.

## Example
    source:  CREATE TABLE t (c1 INT, c2 BIGINT);
    replica: CREATE TABLE t (c1 INT, c2 INT, c3 INT);

## Fix
Give the common columns the same types before columns are added on the replica.

## References
MySQL manual, Replication with More Columns on Master or Slave; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion import Kind
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.extra_replica or not pair.logs_rows:
        return
    for cell in pair.differing:
        if cell.kind is not Kind.EXACT and cell.allowed:
            yield on_cell(
                pair,
                cell,
                Effect.UNSUPPORTED,
                f"{cell.source.type.sql()} on the source, {cell.replica.type.sql()} on the "
                "replica, which has more columns; the manual forbids it, the server carries on",
                remedy=f"Give {cell.replica.name} the source's type",
                remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
            )


RULE = Rule(
    "SC106",
    "types-differ-beside-extra-columns",
    _check,
    (About.PLACES,),
    evidence=lambda ask: ask.events(certain=False),
)
