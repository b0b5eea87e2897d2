"""A BIT value becomes all ones.

## What it finds
BIT columns that are shorter on the replica.

## What the replica does
A value that does not fit is stored as all ones.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c BIT(12));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c BIT(8));

## Fix
Give the replica at least as many bits.

## References
MySQL manual, Replication of Columns Having Different Data Types; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.changed_value import value_findings
from schemacheck.model import Finding
from schemacheck.rules import About, Rule


def _mine(cell: Cell) -> bool:
    return cell.source.type.base == "bit"


def _check(pair: Pair) -> Iterator[Finding]:
    return value_findings(pair, _mine, "Give the replica at least as many bits")


RULE = Rule("SC210", "bit-length", _check, (About.BITS,), evidence=lambda ask: ask.changed())
