"""The replica does not take a word of the source's sql_mode.

## What it finds
Bits of sql_mode above those that MySQL 8.0 knows (TIME_ROUND_FRACTIONAL of MariaDB), and ORACLE of MySQL
before 8.0, which changes MariaDB's parser.

## What the replica does
3899 on MySQL, 1064 at BEGIN on MariaDB.

## Example
    source:  MariaDB 11.8, sql_mode = TIME_ROUND_FRACTIONAL
    replica: MySQL 9.7

## Fix
Take the word out of sql_mode on the source.

## References
log_event.cc, MODE_ALLOWED_MASK; recorded.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC912", "link-sql-mode", found(by_settings.sql_modes), (About.LINK,))
