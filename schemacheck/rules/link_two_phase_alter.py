"""ALTER TABLE comes twice.

## What it finds
binlog_alter_two_phase of MariaDB towards MySQL, or MariaDB before 10.8.

## What the replica does
The ALTER is executed twice: 1060, 1061 or 1062.

## Example
    source:  MariaDB 11.8, binlog_alter_two_phase = ON

## Fix
Set binlog_alter_two_phase = OFF.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC929", "link-two-phase-alter", found(by_settings.two_phase_alter), (About.LINK,))
