"""The replica has a foreign key that the source has not.

## What it finds
Foreign keys of the replica's table that the source's does not have.

## What the replica does
A row whose parent is missing on the replica stops the applier with error 1452; ON DELETE and ON UPDATE
actions of the replica change rows that the source keeps.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES p (id));

## Remedy
Create the foreign key on the source first, or drop it on the replica.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding, Side
from schemacheck.model.quote import quoted
from schemacheck.rules.definition import table_name
from schemacheck.rules.finding import on_table
from schemacheck.rules.foreign import described, same_reference
from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import Rule


def _check(pair: Pair) -> Iterator[Finding]:
    for key in pair.replica.foreign_keys:
        if any(same_reference(key, ours) for ours in pair.source.foreign_keys):
            continue
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"only the replica has the foreign key {described(key)}: a row whose parent is missing stops the applier",
            column=key.columns[0],
            replica=Side(key.location or pair.replica.location, described(key)),
            error=server_error("no-referenced-row", pair.link.replica, pair.source.database, pair.source.name, key=key.name),
            depends_on_rows=True,
            remedy="Create the foreign key on the source first, or drop it on the replica",
            remedy_sql=f"ALTER TABLE {table_name(pair.replica)} DROP FOREIGN KEY {quoted(key.name)};" if key.name else None,
            reference="recorded on four servers",
        )


RULE = Rule("SC405", "foreign-key", "The replica has a foreign key that the source has not", __doc__ or "", _check)
