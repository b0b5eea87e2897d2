"""ALTER TABLE ... DISABLE KEYS and ENABLE KEYS, as dumps write them around the rows of each table.

InnoDB does nothing then. The whole way (`alter`, `change`, `assemble`) makes the table anew: the same one
under the settings of its CREATE TABLE, unless expressions are in it, which ALTER TABLE prints otherwise, or
another table has come to which it refers.
"""

from __future__ import annotations

from schemacheck.catalog.state import Catalog
from schemacheck.model.table import Table
from schemacheck.sql.ddl.actions import AlterTable, Other
from schemacheck.sql.words import Name

_SWITCHES = (("DISABLE", "KEYS"), ("ENABLE", "KEYS"))


def keep(catalog: Catalog, key: Name, made: Table) -> None:
    """Keep a table as its CREATE TABLE left it, if that asked all of it that ALTER TABLE asks: not of a
    foreign key to what is no InnoDB table, or a partitioned one.
    """
    parents = catalog.parents(made)
    asked = all(one is None or (one.engine == "InnoDB" and one.partitioning is None) for one in parents)
    if asked and not made.checks:
        catalog.standing[key] = made, catalog.server, parents


def only(catalog: Catalog, said: AlterTable) -> bool:
    """Whether a statement is DISABLE or ENABLE KEYS of a table that stays as it is."""
    key = catalog.key(said.table[0] or catalog.database, said.table[1])
    known = catalog.standing.get(key)
    if known is None:
        return False
    made, server, parents = known
    return (
        made is catalog.tables.get(key)
        and (server is catalog.server or server == catalog.server)
        and all(one is other for one, other in zip(parents, catalog.parents(made), strict=True))
        and key not in catalog.temporary
        and all(isinstance(one, Other) and one.words in _SWITCHES for one in said.actions)
    )
