"""A widening conversion is not permitted.

## What it finds
Columns whose type is wider on the replica, or a string of another kind, while slave_type_conversions lacks
ALL_NON_LOSSY.

## What the replica does
The applier checks the whole table before the first row and stops with error 1677 (13146 since MySQL 8.0).
Widening needs the word too: an empty setting permits no conversion at all.

## Example
    source:  CREATE TABLE t (c INT);
    replica: CREATE TABLE t (c BIGINT);

## Fix
Align the types, or set ALL_NON_LOSSY on the replica until both ends have the new type.

## References
MySQL manual, Replication of Columns Having Different Data Types; can_convert_field_to; recorded on four
servers.
"""

from __future__ import annotations

from schemacheck.conversion import Kind
from schemacheck.findings.refused_conversion import refusal
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC201",
    "needs-all-non-lossy",
    refusal(Kind.NON_LOSSY, Kind.UNCHECKED),
    (About.REFUSALS,),
    evidence=lambda ask: ask.events(certain=True),
)
