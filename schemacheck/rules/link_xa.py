"""XA transactions stop the replica.

## What it finds
XA between MySQL and MariaDB.

## What the replica does
XA PREPARE of MariaDB stops MySQL (1399, or 1236 in the receiver); XA COMMIT ... ONE PHASE of MySQL stops
MariaDB (1399).

## Example
    XA START 'a'; ...; XA COMMIT 'a' ONE PHASE

## Fix
Use plain transactions on the source.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC926", "link-xa", found(by_settings.xa, "where XA transactions are used"), (About.LINK,))
