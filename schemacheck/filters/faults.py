"""Errors of statements that meet another schema: what the replica lacks. Numbers and texts are in
`rules/filters.yaml` under `faults`; recorded on MySQL 5.6, 9.7 and MariaDB 11.8.
"""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck import knowledge
from schemacheck.catalog.presence import Key, Presence
from schemacheck.model import Server, ServerError
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.statements import Name, Statement
from schemacheck.sql.statements.value import AccountStatement, DefinitionStatement, ProgramStatement

_ROUTINES = ("procedure", "function")


def fault(case: str, server: Server, /, **words: str) -> ServerError | None:
    """The error of a case of `faults` with `words` in its text; None where the server has none."""
    for item in knowledge.load("filters")["faults"][case]:
        if "capability" not in item or server.has(item["capability"]):
            return (
                ServerError(item["number"], item["text"].format(**words), item["symbol"])
                if "number" in item
                else None
            )
    return None


def no_table(key: Key, catalog: Presence, server: Server) -> ServerError | None:
    """A table that is opened and not there."""
    if catalog.has_database(key[0]) is False:
        return fault("table-of-missing-database", server, name=f"{key[0]}.{key[1]}", database=key[0])
    return fault("missing-table", server, name=f"{key[0]}.{key[1]}")


def definition(
    statement: Statement,
    keys: list[Key],
    default: str | None,
    catalog: Presence,
    server: Server,
    *,
    forgiving: bool,
) -> ServerError | None:
    """The error that a definition, account or maintenance statement ends with, or None."""
    verb, _, thing = statement.verb.partition("-")
    if isinstance(statement, ProgramStatement):
        if thing in (*_ROUTINES, "event"):
            return _program(statement, verb, thing, default, catalog, server)
        name = catalog.resolve(statement.name, default) if statement.name is not None else None
        if verb == "create" and name is not None and keys and name[0] != keys[0][0]:
            return fault("trigger-elsewhere", server)
        taken = _trigger_there(statement, keys, name, catalog, server)
        if verb == "create" and taken is not None and catalog.has(keys[0]) is not False:
            return taken
    if isinstance(statement, AccountStatement):
        return _account(statement, verb, keys, catalog, server)
    if isinstance(statement, DefinitionStatement) and thing == "database":
        return _database(statement, verb, catalog, server, forgiving=forgiving)
    if statement.verb in ("alter-table", "truncate", "create-index", "drop-index", "create-trigger"):
        return _altered(statement, keys, default, catalog, server)
    if statement.verb in ("drop-table", "drop-view", "drop-sequence"):
        if statement.conditional or statement.temporary or (forgiving and thing != "view"):
            return None
        return _dropped(keys, thing, catalog, server)
    if statement.verb == "rename-table":
        return _renamed(statement, statement.renames, default, catalog, server)
    if verb == "create" and keys and isinstance(statement, DefinitionStatement):
        return _created(statement, keys, catalog, server, forgiving=forgiving)
    if statement.verb == "alter-view":
        return _lost(keys, catalog, server) or (
            fault("not-a-view", server, name=f"{keys[0][0]}.{keys[0][1]}")
            if _other_kind(keys[0], "view", catalog)
            else None
        )
    return None


def _dropped(keys: list[Key], thing: str, catalog: Presence, server: Server) -> ServerError | None:
    """DROP TABLE and DROP VIEW. MySQL names a view among the tables that are not there."""
    other = "dropped-other" if thing == "view" else "dropped-view-as-table"
    wrong = [key for key in keys if _other_kind(key, thing, catalog)]
    named = wrong[:1]
    if not wrong or (thing != "view" and not server.mariadb):
        named = [key for key in keys if key in wrong or catalog.has(key) is False]
    if not named:
        return None
    missing = "dropped-view" if thing == "view" else "dropped-table"
    return fault(other if wrong else missing, server, name=",".join(map(".".join, named)))


def _other_kind(key: Key, thing: str, catalog: Presence) -> bool:
    """Whether the name belongs to a view where a table is meant, or the other way round."""
    if key in catalog.temporary or catalog.has(key) is not True:
        return False
    return (key in catalog.views) is not (thing == "view")


def _altered(
    statement: Statement, keys: list[Key], default: str | None, catalog: Presence, server: Server
) -> ServerError | None:
    lost = _lost(keys, catalog, server)
    if lost is not None:
        return None if statement.conditional or answers(statement) else lost
    if keys and _other_kind(keys[0], "table", catalog):
        name = f"{keys[0][0]}.{keys[0][1]}"
        if answers(statement):
            return None
        if statement.verb == "truncate":
            return fault("missing-table", server, name=name)
        return fault("not-a-table", server, name=name)
    pairs = [
        (old, new)
        for old, new in statement.renames
        if catalog.resolve(old, default) != catalog.resolve(new, default)
    ]
    return _renamed(statement, pairs, default, catalog, server) or _parents(statement, keys, catalog, server)


def answers(statement: Statement) -> bool:
    """Whether a statement answers with a row that tells of a table that is not there, and has no error."""
    return isinstance(statement.definition, AlterTable) and statement.definition.only_answers


def _renamed(
    statement: Statement, pairs: Iterable[tuple[Name, Name]], default: str | None, catalog: Presence,
    server: Server,
) -> ServerError | None:  # fmt: skip
    """Names one after the other: what an earlier pair gives or takes counts for the later ones."""
    moved: dict[Key, bool] = {}
    for name, other in pairs:
        old, new = catalog.resolve(name, default), catalog.resolve(other, default)
        if old is None or new is None:
            continue
        lost = moved.get(old, catalog.has(old)) is False
        if lost and statement.conditional:
            continue
        taken = fault("existing-table", server, name=new[1]) if moved.get(new, catalog.has(new)) else None
        missing = (
            fault("renamed-table", server, name=f"{old[0]}.{old[1]}", path=f"./{old[0]}/{old[1]}.frm")
            if lost
            else None
        )
        error = missing or taken if server.has("rename-looks-for-the-old-name-first") else taken or missing
        if error is None and catalog.has_database(new[0]) is False:
            error = fault(
                "renamed-into-missing-database",
                server,
                database=new[0],
                old=f"./{old[0]}/{old[1]}",
                new=f"./{new[0]}/{new[1]}",
            )
        if error is None and old in catalog.views and old[0] != new[0]:
            error = fault("view-to-another-database", server, old=old[0], new=new[0])
        if error is not None:
            return error
        moved[old], moved[new] = False, True
    return None


def _lost(keys: list[Key], catalog: Presence, server: Server) -> ServerError | None:
    lost = next((key for key in keys if catalog.has(key) is False), None)
    return no_table(lost, catalog, server) if lost else None


def _created(
    statement: DefinitionStatement, keys: list[Key], catalog: Presence, server: Server, *, forgiving: bool
) -> ServerError | None:
    if catalog.has_database(keys[0][0]) is False:
        return fault("missing-database", server, name=keys[0][0])
    view = statement.verb == "create-view"
    reads = statement.verb in ("create-table-like", "create-table-select")
    there = bool(catalog.has(keys[0]))
    if reads and there and statement.conditional and server.mariadb:
        return None  # it opens nothing else then
    # What is read is opened before the new name is asked for (asked of four servers).
    lost = _lost(keys[1:], catalog, server)
    if lost is not None:
        return lost
    if statement.verb == "create-table-like" and len(keys) > 1 and _other_kind(keys[1], "table", catalog):
        return fault("not-a-table", server, name=f"{keys[1][0]}.{keys[1][1]}")
    may = statement.conditional or statement.temporary or statement.or_replace or (forgiving and not view)
    named = statement.verb.startswith("create-table") or statement.verb in ("create-sequence", "create-view")
    if named and there and not may:
        return fault("existing-table", server, name=keys[0][1])
    over = not view and not statement.temporary and _other_kind(keys[0], "table", catalog)
    if over and may and (not statement.conditional or (forgiving and statement.verb == "create-table")):
        return _over_view(statement, keys[0], server, forgiving=forgiving)
    if view and statement.or_replace and _other_kind(keys[0], "view", catalog):
        return fault("not-a-view", server, name=f"{keys[0][0]}.{keys[0][1]}")
    return _parents(statement, keys, catalog, server)


def _over_view(statement: DefinitionStatement, key: Key, server: Server, *, forgiving: bool) -> ServerError:
    """CREATE OR REPLACE of a view's name is refused; a forgiving applier ends with it, whether it or the
    source made REPLACE of it (10.11.19, 11.8.6: signal 11 in ha_checktype).
    """
    refused = fault("dropped-view-as-table", server, name=f"{key[0]}.{key[1]}")
    if statement.or_replace and refused is not None and not forgiving:
        return refused
    return ServerError(
        0, "the server process dies: the table would replace a view under slave_ddl_exec_mode=IDEMPOTENT"
    )


def _parents(statement: Statement, keys: list[Key], catalog: Presence, server: Server) -> ServerError | None:
    inline = statement.inline_parents if server.has("ddl-inline-references") else ()
    for parent in (*statement.parents, *inline):
        key = catalog.resolve(parent, keys[0][0])
        if key is not None and key != keys[0] and catalog.has(key) is False:
            return fault("missing-parent", server, name=key[1], child=f"`{keys[0][0]}`.`{keys[0][1]}`")
    return None


def _database(
    statement: DefinitionStatement, verb: str, catalog: Presence, server: Server, *, forgiving: bool
) -> ServerError | None:
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


def _trigger_there(
    statement: ProgramStatement, keys: list[Key], name: Key | None, catalog: Presence, server: Server
) -> ServerError | None:
    """CREATE TRIGGER where its name is taken in the database, or (old servers) its moment on the table."""
    if not keys or name is None:
        return None
    events = set(statement.event.split(","))
    on_table = [
        trigger for trigger in catalog.triggers.get(keys[0], ()) if trigger.timing == statement.timing
    ]
    beside = {trigger.key[1].casefold() for trigger in on_table if events & set(trigger.event.split(","))}
    if statement.beside and statement.beside.casefold() not in beside:
        return fault("other-trigger", server, name=statement.beside)
    if statement.conditional or statement.or_replace:
        return None
    if not server.has("several-triggers") and any(
        events & set(trigger.event.split(",")) for trigger in on_table
    ):
        return fault("second-trigger", server)
    fold = str.casefold if server.has("data-dictionary") else str
    names = {
        (trigger.key[0], fold(trigger.key[1]))
        for triggers in catalog.triggers.values()
        for trigger in triggers
    }
    if (name[0], fold(name[1])) in names:
        return fault("existing-trigger", server, name=f"{name[0]}.{name[1]}")
    return None


def _program(
    statement: ProgramStatement, verb: str, thing: str, default: str | None, catalog: Presence, server: Server
) -> ServerError | None:
    key = catalog.resolve(statement.name, default) if statement.name else None
    place = catalog.program(thing, statement.name, default) if statement.name else None
    if key is None or place is None:
        return None
    if verb == "create" and catalog.has_database(key[0]) is False:
        return fault("missing-database", server, name=key[0])
    made = statement.new_name or (statement.name if verb == "create" else None)
    if made is not None and catalog.program(thing, made, default) in catalog.held:
        if statement.conditional or statement.or_replace:
            return None
        if thing == "event":
            return fault("existing-event", server, name=made[1])
        return fault("existing-routine", server, kind=thing.upper(), name=made[1])
    if verb == "create" or statement.conditional:
        return None
    if place in catalog.held or not catalog.lists_programs(key[0], thing):
        return None
    if thing == "event":
        return fault("missing-event", server, name=key[1])
    return fault("missing-routine", server, kind=thing.upper(), name=f"{key[0]}.{key[1]}")


def _account(
    statement: AccountStatement, verb: str, keys: list[Key], catalog: Presence, server: Server
) -> ServerError | None:
    if verb not in ("grant", "revoke", "drop", "rename"):
        return None
    if verb == "grant" and statement.scope in ("table", "column"):
        error = _lost(keys, catalog, server)
        if error:
            return error
    if verb == "revoke" and statement.scope in ("table", "column") and not statement.conditional:
        for key in keys:
            for account in statement.accounts:
                if (key, account) in catalog.lost_grants:
                    user, _, host = account.rpartition("@")
                    words = {"user": user.strip("'"), "host": host.strip("'"), "table": key[1]}
                    return fault("missing-table-grant", server, **words)
    lost = [name for name in statement.accounts if name in catalog.lost_accounts]
    if not lost or statement.conditional:
        return None
    if verb == "grant":
        return fault("missing-grantee", server)
    return fault("missing-account", server, operation=statement.verb.upper().replace("-", " "), name=lost[0])
