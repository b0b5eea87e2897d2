"""Columns that a statement does not name: defaults, ON UPDATE, AUTO_INCREMENT, REPLACE."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model.quote import quoted
from schemacheck.prove import row
from schemacheck.prove.scenarios import Subject

RULES = (
    "default-differs", "auto-increment", "partial-replace", "statement-column-list", "statement-triggers",
    "row-trigger", "extra-replica-column", "extra-source-column", "invisible-column",
)  # fmt: skip


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Rows without the finding's column, or all optional ones; an UPDATE; an INSERT without names."""
    table, finding = subject.pair.source, subject.finding
    if table is None:
        return
    keys = row.unique(table)
    first, second = row.values(table, 0), row.values(table, 1)
    own = (finding.column or "").casefold()
    optional = {
        c.name
        for c in row.written(table)
        if (c.nullable or c.default is not None or c.auto_increment)
        and (c.name.casefold() == own or (not own and (c.name.casefold() not in keys or c.auto_increment)))
    }
    fewer = [{name: v for name, v in item.items() if name not in optional} for item in (first, second)]
    if optional:
        yield tuple(row.insert(table, item) for item in fewer)
        if fewer[0]:
            yield (row.insert(table, first), row.insert(table, fewer[0], "REPLACE"))
    free = [n for n in first if n.casefold() not in keys and n.casefold() != own]
    for name in free[:2]:
        changed = f"UPDATE {quoted(table.name)} SET {quoted(name)} = {second[name]} WHERE "
        cache = {n: v for n, v in first.items() if n.casefold() != own or n.casefold() in keys}
        yield (row.insert(table, first), changed + row.where(table, cache))
    yield (f"INSERT INTO {quoted(table.name)} VALUES ({', '.join(first.values())})",)
