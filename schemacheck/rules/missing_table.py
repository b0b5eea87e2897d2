"""The replica has no such table.

## What it finds
Source tables for which the replica has no table.

## What the replica does
The applier stops with error 1146 at the first row event for the table.

## Example
    source:  CREATE TABLE t (a INT);
    replica: (nothing)

## Fix
Create the table on the replica, or filter it out on purpose.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.findings.on_match import on_match
from schemacheck.link.session import skips_statements
from schemacheck.model import Effect, Finding
from schemacheck.model.definition_sql import created
from schemacheck.rules import About, Rule


def _check(match: Match) -> Iterator[Finding]:
    source = match.source
    if match.replica is not None or match.near is not None or match.unclear or not match.writes_rows:
        return
    # SC805: most statements never run there.
    name = f"{match.home}.{source.name}" if match.home else source.name
    skipped = match.link.binlog_format != "ROW" and skips_statements(match.link)
    yield on_match(
        match,
        Effect.STOPS,
        f"{name} does not exist on the replica; its first row event stops the applier",
        depends_on_rows=skipped,
        error=match.error("no-such-table"),
        remedy=f"Create {name} on the replica, or filter it out on purpose",
        remedy_sql=created(source.text, match.link.replica, source, match.home) if source.text else None,
        reference="recorded on four servers",
    )


RULE = Rule("SC701", "missing-table", _check, (About.MATCH,), evidence=lambda ask: ask.writes())
