"""Text is read in another character set.

## What it finds
Character columns whose character sets differ so that the same bytes mean other text, and text against binary.

## What the replica does
No server transcodes row events. With equal byte lengths the bytes are stored as they are; converted, they are
taken for text of the replica's character set, and what is not valid there is lost as ?. The manual:
replication between columns using different character sets is not supported.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(20) CHARACTER SET latin1);
    replica: CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(20) CHARACTER SET utf8mb4);

## Fix
Convert both ends together, or to a superset first: utf8mb3 to utf8mb4 on the replica is safe.

## References
MySQL manual, Replication of Columns Having Different Data Types; recorded on four servers.
"""

from __future__ import annotations

from schemacheck.conversion import What
from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC301",
    "character-set",
    changed(
        lambda cell: (
            cell.outcome.what is What.REINTERPRETED
            and cell.source.type.is_string
            and not (cell.source.type.is_address or cell.replica.type.is_address)
        ),
        "Give both columns the same character set",
    ),
    (About.TEXTS,),
    evidence=lambda ask: ask.changed(),
)
