"""The replica does not know the source's time zone.

## What it finds
Offsets beyond -12:59 and +13:00 towards MariaDB and MySQL before 8.0.19, and names that are not in the
replica's time zone tables.

## What the replica does
1298, for statements that use the time zone (and BEGIN before their rows).

## Example
    source:  MySQL 9.7, time_zone = -13:30
    replica: MariaDB 11.8

## Fix
Use an offset that both know; load the time zone tables.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC913", "link-time-zone", found(by_settings.time_zones), (About.LINK,))
