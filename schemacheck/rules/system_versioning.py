"""System versioning on the source only.

## What it finds
Tables WITH SYSTEM VERSIONING on a MariaDB source whose replica table is not versioned.

## What the replica does
An UPDATE or DELETE on the source writes history rows, which arrive as inserts of a row that exists: the
applier stops with error 1062 at the first one, or keeps history rows as current ones where no key forbids it.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY) WITH SYSTEM VERSIONING;
    replica: CREATE TABLE t (a INT PRIMARY KEY);

## Remedy
Add SYSTEM VERSIONING on the replica, before the source.

## References
Recorded on MariaDB 10.11 and 11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import ANY, server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.model.definition_sql import table_name
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    yield from _replica_only(pair)
    if not pair.source.system_versioned or pair.replica.system_versioned or not pair.row_format:
        return
    keyed = any(key.unique for key in pair.replica.keys)
    if keyed:
        yield on_table(
            pair,
            Effect.DIVERGES,
            "the source keeps system versions and the replica does not: a DELETE arrives as an update of "
            "row_end, and the row stays",
            remedy="Add system versioning to the replica's table",
            remedy_sql=f"ALTER TABLE {table_name(pair.replica)} ADD SYSTEM VERSIONING;",
            example=Example("a deleted row", "the row is there"),
            reference="recorded on MariaDB 10.11 and 11.8",
        )
    yield on_table(
        pair,
        Effect.STOPS if keyed else Effect.DIVERGES,
        "the source keeps system versions and the replica does not: the history row that an UPDATE or "
        "DELETE writes arrives as an insert",
        error=server_error(
            "duplicate-key", pair.link.replica, pair.source.database, pair.source.name, key=ANY
        )
        if keyed
        else None,
        depends_on_rows=keyed,
        remedy="Add system versioning to the replica's table",
        remedy_sql=f"ALTER TABLE {table_name(pair.replica)} ADD SYSTEM VERSIONING;",
        example=Example("UPDATE t SET b = 2", "one more row"),
        reference="recorded on MariaDB 10.11 and 11.8",
    )


def _replica_only(pair: Pair) -> Iterator[Finding]:
    """A row that one statement replaces twice leaves two history rows of one time, and one key."""
    ours, theirs = (any(key.unique for key in table.keys) for table in (pair.source, pair.replica))
    versioned = pair.replica.system_versioned and not pair.source.system_versioned
    if not versioned or not (ours and theirs) or not pair.row_format:
        return
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        "only the replica keeps system versions: a statement that changes one row twice (REPLACE with "
        "several rows) writes two history rows of one time",
        error=server_error(
            "duplicate-key",
            pair.link.replica,
            pair.source.database,
            pair.source.name,
            event="Delete_rows",
            key=ANY,
        ),
        depends_on_rows=True,
        remedy="Drop system versioning on the replica",
        reference="recorded on MariaDB 10.11 and 11.8",
    )


RULE = Rule("SC507", "system-versioning", _check, (About.OPTIONS,))
