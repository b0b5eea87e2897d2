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

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding, Link, Side, Table
from schemacheck.rules.rule import Rule


def not_a_table(source: Table, replica: Table, link: Link) -> Finding:
    """The finding about a source table whose name is something else on the replica."""
    return Finding(
        RULE.code, RULE.name, Effect.STOPS, f"{source.name} is a {replica.kind.value} on the replica; the applier stops at its first row event", source.database,
        source.name, None, Side(source.location, "table"), Side(replica.location, replica.kind.value),
        server_error("not-base-table", link.replica, source.database, source.name),
        remedy=f"Rename the {replica.kind.value}, and create the table on the replica", reference="recorded on four servers",
    )  # fmt: skip


RULE = Rule("SC702", "not-a-table", "The name is a view on the replica", __doc__ or "")
