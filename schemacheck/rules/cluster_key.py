"""A member's table has no key that Group Replication can use.

## What it finds
Tables of a group's members without a primary key, or a unique key of columns that are NOT NULL.

## What the replica does
A member refuses to write such a table (3098). A member that has it so where the writer has a key stops at its
first event (3635) and leaves the group.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY);
    replica: CREATE TABLE t (a INT);

## Fix
Add a primary key on every member.

## References
Recorded on two members of MySQL 9.7.4; MySQL manual, Group Replication Requirements.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding, KeyKind, LinkKind, Table
from schemacheck.rules import About, Rule

_REMEDY = "Add a primary key on every member"
_REFERENCE = "recorded on two members of MySQL 9.7"


def has_group_key(table: Table) -> bool:
    """Whether a table has a primary key, be it a generated one, or a unique key without NULLs."""
    if table.primary_key is not None or table.gipk:
        return True
    required = {c.name.casefold() for c in table.columns if not c.nullable}
    return any(key.kind is KeyKind.UNIQUE and key.folded <= required for key in table.keys)


def _check(pair: Pair) -> Iterator[Finding]:
    if pair.link.kind is not LinkKind.GROUP:
        return
    names = pair.source.database, pair.source.name
    if not has_group_key(pair.source):
        yield on_table(
            pair, Effect.UNSUPPORTED,
            "a member refuses to write a table without a key whose columns are NOT NULL",
            error=server_error("refused-by-the-group", pair.link.source, *names), depends_on_rows=True,
            remedy=_REMEDY, reference=_REFERENCE,
        )  # fmt: skip
    elif not has_group_key(pair.replica):
        yield on_table(
            pair, Effect.STOPS, "the table has no key on this member: it leaves the group at the first event",
            error=pair.error("not-for-a-group"),
            remedy=_REMEDY, reference=_REFERENCE,
        )  # fmt: skip


RULE = Rule("SC952", "cluster-key", _check, (About.CLUSTER,))
