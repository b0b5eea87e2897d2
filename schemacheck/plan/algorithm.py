"""Which ALGORITHM and LOCK a statement takes on a version, and what that costs: what
`schemacheck.catalog.online` knows, for a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.catalog import online, online_kinds
from schemacheck.catalog.online import Way
from schemacheck.catalog.steps import steps
from schemacheck.model import Schema, Server, Table, TableKind
from schemacheck.sql.ddl import actions as parts

_WRITES = {
    "NONE": "the table can be written meanwhile",
    "SHARED": "the table can be read, not written, meanwhile",
    "EXCLUSIVE": "the table can be neither read nor written meanwhile",
}
_ELSE = "a server that cannot do it so refuses it (1845, 1846) and changes nothing"


def clause(found: Way) -> str:
    """What the statement says, so that a server that would do it otherwise refuses it."""
    return f"ALGORITHM={found.algorithm}" + (f", LOCK={found.lock}" if found.algorithm != "INSTANT" else "")


def words(found: Way) -> str:
    """What it costs, in words."""
    if found.algorithm == "INSTANT":
        return f"INSTANT: only the definition changes, at once; {_ELSE}"
    rows = (
        "every row is copied, which takes the table's size again on disk"
        if found.rebuild
        else "rows stay where they are"
    )
    refused = "" if found.algorithm == "COPY" else f"; {_ELSE}"
    return f"{found.algorithm}: {rows}; {_WRITES[found.lock]}{refused}"


def way(sql: str, table: Table | None, server: Server) -> Way | None:
    """How this server carries out a statement on a table; None where that was not recorded, or depends on
    more than was asked.
    """
    if table is None or table.kind is not TableKind.TABLE or "ALGORITHM=" in sql.upper().replace(" ", ""):
        return None
    step = next(iter(steps(sql, server, database=table.database, base=Schema((table,)))), None)
    if step is None or not isinstance(step.definition, parts.AlterTable):
        return None
    after = step.after.get((table.database, table.name))
    names = tuple(online_kinds.kinds(step.definition.actions, table, after, server))
    found = online.bounds(names, tuple(online_kinds.traits(table)), server.profile.name)
    if found is None or found[0] != found[1] or found[0].algorithm == "ANY":
        return None
    # What ALGORITHM=COPY would lock is none of this.
    return Way(found[0].algorithm, found[0].lock, found[0].rebuild)


def common(sql: str, table: Table | None, servers: Sequence[Server]) -> Way | None:
    """The way that all servers of a chain have in common; None where they differ or one was not asked."""
    found = {way(sql, table, server) for server in dict.fromkeys(servers)}
    return found.pop() if len(found) == 1 else None
