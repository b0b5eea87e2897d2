"""A BIT value becomes all ones.

## What it finds
BIT columns that are shorter on the replica.

## What the replica does
A value that does not fit is stored as all ones.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c BIT(12));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c BIT(8));

## Fix
Give the replica at least as many bits.

## References
MySQL manual, Replication of Columns Having Different Data Types; recorded on four servers.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC210",
    "bit-length",
    changed(lambda cell: cell.source.type.is_bit, "Give the replica at least as many bits"),
    (About.BITS,),
    evidence=lambda ask: ask.changed(),
)
