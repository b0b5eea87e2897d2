"""An integer is clipped to a smaller range.

## What it finds
Integer columns that are narrower on the replica, or that lose half of their range to a sign.

## What the replica does
Values beyond the replica column's range are stored as its smallest or largest value, without an error, also
under a strict sql_mode.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c INT);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c TINYINT);

Under ALL_LOSSY, 2147483647 arrives as 127.

## Fix
Widen the replica's column to the source's type.

## References
MySQL manual, Replication of Columns Having Different Data Types; recorded on four servers.
"""

from __future__ import annotations

from schemacheck.conversion import What
from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC213",
    "integer-range",
    changed(
        lambda cell: cell.source.type.is_integer and cell.outcome.what is What.CLIPPED,
        "Widen the replica's column to the source's type",
    ),
    (About.INTEGERS,),
    evidence=lambda ask: ask.changed(),
)
