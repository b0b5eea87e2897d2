"""Statements that name a view."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model.quote import quoted
from schemacheck.prove.scenarios import Subject

RULES = ("statement-views",)


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Rows changed and removed through the view."""
    view = quoted(subject.pair.table)
    columns = subject.pair.source.columns if subject.pair.source is not None else ()
    for column in columns[:2]:
        yield (f"UPDATE {view} SET {quoted(column.name)} = {quoted(column.name)}",)
    yield (f"DELETE FROM {view}",)
