"""Fractional seconds are misread or lost.

## What it finds
TIME, DATETIME and TIMESTAMP columns that differ in fractional digits or format, and DATETIME into DATE.

## What the replica does
A temporal without fraction sends no metadata, so (0) to (f) is accepted under every setting and then misread:
more bytes are read than were written and the applier stops with a corrupt event. MySQL decodes (f) to another
stored size without its fraction, and so misreads the rest of the row; MariaDB converts, and cuts digits.
Under IDEMPOTENT an applier of MariaDB may read such an event of several rows for ever, and fill its error
log (seen on 11.8.9).

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c DATETIME);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c DATETIME(6));

## Fix
Give both ends the same number of fractional digits; change them with replication stopped, or by a replicated
ALTER.

## References
Field_temporal::unpack, create_conversion_table; recorded on four servers with every pair of fractions.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC207",
    "temporal-fraction",
    changed(lambda cell: cell.source.type.is_temporal, "Give both ends the same number of fractional digits"),
    (About.TIMES,),
    evidence=lambda ask: ask.changed(),
)
