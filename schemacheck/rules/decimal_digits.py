"""A DECIMAL is rounded or clipped.

## What it finds
DECIMAL columns whose values do not fit the replica's precision, scale, sign or approximate type.

## What the replica does
The server compares the precision first and the scale only where the precisions are equal, so DECIMAL(10,4) to
DECIMAL(12,2) counts as non-lossy and rounds 1.2399 to 1.24; DECIMAL(10,0) to DECIMAL(12,6) clips 9999999999
to 999999.999999.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c DECIMAL(10,4));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c DECIMAL(12,2));

## Fix
Give the replica at least as many integer digits and as many decimals as the source has.

## References
MySQL manual, Replication of Columns Having Different Data Types; Field_new_decimal::compatible_field_size;
recorded on four servers.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC206",
    "decimal-digits",
    changed(
        lambda cell: cell.source.type.is_decimal,
        "Give the replica as many integer digits and decimals as the source has",
    ),
    (About.DECIMALS,),
    evidence=lambda ask: ask.changed(),
)
