"""A FLOAT or DOUBLE is shown with other digits, rounded or clipped.

## What it finds
FLOAT and DOUBLE columns that differ in size, in (M,D), or that become DECIMAL; YEAR(2) beside YEAR(4).

## What the replica does
A FLOAT shows six significant digits, a DOUBLE all of them: 1.1 widened to DOUBLE reads 1.100000023841858.
(M,D) is not sent: a raw copy is shown with the replica's decimals, and FLOAT to DOUBLE(12,D) is even read
with the wrong width, because the server compares display lengths. MariaDB's
YEAR(2) shows two digits of four.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c FLOAT);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c DOUBLE);

## Fix
Keep the same type and (M,D) on both ends.

## References
Field_real, max_display_length; recorded on four servers.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC209",
    "float-digits",
    changed(
        lambda cell: cell.source.type.is_approximate or cell.source.type.is_year,
        "Keep the same type and its numbers on both ends",
    ),
    (About.FLOATS,),
    evidence=lambda ask: ask.changed(),
)
