"""A fixed-length column pads or trims the value.

## What it finds
BINARY columns that pad, and CHAR columns that drop trailing spaces, where the source's column does not.

## What the replica does
BINARY(n) fills up with zero bytes: x'0102' arrives as x'0102000000'. CHAR gives back values without their
trailing spaces.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c VARBINARY(20));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c BINARY(25));

## Fix
Use the source's type on the replica.

## References
Recorded on four servers ("padded").
"""

from __future__ import annotations

from schemacheck.conversion import What
from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC214",
    "fixed-length-padding",
    changed(
        lambda cell: cell.outcome.what in (What.PADDED, What.TRIMMED), "Use the source's type on the replica"
    ),
    (About.PADDED,),
    evidence=lambda ask: ask.changed(),
)
