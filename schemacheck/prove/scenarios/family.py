"""Foreign keys: orphans, and changed and removed parents, with the tables that take part."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import ForeignKey, Table
from schemacheck.model.quote import quoted
from schemacheck.prove import row
from schemacheck.prove.scenarios import Subject

RULES = ("foreign-key", "referenced-table")


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """For each foreign key of either end that this table has or that refers to it."""
    pair, tables = subject.pair, subject.tables
    for end in tables:
        for child in end.values():
            for foreign in child.foreign_keys:
                named = (foreign.ref_database or child.database, foreign.ref_table.casefold())
                if (pair.database, pair.table.casefold()) not in (
                    named,
                    (child.database, child.name.casefold()),
                ):
                    continue
                ours = tables[0].get((child.database, child.name.casefold()))
                parent = tables[0].get(named)
                if ours is not None and parent is not None:
                    yield from _of(ours, parent, foreign)


def _of(child: Table, parent: Table, foreign: ForeignKey) -> Iterator[tuple[str, ...]]:
    refer = {c.casefold(): r.casefold() for c, r in zip(foreign.columns, foreign.ref_columns, strict=False)}
    above = row.values(parent, 0)
    by_name = {name.casefold(): literal for name, literal in above.items()}
    below = row.values(child, 0, {c: by_name[r] for c, r in refer.items() if r in by_name})
    both = [row.insert(child, below)]
    if child is not parent:
        both.insert(0, row.insert(parent, above))
    table, text = quoted(parent.name), row.where(parent, above)
    for reference in foreign.ref_columns:
        column = parent.column(reference)
        other = row.distinct(column, 7) if column is not None else None
        if other is not None:
            yield (*both, f"UPDATE {table} SET {quoted(reference)} = {other} WHERE {text}")
    yield (*both, f"DELETE FROM {table} WHERE {text}")
    yield (row.insert(child, row.values(child, 5)),)
