"""A key column's value changes on the way.

## What it finds
Columns of a primary or unique key of the replica whose values change, or whose NULLs become one value.

## What the replica does
Two rows of the source can become the same row: clipped, rounded or truncated keys collide with error 1062,
and a later UPDATE or DELETE meets the wrong row or none.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY);
    replica: CREATE TABLE t (a TINYINT PRIMARY KEY);

Under ALL_LOSSY, 300 and 301 both arrive as 127.

## Fix
Give the key columns the same types on both ends before anything else.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion import Kind, What
from schemacheck.conversion.error import ANY
from schemacheck.findings.on_pair import on_cell, on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule

#: Changes that keep different values different.
_INJECTIVE = (What.UNCHANGED, What.REFUSED, What.SHOWN)


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    unique = frozenset[str]().union(*(key.folded for key in pair.replica.keys if key.unique))
    for cell in pair.differing:
        if cell.replica.name.casefold() in unique and (
            _merges(cell) or (cell.source.nullable and not cell.replica.nullable)
        ):
            yield from _other_rows(pair, cell)
            yield on_cell(
                pair,
                cell,
                Effect.UNSUPPORTED,
                f"{cell.source.name} is in a unique key of the replica, and its values change "
                "on the way: different rows may become duplicates there",
                error=pair.error("duplicate-key", key=ANY),
                depends_on_rows=True,
                also=(1032,),
                remedy=f"Give {cell.replica.name} the source's definition",
                remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
                reference="recorded on four servers",
            )


def _other_rows(pair: Pair, cell: Cell) -> Iterator[Finding]:
    """Under a partial image rows are searched by the key's own values."""
    if pair.terms.row_image != "MINIMAL":
        return
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"{cell.source.name} is in a unique key of the replica, and its values change "
        "on the way: under binlog_row_image=MINIMAL an UPDATE or DELETE may change "
        "another row, and REPLACE may keep the old row",
        setting="binlog_row_image=MINIMAL",
        remedy=f"Give {cell.replica.name} the source's definition",
        remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
        example=Example("the row of the key", "another row"),
        reference="recorded on four servers",
    )


def _merges(cell: Cell) -> bool:
    if cell.kind is Kind.EXACT and cell.outcome.what is What.SIGN:
        return False
    return cell.allowed and cell.outcome.what not in _INJECTIVE


RULE = Rule(
    "SC403",
    "changed-key-value",
    _check,
    (About.KEYED,),
    evidence=lambda ask: ask.either(ask.changed(certain=False), ask.nulls(certain=False)),
)
