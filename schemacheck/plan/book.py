"""Steps of a runbook as they are written down, and what a statement needs around it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from schemacheck.catalog.online import Way
from schemacheck.model import Link, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted, string
from schemacheck.model.table import Size
from schemacheck.plan import algorithm, fits, words
from schemacheck.plan.difference import Name
from schemacheck.plan.model import (
    REPLICA,
    SOURCE,
    Action,
    Back,
    Look,
    RunbookStep,
    Stage,
    StatementPlan,
    StepKind,
)
from schemacheck.plan.statement_reader import EMPTIES, REPLACED, TAKES_ROWS
from schemacheck.replay.partition import MOVES
from schemacheck.sql.words import first_words, main_verb

#: An ALTER does not stand in the way of everybody for longer.
PATIENCE = f"SET SESSION lock_wait_timeout = {words.LOCK_PATIENCE}"
#: Around what is not to be replicated.
UNLOGGED = "SET SESSION sql_log_bin = 0", "SET SESSION sql_log_bin = 1"
#: Around what a server that takes no writes has to take (MySQL).
WRITABLE = (
    (
        "SET @was_read_only = @@GLOBAL.read_only, @was_super = @@GLOBAL.super_read_only",
        "SET GLOBAL super_read_only = OFF",
    ),
    ("SET GLOBAL super_read_only = @was_super", "SET GLOBAL read_only = @was_read_only"),
)


#: Words of a statement that are looked at.
_WORDS = 1000
#: What holds up an ALTER, which waits for every transaction that has used the table.
_OLDEST = "SELECT MIN(trx_started), NOW() FROM information_schema.INNODB_TRX\\G"
_SOON = "NULL, or a start seconds ago: an ALTER waits for it"


#: What the ends of a link are called.
_ENDS = {SOURCE: "source", REPLICA: "every replica, one after the other"}


class Book:
    """Steps as they are written down."""

    def __init__(self, link: Link, sizes: Mapping[Name, Size]) -> None:
        self.link, self.sizes = link, sizes
        self.servers = {SOURCE: link.source, REPLICA: link.replica}
        self.steps: list[RunbookStep] = []
        self.by_gtid = all(map(words.gtids, self.servers.values()))

    def add(self, kind: StepKind, side: str, text: str, *sql: str, **more: object) -> None:
        """A step; `more` are its other fields."""
        where = _ENDS[side]
        if kind in (StepKind.LOOK, StepKind.WAIT):
            where = where.removesuffix(", one after the other")
        self.steps.append(
            RunbookStep(
                len(self.steps) + 1, where, text, tuple(map(ended, sql)), kind, side, **more  # type: ignore[arg-type]
            )
        )  # fmt: skip

    def size(self, table: Table) -> str:
        """What is known of a table's size, in words; '' where nothing is."""
        size = table.size or self.sizes.get((table.database, table.name))
        if size is None or not size.n_bytes:
            return ""
        rows = "" if size.rows is None else f", about {size.rows:,} rows"
        return f"{-(-size.n_bytes // _MEGABYTE):,} MB{rows}"

    def look(self, server: Server, more: str = "") -> Look:
        """A replica that runs and is not behind."""
        return Look(words.status(server), words.running(server) + more)


def ended(sql: str) -> str:
    """A statement with its delimiter."""
    return sql if sql.endswith("\\G") else sql.rstrip(";") + ";"


def run_step(
    book: Book, side: str, text: str, given: Sequence[StatementPlan], back: Back,
    around: Callable[[Sequence[str]], Sequence[str]], *, looks: Sequence[Look] = (),
    afterwards: Sequence[Look] = (), replicated: bool = False,
) -> None:  # fmt: skip
    """A step that runs statements on one side, and what takes it back; both stand in what is
    `around` them. `looks` and `afterwards` come beside what the statements themselves want to be looked at.
    """
    sql, times = statements(book, given)
    if replicated and not all(map(algorithm.at_once, times)):
        times.append("as long again on every replica")
    book.add(
        StepKind.RUN, side, text, *around(sql), before=(*looks, *before(book, given, side)),
        after=(*after(given, side), *afterwards), discards=discards(given),
        cost=tuple(times), timeout=words.PATIENCE, rollback_before=back.before if back.sql else (),
        rollback=tuple(map(ended, around(back.sql))) if back.sql else (), rollback_note=back.note,
    )  # fmt: skip


def first_look(book: Book, stages: Sequence[Stage]) -> None:
    """What has to hold on the source before anything is done."""
    source = book.link.source
    names, values = "@@read_only, @@sql_log_bin, @@GLOBAL.binlog_format", f"0, 1, {book.link.binlog_format}"
    if source.has("gtid-modes"):
        names, values = f"{names}, @@gtid_mode", f"{values}, {source.setting('gtid_mode') or 'OFF'}"
    looks = [Look(f"SELECT {names}\\G", values), Look(_OLDEST, _SOON)]
    there = [t for stage in stages for table in stage.tables if (t := table.old)]
    named = [t for t in there if t.kind is not TableKind.VIEW and not book.size(t)]
    sizes = dict.fromkeys(f"({string(t.database)}, {string(t.name)})" for t in named if t.database)
    if sizes:
        columns = "TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH AS bytes"
        these = f"WHERE (TABLE_SCHEMA, TABLE_NAME) IN ({', '.join(sizes)})"
        sql = f"SELECT {columns}\n  FROM information_schema.TABLES\n  {these}\\G"  # noqa: S608 for a person
        looks.append(Look(sql, "sizes for which every server's disk has room, where rows are copied"))
    book.add(StepKind.LOOK, SOURCE, "Look before anything is changed.", before=tuple(looks))


def statements(book: Book, given: Sequence[StatementPlan]) -> tuple[list[str], list[str]]:
    """(the statements under their default database and session, how long they take)."""
    servers = tuple(book.servers.values())
    out: list[str] = []
    times: list[str] = []
    listed: tuple[str, ...] = ()
    current = None
    for statement in given:
        table = statement.tables[0] if statement.tables else None
        moved = table is not None and table.action is Action.RENAME
        database = statement.database or (table.database if table and not moved else None)
        if database is not None and database != current:
            out.append(f"USE {quoted(database)}")
            current = database
        # A further script begins with no settings of its own.
        out += (
            statement.session[len(listed) :]
            if statement.session[: len(listed)] == listed
            else statement.session
        )
        listed = statement.session
        for sql in statement.parts or (statement.sql,):
            # A drifted replica would stop at an ALGORITHM that it has not.
            asked = table.old if table and table.own is None else None
            ways = algorithm.ways(sql, asked, servers)
            method = next(iter(ways)) if len(ways) == 1 else None
            # No server takes ALGORITHM behind PARTITION BY, nor MariaDB behind DROP INDEX.
            bare = not any(mark in sql.upper() for mark in ("--", "#", "/*", "PARTITION"))
            bare &= first_words(sql, 1) != ["DROP"] or not any(server.mariadb for server in servers)
            out.append(_with(sql, algorithm.clause(method)) if method and bare else sql)
            times.append(_time(book, statement, ways, servers))
    return out, list(dict.fromkeys(times))


def _time(
    book: Book, statement: StatementPlan, ways: Collection[Way | None], servers: Sequence[Server]
) -> str:
    """How long a statement takes, in words."""
    if statement.writes:
        return "as long as it takes by itself"
    if not statement.tables:
        return algorithm.time((), "", servers)
    table = statement.tables[0].old
    renamed = statement.swaps or statement.tables[0].action is Action.RENAME
    if table is None or renamed or table.kind is TableKind.VIEW:
        return "at once"
    if statement.tables[0].new is None or {EMPTIES, REPLACED, TAKES_ROWS} & {*statement.tables[0].notes}:
        return f"little, for files that are deleted{f' ({size})' if (size := book.size(table)) else ''}"
    cuts = (table.partitioning or "").upper().startswith(("RANGE", "LIST"))
    if cuts and MOVES in statement.tables[0].notes and "ADD" in first_words(statement.sql):
        return "at once"
    return algorithm.time(ways, book.size(table), servers)


_MEGABYTE = 1 << 20


def _with(sql: str, clause: str) -> str:
    if first_words(sql, 1) != ["ALTER"]:  # CREATE INDEX and DROP INDEX have no commas
        return f"{sql} {clause.replace(',', '')}"
    return f"{sql},\n  {clause}" if "\n" in sql else f"{sql}, {clause}"


def discards(statements: Sequence[StatementPlan]) -> tuple[str, ...]:
    """What is lost for good, said before the step."""
    out: dict[str, None] = {}
    for statement in statements:
        if why := _unsaid(statement.sql):
            out.setdefault(why)
        for table in statement.tables:
            counts = fits.counting(table_name(table.old)) if table.old and table.old.columns else ""
            notes = [note for note in table.notes if "discards" in note]
            for note in (REPLACED,) if REPLACED in notes else notes:
                out.setdefault(note if ";" in note else f"{table.name}: {note}; {counts} counts its rows")
            if table.action is Action.DROP and counts:
                out.setdefault(f"DROP TABLE discards every row of {table.name}; {counts} counts them")
    return tuple(out)


def _unsaid(sql: str) -> str:
    """What a statement loses that no definition of a table tells; '' where that is nothing."""
    words = first_words(sql, _WORDS)
    if words[:1] == ["DROP"] and words[1:2] in (["DATABASE"], ["SCHEMA"]):
        return "DROP DATABASE discards every table of it, known here or not"
    if words[:1] == ["DELETE"] and not {"WHERE", "LIMIT", "JOIN", "USING"} & {*words}:
        return "DELETE discards every row: it has no WHERE"
    deletes = words[:1] == ["DELETE"] or (words[:1] == ["WITH"] and main_verb(sql) == "DELETE")
    return "DELETE discards the rows that it finds" if deletes else ""


def before(book: Book, statements: Sequence[StatementPlan], side: str) -> tuple[Look, ...]:
    """The rows that the new definitions do not take, or cut, on one side."""
    server = book.servers[side]
    result = (
        look
        for statement in statements
        for t in statement.tables
        if not t.anew
        for look in fits.looks(*t.at(side), server, t.renames)
    )
    return tuple(dict.fromkeys(result))


def after(statements: Sequence[StatementPlan], side: str) -> tuple[Look, ...]:
    """What one side shows when it is done."""
    tables = dict.fromkeys(
        new for statement in statements for t in statement.tables if (new := t.at(side)[1])
    )
    return tuple(Look(f"SHOW CREATE TABLE {table_name(new)}\\G", "the new definition") for new in tables)
