"""What a statement of a change needs on the replica, and no input lists."""

from __future__ import annotations

from schemacheck.replay.end import End
from schemacheck.replay.logged import Logged
from schemacheck.replay.tables import SYSTEM
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import AccountStatement, DefinitionStatement, ProgramStatement

#: Statements whose first table they make.
_MAKES = ("create-table", "create-table-like", "create-table-select", "create-view", "create-sequence")
#: Objects of a server that no input lists.
_OBJECTS = ("server", "tablespace", "logfile", "undo", "resource", "library", "udf")


def unlisted_program(statement: Statement, replica: End, logged: Logged) -> str:
    """Why it is not known whether a stored program that is dropped or altered is there; '' where it is."""
    verb, _, kind = statement.verb.partition("-")
    if not isinstance(statement, ProgramStatement) or verb == "create" or statement.conditional:
        return ""
    if kind not in ("procedure", "function", "event") or statement.name is None:
        return ""
    presence = replica.present
    place = presence.program(kind, statement.name, logged.database)
    if place is None or place in presence.held or presence.lists_programs(place[1][0], kind):
        return ""
    return (
        f"whether the replica has the {kind} {statement.name[1]} is not known: no input lists its {kind}s; "
        "give one that does (mysqldump --routines --events)"
    )


def unlisted(statement: Statement, replica: End, logged: Logged) -> str:
    """Why it is not known whether the replica has what a statement uses; '' where it is. A table that is not
    there is an error elsewhere.
    """
    presence = replica.present
    verb, _, kind = statement.verb.partition("-")
    if isinstance(statement, AccountStatement) and not statement.conditional:
        return (
            "which accounts the replica has is not known: `schemacheck link --statements` says what is known "
            "of statements about accounts"
        )
    if kind.partition("-")[0] in _OBJECTS and not statement.conditional:
        return f"whether the replica takes {verb.upper()} {kind.upper()} is not known: no input lists such"
    if statement.verb.startswith("drop-") and statement.conditional:
        return ""
    used = (
        (statement.database or logged.database)
        if kind == "database" and isinstance(statement, DefinitionStatement)
        else statement.name[0]
        if isinstance(statement, ProgramStatement) and statement.name is not None
        else None
    )
    makes = statement.verb == "create-database"
    if used and not makes and presence.has_database(used) is None:
        return f"whether the replica has the database {used} is not known: no input lists a table of it"
    for place, ref in enumerate(statement.refs):
        home = ref.database or logged.database
        key = presence.resolve((ref.database, ref.name), logged.database or None)
        if key is None or (place and presence.case(home) in SYSTEM):
            continue
        if place == 0 and statement.verb in _MAKES:
            if presence.has_database(home) is None:
                return (
                    f"whether the replica has the database {home} is not known: no input lists a table of it"
                )
        elif presence.has(key) is None:
            return f"whether the replica has {home}.{ref.name}, and how, is not known: no input lists it"
    return ""
