"""A profile of a live server's tables: rows are counted and measured on the server, none is sent.

A table with an integer key is read piece by piece, each a statement of about a second, at most LONGEST; every
statement reads one state of its rows, no transaction stays open. So rows that were last written before the
table's reading began are all seen, and neither a definition nor the purge of old rows waits longer than for
one piece. Pieces wait while the server is busy.
"""

from __future__ import annotations

import time
from decimal import Decimal
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import InputError
from schemacheck.inputs import live
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.connection import Refused, connected
from schemacheck.model.quote import quoted
from schemacheck.model.table import KeyKind, TableKind
from schemacheck.profile import combined, index, measures
from schemacheck.profile.document import (
    Duplicates,
    Profile,
    ServerOf,
    Skipped,
    TableProfile,
    definition_of,
    utc,
)
from schemacheck.profile.wanted import WantedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schemacheck.inputs.connection import Session
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.model import Column, Schema, Table
    from schemacheck.profile.measures import Measure
    from schemacheck.profile.part import Part
    from schemacheck.profile.wanted import Wanted

#: Rows of the first piece, and seconds that one should take and may take at most.
FIRST, AIM, LONGEST = 10_000, 1.0, 20
#: Threads that run on a server which is busy.
BUSY = 25
#: Rows that a statement without a time limit may read (MySQL 5.6 has none), or one that only counts.
UNLIMITED = 1_000_000
#: What a statement gives that took too long: MySQL's and MariaDB's errors.
_TOO_LONG = (3024, 1969)
#: Engines that hold their rows themselves, in upper case.
_ENGINES = ("INNODB", "MYISAM", "ARIA", "MEMORY", "ARCHIVE", "CSV", "ROCKSDB", "TOKUDB", "NDBCLUSTER")
_SESSION = ("SET SESSION time_zone = '+00:00'", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
#: Variables that only some servers have, or let everybody set (max_error_count, MySQL 9.7).
_IF_THERE = ("information_schema_stats_expiry = 0", "explain_format = TRADITIONAL", "max_error_count = 0")
_STATISTICS = "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, AUTO_INCREMENT FROM information_schema.TABLES"
_WHO = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'server_uid', 'server_id')"


@dataclass(frozen=True, slots=True)
class Options:
    """What to read: databases (none: the endpoint's, else all), what is `wanted` (None: every column), one
    row of how many (None: all), whether bounds are taken, seconds for all of it.
    """

    databases: tuple[str, ...] = ()
    wanted: Wanted | None = None
    sample: int | None = None
    bounds: bool = True
    seconds: float = 3600.0


def now() -> str:
    """The time as documents have it."""
    return utc(time.time())


def take(
    endpoint: Endpoint,
    options: Options,
    *,
    part: Callable[[ServerOf], Part] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Profile:
    """Read a server. `part` opens the file that keeps what is measured, once the server is known. Raises
    InputError; what could not be measured stands in Profile.skipped.
    """
    begun = now()
    schema = _schema(endpoint, options)
    with connected(endpoint, options.seconds) as session:
        server = _server(session, schema)
        file = part(server) if part else None
        begun = file.head["from"] if file else begun
        reading = _Reading(session, options, file, progress or (lambda _: None))
        tables = list(reading.tables(schema))
    after = {(t.database, t.name): definition_of(t) for t in _schema(endpoint, options).tables}
    for number, table in enumerate(tables):
        if after.get((table.schema, table.name)) != table.definition:
            tables[number] = replace(table, complete=False)
            reading.skip(f"{table.schema}.{table.name}", "its definition changed while it was read")
    return Profile(
        "data", server, begun, now(), tuple(tables), (), tuple(reading.skipped), options.sample,
        options.bounds,
    )  # fmt: skip


def _schema(endpoint: Endpoint, options: Options) -> Schema:
    snapshot = live.take(endpoint, databases=options.databases, seconds=options.seconds)
    return assemble(snapshot.pieces(), server=None, name=endpoint.name, database=None, allow_empty=True)


def _server(session: Session, schema: Schema) -> ServerOf:
    variables = session.query(_WHO, "reading the variables failed")[1]
    rows = {str(row[0]): str(row[1]) for row in variables if len(row) == 2}
    if schema.server is None:
        raise InputError(f"{session.endpoint.name}: the server does not say its version")
    number = rows.get("server_id", "")
    return ServerOf(
        schema.server.flavor, schema.server.version_text, rows.get("server_uuid") or rows.get("server_uid"),
        int(number) if number.isdecimal() else None,
    )  # fmt: skip


class _Reading:
    """The tables of one server, one after the other."""

    def __init__(
        self, session: Session, options: Options, part: Part | None, progress: Callable[[str], None]
    ) -> None:
        self.session, self.options, self.part, self.progress = session, options, part, progress
        self.skipped: list[Skipped] = []
        self._end = time.monotonic() + options.seconds
        for statement in _SESSION:
            session.query(statement, "preparing the session failed")
        for setting in _IF_THERE:
            self._try(f"SET SESSION {setting}")
        self._limited = self._limit(LONGEST)
        rows = session.query(_STATISTICS, "reading information_schema.TABLES failed")[1]
        self._statistics = {(str(row[0]), str(row[1])): row[2:] for row in rows if len(row) == 4}

    def skip(self, table: str, reason: str) -> None:
        """Note what was left out."""
        self.skipped.append(Skipped(table, reason))

    def _try(self, statement: str) -> bool:
        try:
            self.session.query(statement, "preparing the session failed")
        except Refused:
            return False
        return True

    def _limit(self, seconds: float) -> bool:
        """Let the server end statements after so long; whether it can."""
        return self._try(f"SET SESSION max_execution_time = {int(seconds * 1000)}") or self._try(
            f"SET SESSION max_statement_time = {seconds}"
        )

    def tables(self, schema: Schema) -> Iterator[TableProfile]:
        """The profile of each table that can be read."""
        for problem in schema.problems:
            if problem.skipped:
                continue
            place = f"{problem.database or ''}.{problem.table or ''}".strip(".") or self.session.endpoint.name
            self.skip(place, problem.message)
        chosen = [
            (table, wanted)
            for table in schema.tables
            if table.kind is TableKind.TABLE and (wanted := self._wanted(table))
        ]
        if not chosen and not self.skipped:
            raise InputError(f"{self.session.endpoint.name}: there is no table to be measured")
        for number, (table, wanted) in enumerate(chosen, 1):
            if (table.engine or "").upper() not in _ENGINES:
                self.skip(table.qualified_name, f"rows of the engine {table.engine} are not its own")
                continue
            self._about = f"{table.qualified_name} ({number} of {len(chosen)} tables)"
            self.progress(self._about)
            try:
                yield self._table(table, wanted)
            except Refused as refused:
                long = "reading it takes too long, and no integer key gives smaller pieces"
                why = long if refused.number in _TOO_LONG else refused.text or str(refused)
                self.skip(table.qualified_name, why)
            except (ValueError, ArithmeticError) as error:  # a number that the server gave
                raise InputError(
                    f"{self.session.endpoint.name}: no measure of {table.qualified_name}: {error}"
                ) from None

    def _wanted(self, table: Table) -> WantedTable | None:
        wanted = self.options.wanted
        if wanted is None:
            return WantedTable(None)
        return wanted.get(((table.database or "").casefold(), table.name.casefold()))

    def _table(self, table: Table, wanted: WantedTable) -> TableProfile:
        place, at = self.part.table(table.database or "", table.name) if self.part else (None, None)
        if place is not None and place.definition != definition_of(table):
            place = at = None
        if place is None and not self.options.sample and index.answers(table, wanted):
            place = self._by_index(table, wanted)
            self._add(place)
        elif place is None or at is not None:
            place = self._by_pieces(table, wanted, place, at)
        if table.system_versioned:
            place = replace(place, complete=False)
            self.skip(table.qualified_name, "old versions of its rows were not read")
        auto = self._statistics.get((table.database or "", table.name), (0, None))[1]
        keys = () if self.options.sample else tuple(self._duplicates(table, wanted))
        return replace(place, auto_increment=int(auto) if auto is not None else None, duplicates=keys)

    def _profile(self, table: Table, columns: dict[str, Any], **fields: Any) -> TableProfile:
        return TableProfile(table.database or "", table.name, now(), columns, definition_of(table), **fields)

    def _add(self, table: TableProfile, begin: int | None = None) -> None:
        if self.part:
            self.part.add(table, begin)

    def _estimate(self, table: Table) -> int:
        return int(self._statistics.get((table.database or "", table.name), (0,))[0] or 0)

    def _by_index(self, table: Table, wanted: WantedTable) -> TableProfile:
        """By queries that indexes answer: no row of a large table is read."""
        columns = {
            column.name: measures.result(
                column.type,
                every,
                [self._row(index.query(table, column, measure), 1)[0] for measure in every],
            )
            for column, every in self._asked(table, wanted)
        }
        # An estimate is no number of rows: a small table's are counted.
        count = f"SELECT COUNT(*) FROM {index.named(table)}"  # noqa: S608
        rows = int(self._row(count, 1)[0]) if self._estimate(table) <= UNLIMITED else None
        return self._profile(table, columns, complete=True, rows=rows)

    def _row(self, sql: str, width: int) -> tuple[Any, ...]:
        """The only row of an answer: numbers, texts or NULL. Raises InputError where it is another thing."""
        rows = self.session.query(sql, "measuring failed")[1]
        kinds = (int, float, Decimal, str, NoneType)
        if [len(row) for row in rows] != [width] or not all(isinstance(value, kinds) for value in rows[0]):
            raise InputError(
                f"{self.session.endpoint.name}: the server's answer is no row of {width} measures"
            )
        return rows[0]

    # -- pieces ----------------------------------------------------------------------------------------

    def _by_pieces(
        self, table: Table, wanted: WantedTable, place: TableProfile | None, at: int | None
    ) -> TableProfile:
        name = index.named(table)
        key = _integer_key(table)
        if key is None:
            if not self._limited and self._estimate(table) > UNLIMITED:
                raise Refused("", None, "this server cannot limit a statement's time, and the table has no "
                              "integer key by which it could be read in pieces")  # fmt: skip
            self._limit(max(self._end - time.monotonic(), 1))
            one_of = f"WHERE RAND() * {self.options.sample} < 1" if self.options.sample else ""
            piece = self._read(table, wanted, f"{name} {one_of}")
            self._limit(LONGEST)
            self._add(piece)
            return piece
        column, hint = quoted(key), f"{name} FORCE INDEX (PRIMARY)"
        ends = f"SELECT MIN({column}), MAX({column}) FROM {name}"  # noqa: S608 names of the server's own
        low, high = self._row(ends, 2)
        if low is None or (at is not None and at > high):
            low = high = at or 0
        at = at if at is not None else int(low)
        goal, width = FIRST, max((int(high) - int(low) + 1) * FIRST // max(self._estimate(table), 1), 1)
        while at is not None:
            width = self._narrowed(hint, column, at, width, goal)
            end = at + width if at + width <= high else None
            upper = f"{column} < {end}" if end is not None else f"{column} <= {high}"
            self._rest()
            started = time.monotonic()
            try:
                piece = self._read(table, wanted, f"{hint} WHERE {column} >= {at} AND {upper}")
            except Refused as refused:
                if refused.number not in _TOO_LONG or width == 1:
                    raise
                goal, width = max(goal // 4, 1), max(width // 4, 1)
                continue
            took = time.monotonic() - started
            goal = max(min(int(goal * min(AIM / max(took, 0.01), 2)), UNLIMITED), 1)
            if self.options.sample and end is not None:
                end = end + width * (self.options.sample - 1)
                end = end if end <= high else None
            place = combined.rows(place, piece) if place else piece
            self._add(place, end)
            at, width = end, width * 2
            share = 100 if end is None else 100 * (end - int(low)) // max(int(high) - int(low), 1)
            self.progress(f"{self._about}: {share} %, {place.rows or 0:,} rows")
        assert place is not None
        return place

    def _narrowed(self, hint: str, column: str, at: int, width: int, goal: int) -> int:
        """A width of a piece in which the index expects no more than about `goal` rows."""
        while width > 1:
            rows_of = f"FROM {hint} WHERE {column} >= {at} AND {column} < {at + width}"
            sql = f"EXPLAIN SELECT COUNT(*) {rows_of}"
            heading, rows = self.session.query(sql, "an estimate failed")
            expected = int(rows[0][heading.index("rows")] or 0) if rows and "rows" in heading else 0
            if expected <= 2 * goal:
                break
            width = max(width // 2, 1)
        return width

    def _rest(self) -> None:
        """Wait while the server is busy."""
        status = "SHOW GLOBAL STATUS LIKE 'Threads_running'"
        while int(self._row(status, 2)[1]) > BUSY:
            time.sleep(AIM)

    def _read(self, table: Table, wanted: WantedTable, rest: str) -> TableProfile:
        """Measure rows: those of FROM and what is behind it."""
        asked = self._asked(table, wanted)
        listed = ["COUNT(*)", *(measure.sql for _, every in asked for measure in every)]
        count, *values = self._row(f"SELECT {', '.join(listed)} FROM {rest}", len(listed))  # noqa: S608
        given = iter(values)
        columns = {
            column.name: measures.result(column.type, every, list(islice(given, len(every))))
            for column, every in asked
        }
        return self._profile(table, columns, complete=self.options.sample is None, rows=int(count))

    def _asked(self, table: Table, wanted: WantedTable) -> list[tuple[Column, list[Measure]]]:
        """What is asked of each column that is wanted."""
        conditions, bounds = wanted.conditions, self.options.bounds
        return [
            (column, measures.measures(column, conditions.get(column.name.casefold(), ()), bounds=bounds))
            for column in table.columns
            if wanted.wants(column.name)
        ]

    # -- duplicates --------------------------------------------------------------------------------------

    def _duplicates(self, table: Table, wanted: WantedTable) -> Iterator[Duplicates]:
        self._limit(max(self._end - time.monotonic(), 1))
        for key in wanted.keys:
            names = tuple(f"{name}({length})" if length else name for name, length in key.parts)
            try:
                groups, rows = self._row(index.duplicates(table, key), 2)
            except Refused as refused:
                self.skip(
                    table.qualified_name, f"duplicates of ({', '.join(names)}): {refused.text or refused}"
                )
                continue
            columns = [(name, table.column(name)) for name, _ in key.parts]
            texts = {
                key.collations.get(n) or c.type.collation for n, c in columns if c and c.type.is_character
            }
            collation = texts.pop() if len(texts) == 1 else None
            yield Duplicates(names, int(groups), int(rows or 0), collation)
        self._limit(LONGEST)


def _integer_key(table: Table) -> str | None:
    """The first column of the primary key, where it is an integer."""
    key = next((key for key in table.keys if key.kind is KeyKind.PRIMARY), None)
    column = table.column(key.parts[0].column or "") if key else None
    return column.name if column and column.type.is_integer else None
