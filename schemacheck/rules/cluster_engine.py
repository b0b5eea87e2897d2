"""A node's table is in an engine that the cluster does not replicate.

## What it finds
Tables of a cluster's nodes in another engine than InnoDB.

## What the replica does
Galera replicates no row of such a table: what one node writes is on that node only, without any error. Group
Replication refuses to write it (3098), and a member that has it so where the writer has InnoDB stops at its
first event (3635) and leaves the group.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY) ENGINE=MyISAM;
    replica: CREATE TABLE t (a INT PRIMARY KEY) ENGINE=MyISAM;

## Fix
Use InnoDB on every node.

## References
Recorded on two nodes of MariaDB 11.8.6 with Galera and of MySQL 9.7.4 with Group Replication.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding, LinkKind
from schemacheck.model.definition_sql import table_name
from schemacheck.rules import About, Rule

_REPLICATED = "INNODB"
_REMEDY = "Use InnoDB on every node"
_REFERENCE = "recorded on two nodes of a cluster"


def _check(pair: Pair) -> Iterator[Finding]:
    ours, theirs = (pair.source.engine or _REPLICATED).upper(), (pair.replica.engine or _REPLICATED).upper()
    sql = f"ALTER TABLE {table_name(pair.source)} ENGINE=InnoDB;"
    if pair.link.kind is LinkKind.GALERA and ours != _REPLICATED:
        yield on_table(
            pair, Effect.DIVERGES,
            f"Galera replicates no row of a table in {pair.source.engine}: what a node writes stays there",
            remedy=_REMEDY, remedy_sql=sql, example=Example("one row", "no row"), reference=_REFERENCE,
        )  # fmt: skip
    if pair.link.kind is not LinkKind.GROUP:
        return
    names = pair.source.database, pair.source.name
    if ours != _REPLICATED:
        yield on_table(
            pair, Effect.UNSUPPORTED, f"a member refuses to write a table in {pair.source.engine}",
            error=server_error("refused-by-the-group", pair.link.source, *names), depends_on_rows=True,
            remedy=_REMEDY, remedy_sql=sql, reference=_REFERENCE,
        )  # fmt: skip
    elif theirs != _REPLICATED:
        yield on_table(
            pair, Effect.STOPS, f"this member has the table in {pair.replica.engine}: it leaves the group at "
"the first event",
            error=pair.error("not-for-a-group"),
            remedy=_REMEDY, reference=_REFERENCE,
        )  # fmt: skip


RULE = Rule("SC951", "cluster-engine", _check, (About.CLUSTER,))
