"""One definition makes different tables.

## What it finds
Settings that differ, that the log does not carry, and that a later definition meets (`later` of
`rules/link_variables.yaml`: innodb_default_row_format, innodb_strict_mode, default_storage_engine, ...);
explicit_defaults_for_timestamp; databases of another default character set or collation.

## What the replica does
A definition is refused (1709, 1031, 1005, 1418), or makes a table with another engine, character set or other
defaults; names with capitals are not found (1146).

## Example
    source:  innodb_strict_mode = OFF
    replica: innodb_strict_mode = ON

## Fix
Set them alike on both ends.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC943",
    "link-own-definitions",
    found(by_settings.own_definitions, "for later definitions"),
    (About.LINK,),
)
