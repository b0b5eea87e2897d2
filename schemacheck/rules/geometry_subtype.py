"""A geometry column refuses another shape.

## What it finds
GEOMETRY columns whose subtype on the replica is narrower than the source's, and columns with another SRID.

## What the replica does
Subtype and SRID are not sent and every conversion among spatial types is accepted. Where the replica stores
by them (MySQL 8.0 and later), a value of another kind arrives as the empty value, without an error that stops
the applier; a statement that checks for errors behind it (a stored generated column, a BINLOG statement)
stops with 1416 or 3643.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c GEOMETRY);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c POINT);

## Remedy
Give the replica the source's spatial type, or GEOMETRY.

## References
Field_geom::store_internal; recorded on 9.7: an empty value over a channel, 1416 in BINLOG; no difference on
5.6 and MariaDB.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.changed_value import value_findings
from schemacheck.model import Finding
from schemacheck.rules import About, Rule


def _mine(cell: Cell) -> bool:
    return cell.source.type.is_geometry


def _check(pair: Pair) -> Iterator[Finding]:
    yield from value_findings(pair, _mine, "Give the replica the source's spatial type, or GEOMETRY")


RULE = Rule("SC212", "geometry-subtype", _check, (About.VALUES,))
