"""A row as long as its columns allow."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.prove import row
from schemacheck.prove.scenarios import Subject

RULES = ("row-size",)
#: Characters of the longest value; what is longer lies outside of the row anyway.
_LONGEST = 8_000


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """One row whose texts and bytes are full."""
    table = subject.pair.source
    if table is None:
        return
    full = {
        c.name.casefold(): f"REPEAT('x', {min(c.type.length or _LONGEST, _LONGEST)})"
        for c in row.written(table)
        if c.type.base.endswith(("char", "text", "binary", "blob"))
    }
    yield (row.insert(table, row.values(table, 0, full)),)
