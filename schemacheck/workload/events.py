"""Whether the replica reads the event of a statement, or its row events, with all that comes along."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.dataclass import replace
from schemacheck.link import by_settings, carried, dialect
from schemacheck.link.ends import Ends, on
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.link.session import Session
from schemacheck.model import Link, Server, Table

_ZONED = re.compile(
    r"\b(NOW|CURRENT_TIMESTAMP|SYSDATE|CURTIME|CURDATE|CURRENT_DATE|CURRENT_TIME|FROM_UNIXTIME|UNIX_TIMESTAMP"
    r"|LOCALTIME|LOCALTIMESTAMP|TIMESTAMP|DATETIME|TIME_ZONE)\b",
    re.IGNORECASE,
)
_USER_VARIABLE = re.compile(r"(?<!@)@(\w+)")
#: What makes a value that is longer than its text.
_GROWS = re.compile(r"\b(REPEAT|[LR]PAD|SPACE|\w+PLACE|LOAD_FILE)\s*\(", re.IGNORECASE)
#: What does so where a part of it is long.
_JOINS = re.compile(r"\bCONCAT\w*\s*\(", re.IGNORECASE)
_LIMITS = ("slave_max_allowed_packet", "slave_pending_jobs_size_max", "max_allowed_packet")


def in_session(ends: Ends, session: Session, form: str, text: str) -> Ends:
    """The ends with what the source's session has set, as an event in this format (ROW, STATEMENT) has it."""
    own = {**session.variables, "binlog_format": form}
    size = ends.source.setting("log_bin_compress_min_len")
    if len(text.encode()) < (int(size) if size.isdigit() else 256):
        own["log_bin_compress"] = "OFF"  # short events stay as they are
    return replace(ends, link=Link(ends.source.with_told(own), ends.replica))


def of_rows(ends: Ends, session: Session, text: str, table: Table, *, update: bool) -> Iterator[Outcome]:
    """What stops the row events of a change, first things first."""
    ends = in_session(ends, session, "ROW", text)
    yield from _size(ends, text, table)
    yield from by_settings.compression(ends)
    if ends.source.has("begin-carries-the-session"):
        yield from (
            outcome for outcome in _begin(ends, session, text, table) if outcome.kind is not Kind.DIVERGES
        )
    yield from by_settings.old_rows(ends)
    yield from _read_only(ends)
    if update:
        yield from by_settings.partial_rows(ends)
    # The version's default holds too where nobody gave the replica's format.
    given = {"binlog_format": ends.replica.setting("binlog_format")}
    yield from by_settings.replica_log(replace(ends, link=Link(ends.source, ends.replica.with_told(given))))


def of_statement(ends: Ends, session: Session, text: str, table: Table | None) -> Iterator[Outcome]:
    """What stops the event of a statement, or keeps it from being read (Kind.DIVERGES). `table`: it changes
    rows of this one, else it is a definition.
    """
    ends = in_session(ends, session, "STATEMENT", text)
    if table is not None and ends.channel is not None and ends.channel.on("REQUIRE_ROW_FORMAT"):
        why = "the channel takes row events only (REQUIRE_ROW_FORMAT)"
        change = "Set binlog_format = ROW on the source"
        yield fails(Kind.SQL, "SC901", "row-only", ends.replica, why, change=change)
    if table is not None:
        yield from _read_only(ends)
    yield from _size(ends, text, table)
    begins = table is not None and ends.source.has("begin-carries-the-session")
    if begins:
        yield from (
            outcome for outcome in _begin(ends, session, text, table) if outcome.kind is not Kind.DIVERGES
        )
    for name in _USER_VARIABLE.findall(text) if table is not None else ():
        if (unread := carried.unread_variable(name, session, ends.replica)) is not None:
            yield unread
    yield from by_settings.compression(ends)
    yield from _begin(ends, session, text, table, begins=False)
    yield from of_parser(ends.replica, text, functions=table is not None)
    if table is None:
        yield from _read_only(ends)


def _begin(
    ends: Ends, session: Session, text: str, table: Table | None, *, begins: bool = True
) -> Iterator[Outcome]:
    """What an event carries of its session: collations, sql_mode, time zone where it is used. `begins`: it is
    the BEGIN of a transaction.
    """
    questions = [
        carried.unread_collation(session.collations, ends.source, ends.replica),
        carried.unread_mode(session, ends.replica),
        carried.unread_begin(session, ends.replica) if begins else None,
    ]
    # MySQL 8.0.19 and later look for an offset in a DATETIME (asked of 9.7).
    wide = ends.source.has("wide-time-zones")
    kinds = [column.type for column in table.columns] if table is not None else []
    dated = any(kind.is_timestamp or (wide and kind.is_moment) for kind in kinds)
    if dated or _ZONED.search(dialect.plain(text)):
        zone = session.variables.get("time_zone") or ends.source.setting("time_zone")
        questions.append(carried.unread_zone(zone, ends.replica))
    yield from filter(None, questions)


def _read_only(ends: Ends) -> Iterator[Outcome]:
    if on(ends.replica, "tx_read_only"):
        ends = replace(ends, link=Link(ends.source, ends.replica.with_told({"transaction_read_only": "ON"})))
    yield from by_settings.read_only_transactions(ends)


def _size(ends: Ends, text: str, table: Table | None) -> Iterator[Outcome]:
    """Limits that the event, or a value in it, may be above."""
    plain = dialect.plain(text)
    short = table is not None and not any(column.type.is_lob for column in table.columns)
    joins = _JOINS.search(plain) and (not short or "SELECT" in plain.upper() or "JOIN" in plain.upper())
    grows = _GROWS.search(plain) or joins
    limits = [(ends.replica, name) for name in _LIMITS] + [(ends.source, _LIMITS[-1])]
    for server, name in limits:
        limit = server.setting(name) if server.given(name) else ""
        if limit.isdigit() and (len(text.encode()) > int(limit) or grows):
            why = f"whether the event, and the values in it, are below {name} = {limit} of {server}"
            yield Outcome(Kind.UNKNOWN, "SC906", 0, why, f"Raise {name}")
    if grows and not ends.replica.has("large-redo-records"):
        why = "a row of more than a tenth of the replica's redo log stops it (1118)"
        yield Outcome(Kind.UNKNOWN, "SC906", 0, why, "Raise innodb_log_file_size on the replica")


def of_parser(server: Server, text: str, *, functions: bool = True) -> Iterator[Outcome]:
    """What the server's parser does not know of the text."""
    foreign = dialect.foreign(text, server)
    if foreign is None and functions:
        foreign = dialect.foreign_function(text, server) or dialect.foreign_charset(text, server)
    if foreign is not None and foreign.number is None:
        yield Outcome(Kind.UNKNOWN, "SC932", 0, f"what {server} says of {foreign.name} was not recorded")
    elif foreign is not None and foreign.number is not None:
        change = f"Do not use {foreign.name} on the source, or log rows"
        yield Outcome(Kind.SQL, "SC932", foreign.number, f"{server} does not know {foreign.name}", change)
