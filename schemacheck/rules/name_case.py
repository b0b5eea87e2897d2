"""The replica's table name differs in case.

## What it finds
Source tables for which the replica has a table whose name differs by case only, where the replica tells case
apart; and source tables that differ by case only where the replica does not.

## What the replica does
With lower_case_table_names=0 the applier finds no table: error 1146. With 1 or 2 two tables of the source
become one on the replica.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE TABLE T (a INT);

## Fix
Give both ends the same names, and the same lower_case_table_names.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding, Table
from schemacheck.model.definition_sql import table_name
from schemacheck.rules import About, Rule


def _check(match: Match) -> Iterator[Finding]:
    source, near, twin = match.source, match.near, match.twin
    if match.replica is None and near is not None:
        yield on_match(
            match,
            Effect.STOPS,
            f"{source.name} is called {near.name} on the replica, which distinguishes case; "
            "the applier finds no table",
            other=near,
            texts=(source.name, near.name),
            error=match.error("no-such-table"),
            setting="lower_case_table_names=0",
            remedy=f"Rename {near.name} to {source.name} on the replica",
            remedy_sql=f"RENAME TABLE {table_name(near)} TO "
            f"{table_name(source.named(match.home or source.database, source.name))};",
            reference="recorded on four servers",
        )
    if twin is not None:
        yield on_match(
            match,
            Effect.DIVERGES,
            f"{_named(source, twin)} and {_named(twin, source)} are one table on the replica, which does not "
            "distinguish case",
            other=twin,
            texts=(source.name, twin.name),
            setting="lower_case_table_names",
            remedy="Give the tables names that differ by more than case",
            example=Example(f"a row of {twin.name}", f"a row of {source.name}"),
            also=(1062, 1032),
            reference="lower_case_table_names in the manual",
        )


def _named(table: Table, other: Table) -> str:
    """A table's name, with its database where the other's is another."""
    return table.name if table.database == other.database else table.qualified_name


RULE = Rule(
    "SC704",
    "name-case",
    _check,
    (About.MATCH,),
    evidence=lambda ask: ask.writes(certain=ask.finding.effect is Effect.STOPS),
)
