"""The replica cannot log the rows that it applies.

## What it finds
A MySQL replica with binlog_format = STATEMENT that logs what it applies.

## What the replica does
1666 at the first row event.

## Example
    replica: MySQL 9.7, binlog_format = STATEMENT

## Fix
Set binlog_format = ROW on the replica, or log_replica_updates = OFF.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC927", "link-replica-log-format", found(by_settings.replica_log), (About.LINK,))
