"""Stored bytes are taken for another type.

## What it finds
UUID, INET4 and INET6 columns of MariaDB against another type of the same byte length.

## What the replica does
The event carries their internal bytes as fixed-length binary, so a column of the same length takes them as
they are, with another meaning.

## Example
    source:  CREATE TABLE t (c UUID);
    replica: CREATE TABLE t (c INET6);

## Fix
Use the same type on both ends.

## References
Field_fbt::rpl_conv_type_from; recorded on MariaDB 10.11 and 11.8.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC216",
    "stored-form",
    changed(
        lambda cell: cell.source.type.is_address or cell.replica.type.is_address,
        "Use the same type on both ends",
    ),
    (About.STORED,),
    evidence=lambda ask: ask.changed(),
)
