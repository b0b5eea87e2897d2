"""The replica does not apply this source's row events.

## What it finds
Sources that log rows in the old v1 format towards MySQL 8.4 and later.

## What the replica does
MySQL 8.4 removed the v1 row events (types 23 to 25), which MariaDB and MySQL before 5.6 write: the applier
stops.

## Example
    source:  MariaDB 11.8
    replica: MySQL 8.4

## Remedy
Replicate through a server between them that writes v2 events, or with statements.

## References
binlog_event.h of MySQL 8.4; recorded on 9.7.4: 13121 over a channel, 1730 in a BINLOG statement.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule

#: ER_ONLY_FD_AND_RBR_EVENTS_ALLOWED_IN_BINLOG_STATEMENT
BINLOG_STATEMENT_REFUSES = 1730


def _check(pair: Pair) -> Iterator[Finding]:
    if (
        pair.row_format
        and pair.link.source.has("row-events-v1")
        and pair.link.replica.has("rejects-row-events-v1")
    ):
        yield on_table(
            pair,
            Effect.STOPS,
            f"{pair.link.source} logs rows in the v1 format, which {pair.link.replica} does not apply",
            error=server_error("v1-rows-rejected", pair.link.replica, pair.source.database, pair.source.name),
            also=(BINLOG_STATEMENT_REFUSES,),
            remedy="Replicate through a server that writes v2 row events",
            reference="binlog_event.h of MySQL 8.4; a BINLOG statement with MariaDB's events is refused "
            "with 1730 (recorded on 9.7.4)",
        )


RULE = Rule(
    "SC705",
    "row-event-version",
    "The replica does not apply this source's row events",
    __doc__ or "",
    _check,
    (About.VERSIONS,),
    of_link=True,
)
