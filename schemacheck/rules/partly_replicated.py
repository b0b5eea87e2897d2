"""Only some changes of a table are replicated.

## What it finds
Tables whose changes reach the replica or not, depending on the default database of the session, or on the
format in which they are logged; or another table there, where a statement names a database that is rewritten.

## What the replica does
The replica misses the changes that the filters keep out, without any error; later changes may find no row
(1032).

## Example
    replica: replicate-do-db=shop
    source:  USE stats; UPDATE shop.orders SET ...;   -- STATEMENT format: ignored

## Fix
Use row format, or filters by table instead of by database.

## References
MySQL manual, How Servers Evaluate Replication Filtering Rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding
from schemacheck.rules import About, Rule


def _check(match: Match) -> Iterator[Finding]:
    if not match.partly:
        return
    yield on_match(
        match,
        Effect.DIVERGES,
        f"{match.source.name} is replicated in part: {match.partly}",
        remedy="Use row format, or filters by table instead of by database",
        example=Example("a change that the filters keep out", "the row as it was before"),
        also=(1032, 1062),
        reference="MySQL manual, How Servers Evaluate Replication Filtering Rules",
    )


RULE = Rule("SC601", "partly-replicated", _check, (About.MATCH,))
