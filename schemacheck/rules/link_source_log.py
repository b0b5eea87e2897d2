"""The source sends no log.

## What it finds
log_bin = OFF on the source, a source whose server_id is 0, compression that the source does not agree on; a
channel that begins within the first events of a log, or with GTIDs that the source has purged or never had.

## What the replica does
The receiver stops with 1236 (13114 on MySQL 8.0 and later).

## Example
    source:  skip_log_bin in the option file

## Fix
Turn the binary log on (log_bin).

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Outcome, connect, place
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Iterator[Outcome]:
    outcome = connect.log(ends) or place.begins(ends)
    if outcome is not None and outcome.rule == "SC906":
        yield outcome


RULE = Rule("SC906", "link-source-log", found(_decide), (About.LINK,))
