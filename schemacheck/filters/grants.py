"""Account statements under table rules: the grant tables that each server tests.

MySQL and MariaDB mark the mysql.* tables that such a statement opens as updated and ask the table
rules (`open_grant_tables`, `Grant_tables::open_and_lock`). Which tables, in which order, is
in `rules/filters.yaml` under `grant_tables`, by the capability that names the server's way.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.model import Server
from schemacheck.sql.statements import Statement

_ACCOUNTS = ("create-user", "drop-user", "rename-user", "create-role", "drop-role")


def tables(statement: Statement, server: Server) -> tuple[tuple[str, str], ...]:
    """The grant tables that the server tests for an account statement, as (mysql, name), in its order."""
    ways = knowledge.load("filters")["grant_tables"]
    item = next(element for element in ways if server.has(element["capability"]))
    scope = "account" if statement.verb in _ACCOUNTS else getattr(statement, "scope", "")
    names = item["scopes"].get(scope, item["scopes"]["default"])
    return tuple(("mysql", name) for name in names)
