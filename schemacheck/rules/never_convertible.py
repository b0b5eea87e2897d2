"""No setting permits this conversion.

## What it finds
Columns of two types between which the applier has no conversion, such as INT and DECIMAL, or ENUM and
VARCHAR.

## What the replica does
The applier checks the whole table before the first row and stops with error 1677 (13146 since MySQL 8.0; 1535
before 5.5.3).

## Example
    source:  CREATE TABLE t (c INT);
    replica: CREATE TABLE t (c VARCHAR(20));

## Fix
Give the replica's column the source's type, or replicate the change as a statement.

## References
MySQL manual, Replication of Columns Having Different Data Types; can_convert_field_to; recorded on four
servers.
"""

from __future__ import annotations

from schemacheck.conversion import Kind
from schemacheck.findings.refused_conversion import refusal
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC203",
    "never-convertible",
    refusal(Kind.IMPOSSIBLE),
    (About.REFUSALS,),
    evidence=lambda ask: ask.events(certain=True),
)
