"""Which ALGORITHM and LOCK a statement takes on a version, and what that costs: what
`schemacheck.catalog.online` knows, for a person.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from schemacheck.catalog import online, online_kinds
from schemacheck.catalog.asked import aside
from schemacheck.catalog.online import Way
from schemacheck.catalog.steps import steps
from schemacheck.model import Schema, Server, Table, TableKind
from schemacheck.sql.ddl import actions as parts
from schemacheck.sql.ddl.tables import CreateIndex, DropIndex

_WRITES = {"NONE": "writes go on", "SHARED": "writes wait", "EXCLUSIVE": "reads and writes wait"}
_AT_ONCE = "at once"


def clause(method: Way) -> str:
    """What the statement says, so that a server that would do it otherwise refuses it."""
    return f"ALGORITHM={method.algorithm}" + (
        f", LOCK={method.lock}" if method.algorithm != "INSTANT" else ""
    )


def time(ways: Collection[Way | None], size: str, servers: Sequence[Server]) -> str:
    """How long it takes where it takes longest, in words; `size` is what is known of the table's."""
    text = f" ({size})" if size else ""
    method = max((item for item in ways if item), key=online.cost, default=None)
    if method is None or None in ways:
        return f"not known, at worst every row is copied{text} and writes wait: try it on a copy"
    by = "" if all(map(online.recorded, servers)) else " (by the manual)"
    if method.algorithm == "INSTANT":
        return _AT_ONCE + by
    rows = "every row is copied, with as much disk again" if method.rebuild else "at most a read of the table"
    return f"{rows}{text}, {_WRITES[method.lock]}{by}"


def at_once(time: str) -> bool:
    """Whether a time in words is none."""
    return time.startswith(_AT_ONCE)


def way(sql: str, table: Table | None, server: Server) -> Way | None:
    """How this server carries out a statement on a table; None where that was not recorded, or depends on
    more than was asked.
    """
    if table is None or table.kind is not TableKind.TABLE or "ALGORITHM=" in sql.upper().replace(" ", ""):
        return None
    with aside():
        step = next(iter(steps(sql, server, database=table.database, base=Schema((table,)))), None)
    if step is None or not isinstance(step.definition, parts.AlterTable | CreateIndex | DropIndex):
        return None
    if step.definition.table[1].casefold() != table.name.casefold():
        return None
    after = step.after.get((table.database, table.name))
    names = tuple(online_kinds.kinds(step.definition.actions, table, after, server))
    result = online.of_server(names, tuple(online_kinds.traits(table)), server)
    if result is None or result[0] != result[1] or result[0].algorithm == "ANY":
        return None
    # What ALGORITHM=COPY would lock is none of this.
    return Way(result[0].algorithm, result[0].lock, result[0].rebuild)


def ways(sql: str, table: Table | None, servers: Sequence[Server]) -> set[Way | None]:
    """How both servers carry it out: one way where all do it alike."""
    return {way(sql, table, server) for server in dict.fromkeys(servers)}
