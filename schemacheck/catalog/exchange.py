"""ALTER TABLE ... EXCHANGE PARTITION: whether the two tables fit each other (asked of four servers)."""

from __future__ import annotations

from schemacheck.catalog.state import Catalog
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.table import Column, Table, TableKind
from schemacheck.sql.lexer import Refused
from schemacheck.sql.words import Name

#: Options that the partition and the other table have alike: one of a partition is its own, the partitioned
#: table's is none of it.
_OWN = ("MAX_ROWS", "MIN_ROWS")
#: Options that both tables have alike.
_SHARED = "AVG_ROW_LENGTH"
#: Options that are not compared as the tables have them.
_FREE = ("COMMENT", *_OWN)


def check(catalog: Catalog, table: Table, other: Name, at: int) -> None:
    """Refuse a table that does not fit the partitioned one. Raises Refused."""
    name = (other[0] or catalog.database, other[1])
    key = catalog.key(*name)
    if key in catalog.temporary:
        raise Refused(f"table {other[1]!r} to exchange is temporary", at, "SC002", 1733, name=other[1])
    found = catalog.tables.get(key)
    if found is None:
        why = f"table {other[1]!r} to exchange is not known: give its CREATE TABLE before"
        raise Refused(why, at, "SC002", None if key in catalog.failed else 1146, name=other[1])
    number = _number(table, found, catalog, key)
    if number is not None:
        why = f"table {other[1]!r} does not fit the partition"
        raise Refused(why, at, "SC002", number, name=other[1])
    if not _alike(table, found):
        why = f"whether the server exchanges a partition with {other[1]!r}, which differs, is not known"
        raise Refused(why, at, "SC002")


def _number(table: Table, found: Table, catalog: Catalog, key: Name) -> int | None:
    """The error with which every server refuses the table; None where it is not sure to."""
    if found.kind is not TableKind.TABLE or found.partitioning == UNKNOWN:
        return None
    if found.partitioning is not None:
        return 1732
    if found.foreign_keys or catalog.references(key):
        return 1740
    if found.engine != table.engine:
        return 1497
    ours, theirs = dict(table.options), dict(found.options)
    if ours.get(_SHARED) != theirs.get(_SHARED):
        return 1731
    if any(theirs.get(one, "0") != "0" and not _may_have(table, one) for one in _OWN):
        return 1731
    if (found.charset, found.collation) != (table.charset, table.collation):
        return 1731
    if [_shape(one) for one in found.columns] != [_shape(one) for one in table.columns]:
        return 1736
    return None


def _may_have(table: Table, option: str) -> bool:
    """Whether a partition may have the option."""
    return table.partition_sql is None or option in table.partition_sql.upper()


def _shape(column: Column) -> tuple[object, ...]:
    return column.name.casefold(), column.type.base, column.type.unsigned, column.nullable


def _alike(table: Table, found: Table) -> bool:
    """Whether nothing differs that a server may compare."""
    if any(_may_have(table, one) for one in _OWN):
        return False
    alike = ("columns", "keys", "checks", "row_format", "kind", "partitioning")
    ours, theirs = ([one for one in of.options if one[0] not in _FREE] for of in (table, found))
    return ours == theirs and all(
        getattr(found, one) == (None if one == "partitioning" else getattr(table, one)) for one in alike
    )
