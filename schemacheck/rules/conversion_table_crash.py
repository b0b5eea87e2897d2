"""An ENUM or SET meets another type beside a conversion: the replica dies.

## What it finds
ENUM and SET columns of the source whose counterpart on the replica is neither, in a table of which an earlier
column is converted.

## What the replica does
MySQL makes one conversion table for all columns as soon as it meets the first column that needs one. For an ENUM
or SET it takes the member list from the replica's column without looking at its type, and dies of signal 11
before it can refuse the conversion; it dies again each time the applier starts. MySQL 5.6 survives; where the
replica's column is a TEXT, BLOB or spatial one it stops with error 1678.

## Example
    source:  CREATE TABLE t (a INT, b ENUM('x','y'));
    replica: CREATE TABLE t (a BIGINT, b INT);

Under ALL_NON_LOSSY.

## Remedy
Give both columns the same type before the applier meets a row of the table.

## References
create_conversion_table in sql/rpl_utility.cc; recorded on MySQL 5.6 and 9.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion import Kind
from schemacheck.conversion.error import server_error, template
from schemacheck.model import Effect, Finding
from schemacheck.rules.definition import modify
from schemacheck.rules.finding import on_cell
from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import Rule


def _check(pair: Pair) -> Iterator[Finding]:
    crashes, fails = (pair.link.replica.has(name) for name in ("conversion-table-crash", "conversion-table-fails"))
    if not pair.row_format or not (crashes or fails):
        return
    victims = [c for c in pair.differing if _has_members(c.source.type.base) and not _has_members(c.replica.type.base)]
    if not crashes:
        victims = [c for c in victims if c.replica.type.is_text or c.replica.type.is_blob or c.replica.type.is_geometry]
    if not victims or not _makes_table(pair):
        return
    cell = victims[0]
    end = "dies" if crashes else "stops with an error that names no column"
    yield on_cell(
        pair,
        cell,
        Effect.STOPS,
        f"{cell.source.type.sql()} on the source, {cell.replica.type.sql()} on the replica: while it prepares the conversion of an "
        f"earlier column, the replica {'server' if crashes else 'applier'} {end}",
        error=server_error("crash" if crashes else "cannot-create-conversion", pair.link.replica, pair.source.database, pair.source.name),
        also=(_refusal(pair),),
        remedy=f"Give {cell.replica.name} the source's type",
        remedy_sql=modify(pair.replica, cell.replica, cell.source),
        reference="recorded on MySQL 5.6 and 9.7",
    )


def _refusal(pair: Pair) -> int:
    """The conversion error: what the memory holds decides whether the server survives to report it (recorded: 1 of 18)."""
    found = template("conversion-failed", pair.link.replica)
    return found.number if found else 0


def _has_members(base: str) -> bool:
    return base in ("enum", "set")


def _makes_table(pair: Pair) -> bool:
    """Whether a column is converted before the first one is refused."""
    for cell in pair.differing:
        if not cell.allowed:
            return False
        if cell.kind in (Kind.NON_LOSSY, Kind.LOSSY, Kind.VARIANT):
            return True
    return False


RULE = Rule("SC217", "conversion-table-crash", "An ENUM or SET meets another type beside a conversion", __doc__ or "", _check)
