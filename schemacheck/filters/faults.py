"""Errors of statements that meet another schema than the one they were written for: what the replica lacks.

Numbers and texts are in `rules/filters.yaml` under `faults`, by the capability of the server that has
them; recorded on MySQL 5.6, 9.7 and MariaDB 11.8.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.filters.catalog import Catalog, Key
from schemacheck.filters.sql import Statement
from schemacheck.model import Server, ServerError

_ROUTINES = ("procedure", "function")


def fault(case: str, server: Server, /, **words: str) -> ServerError | None:
    """The error of a case (a name under `faults`), `words` filled into its text; None where the server has none."""
    for way in knowledge.load("filters")["faults"][case]:
        if "capability" not in way or server.has(way["capability"]):
            return ServerError(way["number"], way["text"].format(**words), way["symbol"]) if "number" in way else None
    return None


def no_table(key: Key, catalog: Catalog, server: Server) -> ServerError | None:
    """A table that is opened and not there."""
    if catalog.has_database(key[0]) is False:
        return fault("table-of-missing-database", server, name=f"{key[0]}.{key[1]}", database=key[0])
    return fault("missing-table", server, name=f"{key[0]}.{key[1]}")


def definition(statement: Statement, keys: list[Key], default: str | None, catalog: Catalog, server: Server, *, forgiving: bool) -> ServerError | None:
    """The error that a definition, account or maintenance statement ends with, or None. `keys` are its tables."""
    verb, _, thing = statement.verb.partition("-")
    if thing == "database":
        return _database(statement, verb, catalog, server, forgiving=forgiving)
    if thing in (*_ROUTINES, "event"):
        return _program(statement, verb, thing, default, catalog, server)
    if verb in ("grant", "revoke") or statement.verb in ("drop-user", "rename-user"):
        return _account(statement, keys, catalog, server)
    if statement.verb == "create-trigger":
        name = catalog.resolve(statement.calls[0], default)
        if name is not None and keys and name[0] != keys[0][0]:
            return fault("trigger-elsewhere", server)
    if statement.verb in ("alter-table", "truncate", "create-index", "drop-index", "create-trigger"):
        return _lost(keys, catalog, server) or _parents(statement, keys, catalog, server)
    if statement.verb in ("drop-table", "drop-view", "drop-sequence"):
        if statement.conditional or statement.temporary or (forgiving and thing != "view"):
            return None
        names = ",".join(f"{key[0]}.{key[1]}" for key in keys if catalog.has(key) is False)
        return fault("dropped-view" if thing == "view" else "dropped-table", server, name=names) if names else None
    if statement.verb == "rename-table":
        lost = next((key for key in keys[::2] if key not in keys[1::2] and catalog.has(key) is False), None)
        return fault("renamed-table", server, name=f"{lost[0]}.{lost[1]}", path=f"./{lost[0]}/{lost[1]}.frm") if lost else None
    if verb == "create" and keys:
        return _created(statement, keys, catalog, server, forgiving=forgiving)
    if statement.verb == "alter-view":
        return _lost(keys, catalog, server)
    return None


def _lost(keys: list[Key], catalog: Catalog, server: Server) -> ServerError | None:
    lost = next((key for key in keys if catalog.has(key) is False), None)
    return no_table(lost, catalog, server) if lost else None


def _created(statement: Statement, keys: list[Key], catalog: Catalog, server: Server, *, forgiving: bool) -> ServerError | None:
    if catalog.has_database(keys[0][0]) is False:
        return fault("missing-database", server, name=keys[0][0])
    may = statement.conditional or statement.temporary or statement.argument == "or replace" or forgiving
    if statement.verb.startswith("create-table") and not may and catalog.tables.get(keys[0]):
        return fault("existing-table", server, name=keys[0][1])
    return _lost(keys[1:], catalog, server) or _parents(statement, keys, catalog, server)


def _parents(statement: Statement, keys: list[Key], catalog: Catalog, server: Server) -> ServerError | None:
    """Tables that a new foreign key refers to."""
    for parent in statement.parents:
        key = catalog.resolve(parent, keys[0][0])
        if key is not None and key != keys[0] and catalog.has(key) is False:
            return fault("missing-parent", server, name=key[1], child=f"`{keys[0][0]}`.`{keys[0][1]}`")
    return None


def _database(statement: Statement, verb: str, catalog: Catalog, server: Server, *, forgiving: bool) -> ServerError | None:
    name = statement.database
    if name is None:
        return None
    there = catalog.has_database(name)
    if verb == "create" and there and not statement.conditional and not forgiving:
        return fault("existing-database", server, name=name)
    if verb == "drop" and there is False and not statement.conditional and not forgiving:
        return fault("dropped-database", server, name=name)
    if verb == "alter" and there is False:
        return fault("altered-database", server, name=name)
    return None


def _program(statement: Statement, verb: str, thing: str, default: str | None, catalog: Catalog, server: Server) -> ServerError | None:
    key = catalog.resolve(statement.calls[0], default) if statement.calls else None
    if key is None:
        return None
    if verb == "create":
        return fault("missing-database", server, name=key[0]) if catalog.has_database(key[0]) is False else None
    held = catalog.events if thing == "event" else catalog.routines
    if key in held or statement.conditional or not catalog.lists_programs(key[0]):
        return None
    if thing == "event":
        return fault("missing-event", server, name=key[1])
    return fault("missing-routine", server, kind=thing.upper(), name=f"{key[0]}.{key[1]}")


def _account(statement: Statement, keys: list[Key], catalog: Catalog, server: Server) -> ServerError | None:
    if statement.verb == "grant" and statement.scope in ("table", "column"):
        error = _lost(keys, catalog, server)
        if error:
            return error
    lost = [name for name in statement.accounts if name in catalog.lost_accounts]
    if not lost or statement.conditional:
        return None
    if statement.verb == "grant":
        return fault("missing-grantee", server)
    return fault("missing-account", server, operation=statement.verb.upper().replace("-", " "), name=lost[0])
