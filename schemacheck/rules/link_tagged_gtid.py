"""The replica cannot read tagged GTIDs.

## What it finds
Sources of MySQL 8.3 and later towards MariaDB or older MySQL.

## What the replica does
1594 at the first such transaction.

## Example
    SET GTID_NEXT = 'AUTOMATIC:tag1'

## Fix
Use GTIDs without a tag on the source.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC923",
    "link-tagged-gtid",
    found(by_settings.tagged_gtids, "where transactions get a tagged GTID"),
    (About.LINK,),
)
