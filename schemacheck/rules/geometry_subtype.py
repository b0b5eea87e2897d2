"""A geometry column refuses another shape.

## What it finds
GEOMETRY columns whose subtype on the replica is narrower than the source's, and columns with another SRID;
from MySQL before 8.0 to 8.0 or later also equal columns with a subtype: the older server takes any shape.

## What the replica does
Subtype and SRID are not sent and every conversion among spatial types is accepted. Where the replica stores
by them (MySQL 8.0 and later), a value of another kind arrives as the empty value, without an error that stops
the applier; a statement that checks for errors behind it (a stored generated column, a BINLOG statement)
stops with 1416 or 3643. InnoDB with spatial indexes (MySQL 5.7.5, MariaDB 10.2 and later) changes no row to
an empty value: an UPDATE to NULL stops with 1416 where the replica's column is NOT NULL, and so does one of a
NOT NULL column of MySQL 5.6, which keeps an empty value for NULL under IGNORE or a loose sql_mode.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c GEOMETRY);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c POINT);

## Fix
Give the replica the source's spatial type, or GEOMETRY.

## References
Field_geom::store_internal; recorded on 9.7: an empty value over a channel, 1416 in BINLOG; no difference on
5.6 and MariaDB; of equal columns asked from 5.6 to 9.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.changed_value import value_findings
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Finding, KeyKind
from schemacheck.rules import About, Rule

#: InnoDB asks for a geometry where a row changes (HA_ERR_NULL_IN_SPATIAL).
_REFUSES_EMPTY = "innodb-spatial"


def _mine(cell: Cell) -> bool:
    return cell.source.type.is_geometry


def _spatial(pair: Pair, cell: Cell) -> bool:
    """Whether the column is in a spatial key, of which another rule speaks."""
    name = cell.replica.name.casefold()
    return any(key.kind is KeyKind.SPATIAL and name in key.folded for key in pair.replica.keys)


def _check(pair: Pair) -> Iterator[Finding]:
    yield from value_findings(pair, _mine, "Give the replica the source's spatial type, or GEOMETRY")
    source, replica = pair.link.source, pair.link.replica
    if not (pair.logs_rows and replica.has(_REFUSES_EMPTY)):
        return
    if not any(column.type.is_geometry for column in pair.source.columns):
        return
    for cell in pair.cells:
        if not (_mine(cell) and cell.replica.type.is_geometry) or _spatial(pair, cell):
            continue
        if cell.source.nullable and not cell.replica.nullable:
            why = "is NOT NULL on the replica: an UPDATE to NULL"
        elif not cell.source.nullable and not source.has(_REFUSES_EMPTY):
            why = f"may be empty on {source}: an UPDATE to an empty value"
        else:
            continue
        yield on_cell(
            pair,
            cell,
            Effect.UNSUPPORTED,
            f"{cell.source.name} {why} stops the applier",
            error=pair.error("no-geometry"),
            depends_on_rows=True,
            remedy=f"Allow NULL in {cell.source.name} on both ends, and write NULL",
            reference="asked of four servers",
        )


RULE = Rule(
    "SC212",
    "geometry-subtype",
    _check,
    (About.SHAPES, About.ATTRIBUTES, About.VERSIONS),
    evidence=lambda ask: ask.writes(certain=False),
)
