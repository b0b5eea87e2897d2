"""What a table's indexes answer without reading its rows, and how keys compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.model import charset
from schemacheck.model.quote import quoted
from schemacheck.model.table import KeyKind

if TYPE_CHECKING:
    from schemacheck.model import Column, Table
    from schemacheck.profile.measures import Measure
    from schemacheck.profile.wanted import WantedKey, WantedTable

_ORDERED = (KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX)


def named(table: Table) -> str:
    """The table's name, quoted, with its database."""
    return f"{quoted(table.database or '')}.{quoted(table.name)}"


def answers(table: Table, wanted: WantedTable) -> bool:
    """Whether an index answers all that is asked of a table: every column is an integer or a whole moment,
    and the first of an index.
    """
    first = {
        key.parts[0].column.casefold()
        for key in table.keys
        if key.kind in _ORDERED and key.visible and key.parts[0].column and key.parts[0].length is None
    }
    columns = [column for column in table.columns if wanted.wants(column.name)]
    return (table.engine or "").upper() in ("INNODB", "MYISAM", "ARIA") and all(
        column.name.casefold() in first
        and (column.type.is_integer or (column.type.is_temporal and not column.type.fraction))
        for column in columns
    )


def query(table: Table, column: Column, measure: Measure) -> str:
    """A measure as a query that ranges of an index answer."""
    name = quoted(column.name)
    counted = {"nulls": f"{name} IS NULL", "zero": f"{name} = 0", "counted": measure.key}
    if measure.field in counted:
        return f"SELECT COUNT(*) FROM {named(table)} WHERE {counted[measure.field]}"  # noqa: S608
    return f"SELECT {measure.sql} FROM {named(table)}"  # noqa: S608


def duplicates(table: Table, key: WantedKey) -> str:
    """How many values of a key several rows have, and how many rows; NULL is alike to nothing."""
    collations = {name.casefold(): collation for name, collation in key.collations.items()}
    present = " AND ".join(f"{quoted(name)} IS NOT NULL" for name, _ in key.parts)
    values = ", ".join(
        _value(quoted(name), length, collations.get(name.casefold())) for name, length in key.parts
    )
    groups = f"SELECT COUNT(*) AS n FROM {named(table)} WHERE {present} GROUP BY {values} HAVING COUNT(*) > 1"  # noqa: S608
    return f"SELECT COUNT(*), SUM(n) FROM ({groups}) AS alike"  # noqa: S608


def _value(name: str, length: int | None, collation: str | None) -> str:
    text = f"LEFT({name}, {length})" if length else name
    if collation is None:
        return text
    return f"CONVERT({text} USING {charset.of_collation(collation) or 'utf8mb4'}) COLLATE {collation}"
