"""Statements change other rows.

## What it finds
Under STATEMENT or MIXED format: unique keys that only the source has, and columns of text whose collations
differ.

## What the replica does
REPLACE, INSERT IGNORE, UPDATE IGNORE and ON DUPLICATE KEY UPDATE ask the unique keys which rows are there
already: without the source's key the replica keeps rows that the source replaced, ignored or changed. Another
collation takes other values for equal and orders them otherwise: WHERE, LIKE, ORDER BY with LIMIT and a
unique key choose other rows. None of it is an error. (One collation in ascii, utf8mb3 and utf8mb4 chooses the
same rows.)

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT, UNIQUE KEY (b));
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);

## Remedy
Give both ends the same unique keys and collations, or set binlog_format=ROW on the source.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import ColumnType, Effect, Example, Finding, Key, Side
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule

#: Character sets with one order and one equality of characters for a collation's name.
_ALIKE = frozenset(("ascii", "utf8mb3", "utf8mb4"))


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.statement_format:
        return
    setting = f"binlog_format={pair.link.binlog_format}"
    for key in pair.source.keys:
        if (
            not key.unique
            or (pair.source.gipk and key is pair.source.primary_key)
            or _numbered(pair, key)
            or any(_enforces(other, key) for other in pair.replica.keys)
        ):
            continue
        columns = ", ".join(part.column or f"({part.expression})" for part in key.parts)
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"only the source has the unique key ({columns}): REPLACE, INSERT IGNORE and ON DUPLICATE KEY "
            "UPDATE leave other rows on the replica",
            column=key.parts[0].column,
            source=Side(key.location or pair.source.location, f"{key.kind.value} key ({columns})"),
            setting=setting,
            remedy="Create the same unique key on the replica, or set binlog_format=ROW on the source",
            example=Example("REPLACE puts a row in the place of another", "both rows are there"),
            reference="recorded on four servers",
        )
    for here in pair.source.columns:
        there = pair.replica.column(here.name)
        if there is not None and _chooses_otherwise(here.type, there.type):
            yield on_table(
                pair,
                Effect.DIVERGES,
                f"{here.name} has the collation {here.type.collation} on the source and "
                f"{there.type.collation} on the replica: WHERE, ORDER BY and unique keys choose other rows",
                column=here.name,
                source=side(pair.source, here),
                replica=side(pair.replica, there),
                setting=setting,
                remedy="Give both columns the same collation, or set binlog_format=ROW on the source",
                remedy_sql=modify(pair.replica, there, here),
                example=Example("a row that WHERE finds", "the row as it was"),
                reference="recorded on four servers",
            )


def _numbered(pair: Pair, key: Key) -> bool:
    """Whether the key holds a column that only the source has and numbers itself: no two rows share it."""
    columns = [pair.source.column(part.column) for part in key.parts if part.column]
    return any(
        column is not None and column.auto_increment and pair.replica.column(column.name) is None
        for column in columns
    )


def _enforces(other: Key, key: Key) -> bool:
    """Whether rows that are one under `key` are one under `other`: each of its parts is among the key's, and
    no longer.
    """
    if not other.unique:
        return False
    lengths = {part.column.casefold(): part.length for part in key.parts if part.column}
    expressions = {part.expression for part in key.parts if part.expression}
    for part in other.parts:
        if part.column is None:
            if part.expression not in expressions:
                return False
            continue
        folded = part.column.casefold()
        if folded not in lengths:
            return False
        length = lengths[folded]
        if length is not None and (part.length is None or part.length > length):
            return False
    return True


def _chooses_otherwise(here: ColumnType, there: ColumnType) -> bool:
    """Whether two columns of text compare values by different rules."""
    ours, theirs = here.collation, there.collation
    if not (here.is_character and there.is_character) or ours is None or theirs is None or ours == theirs:
        return False
    if not (here.charset in _ALIKE and there.charset in _ALIKE):
        return True
    return ours.partition("_")[2] != theirs.partition("_")[2]


RULE = Rule(
    "SC803", "statement-rows", "Statements change other rows", __doc__ or "", _check, (About.STATEMENTS,)
)
