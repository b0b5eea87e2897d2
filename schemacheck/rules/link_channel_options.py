"""CHANGE REPLICATION SOURCE refuses the channel's options.

## What it finds
Options of the channel that this replica's version does not know, auto-position without GTIDs or beside a
place. Options and values beyond the usual are undecided: the statement is refused at once, or taken.

## What the replica does
CHANGE REPLICATION SOURCE (CHANGE MASTER) fails: 1064 for words that the version does not have (SOURCE_*
before MySQL 8.0.23 and on MariaDB, MASTER_* since 8.4), 1777, 1776.

## Example
    replica: MySQL 9.7
    CHANGE REPLICATION SOURCE TO MASTER_HOST='s'   -- 1064

## Fix
Write the options as the replica's version spells them.

## References
Manual 8.4, CHANGE REPLICATION SOURCE TO; recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Kind, Outcome, change
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Iterator[Outcome]:
    for outcome in (change.change(ends),):
        if outcome is not None and outcome.rule == "SC901":
            yield outcome
    text = ends.link.binlog_format != "ROW"
    if text and ends.channel is not None and ends.channel.on("REQUIRE_ROW_FORMAT"):
        why = (
            "the channel takes row events only (REQUIRE_ROW_FORMAT): a change that is logged as text stops it"
        )
        yield Outcome(Kind.UNKNOWN, "SC901", 3944, why, "Set binlog_format = ROW on the source")


RULE = Rule("SC901", "link-channel-options", found(_decide), (About.LINK,))
