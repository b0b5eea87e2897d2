"""Statements that failed on the source and are logged all the same: what it did of them, and what of that
arrives (twenty statements asked of eleven links).

MySQL before 8.0 and MariaDB drop what is there of a list of tables or views, and refuse the rest. MySQL logs
the statement with its error, with IF EXISTS always; MariaDB logs DROP TABLE without what it kept, as if
nothing had failed, and DROP VIEW with its error. MySQL 5.6 logs a CREATE VIEW whose name is taken.
"""

from __future__ import annotations

from enum import Enum

from schemacheck.binlog.check.end import End
from schemacheck.binlog.events.statement import Query
from schemacheck.dataclass import dataclass, replace
from schemacheck.filters.faults import fault
from schemacheck.model import Location, Server, ServerError
from schemacheck.model.quote import quoted
from schemacheck.sql.statements import Ref, Statement

DROPS = ("drop-table", "drop-view")
#: No such table, and no such view.
_ABSENT = (1051, 4092)
_DIFFERENT = "Query caused different errors on ..."


class Fate(Enum):
    """What the log has of a failed statement: nothing, the statement with its error, or another statement."""

    LOST = "lost"
    WITH_ERROR = "with its error"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class Failed:
    """What is logged of a statement that ended with `error`, and how."""

    fate: Fate
    event: Query
    error: ServerError


def on_source(end: End, event: Query, statement: Statement, error: ServerError) -> Failed:
    """What the source did and logged of a statement that failed; its tables change accordingly."""
    server = end.server
    taken = statement.verb in ("create-view", "alter-view") and error.number in (1050, 1347)
    if server.has("failed-views-logged") and taken:
        return Failed(Fate.WITH_ERROR, event, error)
    if statement.verb not in DROPS or server.has("data-dictionary"):
        return Failed(Fate.LOST, event, error)
    gone, absent = _dropped(end, event, statement)
    if not gone and not (statement.conditional and (absent or not server.mariadb)):
        return Failed(Fate.LOST, event, error)
    if not server.mariadb or statement.verb == "drop-view":
        return Failed(Fate.WITH_ERROR, event, error)
    names = ",".join(_written(ref) for ref in statement.refs if ref in gone or ref in absent)
    text = f"DROP TABLE IF EXISTS {names}" if statement.conditional else f"DROP TABLE {names}"
    return Failed(Fate.REWRITTEN, replace(event, query=text), error)


def on_replica(end: End, failed: Failed, statement: Statement, where: Location | None) -> ServerError | None:
    """The error with which the replica stops at a statement that is logged with its error, or None where it
    ends there likewise. MySQL 8 and later stop in either case.
    """
    server = end.server
    gone = [ref for ref in statement.refs if statement.verb in DROPS and end.lacks(ref, failed.event)]
    view = next((ref for ref in statement.refs if end.has_view(ref, failed.event)), None)
    _, other = end.run(failed.event, where)
    if server.has("data-dictionary"):
        return ServerError(13113, _DIFFERENT)
    if other is None and view is not None and statement.verb == "drop-table" and not statement.conditional:
        # A forgiving applier of MariaDB passes over it, and has its error all the same.
        other = fault("dropped-view-as-table", server, name=f"{failed.event.database}.{view.name}")
    if other is None and gone:
        if failed.error.number in _ABSENT:
            return None
        # A forgiving applier has the error of what is missing all the same (5.6.24 to 10.11.19).
        names = ",".join(f"{ref.database or failed.event.database}.{ref.name}" for ref in gone)
        named = statement.verb == "drop-table" and not statement.conditional
        missing = fault("dropped-table", server, name=names) if named else None
        return missing or ServerError(0, _DIFFERENT)
    if other is None:
        return ServerError(0, _DIFFERENT)
    if other.number != failed.error.number:
        return replace(other, message=_bare(other.message))
    if statement.verb in DROPS:
        _dropped(end, failed.event, statement)
    return None


def _dropped(end: End, event: Query, statement: Statement) -> tuple[list[Ref], list[Ref]]:
    """Drop what can be: what is gone, and what was not there."""
    word = "TABLE" if statement.verb == "drop-table" else "VIEW"
    gone, absent = [], []
    for ref in statement.refs:
        if end.lacks(ref, event):
            absent.append(ref)
            continue
        _, error = end.run(replace(event, query=f"DROP {word} {_written(ref)}"), None)
        if error is None:
            gone.append(ref)
    return gone, absent


def _written(ref: Ref) -> str:
    name = quoted(ref.name)
    return f"{quoted(ref.database)}.{name}" if ref.database else name


def _bare(message: str) -> str:
    """The error without the words around it: so the applier reports one that was not expected."""
    head, _, _ = message.partition("' on query. Default database: '")
    return head.removeprefix("Error '")


def logs_failures(server: Server, statement: Statement) -> bool:
    """Whether some failed statements of this kind are logged."""
    views = server.has("failed-views-logged") and statement.verb in ("create-view", "alter-view")
    return views or (statement.verb in DROPS and not server.has("data-dictionary"))
