"""Steps of a runbook as they are written down, and what a statement needs around it."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model import Link, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted, string
from schemacheck.plan import algorithm, clauses, fits, words
from schemacheck.plan.model import Action, Look, RunbookStep, Stage, StatementPlan, StepKind

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


class Book:
    """Steps as they are written down."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = links
        self.steps: list[RunbookStep] = []
        self.by_gtid = all(words.gtids(s) for s in (links[0].source, *(one.replica for one in links)))

    def add(self, kind: StepKind, hop: int | None, text: str, *sql: str, **more: object) -> None:
        """A step; `more` are its other fields."""
        self.steps.append(
            RunbookStep(
                len(self.steps) + 1, self.name(hop), text, tuple(map(ended, sql)), kind, hop, **more  # type: ignore[arg-type]
            )
        )  # fmt: skip

    def server(self, hop: int | None) -> Server:
        """The server that `hop` says."""
        return self.links[0].source if hop is None else self.links[hop].replica

    def below(self, hop: int) -> Server | None:
        """The server that replicates from the one below a hop."""
        return self.links[hop + 1].replica if hop + 1 < len(self.links) else None

    def name(self, hop: int | None) -> str:
        """What the server below a hop is called."""
        if hop is None:
            return "one node" if self.links[0].kind.cluster else "source"
        if self.links[0].kind.cluster:
            return "every other node, one after the other"
        if len(self.links) == 1:
            return "every replica, one after the other"
        return (
            "every leaf replica"
            if hop == len(self.links) - 1
            else f"intermediate {hop + 1}"
            if len(self.links) > 2
            else "intermediate"
        )

    def look(self, server: Server, more: str = "") -> Look:
        """A replica that runs and is not behind."""
        return Look(words.status(server), words.running(server) + more)


def ended(sql: str) -> str:
    """A statement with its delimiter."""
    return sql if sql.endswith("\\G") else sql.rstrip(";") + ";"


def first_look(book: Book, stages: Sequence[Stage]) -> None:
    """What has to hold on the source before anything is done."""
    source = book.server(None)
    looks = [
        Look(
            "SELECT @@GLOBAL.read_only, @@SESSION.sql_log_bin, @@GLOBAL.binlog_format\\G",
            f"0, 1, {book.links[0].binlog_format}",
        )
    ]
    if source.has("gtid-modes"):
        mode = "ON" if book.links[0].kind.cluster else source.setting("gtid_mode") or "OFF"
        looks.append(Look("SELECT @@GLOBAL.gtid_mode\\G", mode))
    named = [one for stage in stages for t in stage.tables if (one := t.old) is not None]
    sizes = dict.fromkeys(f"({string(t.database)}, {string(t.name)})" for t in named if t.database)
    told = dict.fromkeys(size for t in named if (size := _size(t)))
    if sizes:
        listed = ", ".join(sizes)
        looks.append(
            Look(
                " ".join(
                    (
                        "SELECT TABLE_SCHEMA, TABLE_NAME,",
                        "(DATA_LENGTH + INDEX_LENGTH) DIV 1048576 AS megabytes FROM",
                        f"information_schema.TABLES WHERE (TABLE_SCHEMA, TABLE_NAME) IN ({listed})\\G",
                    )
                ),
                "; ".join(["sizes for which every server's disk has room, where a step copies rows", *told]),
            )
        )
    book.add(StepKind.LOOK, None, "Look before anything is changed.", before=tuple(looks))


def statements(book: Book, given: Sequence[StatementPlan]) -> tuple[list[str], list[str]]:
    """(the statements under their default database and session, what they cost)."""
    servers = [book.links[0].source, *(one.replica for one in book.links)]
    out: list[str] = []
    costs: list[str] = []
    told: tuple[str, ...] = ()
    current = None
    for one in given:
        table = one.tables[0] if one.tables else None
        database = one.database or (table.database if table else None)
        if database is not None and database != current:
            out.append(f"USE {quoted(database)}")
            current = database
        # A further script begins with no settings of its own.
        out += one.session[len(told) :] if one.session[: len(told)] == told else one.session
        told = one.session
        for sql in one.parts or (one.sql,):
            # What a drifted replica takes is its own: it would stop at an ALGORITHM that it has not.
            asked = table.old if table and not table.drifted else None
            way = algorithm.common(sql, asked, servers)
            bare = not any(mark in sql for mark in ("--", "#", "/*"))
            out.append(_with(sql, algorithm.clause(way)) if way and bare else sql)
            if way:
                costs.append(algorithm.words(way))
            elif table is not None and table.old is not None and sql.upper().startswith("ALTER TABLE"):
                costs.append("which ALGORITHM this takes here was not recorded: try it on a copy")
            size = _size(table.old) if table is not None and table.old is not None else ""
            if size and (way.rebuild if way else sql.upper().startswith("ALTER TABLE")):
                copied = "so much more" if way else "so much more, if it copies the rows,"
                costs.append(f"{size}: {copied} is needed on every server's disk")
    return out, list(dict.fromkeys(costs))


def _size(table: Table) -> str:
    """What the input told of a table's size, in words; '' where it did not."""
    size = table.size
    if size is None or not size.n_bytes:
        return ""
    rows = "" if size.rows is None else f" and about {size.rows:,} rows"
    return f"{table.qualified_name} had {-(-size.n_bytes // _MEGABYTE):,} MB{rows} when it was read"


_MEGABYTE = 1 << 20


def _with(sql: str, clause: str) -> str:
    return f"{sql},\n  {clause}" if "\n" in sql else f"{sql}, {clause}"


def waits(one: StatementPlan) -> str:
    """What is said of the lock that an ALTER needs; '' for others."""
    if any("ALTER" in s.upper().split(None, 1)[0] for s in one.parts or (one.sql,)):
        return f" It waits {words.LOCK_PATIENCE} s for the table; after error 1205 try again."
    return ""


def discards(statements: Sequence[StatementPlan]) -> tuple[str, ...]:
    """What is lost for good, said before the step."""
    out: dict[str, None] = {}
    for one in statements:
        for table in one.tables:
            for note in table.notes:
                if "discards" in note:
                    out.setdefault(note)
            if table.action is Action.DROP and table.old is not None and table.old.columns:
                counts = fits.counting(table_name(table.old))
                out.setdefault(f"DROP TABLE discards every row of {table.name}; {counts} counts them")
    return tuple(out)


def before(book: Book, statements: Sequence[StatementPlan], hop: int | None = None) -> tuple[Look, ...]:
    """The rows that the new definitions do not take, or cut, on the server below a hop."""
    server = book.server(hop)
    found = (look for one in statements for t in one.tables for look in fits.looks(*t.at(hop), server))
    return tuple(dict.fromkeys(found))


def after(book: Book, statements: Sequence[StatementPlan], hop: int | None = None) -> tuple[Look, ...]:
    """What the server below a hop shows when it is done."""
    ends = dict.fromkeys(t.at(hop) for one in statements for t in one.tables)
    return tuple(
        Look(f"SHOW CREATE TABLE {table_name(new)}\\G", _seen(old, new, book.server(hop)))
        for old, new in ends
        if new is not None
    )


#: So many changed columns and keys are named.
_NAMED = 8


def _seen(old: Table | None, new: Table, server: Server) -> str:
    """What a changed definition has, and has not any more."""
    if old is None or TableKind.VIEW in (old.kind, new.kind):
        return "the new definition"
    there = {c.name.casefold(): clauses.definition(c, old, server) for c in old.columns}
    here = {c.name: clauses.definition(c, new, server) for c in new.columns}
    out = [sql for name, sql in here.items() if sql != there.get(name.casefold())]
    out += [f"no {quoted(c.name)}" for c in old.columns if new.column(c.name) is None]
    out += [f"key {quoted(k.name)}" for k in new.keys if k not in old.keys]
    names = {k.name.casefold() for k in new.keys}
    out += [f"no key {quoted(k.name)}" for k in old.keys if k.name.casefold() not in names]
    more = ["..."] if len(out) > _NAMED else []
    return (
        ": ".join(["the new definition", ", ".join([*out[:_NAMED], *more])]) if out else "the new definition"
    )
