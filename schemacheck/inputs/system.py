"""The databases that belong to the server and are never replicated as rows of a user's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemacheck.model import Server

#: All of them; older servers have no sys.
EVERY = ("information_schema", "mysql", "performance_schema", "sys")
#: No server lets anybody make tables under these names, in any case; SYS and MySQL are users' databases
#: (recorded on four servers).
_ANY_CASE = frozenset(("information_schema", "performance_schema"))


def system_databases(server: Server) -> tuple[str, ...]:
    """Their names, as the server spells them."""
    return EVERY if server.has("sys-schema") else EVERY[:-1]


def left_out(databases: Sequence[str]) -> str:
    """The note about tables that are not read, one database's name for each."""
    return (
        f"{len(databases)} table{'s' * (len(databases) > 1)} of the server's own databases "
        f"({', '.join(sorted(set(databases)))}) left out"
    )


def is_system(database: str | None, server: Server) -> bool:
    """Whether a database is the server's own."""
    return database is not None and (database in system_databases(server) or database.lower() in _ANY_CASE)
