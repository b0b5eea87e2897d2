"""The order in which a server reads the rows of a table."""

from __future__ import annotations

from schemacheck.model.table import Table


def clustering(table: Table) -> tuple[str, ...] | None:
    """The columns of the key in whose order InnoDB keeps the rows, lower case; None where no key does: the
    primary key, else the first unique key of whole columns that are never NULL.
    """
    if table.engine != "InnoDB":
        return None
    primary = table.primary_key
    for key in (primary, *table.keys):
        if key is None or not key.unique:
            continue
        columns = [table.column(part.column or "") for part in key.parts]
        names = tuple(column.name.casefold() for column in columns if column and not column.nullable)
        whole = key is primary or all(part.length is None for part in key.parts)
        if whole and len(names) == len(columns):
            return names
    return None
