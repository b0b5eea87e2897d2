"""The replica cannot read the compressed log.

## What it finds
binlog_transaction_compression of MySQL towards MariaDB or MySQL before 8.0.20, log_bin_compress of MariaDB
towards MySQL.

## What the replica does
1594 (13121 on MySQL 8.0 and later): the relay log cannot be read.

## Example
    source:  MySQL 9.7, binlog_transaction_compression = ON
    replica: MariaDB 11.8

## Fix
Turn compression off on the source; what is in the log already must be skipped or applied by hand.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC921", "link-compressed-log", found(by_settings.compression), (About.LINK,))
