"""The name is a view on the replica.

## What it finds
Source tables whose name is a view or a sequence on the replica.

## What the replica does
The applier stops with error 1347: row events apply to base tables only.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE VIEW t AS SELECT * FROM u;

## Fix
Rename the view, and create the table.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding, Table
from schemacheck.rules import About, Rule

#: What a view or a sequence says to a statement: columns that it lacks, values it needs, not updatable,
#: invalid, no place for a row.
_REFUSES = (1136, 1054, 1364, 1288, 1348, 1356, 1369, 1393, 1394, 1395, 1423, 1471, 4086)


def _check(match: Match) -> Iterator[Finding]:
    source, replica = match.source, match.replica
    if replica is None or match.same_kind or not match.writes_rows:
        return
    kind = replica.kind.value
    if match.link.binlog_format != "ROW":
        yield from _statements(match, replica)
        return
    yield on_match(
        match,
        Effect.STOPS,
        f"{source.name} is a {kind} on the replica; its first row event stops the applier",
        texts=("table", kind),
        error=match.error("not-base-table"),
        remedy=f"Rename the {kind}, and create the table on the replica",
        reference="recorded on four servers",
    )


def _statements(match: Match, replica: Table) -> Iterator[Finding]:
    """A statement writes through a view where the view can be written, and into a sequence never."""
    source = match.source
    kind = replica.kind.value
    rows = "; row events stop it (1347)" if match.link.binlog_format == "MIXED" else ""
    yield on_match(
        match,
        Effect.STOPS,
        f"{source.name} is a {kind} on the replica: a statement that the {kind} does not take stops the "
        f"applier{rows}",
        texts=("table", kind),
        error=match.error("not-base-table"),
        depends_on_rows=True,
        also=_REFUSES,
        remedy=f"Rename the {kind}, and create the table on the replica",
        reference="recorded on four servers",
    )
    yield on_match(
        match,
        Effect.DIVERGES,
        f"{source.name} is a {kind} on the replica: statements change the rows behind "
        "it, but only those that it shows",
        texts=("table", kind),
        remedy=f"Rename the {kind}, and create the table on the replica",
        example=Example(f"UPDATE {source.name}, all rows", f"the rows that the {kind} shows"),
        reference="recorded on four servers",
    )


RULE = Rule("SC702", "not-a-table", _check, (About.MATCH,), evidence=lambda ask: ask.writes())
