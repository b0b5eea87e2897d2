"""What binary logs write: values of row events by table and column, statements by their text without values.

One pass over the events; memory is that of the tables and of at most MOST statements.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from schemacheck.binlog.check.writer import writer
from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.events.load import ExecuteLoadQuery, Load
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.statement import Query
from schemacheck.binlog.files import read_logs
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model import Schema, Server
from schemacheck.profile import combined
from schemacheck.profile.document import (
    Log,
    Profile,
    ServerOf,
    Skipped,
    StatementProfile,
    TableProfile,
    Writes,
)
from schemacheck.profile.images import Images
from schemacheck.sql.statements.features import Features, features
from schemacheck.sql.statements.normalised import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.binlog.events.table_map import TableDefinition
    from schemacheck.binlog.files import Progress
    from schemacheck.binlog.readers import Event
    from schemacheck.model import Table

#: Statements that are told apart; all further ones count as one.
MOST = 10_000
OTHERS = Features((), ("unread",))
#: Bits of the status variable sql_mode that say how a statement is read, or what it refuses (sql_class.h).
_MODES = {
    2: "ANSI_QUOTES", 3: "IGNORE_SPACE", 20: "NO_BACKSLASH_ESCAPES", 21: "STRICT_TRANS_TABLES",
    22: "STRICT_ALL_TABLES",
}  # fmt: skip
#: Statements that write their first table alone.
_FIRST = frozenset(("insert", "replace", "load"))
#: What begins and ends transactions.
_BRACKETS = frozenset(("BEGIN", "COMMIT", "ROLLBACK", "START TRANSACTION"))
_XA = ("XA ", "SAVEPOINT ", "ROLLBACK TO ", "RELEASE ")
_NUMBER = re.compile(r"\.(\d+)(?:\.gz|\.zst)?\Z", re.ASCII)
#: Characters of a text that are kept.
_LONGEST = 1000


@dataclass(slots=True)
class _Digest:
    """Statements that are alike."""

    text: str
    about: Features | None
    more: tuple[str, ...]
    database: str
    first: int
    last: int
    count: int = 0


@dataclass(slots=True)
class _Target:
    """Statements that write one table."""

    first: int
    last: int
    count: int = 0


@dataclass(slots=True)
class _State:
    """What is gathered."""

    schema: Schema
    bounds: bool
    server: Server | None = None
    server_id: int = 0
    first: int = 0
    last: int = 0
    images: dict[TableDefinition, Images] = field(default_factory=dict)
    digests: dict[tuple[str, str, bool, tuple[str, ...]], _Digest] = field(default_factory=dict)
    sessions: dict[bytes, tuple[Server, bool, bool]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)


def read(
    files: Iterable[str],
    *,
    schema: Schema | None = None,
    bounds: bool = True,
    verify: bool = True,
    progress: Progress | None = None,
) -> Profile:
    """Read logs in order; `schema` lends the definitions for what they do not tell (names of columns, signs).
    Raises BinlogError and InputError where nothing can be read; a log that is damaged further on ends there.
    """
    state = _State(schema or Schema(), bounds)
    names = list(files)
    events = 0
    try:
        for file, event in read_logs(names, verify=verify, progress=progress):
            events += 1
            _take(state, event, f"{file}@{event.header.position}")
    except BinlogError as error:
        if events == 0:
            raise
        state.skipped.append(Skipped(f"{error.file or names[-1]}@{error.offset}", error.reason))
    for before, after in pairwise(names):
        if (number := _number(after)) is None or number - 1 != _number(before):
            state.skipped.append(Skipped(after, f"nothing says that it follows {before}"))
    return _profile(state)


def _number(name: str) -> int | None:
    match = _NUMBER.search(PurePath(name).name)
    return int(match[1]) if match else None


def _take(state: _State, event: Event, place: str) -> None:
    header = event.header
    if header.timestamp:
        state.first = min(state.first or header.timestamp, header.timestamp)
        state.last = max(state.last, header.timestamp)
    if isinstance(event, Rows):
        if event.table is None:
            return  # the end of a statement's events
        images = state.images.get(event.table)
        if images is None:
            like = _table(state.schema, event.table.database, event.table.name)
            images = state.images[event.table] = Images(event.table, like, bounds=state.bounds)
        try:
            images.take(event)
        except DamagedEvent as error:
            images.complete = False
            state.skipped.append(Skipped(place, error.reason))
    elif isinstance(event, Query):
        _statement(state, event)
    elif isinstance(event, TransactionPayload):
        for inner in event.events():
            _take(state, inner, place)
    elif isinstance(event, ExecuteLoadQuery):
        _statement(
            state,
            Query(
                header, event.thread_id, event.exec_time, event.error_code, event.database, event.query,
                event.status,
            ),
        )  # fmt: skip
    elif isinstance(event, Load):
        text = f"LOAD DATA INFILE ? INTO TABLE {event.table}"
        _count(state, text, text, event.database, (), header.timestamp, state.server or Server.parse("mysql"))
    elif state.server is None:
        state.server = writer(event)
        state.server_id = header.server_id


def _table(schema: Schema, database: str, name: str) -> Table | None:
    folded = name.casefold()
    return next(
        (
            table
            for table in schema.tables
            if table.name.casefold() == folded and table.database in (None, database)
        ),
        None,
    )


def _statement(state: _State, event: Query) -> None:
    text = event.query
    if text in _BRACKETS or text.startswith(_XA):
        return
    how = state.sessions.get(event.status)
    if how is None:
        mode = event.variables().get("sql_mode")
        words = [word for bit, word in _MODES.items() if isinstance(mode, int) and mode >> bit & 1]
        server = (state.server or Server.parse("mysql")).with_told({"sql_mode": ",".join(words)})
        modes = server.sql_mode
        how = server, "ANSI_QUOTES" in modes, "NO_BACKSLASH_ESCAPES" not in modes
        if len(state.sessions) < MOST:
            state.sessions[event.status] = how
    server, ansi_quotes, backslash = how
    more = ("fails",) if event.error_code else ()
    short = normalised(text, ansi_quotes=ansi_quotes, backslash=backslash)
    _count(state, short, text, event.database, more, event.header.timestamp, server)


def _count(
    state: _State, short: str, text: str, database: str, more: tuple[str, ...], moment: int, server: Server
) -> None:
    strict = server.strict
    digest = state.digests.get((database, short, strict, more))
    if digest is None:
        if len(state.digests) < MOST:
            about = features(text, server, database=database, strict=strict)
            digest = _Digest(short, about, more, database, moment, moment)
        else:
            database, short, strict, more = "", "", False, ()
            digest = state.digests.get((database, short, strict, more))
            digest = digest or _Digest("", OTHERS, (), "", moment, moment)
        state.digests[database, short, strict, more] = digest
    digest.count += 1
    digest.first, digest.last = min(digest.first, moment), max(digest.last, moment)


def utc(moment: int) -> str:
    """Seconds since 1970 as documents have times."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


def _profile(state: _State) -> Profile:
    tables: dict[tuple[str, str], TableProfile] = {}
    for definition, images in state.images.items():
        made = images.profile(utc(state.first))
        name = definition.database, definition.name
        tables[name] = combined.written(tables[name], made) if name in tables else made
    statements = []
    for digest in state.digests.values():
        about = digest.about
        if about is None:
            continue  # no change of rows and no definition
        more = Writes(digest.count, first=utc(digest.first), last=utc(digest.last))
        for target in about.tables[:1] if _FIRST & set(about.features) else about.tables:
            database, _, table = target.partition(".")
            seen = tables.get((database, table))
            seen = seen or TableProfile(database, table, utc(state.first), {}, complete=True, rows=0)
            writes = combined.writes(seen.writes, more) if seen.writes else more
            tables[database, table] = replace(seen, writes=writes)
        statements.append(_of_digest(digest, about))
    server = state.server
    of = ServerOf(
        server.flavor if server else "", server.version_text if server else "", None, state.server_id or None
    )
    formats = [name for name, there in (("row", state.images), ("statement", statements)) if there]
    return Profile(
        "binlog", of, utc(state.first), utc(state.last), tuple(tables.values()), tuple(statements),
        tuple(state.skipped), None, state.bounds, Log(tuple(formats), not state.skipped),
    )  # fmt: skip


def _of_digest(digest: _Digest, about: Features) -> StatementProfile:
    mark = hashlib.sha256(
        repr((digest.database, digest.text, about.features, digest.more)).encode()
    ).hexdigest()[:16]
    return StatementProfile(
        mark, digest.text[:_LONGEST], about.tables, digest.count, utc(digest.first), utc(digest.last),
        (*about.features, *digest.more), about.written, about.read, about.calls,
    )  # fmt: skip
