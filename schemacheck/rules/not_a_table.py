"""The name is a view on the replica.

## What it finds
Source tables whose name is a view or a sequence on the replica.

## What the replica does
The applier stops with error 1347: row events apply to base tables only.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE VIEW t AS SELECT * FROM u;

## Remedy
Rename the view, and create the table.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule


def _check(match: Match) -> Iterator[Finding]:
    source, replica = match.source, match.replica
    if replica is None or match.same_kind or not match.writes_rows:
        return
    kind = replica.kind.value
    yield on_match(
        match,
        Effect.STOPS,
        f"{source.name} is a {kind} on the replica; the applier stops at its first row event",
        texts=("table", kind),
        error=server_error("not-base-table", match.link.replica, source.database, source.name),
        remedy=f"Rename the {kind}, and create the table on the replica",
        reference="recorded on four servers",
    )


RULE = Rule(
    "SC702", "not-a-table", "The name is a view on the replica", __doc__ or "", _check, (About.MATCH,)
)
