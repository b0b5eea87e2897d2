"""The replica's table differs by case.

## What it finds
Source tables for which the replica has a table whose name differs by case only, where the replica tells case
apart; and source tables that differ by case only where the replica does not.

## What the replica does
With lower_case_table_names=0 the applier finds no table: error 1146. With 1 or 2 two tables of the source
become one on the replica.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE TABLE T (a INT);

## Remedy
Give both ends the same names, and the same lower_case_table_names.

## References
Recorded on four servers.
"""

from __future__ import annotations

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Example, Finding, Link, Side, Table
from schemacheck.rules.definition import table_name
from schemacheck.rules.rule import Rule


def differs_by_case(source: Table, near: Table, link: Link) -> Finding:
    """The finding about a replica table that is called the same but for case."""
    return Finding(
        RULE.code, RULE.name, Effect.STOPS, f"{source.name} is called {near.name} on the replica, which tells case apart; the applier finds no table",
        source.database, source.name, None, Side(source.location, source.name), Side(near.location, near.name),
        server_error("no-such-table", link.replica, source.database, source.name), setting="lower_case_table_names=0",
        remedy=f"Rename {near.name} to {source.name} on the replica", remedy_sql=f"RENAME TABLE {table_name(near)} TO {table_name(source)};",
        reference="recorded on four servers",
    )  # fmt: skip


def collides(source: Table, other: Table) -> Finding:
    """The finding about two source tables that are one on the replica."""
    return Finding(
        RULE.code, RULE.name, Effect.DIVERGES, f"{source.name} and {other.name} are one table on the replica, which does not tell case apart",
        source.database, source.name, None, Side(source.location, source.name), Side(other.location, other.name),
        setting="lower_case_table_names", remedy="Give the tables names that differ by more than case",
        example=Example(f"a row of {other.name}", f"a row of {source.name}"), also=(1062, 1032), reference="lower_case_table_names in the manual",
    )  # fmt: skip


RULE = Rule("SC704", "name-case", "The replica's table differs by case", __doc__ or "")
