"""Snapshots of live servers, through PyMySQL. Read-only.

What is promised: every table of a snapshot was read twice in a row, in all views, with the same
rows. The whole catalogue is read until two passes agree, at most `passes` times; tables that still
differed are in `Snapshot.changed` and are unknown to a check, all others are consistent in
themselves. Between tables nothing is promised: no server offers one view of its catalogue over DDL.
"""

from __future__ import annotations

import ssl
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError, SchemacheckError
from schemacheck.inputs import catalogue
from schemacheck.inputs.catalogue import print_sql
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.inputs.settings import server_from
from schemacheck.inputs.snapshot import Snapshot, digests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Endpoint", "Outcome", "Progress", "Snapshot", "print_sql", "take", "take_all"]

#: Seconds to wait for a connection, and for an answer.
CONNECT_SECONDS = 10
READ_SECONDS = 300
_ACCESS_DENIED = 1045

Views = dict[str, tuple[tuple[str, ...], "Sequence[tuple[Any, ...]]"]]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a progress callback is told: the instance, what it is doing (`connect`, a view, `done`, `failed`), the pass, and how many instances are finished."""

    instance: str
    step: str
    pass_number: int = 0
    finished: int = 0
    total: int = 1


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
    progress: Callable[[Progress], None] | None = None,
) -> Snapshot:
    """Read one server. `databases` restricts what is read (else the endpoint's database, else all but the server's own).

    Raises InputError: PyMySQL missing, no connection, wrong password, connection lost, no right to
    read; the message names the instance and never a password.
    """
    report = progress or (lambda _: None)
    report(Progress(endpoint.name, "connect"))
    wanted = tuple(databases) or ((endpoint.database,) if endpoint.database else ())
    with closing(_connect(endpoint)) as connection:
        settings = _settings(connection, endpoint)
        server = server_from({str(name).lower(): str(value) for name, value in settings["VARIABLES"][1]})
        if server is None:
            message = f"{endpoint.name}: the server does not say its version"
            raise InputError(message)
        catalogue_queries = catalogue.queries(server, wanted)
        before: dict[tuple[str, str], int] = {}
        changed: tuple[tuple[str, str], ...] = ()
        for number in range(1, max(passes, 1) + 1):
            views: Views = {}
            for query in catalogue_queries:
                report(Progress(endpoint.name, query.view, number))
                views[query.view] = (query.columns, _sorted(_rows(connection, query.sql, endpoint)))
            after = digests(views)
            changed = tuple(
                sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            )
            if number > 1 and not changed:
                break
            before = after
        # One pass has nothing to be compared with: nothing is promised then, and nothing reported.
        told = changed if passes > 1 else ()
    taken = datetime.now(UTC).isoformat(timespec="seconds")
    report(Progress(endpoint.name, "done", number, 1))
    return Snapshot(endpoint.name, taken, number, settings | views, told)


def take_all(
    endpoints: Iterable[Endpoint],
    *,
    workers: int = 8,
    passes: int = 4,
    databases: Sequence[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> list[Outcome]:
    """Read a fleet side by side, in threads; the outcomes are in the order of the endpoints. A host that fails is an outcome with its error, and the rest goes on.

    `progress` is called from several threads.
    """
    hosts = list(endpoints)
    finished = 0
    out: list[Outcome | None] = [None] * len(hosts)

    def step(told: Progress) -> None:
        if progress and told.step != "done":
            progress(Progress(told.instance, told.step, told.pass_number, finished, len(hosts)))

    with ThreadPoolExecutor(max_workers=max(1, min(workers, len(hosts)))) as pool:
        running = {
            pool.submit(take, host, databases=databases, passes=passes, progress=step): index
            for index, host in enumerate(hosts)
        }
        for future in as_completed(running):
            index = running[future]
            host = hosts[index]
            try:
                out[index] = Outcome(host.name, future.result())
            except SchemacheckError as error:
                out[index] = Outcome(host.name, error=str(error))
            finished += 1
            if progress:
                found = out[index]
                progress(
                    Progress(
                        host.name, "failed" if found and found.error else "done", 0, finished, len(hosts)
                    )
                )
    return [one for one in out if one is not None]


def _connect(endpoint: Endpoint) -> Any:
    try:
        import pymysql
    except ImportError:
        message = f"{endpoint.name}: a live server needs PyMySQL: pip install 'schemacheck[live]'"
        raise InputError(message) from None
    tls: dict[str, Any] = {}
    if endpoint.ssl_mode == "DISABLED":
        tls = {"ssl_disabled": True}
    elif endpoint.ssl_mode != "PREFERRED" or endpoint.ssl_ca or endpoint.ssl_cert:
        tls = {"ssl": _context(endpoint)}
    try:
        connection = pymysql.connect(
            host=endpoint.host, port=endpoint.port, user=endpoint.user or None, password=endpoint.password or "", unix_socket=endpoint.socket,
            charset="utf8mb4", connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, autocommit=True, program_name="schemacheck", **tls,
        )  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute("SET SESSION sql_mode = ''")
    except (pymysql.MySQLError, OSError, RuntimeError) as error:
        raise _failure(endpoint, "cannot connect", error) from None
    return connection


def _context(endpoint: Endpoint) -> ssl.SSLContext:
    """TLS as the client's --ssl-mode means it."""
    try:
        context = ssl.create_default_context(cafile=endpoint.ssl_ca)
        context.check_hostname = endpoint.ssl_mode == "VERIFY_IDENTITY"
        if endpoint.ssl_mode in ("PREFERRED", "REQUIRED"):
            context.verify_mode = ssl.CERT_NONE
        if endpoint.ssl_cert:
            context.load_cert_chain(endpoint.ssl_cert, endpoint.ssl_key)
    except (OSError, ssl.SSLError) as error:
        message = f"{endpoint.name}: TLS files cannot be used: {error.strerror or error}"
        raise InputError(message) from None
    return context


def _failure(endpoint: Endpoint, what: str, error: BaseException) -> InputError:
    """An error without anything that could hold a password."""
    number = error.args[0] if error.args and isinstance(error.args[0], int) else None
    text = str(error.args[-1] if error.args else error)
    if endpoint.password:
        text = text.replace(endpoint.password, "***")
    if number == _ACCESS_DENIED and endpoint.ssl_mode == "DISABLED":
        # MariaDB says no more under require_secure_transport (seen on 10.11).
        text += (
            "; the connection is without TLS (ssl-mode=DISABLED), which the server or the account may demand"
        )
    return InputError(f"{endpoint.name}: {what}: {text}" + (f" (error {number})" if number else ""))


def _rows(connection: Any, sql: str, endpoint: Endpoint) -> list[tuple[Any, ...]]:
    import pymysql

    try:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())
    except (pymysql.MySQLError, OSError, UnicodeDecodeError) as error:
        view = sql.split(" FROM ", 1)[-1].split(" ", 1)[0]
        raise _failure(endpoint, f"reading {view} failed", error) from None


def _sorted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows in an order of their own, so that the same catalogue gives the same file."""
    return sorted(
        rows, key=lambda row: tuple((value is not None, isinstance(value, str), value) for value in row[:5])
    )


def _settings(connection: Any, endpoint: Endpoint) -> Views:
    """Variables, and what replication status tells where the user may see it."""
    import pymysql

    names = frozenset(catalogue.variable_names())
    variables = [
        row for row in _rows(connection, "SHOW GLOBAL VARIABLES", endpoint) if str(row[0]).lower() in names
    ]
    out: Views = {"VARIABLES": (("VARIABLE_NAME", "VALUE"), sorted(variables))}
    for statement in ("SHOW REPLICA STATUS", "SHOW SLAVE STATUS"):
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement)
                heading = [str(column[0]) for column in cursor.description or ()]
                rows = list(cursor.fetchall())
        except pymysql.MySQLError:
            # An older server's word, or no right to see it: filters then stay unknown.
            continue
        kept = [
            index
            for index, name in enumerate(heading)
            if name.lower().startswith("replicate_") or name.lower() == "channel_name"
        ]
        if rows:
            out["REPLICA_STATUS"] = (
                tuple(heading[index] for index in kept),
                [tuple(row[index] for index in kept) for row in rows],
            )
        break
    return out
