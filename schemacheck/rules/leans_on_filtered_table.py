"""A replicated table leans on one that is kept out.

## What it finds
Tables that are replicated and have a foreign key to a table that the filters keep out.

## What the replica does
A row whose parent is not on the replica stops the applier with error 1452, if the replica enforces the key.

## Example
    replica: replicate-ignore-table=shop.customers
    source:  CREATE TABLE orders (..., FOREIGN KEY (customer) REFERENCES customers (id));

## Remedy
Replicate the parent too, or drop the foreign key on the replica.

## References
MySQL manual, How Servers Evaluate Replication Filtering Rules.
"""

from __future__ import annotations

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding, ForeignKey, Link, Side, Table
from schemacheck.rules.foreign import described
from schemacheck.rules.rule import Rule


def leans_on_filtered(source: Table, key: ForeignKey, reason: str, link: Link) -> Finding:
    """The finding about a foreign key to a table that the filters keep out."""
    return Finding(
        RULE.code, RULE.name, Effect.UNSUPPORTED, f"{source.name} references {key.ref_table}, which is kept out ({reason}): a row whose parent is missing stops the applier",
        source.database, source.name, key.columns[0], Side(key.location or source.location, described(key)), Side(),
        server_error("no-referenced-row", link.replica, source.database, source.name, key=key.name), depends_on_rows=True,
        remedy=f"Replicate {key.ref_table} too, or drop the foreign key on the replica",
        reference="MySQL manual, How Servers Evaluate Replication Filtering Rules",
    )  # fmt: skip


RULE = Rule("SC602", "leans-on-filtered-table", "A replicated table leans on one that is kept out", __doc__ or "")
