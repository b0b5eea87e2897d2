"""A geometry column refuses another shape.

## What it finds
GEOMETRY columns whose subtype on the replica is narrower than the source's.

## What the replica does
The subtype is not sent and every conversion among spatial types is accepted. Where the replica stores by
subtype (MySQL 8.0 and later), the first shape of another kind stops the applier with error 1416.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c GEOMETRY);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c POINT);

## Remedy
Give the replica the source's spatial type, or GEOMETRY.

## References
Field_geom::store_internal; recorded: 1416 on 9.7, no error on 5.6 and MariaDB.
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


RULE = Rule(
    "SC212",
    "geometry-subtype",
    "A geometry column refuses another shape",
    __doc__ or "",
    _check,
    (About.VALUES,),
)
