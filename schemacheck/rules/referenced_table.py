"""Other replica tables reference this one.

## What it finds
Foreign keys of other tables on the replica that reference this table, which the source does not have.

## What the replica does
Deleting or updating a referenced row stops the applier with error 1451; CASCADE and SET NULL change rows that
the source keeps.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY);
    replica: CREATE TABLE t (a INT PRIMARY KEY); CREATE TABLE ch (b INT, FOREIGN KEY (b) REFERENCES t (a));

## Remedy
Create the referencing table and key on the source too, or drop the key on the replica.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding, Side
from schemacheck.rules.finding import on_table
from schemacheck.rules.foreign import same_reference
from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import Rule


def _check(pair: Pair) -> Iterator[Finding]:
    for key in pair.replica.incoming:
        if any(same_reference(key, ours) for ours in pair.source.incoming):
            continue
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"on the replica only, {key.ref_table} ({', '.join(key.columns)}) references this table: deleting or changing a referenced row stops the applier"
            if key.on_delete == "RESTRICT"
            else f"on the replica only, {key.ref_table} ({', '.join(key.columns)}) references this table ON DELETE {key.on_delete}: rows change there alone",
            replica=Side(key.location or pair.replica.location, f"{key.ref_table} ({', '.join(key.columns)})"),
            error=server_error("row-is-referenced", pair.link.replica, pair.source.database, pair.source.name, event="Delete_rows", key=key.name),
            depends_on_rows=True,
            remedy=f"Drop the foreign key of {key.ref_table} on the replica, or create it on the source too",
            reference="recorded on four servers",
        )


RULE = Rule("SC406", "referenced-table", "Other replica tables reference this one", __doc__ or "", _check)
