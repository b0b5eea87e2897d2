"""NULL meets a NOT NULL column.

## What it finds
Columns that are nullable on the source and NOT NULL on the replica.

## What the replica does
A NULL is stored as the column's default, or as the implicit default of its type (0, the empty string, the
zero date), without an error, also under a strict sql_mode.

## Example
    source:  CREATE TABLE t (c INT NULL);
    replica: CREATE TABLE t (c INT NOT NULL);

## Fix
Allow NULL on the replica, or forbid it on the source first.

## References
Recorded on four servers for 26 types.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Column, DefaultKind, Effect, Example, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows and pair.link.source.strict:
        return  # every such statement fails: statement-values tells
    for cell in pair.differing:
        if not cell.source.nullable or cell.replica.nullable or cell.replica.generated:
            continue
        keyed = any(k.unique and cell.replica.name.casefold() in k.folded for k in pair.replica.keys)
        stored = _stored(cell.replica)
        yield on_cell(
            pair,
            cell,
            Effect.DIVERGES,
            f"{cell.source.name} may be NULL on the source and is NOT NULL on the replica: a NULL arrives "
            f"as {stored}",
            also=(1062,) if keyed else (),
            remedy=f"Allow NULL in {cell.replica.name} on the replica, or make the source's column NOT "
            "NULL first",
            remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
            example=Example("NULL", stored),
            texts=(f"{cell.source.type.sql()} NULL", f"{cell.replica.type.sql()} NOT NULL"),
            reference="recorded on four servers",
        )


def _stored(column: Column) -> str:
    if column.auto_increment:
        return "0 or a generated number"
    if column.default is not None and column.default.kind is DefaultKind.LITERAL:
        return f"'{column.default.text}'"
    numeric = column.type.is_number
    return "0" if numeric else "the implicit default of its type"


RULE = Rule("SC501", "nullability", _check, (About.ATTRIBUTES,), evidence=lambda ask: ask.nulls())
