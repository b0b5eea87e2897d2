"""What periods and system versioning put into MariaDB's keys."""

from __future__ import annotations

from schemacheck.model.table import Column
from schemacheck.sql.ddl.draft import KeyDraft, PartDraft


def put_periods(keys: list[KeyDraft], periods: list[tuple[str, str, str]]) -> None:
    """`p WITHOUT OVERLAPS` is kept as the period's end and its start (recorded: STATISTICS of MariaDB)."""
    ends = {name.casefold(): (last, first) for name, first, last in periods}
    for key in keys if ends else ():
        for part in list(key.parts):
            named = ends.get((part.column or "").casefold()) if part.without_overlaps else None
            if named is not None:
                key.parts += [PartDraft(name, of_period=True, at=part.at) for name in named]


def put_row_end(keys: list[KeyDraft], columns: list[Column], *, versioned: bool) -> None:
    """Unique keys of a system-versioned table end with a row end that is written (recorded on MariaDB)."""
    if not versioned:
        return
    end = next((column.name for column in columns if column.expression == "row end"), None)
    if end is None:
        return
    for key in keys:
        named = [(part.column or "").casefold() for part in key.parts]
        if key.kind in ("primary", "unique") and end.casefold() not in named:
            key.parts.append(PartDraft(end, of_period=True))
