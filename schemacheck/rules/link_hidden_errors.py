"""The applier hides errors where rows differ.

## What it finds
slave_exec_mode = IDEMPOTENT, slave_skip_errors.

## What the replica does
Missing rows and duplicate keys do not stop the applier; rows stay different.

## Example
    replica: slave_skip_errors = 1062

## Fix
Take the setting away once the ends are equal again.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC941",
    "link-hidden-errors",
    found(by_settings.hidden_errors, "where rows of both ends differ"),
    (About.LINK,),
)
