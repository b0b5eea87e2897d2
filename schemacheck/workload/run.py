"""Statements of a known workload, run over a link: what the log holds of each, and what the replica makes of
it.

The model follows the servers' own order: an event is read (or not), brings its session along, is parsed and
executed. A statement whose outcome the code does not settle ends the run as `unknown`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from schemacheck.dataclass import replace
from schemacheck.link import variables
from schemacheck.link.ends import Ends, on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import RUNS, Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import Server, Table
from schemacheck.model.table import TableKind
from schemacheck.workload import as_definition, events, logs, prepare
from schemacheck.workload.state import Workload

#: The column of a generated invisible primary key.
GENERATED = "my_row_id"
#: Where every server may write.
_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108


def run(
    ends: Ends,
    session: Session,
    tables: Sequence[str],
    before: Sequence[str],
    apart: Sequence[str],
    statements: Sequence[str],
    *,
    database: str,
    charset: tuple[str, str] | None = None,
    alone: bool = False,
    maker: Session | None = None,
    undecided: Callable[[Workload, str], str] = lambda _work, _text: "",
) -> Outcome:
    """Run `statements` after the source's session statements `before` and the replica's own `apart`.

    `database` is the default one, in which the tables are, `charset` its character set and collation where
    they are known; `alone`: nobody looks at what others hold; `maker`: the session that made the tables,
    where it is another.
    `undecided` is asked before each statement, and at the end with '', why nothing can be said about what
    comes ('': something can).
    """
    skipped = ends.replica.setting("slave_skip_errors").upper()
    if skipped not in ("", "OFF"):
        why = f"slave_skip_errors = {skipped} on the replica hides what its applier leaves out"
        return Outcome(Kind.UNKNOWN, "SC941", 0, why)
    work = Workload.of(ends, session, database, charset)
    for text in tables:
        for end, server in ((work.source, ends.source), (work.replica, ends.replica)):
            if (trouble := end.run(text, server)) is not None:
                return Outcome(Kind.UNKNOWN, "", 0, f"the table is not understood: {trouble[1]}")
        as_definition.keep_routine(work, text, maker or session)
    for text in apart:
        prepare.on_replica(work, text)
    unread = logs.unread(ends, before, statements)
    if isinstance(unread, Outcome):
        # A replica that is connected may have read the log before it is gone.
        for at, text in enumerate(statements):
            if why := undecided(work, text):
                return Outcome(Kind.UNKNOWN, "", 0, why, statement=at)
        return unread
    work.unread = unread
    for at, text in enumerate(before, -len(before)):
        if not session.run(text):
            prepare.on_source(work, text, logged=session.logged and at not in unread)
    if (
        "GTID_NEXT" in " ".join(before).upper()
        and ":" in session.variables.get("gtid_next", "")
        and not ends.replica.has("gtid-tagged-event")
    ):
        return fails(
            Kind.SQL,
            "SC923",
            "relay-log",
            ends.replica,
            f"{ends.replica} cannot read events of tagged GTIDs",
            change="Use GTIDs without a tag on the source",
        )
    started = starts(work)
    own, ignored = (
        ends.source.setting("server_id"),
        ends.channel.option("IGNORE_SERVER_IDS") if ends.channel is not None else None,
    )
    if ignored and (not own or own in re.findall(r"\d+", ignored)):
        return Outcome(
            Kind.DIVERGES if own else Kind.UNKNOWN,
            "SC904",
            0,
            "IGNORE_SERVER_IDS names the source: nothing of its own is applied",
        )
    if started is not None:
        return started
    lost_at: int | None = None
    for at, text in enumerate(statements):
        work.at = at
        if why := undecided(work, text):
            return Outcome(Kind.UNKNOWN, "", 0, why, statement=at)
        before_it = len(work.lost)
        found = events.step(work, text)
        if found is not None and (found.dead or found.kind is Kind.UNKNOWN):
            return replace(found, statement=work.at)
        if found is not None and found.kind is Kind.DIVERGES:
            work.lose(found.why)
        lost_at = at if lost_at is None and len(work.lost) > before_it else lost_at
    if why := undecided(work, ""):
        return Outcome(Kind.UNKNOWN, "", 0, why)
    _compare(work)
    if not alone:
        work.lost += work.elsewhere
    if work.lost or work.rows.differ:
        why = work.lost[0] if work.lost else "rows that only one end has stay different"
        rule = "SC911" if work.lost and "leaves out" in work.lost[0] else "SC942"
        return Outcome(Kind.DIVERGES, rule, 0, why, statement=lost_at)
    return RUNS


def starts(work: Workload) -> Outcome | None:
    """What stops the applier before its first event."""
    replica, channel = work.server, work.ends.channel
    folder = replica.setting("slave_load_tmpdir") or replica.setting("replica_load_tmpdir")
    if folder and folder not in (replica.setting("tmpdir"), *_TEMPORARY):
        why = f"whether the replica can write to slave_load_tmpdir = {folder[:60]} (error 12 if not)"
        return Outcome(Kind.UNKNOWN, "SC944", 0, why, "Make the directory on the replica's host")
    if on(replica, "transaction_read_only") and replica.has("error-log-messages-have-numbers"):
        return fails(
            Kind.SQL,
            "SC944",
            "workers",
            replica,
            "transactions are read only on the replica",
            change="Set transaction_read_only = OFF on the replica",
        )
    assigned = (
        channel is not None
        and (channel.option("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS") or "OFF").upper() != "OFF"
    )
    if assigned and not work.ends.source.mariadb and not work.ends.source.has("anonymous-gtid-events"):
        return fails(
            Kind.SQL,
            "SC905",
            "anonymous",
            replica,
            f"{work.ends.source} marks no anonymous transactions, so that no GTIDs are given to them",
            change="Set gtid_mode = ON_PERMISSIVE on the replica, without the option",
        )
    return next(variables.of_ends(work.ends), None)


def _compare(work: Workload) -> None:
    """Tables that only the source has at the end, or that have other columns there."""
    if work.database_gone:
        work.lose(f"the replica has no database {work.home}")
        return
    zones = _zone(work.ends.source) != _zone(work.server)
    for table in work.source.schema.tables:
        if (
            zones
            and table.name.casefold() in work.filled
            and any(c.type.base == "timestamp" for c in table.columns)
        ):
            work.lose(f"TIMESTAMP columns of {table.name} show other values: the ends' time_zone differ")
        other = work.replica.table(table.name)
        if ("view", table.name.casefold()) in work.objects.there and table.kind is TableKind.TABLE:
            work.lose(f"{table.name} is a view on the replica")
        elif table.name.casefold() in work.gone or other is None:
            work.lose(f"the replica has no table {table.name}")
        elif table.name.casefold() in work.filled and _names(table) != _names(other):
            work.lose(f"{table.name} has other columns on the replica")


def _zone(server: Server) -> str:
    return (server.setting("time_zone") or server.setting("default_time_zone") or "SYSTEM").upper()


def _names(table: Table) -> list[str]:
    """Column names without a generated key's."""
    names = [column.name.casefold() for column in table.columns]
    generated = table.gipk or names[:1] == [GENERATED]
    return names[1:] if generated else names
