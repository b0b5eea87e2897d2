"""Transactions are read only on the replica.

## What it finds
transaction_read_only = ON as a global value.

## What the replica does
The applier's sessions take it over: 1792, on MySQL 8.0 and later 13117 at START.

## Example
    replica: transaction_read_only = ON

## Fix
Set read_only or super_read_only instead, which let the applier pass.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule("SC944", "link-read-only-transactions", found(by_settings.read_only_transactions), (About.LINK,))
