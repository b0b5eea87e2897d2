"""A string is cut to fit.

## What it finds
CHAR, VARCHAR, TEXT, BINARY, VARBINARY and BLOB columns whose longest value does not fit into the replica's
column.

## What the replica does
The replica stores the first characters (bytes) that fit, without an error. The server compares bytes, so even
a conversion that it calls non-lossy can cut: VARCHAR(300) in latin1 to TINYTEXT in utf8mb4 counts 300 against
1020 bytes, and keeps 255. A VARCHAR(0) of the source sends no length: a replica column of more than 255 bytes
reads two length bytes where one was written, and the applier stops or the server dies.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(40));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(20));

## Fix
Make the replica's column at least as long as the source's.

## References
MySQL manual, Replication of Columns Having Different Data Types; recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion import What
from schemacheck.findings.changed_value import value_findings
from schemacheck.model import Finding
from schemacheck.rules import About, Rule


def _mine(cell: Cell) -> bool:
    return cell.outcome.what is What.TRUNCATED and cell.source.type.is_string


def _misread(cell: Cell) -> bool:
    return cell.outcome.what is What.MISREAD and cell.source.type.is_string


def _check(pair: Pair) -> Iterator[Finding]:
    yield from value_findings(pair, _mine, "Make the replica's column at least as long as the source's")
    yield from value_findings(pair, _misread, "Give the replica's column the source's type")


RULE = Rule("SC205", "string-length", _check, (About.TEXTS,), evidence=lambda ask: ask.changed())
