"""One definition makes different tables.

## What it finds
innodb_strict_mode, default_storage_engine, lower_case_table_names, explicit_defaults_for_timestamp that
differ.

## What the replica does
A definition is refused (1031, 1005), or makes a table with another engine or other defaults; names with
capitals are not found (1146).

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
    found(by_settings.own_definitions, "where definitions are replicated"),
    (About.LINK,),
)
