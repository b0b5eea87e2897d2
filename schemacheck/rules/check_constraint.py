"""The replica checks what the source does not.

## What it finds
Enforced CHECK constraints of the replica that the source does not have, and MariaDB's implicit json_valid
check.

## What the replica does
A row that violates the constraint stops the applier (3819 on MySQL, 4025 on MariaDB where it checks rows of
events).

## Example
    source:  CREATE TABLE t (b INT);
    replica: CREATE TABLE t (b INT, CHECK (b < 10));

## Fix
Create the constraint on the source first, or drop it on the replica.

## References
Recorded on MySQL 9.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding, Side
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.link.replica.has("check-constraints"):
        return
    names = {
        check.expression
        for check in pair.source.checks
        if check.enforced and pair.link.source.has("check-constraints")
    }
    applied = pair.link.replica.has("checks-row-events") or pair.logs_statements
    for check in pair.replica.checks:
        if check.enforced and check.expression not in names:
            yield on_table(
                pair,
                Effect.UNSUPPORTED if applied else Effect.COMPATIBLE,
                f"the replica checks ({check.expression}) and the source does not"
                + (
                    ": a row that violates it stops the applier"
                    if applied
                    else "; it does not check row events"
                ),
                replica=Side(check.location or pair.replica.location, f"CHECK ({check.expression})"),
                error=pair.error("check-violated", key=_shown(pair, check.name)) if applied else None,
                depends_on_rows=applied,
                remedy="Create the constraint on the source first, or drop it on the replica",
                reference="recorded on MySQL 9.7",
            )


def _shown(pair: Pair, name: str) -> str:
    """A MariaDB CHECK of a column is called by the table and the column."""
    if pair.link.replica.has("column-checks-named-with-table") and pair.replica.column(name) is not None:
        return f"{pair.replica.name}.{name}"
    return name


RULE = Rule(
    "SC404", "check-constraint", _check, (About.CONSTRAINTS,), evidence=lambda ask: ask.writes(certain=False)
)
