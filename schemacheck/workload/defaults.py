"""Columns that an INSERT leaves to their defaults, which may be others on the replica."""

from __future__ import annotations

import re

from schemacheck.model import Column, Table
from schemacheck.model.server import STRICT
from schemacheck.model.table import Default, DefaultKind
from schemacheck.workload.state import Workload

COLUMNS = re.compile(r"^\w+\s+(?:IGNORE\s+)?(?:INTO\s+)?[\w.`]+\s*\(([^)]*)\)", re.IGNORECASE)


def is_now(default: Default | None) -> bool:
    """Whether a default is CURRENT_TIMESTAMP."""
    return default is not None and default.kind is DefaultKind.CURRENT_TIMESTAMP


def left_out(text: str, table: Table) -> list[Column]:
    """The columns that an INSERT leaves to their defaults."""
    given = COLUMNS.match(text.strip())
    if given is None:
        return []
    named = {name.strip().strip("`").casefold() for name in given.group(1).split(",")}
    return [
        c
        for c in table.columns
        if c.name.casefold() not in named
        and not c.generated
        and not c.auto_increment
        and not (table.gipk and c is table.columns[0])
    ]


def lacks_default(text: str, table: Table | None, modes: frozenset[str]) -> bool:
    """Whether an INSERT leaves out a column that must be given (1364 in strict mode)."""
    if table is None or not modes & STRICT:
        return False
    return any(column.default is None and not column.nullable for column in left_out(text, table))


def compare_defaults(work: Workload, text: str, name: str) -> None:
    """Columns that a statement leaves to their defaults, which are others on the replica."""
    table, other = work.source.table(name), work.replica.table(name)
    if table is None or other is None:
        return
    theirs = {column.name.casefold(): column for column in other.columns}
    for column in left_out(text, table):
        there = theirs.get(column.name.casefold())
        if there is not None and (_kind(column), column.nullable) != (_kind(there), there.nullable):
            work.lose(f"{table.name}.{column.name} has another default on the replica")


def _kind(column: Column) -> str:
    default = column.default
    plain = default is not None and default.kind in (DefaultKind.NULL, DefaultKind.CURRENT_TIMESTAMP)
    return "none" if default is None else default.kind.value if plain else "value"
