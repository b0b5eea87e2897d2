"""Statements compute other values on the replica.

## What it finds
STATEMENT and MIXED format between MySQL and MariaDB.

## What the replica does
Fractions of a second of NOW() come along in a form that only the own flavour reads: rows differ without an
error.

## Example
    INSERT INTO t VALUES (NOW(6))

## Fix
Set binlog_format = ROW on the source.

## References
Q_MICROSECONDS, Q_HRNOW; recorded.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC942",
    "link-statement-values",
    found(by_settings.fractions, "where statements use NOW(6)"),
    (About.LINK,),
)
