"""The replica's FULLTEXT key numbers documents by a column.

## What it finds
InnoDB tables of the replica that have a FULLTEXT key and a column FTS_DOC_ID, where the source's table does
not number its documents so (no FULLTEXT key, another engine, or another column).

## What the replica does
InnoDB takes FTS_DOC_ID as the number of a row's document: it has to be more than 0, to grow with every row
(on MySQL by less than 65,535 at a time), and to grow with every UPDATE of an indexed column. A row that the
source took without these rules stops the applier with error 182.

## Example
    source:  CREATE TABLE t (FTS_DOC_ID BIGINT UNSIGNED NOT NULL PRIMARY KEY, v TEXT);
    replica: CREATE TABLE t (FTS_DOC_ID BIGINT UNSIGNED NOT NULL PRIMARY KEY, v TEXT, FULLTEXT KEY (v));

## Fix
Create the FULLTEXT key on the source first, or give the column another name on the replica.

## References
MySQL manual, "InnoDB Full-Text Indexes"; asked of MySQL 9.7.4 and MariaDB 11.8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Column, Effect, Finding, KeyKind, Table
from schemacheck.rules import About, Rule

#: InnoDB compares the name with case.
_NUMBER = "FTS_DOC_ID"


def _check(pair: Pair) -> Iterator[Finding]:
    there = _number(pair.replica)
    if there is None:
        return
    here = _number(pair.source)
    if here is not None and any(c.source is here and c.replica is there for c in pair.cells):
        return
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        f"the replica's FULLTEXT key numbers documents by {_NUMBER}, the source's table does not: a number "
        "of 0 or below another's, or an UPDATE that keeps it, stops the applier",
        column=_NUMBER,
        error=pair.error("document-number"),
        depends_on_rows=True,
        remedy="Create the FULLTEXT key on the source first, or give the column another name on the replica",
        reference="asked of MySQL 9.7.4 and MariaDB 11.8.6",
    )


def _number(table: Table) -> Column | None:
    """The column by which a table's FULLTEXT keys number documents."""
    if (table.engine or "InnoDB").upper() != "INNODB":
        return None
    if not any(key.kind is KeyKind.FULLTEXT for key in table.keys):
        return None
    return next((column for column in table.columns if column.name == _NUMBER), None)


RULE = Rule(
    "SC412",
    "fulltext-document",
    _check,
    (About.KEYS, About.OPTIONS, About.PLACES),
    evidence=lambda ask: ask.writes(certain=False),
)
