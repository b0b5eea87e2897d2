"""The tables are partitioned differently.

## What it finds
Tables whose partitioning differs.

## What the replica does
Rows are stored by the replica's own partitions: values do not change. A row for which a RANGE or LIST table
of the replica has no partition stops the applier with error 1526. The manual does not support differing
partitions.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY);
    replica: CREATE TABLE t (a INT PRIMARY KEY) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10));

## Fix
Partition both ends alike, or add a partition for all other values on the replica.

## References
MySQL manual, Replication and Partitioning; recorded on four servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding, Side
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.rules import About, Rule

_OPEN_ENDED = re.compile(r"MAXVALUE|\bDEFAULT\b", re.IGNORECASE)
_BOUNDED = re.compile(r"^\s*(RANGE|LIST)\b", re.IGNORECASE)


def _check(pair: Pair) -> Iterator[Finding]:
    ours, theirs = pair.source.partitioning, pair.replica.partitioning
    if UNKNOWN in (ours, theirs):
        yield on_table(
            pair,
            Effect.UNKNOWN,
            "the input does not say how the table is partitioned: whether every row has a "
            "partition on the replica is not known",
            source=Side(pair.source.location, ours or "not partitioned"),
            replica=Side(pair.replica.location, theirs or "not partitioned"),
            remedy="Take the snapshot again, or add the rows of information_schema.PARTITIONS",
            reference="MySQL manual, Replication and Partitioning",
        )
        return
    if ours == theirs:
        return
    bounded = theirs is not None and _BOUNDED.match(theirs) is not None and not _OPEN_ENDED.search(theirs)
    tail = (
        "a row for which the replica has no partition stops the applier"
        if bounded
        else "the replica stores rows in its own partitions"
    )
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        f"the tables are partitioned differently, which the manual does not support; {tail}",
        source=Side(pair.source.location, ours or "not partitioned"),
        replica=Side(pair.replica.location, theirs or "not partitioned"),
        error=pair.error("no-partition") if bounded else None,
        depends_on_rows=bounded,
        remedy="Partition both ends alike" + (", or add a partition for all other values" if bounded else ""),
        reference="MySQL manual, Replication and Partitioning",
    )


RULE = Rule("SC407", "partitioning", _check, (About.OPTIONS,), evidence=lambda ask: ask.writes(certain=False))
