"""Statements of one flavour stop the other.

## What it finds
Definitions and statements that one flavour knows and the other does not (rules/dialect.yaml).

## What the replica does
Mostly 1064; 1273 for collations, 1286 for engines, 1305 for functions, 4161 for types.

## Example
    CREATE OR REPLACE TABLE t (a INT)    -- MariaDB to MySQL

## Fix
Write what both servers know.

## References
rules/dialect.yaml; recorded on four servers.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC932", "link-dialect", found(by_settings.dialect, "where such statements are used"), (About.LINK,)
)
