"""The order in which a server reads the rows of a table."""

from __future__ import annotations

from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Table


def clustering(table: Table) -> tuple[tuple[object, ...], ...] | None:
    """The key in whose order InnoDB keeps the rows: for each part its column in lower case, how this sorts,
    and in which direction; the same of two tables where both read the same rows in one order. None where no
    key gives it: the primary key, else the first unique key of whole columns that are never NULL. Partitions
    are read one after the other, each in this order.
    """
    if table.engine != "InnoDB":
        return None
    primary = table.primary_key
    for key in (primary, *table.keys):
        if key is None or not key.unique:
            continue
        columns = [table.column(part.column or "") for part in key.parts]
        order = tuple(
            (column.name.casefold(), _sorts(column.type), part.descending)
            for column, part in zip(columns, key.parts, strict=True)
            if column and not column.nullable
        )
        whole = key is primary or all(part.length is None for part in key.parts)
        if whole and len(order) == len(columns):
            return order
    return None


def _sorts(kind: ColumnType) -> object:
    """What decides how values sort: members, a collation, else the kind of number or moment."""
    if kind.members:
        return kind.members
    return "number" if kind.is_exact else kind.collation or kind.base
