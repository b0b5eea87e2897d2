"""Statements on accounts stop the replica.

## What it finds
CREATE USER, ALTER USER and SET PASSWORD as the source writes them into its log.

## What the replica does
1524 on MariaDB (caching_sha2_password is not loaded), 1064 on MySQL 8.0.11 and later from 5.6 (IDENTIFIED
BY PASSWORD).

## Example
    CREATE USER u IDENTIFIED BY 'x'

## Fix
Make accounts on each end apart (SET sql_log_bin = 0), or filter mysql.%.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC931", "link-accounts", found(by_settings.accounts, "where accounts are made or changed"), (About.LINK,)
)
