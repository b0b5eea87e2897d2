"""What binary logs write: values of row events by table and column, statements by their text without values.

One pass over the events; memory is that of the tables and of at most MOST statements.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.events.control import Incident, Other
from schemacheck.binlog.events.load import ExecuteLoadQuery
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.statement import Query, status_variables
from schemacheck.binlog.files import read_logs
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.writer import writer
from schemacheck.dataclass import replace
from schemacheck.model import Server
from schemacheck.profile import combined
from schemacheck.profile.document import (
    Log,
    Profile,
    ServerOf,
    Skipped,
    StatementProfile,
    TableProfile,
    Writes,
    utc,
)
from schemacheck.profile.images import Images
from schemacheck.sql.statements.features import Features, features, normalised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.binlog.events.table_map import TableDefinition
    from schemacheck.binlog.files import Progress
    from schemacheck.binlog.readers import Event
    from schemacheck.model import Schema, Table

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
_BRACKETS = ("BEGIN", "COMMIT", "ROLLBACK", "START TRANSACTION")
_XA = ("XA ", "SAVEPOINT ", "ROLLBACK TO ", "RELEASE ")
_NUMBER = re.compile(r"\.(\d+)(?:\.gz|\.zst)?\Z", re.ASCII)
#: Characters of a statement's text that are kept.
_LONGEST = 1000
#: Statements that are alike: database, text without values, server with its sql_mode, whether they failed.
_Digest = tuple[str, str, Server | None, bool]
_FURTHER: _Digest = ("", "", None, False)


def read(
    files: Sequence[str],
    *,
    schema: Schema | None = None,
    bounds: bool = True,
    progress: Progress | None = None,
) -> Profile:
    """Read logs in order; `schema` lends the definitions for what they do not tell (names of columns, signs).
    Raises BinlogError and InputError where nothing can be read; a log that is damaged further on ends there.
    """
    reading = _Reading(schema.tables if schema else (), bounds=bounds)
    try:
        for file, event in read_logs(files, progress=progress):
            reading.take(event, f"{file}@{event.header.position}")
    except BinlogError as error:
        if not reading.events:
            raise
        reading.skipped.append(Skipped(f"{error.file or files[-1]}@{error.offset}", error.reason))
    for before, after in pairwise(files):
        numbers = [_NUMBER.search(PurePath(name).name) for name in (before, after)]
        if not all(numbers) or int(numbers[0][1]) + 1 != int(numbers[1][1]):  # type: ignore[index]
            reading.skipped.append(Skipped(after, f"nothing says that it follows {before}"))
    return reading.profile()


class _Reading:
    """What is gathered of the events."""

    def __init__(self, tables: Sequence[Table], *, bounds: bool) -> None:
        self.events = 0
        self.skipped: list[Skipped] = []
        self._known = {(table.database, table.name.casefold()): table for table in tables}
        self._bounds = bounds
        self._server: Server | None = None
        self._server_id: int | None = None
        self._first = self._last = 0
        self._images: dict[TableDefinition, Images] = {}
        #: What statements do (None: nothing to rows), and how often they stand there.
        self._digests: dict[_Digest, Features | None] = {}
        self._counts: Counter[_Digest] = Counter()
        #: By status variables: the server under their sql_mode.
        self._sessions: dict[bytes, Server] = {}

    def take(self, event: Event, place: str) -> None:
        """One event of the log, or of a transaction in it."""
        self.events += 1
        moment = event.header.timestamp
        if moment:
            self._first, self._last = min(self._first or moment, moment), max(self._last, moment)
        if isinstance(event, Rows):
            if event.table is not None:  # else the end of a statement's events
                self._rows(event, event.table, place)
        elif isinstance(event, Query | ExecuteLoadQuery):
            self._statement(event)
        elif isinstance(event, TransactionPayload):
            for inner in unpacked(event):
                self.take(inner, place)
        elif isinstance(event, Incident):
            self.skipped.append(Skipped(place, "the source lost events here (an incident)"))
        elif isinstance(event, Other) and not event.known:
            self.skipped.append(Skipped(place, f"an event of type {event.header.code} is not read"))
        elif self._server is None and (server := writer(event)) is not None:
            self._server, self._server_id = server, event.header.server_id

    def _rows(self, event: Rows, table: TableDefinition, place: str) -> None:
        images = self._images.get(table)
        if images is None:
            name = table.name.casefold()
            like = self._known.get((table.database, name)) or self._known.get((None, name))
            images = self._images[table] = Images(table, like, bounds=self._bounds)
        try:
            images.take(event)
        except DamagedEvent as error:
            images.complete = False
            self.skipped.append(Skipped(place, error.reason))

    def _statement(self, event: Query | ExecuteLoadQuery) -> None:
        text = event.query
        if text in _BRACKETS or text.startswith(_XA):
            return
        server = self._sessions.get(event.status)
        if server is None:
            mode = status_variables(event.status, event.header.position).get("sql_mode")
            words = [word for bit, word in _MODES.items() if isinstance(mode, int) and mode >> bit & 1]
            server = (self._server or Server.parse("mysql")).with_told({"sql_mode": ",".join(words)})
            if len(self._sessions) < MOST:
                self._sessions[event.status] = server
        ansi_quotes = "ANSI_QUOTES" in server.sql_mode
        backslash = "NO_BACKSLASH_ESCAPES" not in server.sql_mode
        short = normalised(text, ansi_quotes=ansi_quotes, backslash=backslash)
        key: _Digest = (event.database, short, server, event.error_code != 0)
        if key not in self._digests and len(self._digests) < MOST:
            self._digests[key] = features(text, server, database=event.database, strict=server.strict)
        elif key not in self._digests:
            key = _FURTHER
            self._digests[key] = OTHERS
        self._counts[key] += 1

    def profile(self) -> Profile:
        """All of it."""
        begun = utc(self._first)
        tables: dict[str, TableProfile] = {}
        for definition, images in self._images.items():
            made, name = images.profile(begun), definition.qualified_name
            tables[name] = combined.written(tables[name], made) if name in tables else made
        statements = []
        for digest, about in self._digests.items():
            if about is None:
                continue
            (_, text, _, fails), count = digest, self._counts[digest]
            for name in about.tables[:1] if _FIRST & set(about.features) else about.tables:
                database, _, table = name.partition(".")
                seen = tables.get(name) or TableProfile(database, table, begun, {}, complete=True, rows=0)
                tables[name] = replace(seen, writes=combined.writes(seen.writes or Writes(), Writes(count)))
            marks = (*about.features, "fails") if fails else about.features
            statements.append(
                StatementProfile(
                    text[:_LONGEST], about.tables, count, marks, about.inserted, about.updated, about.read,
                    about.calls, about.queried, about.ordered,
                )
            )  # fmt: skip
        server = self._server
        names = (server.flavor, server.version_text) if server else ("", "")
        formats = [word for word, there in (("row", self._images), ("statement", statements)) if there]
        return Profile(
            "binlog", ServerOf(*names, None, self._server_id), begun, utc(self._last),
            tuple(tables.values()), tuple(statements), tuple(self.skipped), None, self._bounds,
            Log(tuple(formats), not self.skipped),
        )  # fmt: skip
