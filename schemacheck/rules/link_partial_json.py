"""The replica cannot read partial row events.

## What it finds
binlog_row_value_options = PARTIAL_JSON towards MariaDB, or MySQL before 8.0.3.

## What the replica does
Every UPDATE is then logged in another event type: 1594.

## Example
    source:  MySQL 9.7, binlog_row_value_options = PARTIAL_JSON

## Fix
Set binlog_row_value_options = '' on the source.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC922", "link-partial-json", found(by_settings.partial_rows), (About.LINK,))
