"""Other replica tables reference this one.

## What it finds
Foreign keys of other tables on the replica that reference this table, which the source does not have, or
which refuse what the source's lets pass.

## What the replica does
A key that refuses (RESTRICT, NO ACTION): deleting a referenced row, or changing its key, stops the applier
with error 1451. CASCADE and SET NULL change rows of the other table that the source keeps, without any error.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY);
    replica: CREATE TABLE t (a INT PRIMARY KEY); CREATE TABLE ch (b INT, FOREIGN KEY (b) REFERENCES t (a));

## Fix
Create the referencing table and key on the source too, or drop the key on the replica.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.foreign_keys import constraint_text, key_pairs
from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.rules import About, Rule

_DOES = {"DELETE": "deleting a referenced row", "UPDATE": "changing its key"}


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.replica.incoming:
        return
    for keys in key_pairs(pair, pair.source.incoming, pair.replica.incoming, {}):
        key = keys.replica
        if key is None:
            continue  # the child's own rows tell: SC405
        child = f"{key.ref_table} ({', '.join(key.columns)})"
        who = (
            f"on the replica only, {child} references this table"
            if keys.source is None
            else f"{child} references this table differently on the replica"
        )
        replica = Side(key.location or pair.replica.location, child)
        remedy = f"Drop the foreign key of {key.ref_table} on the replica, or create it on the source too"
        if keys.refused:
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{who}: {' or '.join(_DOES[event] for event in keys.refused)} stops the applier",
                replica=replica,
                error=pair.error(
                    "row-is-referenced",
                    event="Delete_rows",
                    key=constraint_text(
                        key,
                        pair.replica.database,
                        key.ref_table,
                        key.columns,
                        pair.replica.name,
                        key.ref_columns,
                    ),
                ),
                depends_on_rows=True,
                remedy=remedy,
                reference="recorded on four servers",
            )
        if keys.changed and keys.source is None:
            yield on_table(
                pair,
                Effect.DIVERGES,
                f"{who}: its rows change on the replica alone ({'; '.join(keys.changed)})",
                replica=replica,
                remedy=remedy,
                example=Example(
                    f"a row of {key.ref_table} as it was",
                    f"the row of {key.ref_table}, after its parent was changed",
                ),
                reference="recorded on four servers",
            )


RULE = Rule(
    "SC406", "referenced-table", _check, (About.CONSTRAINTS,), evidence=lambda ask: ask.changes(certain=False)
)
