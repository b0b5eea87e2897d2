"""The replica does not know a collation that events carry.

## What it finds
Collations of the source's sessions (a client that says SET NAMES utf8mb4 gets the version's default) and
its collation_server.

## What the replica does
Every query event names three collations by number. A number below 2048 that the replica does not know stops
the applier with 22, from MySQL at BEGIN already, so that ROW does not help. A number of 2048 or more (all
uca1400 collations of MariaDB) makes a MySQL replica leave the statement out without any error: definitions
and statements vanish, rows are applied.

## Example
    source:  MySQL 9.7 with its defaults (utf8mb4_0900_ai_ci, number 255)
    replica: MariaDB 10.11

## Fix
Set collation_server, and the clients' collation, to one that both servers have (utf8mb4_general_ci); on
MySQL also default_collation_for_utf8mb4.

## References
log_event.cc, Query_log_event::do_apply_event; MDEV-35642; recorded.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC911", "link-session-collation", found(by_settings.collations), (About.LINK,))
