"""Scheduled events of the replica.

## What it finds
Events that the replica's definition has enabled, and that change tables which are replicated.

## What the replica does
CREATE EVENT and ALTER EVENT arrive disabled: a replica keeps an event of its source as `DISABLE ON SLAVE`
(`DISABLE ON REPLICA`), and what the event does on the source is replicated. One that was enabled by hand, or
made on the replica, runs there by itself where event_scheduler is ON: its rows are in no log of the source,
and what both ends run is done twice. A row event that meets such rows stops the applier.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO DELETE FROM t WHERE b = 0;

## Fix
ALTER EVENT ev DISABLE ON SLAVE on the replica (asked of MySQL 5.6 and 9.7 and of MariaDB 11.8; the last two
also take ON REPLICA), or set event_scheduler=OFF there.

## References
MySQL 8.4 Reference Manual, "Replication of Invoked Features"; nine questions asked of four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.model.quote import quoted
from schemacheck.model.replicated import OwnEvent
from schemacheck.rules import About, Rule

_OFF = ("OFF", "0", "DISABLED")


def _check(own: OwnEvent) -> Iterator[Finding]:
    event, server = own.event, own.replica
    if server.setting("event_scheduler").upper() in _OFF:
        return
    side = Side(event.location, f"EVENT {event.name}")
    statement = f"ALTER EVENT {quoted(event.name)} DISABLE ON SLAVE"
    remedy = f"Run {statement} on the replica, or set event_scheduler=OFF there"
    if event.unread:
        yield Finding(
            "",
            "",
            Effect.UNKNOWN,
            f"the event {event.name} is enabled on the replica, and what it changes is not known: "
            f"{event.unread}",
            own.database,
            own.table,
            replica=side,
            remedy=remedy,
        )
        return
    yield Finding(
        "",
        "",
        Effect.DIVERGES,
        f"the event {event.name} is enabled on the replica: where event_scheduler is ON, it changes rows of "
        f"{own.table} on the replica alone",
        own.database,
        own.table,
        replica=side,
        remedy=remedy,
        example=Example("a row as it was inserted", f"the row as {event.name} leaves it"),
        reference="asked of four servers",
    )
    yield Finding(
        "",
        "",
        Effect.STOPS,
        f"the event {event.name} makes and deletes rows on the replica, which may collide with the source's",
        own.database,
        own.table,
        replica=side,
        error=server_error("duplicate-key", server, own.database, own.table, key="PRIMARY"),
        depends_on_rows=True,
        also=(1032, 1451, 1452),
        remedy=remedy,
    )


RULE = Rule("SC510", "replica-event", _check, (About.EVENT,))
