"""ALTER TABLE ... DISABLE KEYS and ENABLE KEYS, as dumps write them around the rows of each table.

InnoDB does nothing then. The whole way (`alter`, `change`, `assemble`) makes the table anew: the same one
under the settings of its CREATE TABLE, unless expressions are in it, which ALTER TABLE prints otherwise.
"""

from __future__ import annotations

from schemacheck.catalog.state import Catalog
from schemacheck.sql.ddl.actions import AlterTable, Other

_SWITCHES = (("DISABLE", "KEYS"), ("ENABLE", "KEYS"))


def only(catalog: Catalog, said: AlterTable) -> bool:
    """Whether a statement is DISABLE or ENABLE KEYS of a table that stays as it is."""
    key = catalog.key(said.table[0] or catalog.database, said.table[1])
    known = catalog.standing.get(key)
    return (
        known is not None
        and known[0] is catalog.tables.get(key)
        and (known[1] is catalog.server or known[1] == catalog.server)
        and key not in catalog.temporary
        and all(isinstance(one, Other) and one.words in _SWITCHES for one in said.actions)
    )
