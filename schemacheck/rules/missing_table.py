"""The replica has no such table.

## What it finds
Source tables for which the replica has no table.

## What the replica does
The applier stops with error 1146 at the first row event for the table.

## Example
    source:  CREATE TABLE t (a INT);
    replica: (nothing)

## Remedy
Create the table on the replica, or filter it out on purpose.

## References
Recorded on four servers.
"""

from __future__ import annotations

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding, Link, Side, Table
from schemacheck.rules.rule import Rule


def missing(source: Table, link: Link) -> Finding:
    """The finding about a source table that the replica does not have."""
    create = f"{source.text.strip().rstrip(';')};" if source.text else None
    return Finding(
        RULE.code, RULE.name, Effect.STOPS, f"{source.name} does not exist on the replica; the applier stops at its first row event", source.database,
        source.name, None, Side(source.location), Side(), server_error("no-such-table", link.replica, source.database, source.name),
        remedy=f"Create {source.name} on the replica, or filter it out on purpose", remedy_sql=create, reference="recorded on four servers",
    )  # fmt: skip


RULE = Rule("SC701", "missing-table", "The replica has no such table", __doc__ or "")
