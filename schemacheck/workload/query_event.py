"""A query event: whether the replica reads it with what it brings along, and whether its parser takes the
text.
"""

from __future__ import annotations

import re

from schemacheck.link import carried, dialect
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server
from schemacheck.sql.versioned_comment import interpret
from schemacheck.workload.state import Workload

_VERSIONED = re.compile(r"/\*!.*?\*/", re.DOTALL)
_ZONED = re.compile(
    r"\b(NOW|CURRENT_TIMESTAMP|SYSDATE|CURTIME|CURDATE|CURRENT_DATE|CURRENT_TIME|FROM_UNIXTIME|UNIX_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP)\b",
    re.IGNORECASE,
)


def written(work: Workload, text: str) -> str:
    """The text as it is logged: a versioned comment that the source skips loses its mark."""
    source = work.ends.source
    return _VERSIONED.sub(
        lambda one: one.group() if interpret(one.group(), source).strip() else "/* " + one.group()[3:], text
    )


def zoned(work: Workload, text: str, table: str | None) -> bool:
    """Whether the statement uses the session's time zone, which is then logged (time_zone_used)."""
    if _ZONED.search(dialect.plain(text)):
        return True
    known = work.source.table(table) if table else None
    return known is not None and any(column.type.base == "timestamp" for column in known.columns)


def begin(work: Workload, text: str, table: str | None = None) -> Outcome | None:
    """BEGIN as MySQL logs it: a query event with the session of the first statement."""
    session, replica = work.session, work.server
    unread = carried.unread_collation(session.collations, session.source, replica)
    if unread is not None:
        return unread if unread.kind is not Kind.DIVERGES else None
    found = carried.unread_mode(session, replica) or carried.unread_begin(session, replica)
    if found is None and zoned(work, text, table):
        found = carried.unread_zone(session, replica)
    return found


def compressed_from(source: Server) -> int:
    """log_bin_compress_min_len: shorter events stay as they are."""
    return int(source.setting("log_bin_compress_min_len") or 256)


def comes_along(
    work: Workload, text: str, *, table: str | None = None, begins: bool = False
) -> Outcome | None:
    """Whether the query event is read: compression, BEGIN, collations, sql_mode, time zone.

    Kind.DIVERGES: the statement is left out.
    """
    source, replica, session = work.ends.source, work.server, work.session
    if (
        source.mariadb
        and session.flag("log_bin_compress")
        and not replica.mariadb
        and not replica.has("compressed-events")
    ) and len(text.encode()) >= compressed_from(source):
        return fails(
            Kind.SQL,
            "SC921",
            "relay-log",
            replica,
            f"{replica} cannot read compressed query events",
            change="Set log_bin_compress = OFF on the source",
        )
    if begins and source.has("begin-carries-the-session") and (found := begin(work, text, table)) is not None:
        return found
    found = carried.unread_collation(session.collations, source, replica)
    if found is None:
        found = carried.unread_mode(session, replica)
    if found is None and zoned(work, text, table):
        found = carried.unread_zone(session, replica)
    return found


def read_only(replica: Server) -> Outcome | None:
    """transaction_read_only of the replica, which its applier's sessions take over (MySQL 8.0 and later stop
    at START).
    """
    if not (on(replica, "transaction_read_only") or on(replica, "tx_read_only")):
        return None
    return fails(
        Kind.SQL,
        "SC944",
        "read-only",
        replica,
        "transactions are read only on the replica",
        change="Set transaction_read_only = OFF on the replica",
    )


def executed(work: Workload, text: str, *, functions: bool = True) -> Outcome | None:
    """Whether the replica's parser takes the text."""
    found = dialect.foreign(text, work.server)
    if found is None and functions:
        found = dialect.foreign_function(text, work.server) or dialect.foreign_charset(text, work.server)
    if found is None:
        return None
    if found.number is None:
        return Outcome(Kind.UNKNOWN, "SC932", 0, f"what {work.server} says of {found.name} was not recorded")
    return Outcome(
        Kind.SQL,
        "SC932",
        found.number,
        f"{work.server} does not know {found.name}",
        f"Do not use {found.name} on the source, or log rows",
    )
