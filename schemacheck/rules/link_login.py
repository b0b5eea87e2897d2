"""The replica cannot log in to the source.

## What it finds
Authentication plugins that the replica's client does not have, a password that would go over an open line,
an account without REPLICATION SLAVE.

## What the replica does
The receiver goes on trying and never connects: 2059 (no such plugin), 2061 or 1045 (caching_sha2_password
without TLS), 1597 or 13120 (no privilege).

## Example
    source:  MySQL 9.7 (caching_sha2_password)
    replica: MySQL 5.6

## Fix
Give the account a plugin that both ends have, or the channel TLS.

## References
sql-common/client.cc of MySQL, client.c of MariaDB; recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Outcome, by_settings, connect
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Iterator[Outcome]:
    outcome = connect.login(ends)
    if outcome is not None and outcome.rule == "SC902":
        yield outcome
    yield from by_settings.plugins(ends)


RULE = Rule("SC902", "link-login", found(_decide), (About.LINK,))
