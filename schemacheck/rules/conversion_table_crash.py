"""The replica crashes or stops while it prepares a conversion.

## What it finds
ENUM and SET columns of the source whose counterpart on the replica is neither, and columns of a type that the
replica does not know, in a table of which an earlier column is converted.

## What the replica does
MySQL makes one conversion table for all columns as soon as it meets the first column that needs one. For an
ENUM or SET it takes the member list from the replica's column without looking at its type, and crashes with
signal 11 before it can refuse the conversion, again each time the applier starts. MySQL 5.6 survives; where
the replica's column is a TEXT, BLOB or spatial one, or the source's type is not known there, it stops with
error 1678. MariaDB crashes on a type that it does not know, such as JSON of MySQL.

## Example
    source:  CREATE TABLE t (a INT, b ENUM('x','y'));
    replica: CREATE TABLE t (a BIGINT, b INT);

Under ALL_NON_LOSSY.

## Fix
Give both columns the same type before the applier meets a row of the table.

## References
create_conversion_table in sql/rpl_utility.cc; recorded on MySQL 5.6 and 9.7, MariaDB 10.11 and
11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion import Kind
from schemacheck.conversion.error import template
from schemacheck.findings.on_pair import on_cell
from schemacheck.findings.refused_conversion import both_have, makes_table, member_victims, not_there
from schemacheck.model import Effect, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows or not makes_table(pair):
        return
    replica = pair.link.replica
    if replica.has("conversion-table-needs-known-types"):
        crashes, victims = True, [c for c in pair.differing if c.kind is Kind.UNREADABLE]
    elif replica.has("conversion-table-crash"):
        crashes, victims = True, member_victims(pair)
    elif replica.has("conversion-table-fails"):
        crashes, victims = False, [c for c in pair.differing if _never_made(pair, c)]
    else:
        return
    if not victims:
        return
    cell = victims[0]
    end = "dies" if crashes else "stops with an error that names no column"
    yield on_cell(
        pair,
        cell,
        Effect.STOPS,
        f"{cell.source.type.sql()} on the source, {cell.replica.type.sql()} on the replica: while it "
        "prepares the conversion of an "
        f"earlier column, the replica {'server' if crashes else 'applier'} {end}",
        error=pair.error("crash" if crashes else "cannot-create-conversion"),
        also=(_refusal(pair),),
        remedy=both_have(cell.source)
        if not_there(pair, cell)
        else f"Give {cell.replica.name} the source's type",
        remedy_sql=None
        if not_there(pair, cell)
        else modify(pair.replica, cell.replica, cell.source, pair.link.replica),
        reference="recorded on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8",
    )


def _never_made(pair: Pair, cell: Cell) -> bool:
    """Whether no column can be made of the source's type: unknown, or odd members."""
    if not_there(pair, cell):
        return True
    held = cell.replica.type
    return cell in member_victims(pair) and (held.is_lob or held.is_geometry)


def _refusal(pair: Pair) -> int:
    """The conversion error, which the server may survive to report (recorded: 1 of 18)."""
    result = template("conversion-failed", pair.link.replica)
    return result.number if result else 0


RULE = Rule("SC217", "conversion-table-crash", _check, (About.UNMADE,), evidence=lambda ask: ask.events())
