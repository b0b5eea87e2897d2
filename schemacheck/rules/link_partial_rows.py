"""The replica cannot read row events in pieces.

## What it finds
Sources of MariaDB 12.3 and later towards older replicas and MySQL.

## What the replica does
A row event above binlog_row_event_fragment_threshold is logged as several Partial_rows_log_event, which older
servers do not know. It was not recorded what they do with one.

## Example
    source:  MariaDB 12.3, a row of 2 GiB
    replica: MariaDB 11.8

## Fix
Set binlog_row_event_fragment_threshold on the source above the largest row event.

## References
MariaDB's documentation of PARTIAL_ROW_DATA_EVENT and of the system variables added in 12.3.1 (MDEV-32570).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import read_events
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC925",
    "link-partial-rows",
    found(read_events.fragments, "where a row event is that large"),
    (About.LINK,),
)
