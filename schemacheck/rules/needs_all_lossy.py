"""A narrowing conversion is not permitted.

## What it finds
Columns whose type is narrower on the replica, while slave_type_conversions lacks ALL_LOSSY.

## What the replica does
The applier checks the whole table before the first row and stops with error 1677 (13146 since MySQL 8.0).

## Example
    source:  CREATE TABLE t (c BIGINT);
    replica: CREATE TABLE t (c INT);

## Fix
Widen the replica's column. ALL_LOSSY permits the conversion and cuts what does not fit.

## References
MySQL manual, Replication of Columns Having Different Data Types; can_convert_field_to; recorded on four
servers.
"""

from __future__ import annotations

from schemacheck.conversion import Kind
from schemacheck.findings.refused_conversion import refusal
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC202",
    "needs-all-lossy",
    refusal(Kind.LOSSY),
    (About.REFUSALS,),
    evidence=lambda ask: ask.events(certain=True),
)
