"""The replica does not read this source's row events.

## What it finds
Sources that log rows in the old v1 format (MariaDB, MySQL before 5.6.6, log_bin_use_v1_row_events) towards
MySQL 8.4 and later, in ROW or MIXED format.

## What the replica does
13121 at the first row event: the relay log cannot be read. A BINLOG statement, as mysqlbinlog prints it, is
refused with 1730. CREATE TABLE ... SELECT in ROW format crashes
9.7.4 (signal 11).

## Example
    source:  MariaDB 11.8, binlog_format = ROW
    replica: MySQL 9.7

## Fix
Replicate through a server between them that writes v2 events, or with statements.

## References
binlog_event.h of MySQL 8.4; recorded on 9.7.4 with MariaDB 10.11.19, 11.8.6 and MySQL 5.6.24.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.dataclass import replace
from schemacheck.findings.on_link import found
from schemacheck.link import Ends, by_settings
from schemacheck.model import Finding
from schemacheck.rules import About, Rule

#: ER_ONLY_FD_AND_RBR_EVENTS_ALLOWED_IN_BINLOG_STATEMENT
BINLOG_STATEMENT_REFUSES = 1730


def _check(ends: Ends) -> Iterator[Finding]:
    for finding in found(by_settings.old_rows)(ends):
        yield replace(finding, also=(BINLOG_STATEMENT_REFUSES,))


RULE = Rule("SC924", "link-row-events", _check, (About.LINK,), evidence=lambda ask: ask.events(certain=True))
