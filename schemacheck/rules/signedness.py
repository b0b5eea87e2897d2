"""An integer changes its sign.

## What it finds
Integer columns whose values are decoded with another sign than they were written with.

## What the replica does
The row event does not carry the sign. Where both columns have the same width the bytes are read with the
replica column's sign: -1 becomes 4294967295. Where the width differs, MySQL decodes the value as signed
unless the setting has ALL_UNSIGNED without ALL_SIGNED, for every converted column of the server; MariaDB
decodes it with the replica column's sign. No error is raised.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c INT UNSIGNED);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c BIGINT UNSIGNED);

Under ALL_NON_LOSSY, MySQL stores 0 for 3000000000.

## Fix
Give both columns the same signedness. While a table is widened on MySQL, set ALL_UNSIGNED where all converted
columns of the replica are unsigned.

## References
MySQL manual, Replication of Columns Having Different Data Types; Bug#15831300, Bug#82599; recorded on four
servers.
"""

from __future__ import annotations

from schemacheck.conversion import What
from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC204",
    "signedness",
    changed(
        lambda cell: cell.source.type.is_integer and cell.outcome.what is What.SIGN,
        "Give both columns the same signedness",
    ),
    (About.INTEGERS,),
    evidence=lambda ask: ask.changed(),
)
