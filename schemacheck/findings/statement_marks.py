"""Marks of the logged statements to which findings may happen (`schemacheck.evidence.statements`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schemacheck.model import Column, ForeignKey, KeyKind, Table

#: Marks of statements that skip rows, meet rows that are there, or depend on the order of rows.
SKIPS = ("ignore", "load")
CLASH = ("replace", "on-duplicate-key", *SKIPS)
_ACTS = frozenset(("CASCADE", "SET NULL", "SET DEFAULT"))


def compared_alike(both: tuple[Column, Column]) -> bool:
    """Whether two columns compare equal values alike."""
    here, there = (column.type for column in both)
    texts = here.is_character and there.is_character and here.collation == there.collation is not None
    sized = here.base == there.base and (here.is_decimal or here.has_fraction)
    return here == there or (here.is_integer and there.is_integer) or sized or texts


def by_values(columns: Iterable[str], source: Table, replica: Table) -> tuple[str, ...]:
    """Marks of statements to which the values of columns matter: those that name one beside what they set, or
    that meet a unique key of it; all where expressions and partitions may be made of it.
    """
    result: list[str] = []
    for name in columns:
        result.append(f"reads:{name}")
        for table in (source, replica):
            parts = [(key.unique, part.column) for key in table.keys for part in key.parts]
            leaning = any(column.generated for column in table.columns) or (False, None) in parts
            if leaning or table.checks or table.partitioning or _linked(table, name):
                return ()
            result += CLASH if {(True, name), (True, None)} & {*parts} else ()
    return tuple(dict.fromkeys(result))


def _linked(table: Table, column: str) -> bool:
    own = any(column in key.columns for key in table.foreign_keys)
    return own or any(column in key.ref_columns for key in table.incoming)


def ordered(source: Table, replica: Table) -> Iterator[str]:
    """Marks of statements in which the order of rows decides: LIMIT without an order by the primary key,
    queries, new values of unique keys; and of searches in a full-text key.
    """
    yield from ("user-variable", f"queries:{source.name}")
    key = source.primary_key
    columns = [part.column or "" for part in key.parts] if key else []
    both = [(source.column(name), replica.column(name)) for name in columns]
    alike = all(here and there and here.type == there.type for here, there in both)
    yield f"limit:{','.join(columns).casefold()}" if both and alike else "limit"
    yield from (f"updates:{p.column}" for k in source.keys if k.unique for p in k.parts if p.column)
    yield from (f"reads:{p.column}" for k in source.keys if k.kind is KeyKind.FULLTEXT for p in k.parts)


def by_foreign_keys(keys: Iterable[ForeignKey]) -> Iterator[str]:
    """Marks of statements that skip rows by these keys, or change rows of another table."""
    yield from SKIPS
    for key in keys:
        if key.on_delete in _ACTS:
            yield from ("delete", "replace")
        if key.on_update in _ACTS:
            yield from (f"updates:{name}" for name in key.ref_columns)
