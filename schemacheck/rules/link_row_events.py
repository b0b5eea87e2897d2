"""The replica does not read this source's row events.

## What it finds
Sources that log rows in the old v1 format (MariaDB, MySQL before 5.6.6, log_bin_use_v1_row_events) towards
MySQL 8.4 and later, in ROW or MIXED format.

## What the replica does
13121 at the first row event: the relay log cannot be read. CREATE TABLE ... SELECT in ROW format crashes
9.7.4 (signal 11).

## Example
    source:  MariaDB 11.8, binlog_format = ROW
    replica: MySQL 9.7

## Remedy
Replicate through a server between them that writes v2 events, or with statements.

## References
binlog_event.h of MySQL 8.4; recorded on 9.7.4 with MariaDB 10.11.19, 11.8.6 and MySQL 5.6.24.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC924",
    "link-row-events",
    "The replica does not read this source's row events",
    __doc__ or "",
    found(by_settings.old_rows),
    (About.LINK,),
)
