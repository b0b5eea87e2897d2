"""Only some changes of a table are replicated.

## What it finds
Tables whose changes reach the replica or not depending on the default database of the session, or on the
format in which they are logged.

## What the replica does
The replica misses the changes that the filters keep out, without any error; later changes may find no row
(1032).

## Example
    replica: replicate-do-db=shop
    source:  USE stats; UPDATE shop.orders SET ...;   -- STATEMENT format: ignored

## Remedy
Use row format, or filters by table instead of by database.

## References
MySQL manual, How Servers Evaluate Replication Filtering Rules.
"""

from __future__ import annotations

from schemacheck.model import Effect, Example, Finding, Side, Table
from schemacheck.rules.rule import Rule


def partly_replicated(source: Table, reason: str) -> Finding:
    """The finding about a table of which only some changes pass the filters."""
    return Finding(
        RULE.code, RULE.name, Effect.DIVERGES, f"{source.name} is replicated in part: {reason}", source.database, source.name, None,
        Side(source.location), remedy="Use row format, or filters by table instead of by database",
        example=Example("a change that the filters keep out", "the row as it was before"), also=(1032, 1062),
        reference="MySQL manual, How Servers Evaluate Replication Filtering Rules",
    )  # fmt: skip


RULE = Rule("SC601", "partly-replicated", "Only some changes of a table are replicated", __doc__ or "")
