"""gtid_mode of the two ends does not match.

## What it finds
A source that writes anonymous transactions towards a replica with gtid_mode = ON, a source that writes
GTIDs towards one with OFF, auto-position from a source without gtid_mode = ON. MariaDB as a source counts
as OFF. MASTER_USE_GTID of an older MariaDB replica towards MySQL.

## What the replica does
The receiver does not start: 1593, or 13117 on MySQL 8.0 and later; 1193 on MariaDB.

## Example
    source:  MariaDB 11.8
    replica: MySQL 9.7 (gtid_mode = ON is its default)

## Fix
Set gtid_mode = ON_PERMISSIVE on the replica.

## References
rpl_replica.cc, get_master_version_and_clock; recorded.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Outcome, connect, place
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Outcome | None:
    outcome = connect.gtids(ends) or place.begins(ends)
    return outcome if outcome is not None and outcome.rule == RULE.code else None


RULE = Rule("SC905", "link-gtid-mode", found(_decide), (About.LINK,))
