"""Server ids or UUIDs are equal, or an id is 0.

## What it finds
The same server_id on both ends, 0 on the source or replica; the same server_uuid on two MySQL servers (a
copied data directory).

## What the replica does
The receiver stops with 1593 (13117 on MySQL 8.0 and later).

## Example
    source:  server_id = 1
    replica: server_id = 1

## Fix
Give every server its own server_id; remove auto.cnf from a copied data directory before the server starts.

## References
rpl_replica.cc, get_master_version_and_clock; get_master_uuid; recorded (ids).
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Outcome, change, connect
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Iterator[Outcome]:
    for outcome in (change.change(ends), connect.server_ids(ends), connect.log(ends)):
        if outcome is not None and outcome.rule == "SC904":
            yield outcome


RULE = Rule("SC904", "link-server-ids", found(_decide), (About.LINK,))
