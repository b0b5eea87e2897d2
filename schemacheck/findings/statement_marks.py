"""Marks of the logged statements to which findings may happen (`schemacheck.evidence.statements`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schemacheck.model import Column, Table

#: Marks of statements that skip rows, meet rows that are there, or depend on the order of rows.
SKIPS = ("ignore", "load")
CLASH = ("replace", "on-duplicate-key", *SKIPS)
ORDERED = ("limit", "select", "user-variable", "load")


def reads(columns: Iterable[tuple[Column, Column]]) -> tuple[str, ...]:
    """Marks of statements that name one of these columns beside those that they set."""
    return tuple(f"reads:{here.name}" for here, _ in columns)


def compared_alike(both: tuple[Column, Column]) -> bool:
    """Whether two columns compare equal values alike, so that statements choose other rows only where values
    differ.
    """
    here, there = (column.type for column in both)
    texts = here.is_character and there.is_character and here.collation == there.collation is not None
    sized = here.base == there.base in ("decimal", "datetime", "timestamp", "time")
    return here == there or (here.is_integer and there.is_integer) or sized or texts


def unique_columns(table: Table) -> Iterator[str]:
    """Marks of statements that give other values to unique keys, where the order of rows decides."""
    yield from (f"updates:{p.column}" for k in table.keys if k.unique for p in k.parts if p.column)


def key_columns(table: Table) -> Iterator[str]:
    """Marks of statements that give other values to columns of foreign keys."""
    for key in table.foreign_keys:
        yield from (f"updates:{name}" for name in key.columns)
    for key in table.incoming:
        yield from (f"updates:{name}" for name in key.ref_columns)
