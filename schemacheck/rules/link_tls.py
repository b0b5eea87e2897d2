"""The two ends cannot agree on TLS.

## What it finds
A channel that wants TLS towards a source without certificates, a certificate that nobody has signed, a
source that takes encrypted connections only.

## What the replica does
The receiver does not connect: 2026, 3159 or 1045. MySQL 9.7 asks for TLS by default, MariaDB 11.4 and later
verify the certificate by default.

## Example
    source:  MySQL 5.6 (no certificates)
    replica: MariaDB 11.8

## Fix
Give the source certificates, or turn TLS off in the channel.

## References
MDEV-31855; recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import found
from schemacheck.link import Ends, Outcome, connect
from schemacheck.rules import About, Rule


def _decide(ends: Ends) -> Iterator[Outcome]:
    for outcome in (connect.login(ends), connect.log(ends)):
        if outcome is not None and outcome.rule == "SC903":
            yield outcome


RULE = Rule("SC903", "link-tls", found(_decide), (About.LINK,))
