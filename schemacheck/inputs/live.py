"""Snapshots of live servers, read-only: the catalogue is read until two passes agree, at most `passes` times;
tables that still differed are `Snapshot.changed`, unknown to a check.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.inputs import replica_status, snapshot_queries
from schemacheck.inputs import shown as hidden
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.connection import Refused, Session, connected
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.piece import NotePiece, RowsPiece
from schemacheck.inputs.settings import from_rows, of_channel, server_from
from schemacheck.inputs.snapshot import Snapshot, digests
from schemacheck.inputs.snapshot_queries import print_sql
from schemacheck.model.quote import quoted, string
from schemacheck.model.table import Size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schemacheck.model import Server

__all__ = ["Endpoint", "Outcome", "Progress", "Snapshot", "print_sql", "take", "take_all"]

#: Seconds for everything that is done with one server: connecting, logging in, all queries.
SECONDS = 300.0
WORKERS = 8
#: What SHOW BINARY LOG STATUS tells of the filters of a log.
_LOG_FILTERS = ("binlog_do_db", "binlog_ignore_db")
#: What no status of MySQL's channels shows: PRIVILEGE_CHECKS_USER and its like.
_APPLIER = "SELECT * FROM performance_schema.replication_applier_configuration"

_SIZES = """SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH
FROM information_schema.TABLES WHERE (TABLE_SCHEMA, TABLE_NAME) IN ({})"""

_TABLES = """SELECT TABLE_NAME FROM information_schema.TABLES
WHERE TABLE_SCHEMA = {} AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY TABLE_NAME"""
_TRIGGERS = """SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = {}
ORDER BY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER"""

#: Foreign keys of other databases to the tables of the one that is read.
_CHILDREN = """SELECT DISTINCT TABLE_SCHEMA, TABLE_NAME, REFERENCED_TABLE_NAME
FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_SCHEMA = {0} AND TABLE_SCHEMA <> {0}
ORDER BY TABLE_SCHEMA, TABLE_NAME"""

Views = dict[str, tuple[tuple[str, ...], "Sequence[tuple[Any, ...]]"]]


#: A callback for (instance, what is read of it); '' when it is done with.
Progress = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One host of a fleet: its snapshot, or the error that kept it from one."""

    instance: str
    snapshot: Snapshot | None = None
    error: str | None = None


def take(
    endpoint: Endpoint,
    *,
    databases: Sequence[str] = (),
    passes: int = 4,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Snapshot:
    """Read one server; `databases` restricts what. Raises InputError, which never has a password."""
    report = progress or (lambda *_: None)
    report(endpoint.name, "connect")
    wanted = tuple(databases) or ((endpoint.database,) if endpoint.database else ())
    with connected(endpoint, seconds) as session:
        settings = _settings(session)
        server = _server(endpoint, settings)
        queries = snapshot_queries.queries(server, wanted)
        before: dict[tuple[str, str], int] = {}
        changed: tuple[tuple[str, str], ...] = ()
        for number in range(1, max(passes, 1) + 1):
            views: Views = {}
            for query in queries:
                report(endpoint.name, query.view)
                views[query.view] = (
                    query.columns,
                    _sorted(session.query(query.sql, f"reading information_schema.{query.view} failed")[1]),
                )
            _require(endpoint, wanted, views)
            after = digests(views)
            changed = tuple(
                sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            )
            if number > 1 and not changed:
                break
            before = after
        # One pass has nothing to be compared with: nothing is promised then, and nothing reported.
        listed = changed if passes > 1 else ()
    taken = datetime.now(UTC).isoformat(timespec="seconds")
    return Snapshot(endpoint.name, taken, number, settings | views, listed)


def _server(endpoint: Endpoint, settings: Views) -> Server:
    server = server_from({str(name).lower(): str(value) for name, value in settings["VARIABLES"][1]})
    if server is None:
        raise InputError(f"{endpoint.name}: the server does not say its version")
    return server


def _require(endpoint: Endpoint, wanted: tuple[str, ...], views: Views) -> None:
    """Raises InputError where the database that the endpoint names is not on the server."""
    columns, rows = views["SCHEMATA"]
    index = columns.index("SCHEMA_NAME")
    there = {str(row[index]).casefold() for row in rows}
    if wanted == (endpoint.database,) and wanted[0].casefold() not in there:
        raise InputError(f"{endpoint.name}: there is no database {wanted[0]!r} that this account may see")


def script(endpoint: Endpoint, *, seconds: float = SECONDS) -> tuple[Server, str]:
    """The server, and a script of the database's tables and triggers. Raises InputError."""
    if not endpoint.database:
        raise InputError(f"{endpoint.name}: name the database whose tables are wanted, mysql://user@host/db")
    with connected(endpoint, seconds) as session:
        server = _server(endpoint, _settings(session))
        session.query("SET SESSION sql_mode = ''", "setting sql_mode failed")
        home, what = quoted(endpoint.database), "reading definitions failed"
        lines = ["SET sql_mode = '', foreign_key_checks = 0;", f"CREATE DATABASE {home};", f"USE {home};"]
        for kind, view, last in (("TABLE", _TABLES, ";"), ("TRIGGER", _TRIGGERS, ";;")):
            for (name,) in session.query(view.format(string(endpoint.database)), what)[1]:
                made = session.query(f"SHOW CREATE {kind} {home}.{quoted(text_of(name) or '')}", what)[1][0]
                lines.append(f"{text_of(made[1 if kind == 'TABLE' else 2])}{last}")
            lines += ["DELIMITER ;;"] if kind == "TABLE" else []
    return server, "\n".join(lines) + "\n"


def shown(endpoint: Endpoint, snapshot: Snapshot, *, seconds: float = SECONDS) -> list[RowsPiece]:
    """What SHOW CREATE tells beside a snapshot of this server; of a table that it refuses, nothing."""
    rows: list[tuple[None, tuple[object, ...]]] = []
    if tables := hidden.wanted(snapshot):
        with connected(endpoint, seconds) as session:
            for kind, *name in tables:
                with suppress(Refused):
                    sql = f"SHOW CREATE {kind} {'.'.join(map(quoted, name))}"
                    _, found = session.query(sql, "reading definitions failed")
                    rows += [(None, (*name, made[1])) for made in found[:1] if len(made) > 1]
    return [RowsPiece(hidden.VIEW, Rows(hidden.HEADING, rows), endpoint.name)]


def children(endpoint: Endpoint, *, seconds: float = SECONDS) -> list[NotePiece]:
    """The foreign keys that lead into the endpoint's database from others, which are not read with it."""
    if not endpoint.database:
        return []
    with connected(endpoint, seconds) as session:
        _, rows = session.query(_CHILDREN.format(string(endpoint.database)), "reading foreign keys failed")
    if not rows:
        return []
    database, name, parent = (text_of(value) for value in rows[0])
    more = f", and {len(rows) - 1} more" if rows[1:] else ""
    why = (
        f"a foreign key of {database}.{name} leads to {parent}{more}, and {database} is not read: leave the "
        "database out of the DSN"
    )
    return [NotePiece(why, endpoint.name, problem=True)]


def sizes(
    endpoint: Endpoint, names: Sequence[tuple[str, str]], *, seconds: float = SECONDS
) -> dict[tuple[str | None, str], Size]:
    """What a server estimates of these tables' sizes. Raises InputError."""
    listed = ", ".join(f"({string(database)}, {string(name)})" for database, name in names)
    with connected(endpoint, seconds) as session:
        rows = session.query(_SIZES.format(listed), "reading sizes failed")[1] if names else []
    return {(database, name): Size(count, n_bytes) for database, name, count, n_bytes in rows}


def take_all(
    endpoints: Iterable[Endpoint],
    *,
    databases: Sequence[str] = (),
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> list[Outcome]:
    """Read a fleet side by side, in order; a failure is an outcome. `progress` runs in threads."""
    hosts = list(endpoints)
    out: list[Outcome | None] = [None] * len(hosts)
    with ThreadPoolExecutor(max_workers=max(1, min(WORKERS, len(hosts)))) as pool:
        running = {
            pool.submit(take, host, databases=databases, progress=progress, seconds=seconds): index
            for index, host in enumerate(hosts)
        }
        for future in as_completed(running):
            index = running[future]
            host = hosts[index]
            try:
                out[index] = Outcome(host.name, future.result())
            except SchemacheckError as error:
                out[index] = Outcome(host.name, error=str(error))
            if progress:
                progress(host.name, "")
    return [item for item in out if item is not None]


def _sorted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows in an order of their own, so that the same catalogue gives the same file."""
    return sorted(
        rows, key=lambda row: tuple((value is not None, isinstance(value, str), value) for value in row[:5])
    )


def _settings(session: Session) -> Views:
    """Variables, and what replication status tells where the user may see it."""
    names = frozenset(snapshot_queries.variable_names())
    _, rows = session.query("SHOW GLOBAL VARIABLES", "reading the variables failed")
    variables = {str(row[0]): row[1] for row in rows if len(row) == 2 and str(row[0]).lower() in names}
    heading, rows = _status(session, _APPLIER)
    variables |= from_rows("REPLICA_STATUS", Rows(tuple(heading), [(None, row) for row in rows]))
    # Filters of its own log, which are no variables before MariaDB 11.
    heading, rows = _status(session, "SHOW BINARY LOG STATUS", "SHOW MASTER STATUS")
    for row in rows:
        told = zip((name.lower() for name in heading), row, strict=False)
        variables |= {name: value for name, value in told if name in _LOG_FILTERS and value}
    _, rows = _status(session, "SELECT COUNT(*) > 0 FROM mysql.time_zone_name")
    if rows:
        variables["time_zone_names"] = "1" if any(rows[0]) else "0"
    out: Views = {"VARIABLES": (("VARIABLE_NAME", "VALUE"), sorted(variables.items()))}
    heading, rows = _status(session, *replica_status.STATEMENTS)
    remaining = [n for n, name in enumerate(heading) if name == "Channel_Name" or of_channel(name)]
    if rows:
        out["REPLICA_STATUS"] = (
            tuple(heading[index] for index in remaining),
            [tuple(row[index] for index in remaining) for row in rows],
        )
    return out


def _status(session: Session, *statements: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """What the first of these statements shows that the server knows and the user may run; else nothing."""
    for statement in statements:
        with suppress(Refused):
            return session.query(statement, f"{statement} failed")
    return [], []
