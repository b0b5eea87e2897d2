"""Numbered steps with SQL: who does what, what to see, what it costs, how it is taken back."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model import Link, Server
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted, string
from schemacheck.plan import algorithm, fits, words
from schemacheck.plan.model import Action, Look, Order, RunbookStep, Stage, StatementPlan, StepKind
from schemacheck.plan.rollback import replicated, undo

_OFF, _ON = "SET SESSION sql_log_bin = 0", "SET SESSION sql_log_bin = 1"
_WRITABLE = (
    "SET @was_read_only = @@GLOBAL.read_only, @was_super = @@GLOBAL.super_read_only",
    "SET GLOBAL super_read_only = OFF",
)
_AS_BEFORE = ("SET GLOBAL super_read_only = @was_super", "SET GLOBAL read_only = @was_read_only")


class _Book:
    """Steps as they are written down."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = links
        self.steps: list[RunbookStep] = []
        self.by_gtid = all(words.gtids(s) for s in (links[0].source, *(one.replica for one in links)))

    def add(self, kind: StepKind, hop: int | None, text: str, *sql: str, **more: object) -> None:
        """A step; `more` are its other fields."""
        self.steps.append(
            RunbookStep(
                len(self.steps) + 1, self.name(hop), text, tuple(map(_ended, sql)), kind, hop, **more  # type: ignore[arg-type]
            )
        )  # fmt: skip

    def server(self, hop: int | None) -> Server:
        """The server that `hop` says."""
        return self.links[0].source if hop is None else self.links[hop].replica

    def name(self, hop: int | None) -> str:
        """What the server below a hop is called."""
        if hop is None:
            return "source"
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


def _ended(sql: str) -> str:
    return sql if sql.endswith("\\G") else sql.rstrip(";") + ";"


def runbook(stages: Sequence[Stage], links: Sequence[Link]) -> tuple[RunbookStep, ...]:
    """The steps of all stages, in order. Empty where nothing is to be done."""
    book = _Book(links)
    if stages and stages[0].order not in (Order.IMPOSSIBLE, Order.UNKNOWN):
        _first_look(book, stages)
    for number, stage in enumerate(stages, 1):
        of = f" (stage {number} of {len(stages)})" if len(stages) > 1 else ""
        if stage.order in (Order.IMPOSSIBLE, Order.UNKNOWN):
            why = next((t.blocked for t in stage.tables if t.blocked), "it could not be decided")
            text = f"Stop here{of}: {why}. Correct the change and plan again."
            book.steps.append(RunbookStep(len(book.steps) + 1, "nowhere", text, kind=StepKind.STOP))
            break
        if stage.replicated or all(one.writes for one in stage.statements) or not stage.order.exists:
            _replicated(book, stage, of)
        else:
            _ends(book, stage, of)
    return tuple(book.steps)


def _first_look(book: _Book, stages: Sequence[Stage]) -> None:
    """What has to hold before anything is done."""
    source = book.server(None)
    looks = [
        Look(
            "SELECT @@GLOBAL.read_only, @@SESSION.sql_log_bin, @@GLOBAL.binlog_format\\G",
            f"0, 1, {book.links[0].binlog_format}",
        )
    ]
    if not source.mariadb and source.has("gtid-modes"):
        looks.append(Look("SELECT @@GLOBAL.gtid_mode\\G", source.setting("gtid_mode") or "OFF"))
    named = [one for stage in stages for t in stage.tables if (one := t.old) is not None]
    sizes = dict.fromkeys(f"({string(t.database)}, {string(t.name)})" for t in named if t.database)
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
                "sizes for which every server's disk has room, where a step copies rows",
            )
        )
    book.add(StepKind.LOOK, None, "Look before anything is changed.", before=tuple(looks))
    for hop, link in enumerate(book.links):
        more = (
            Look(
                f"SELECT @@GLOBAL.{words.conversions(link.replica)}\\G",
                f"'{','.join(sorted(link.type_conversions))}': the plan was made for that",
            ),
        )
        text = "Look whether it runs and is not behind."
        book.add(StepKind.LOOK, hop, text, before=(book.look(link.replica), *more))


def _statements(book: _Book, statements: Sequence[StatementPlan]) -> tuple[list[str], list[str]]:
    """(the statements under their default database and session, what they cost)."""
    servers = [book.links[0].source, *(one.replica for one in book.links)]
    out: list[str] = []
    costs: list[str] = []
    told: tuple[str, ...] = ()
    current = None
    for one in statements:
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
            out.append(_with(sql, way.clause) if way and bare else sql)
            if way:
                costs.append(way.words)
            elif table is not None and table.old is not None and sql.upper().startswith("ALTER TABLE"):
                costs.append("which ALGORITHM this takes here was not recorded: try it on a copy")
    return out, list(dict.fromkeys(costs))


def _with(sql: str, clause: str) -> str:
    return f"{sql},\n  {clause}" if "\n" in sql else f"{sql}, {clause}"


def _discards(statements: Sequence[StatementPlan]) -> tuple[str, ...]:
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


def _before(statements: Sequence[StatementPlan], hop: int | None = None) -> tuple[Look, ...]:
    """The rows that the new definitions do not take, or cut, on the server below a hop."""
    found = (look for one in statements for t in one.tables for look in fits.looks(*t.at(hop)))
    return tuple(dict.fromkeys(found))


def _after(statements: Sequence[StatementPlan]) -> tuple[Look, ...]:
    """What the server shows when it is done."""
    tables = [t.new for one in statements for t in one.tables if t.new is not None]
    return tuple(
        Look(f"SHOW CREATE TABLE {table_name(t)}\\G", "the new definition") for t in dict.fromkeys(tables)
    )


_PATIENCE = f"SET SESSION lock_wait_timeout = {words.LOCK_PATIENCE}"


def _replicated(book: _Book, stage: Stage, of: str) -> None:
    """Each statement once, on the source; then every server has to have applied it."""
    cluster = any(link.kind.cluster for link in book.links)
    for one in stage.statements:
        sql, costs = _statements(book, (one,))
        back, note = replicated(one, book.server(None), [link.replica for link in book.links])
        text = f"Run it once, as a normal statement{of}: it is replicated."
        if costs and not cluster and not all(line.startswith("INSTANT") for line in costs):
            costs.append(
                "every replica runs it after the source, and is behind for as long as it takes there"
            )
        if cluster:
            text = f"Run it once, on one node{of}: every node runs it at one point of the order."
        if any("ALTER" in s.upper().split(None, 1)[0] for s in one.parts or (one.sql,)):
            text += f" It waits {words.LOCK_PATIENCE} s for the table; after error 1205 try again."
        book.add(
            StepKind.RUN, None, text, _PATIENCE, *sql, before=_before((one,)), after=_after((one,)),
            discards=_discards((one,)), cost=tuple(costs), timeout=words.PATIENCE,
            rollback=tuple(map(_ended, back)), rollback_note=note,
        )  # fmt: skip
    _settle(book, f"Note where the log ends now{of}: the change is done when every server has applied it "
                  "up to there.")  # fmt: skip


def _mark(book: _Book, hop: int | None, text: str) -> None:
    book.add(StepKind.MARK, hop, text, words.mark(book.server(hop), by_gtid=book.by_gtid))


def _wait_at(book: _Book, hop: int, text: str) -> None:
    sql, expect = words.wait(book.server(hop), by_gtid=book.by_gtid)
    look = book.look(book.server(hop))
    book.add(StepKind.WAIT, hop, text, sql, after=(Look(sql, expect), look), timeout=words.PATIENCE)


def _settle(book: _Book, why: str) -> None:
    """A mark on the source, and a wait on every server below."""
    _mark(book, None, why)
    for hop in range(len(book.links)):
        if hop and not book.by_gtid:
            _mark(book, hop - 1, "Note where its own log ends now: positions are each server's own.")
        _wait_at(book, hop, "Wait until everything up to the noted place is applied.")


def _ends(book: _Book, stage: Stage, of: str) -> None:
    """Replica by replica with the applier stopped, then the source; or the other way round."""
    replica_first = stage.order is not Order.SOURCE_FIRST and not _cheaper_from_source(stage)
    settings = [_modes(stage, hop, replica_first=replica_first) for hop in range(len(book.links))]
    for hop, modes in enumerate(settings):
        if modes is not None:
            name = words.conversions(book.server(hop))
            before = ",".join(sorted(book.links[hop].type_conversions))
            book.add(
                StepKind.SETTING, hop, f"Allow the conversion{of}. It stays until both ends have the new "
                "definition; put it into the option file too if the server may restart in between.",
                words.stop(book.server(hop)), f"SET GLOBAL {name} = '{modes}'", words.start(book.server(hop)),
                after=(Look(f"SELECT @@GLOBAL.{name}\\G", f"'{modes}'"),),
                rollback=(f"SET GLOBAL {name} = '{before}';",),
            )  # fmt: skip
    if replica_first:
        for hop in reversed(range(len(book.links))):
            _replica(book, stage, hop, of)
        text = "When every server below has it: change the source, unlogged. (Or fail over to a replica that "
        _source(book, stage, f"{text}has it, and change the old source as a replica.)")
        _settle(book, "Note where the log ends now: all rows of the old definition are before that.")
    else:
        _source(book, stage, f"Change the source first, unlogged{of}.")
        _mark(book, None, "Note where the log ends now: all rows of the old definition are before that.")
        for hop in range(len(book.links)):
            if hop and not book.by_gtid:
                _mark(book, hop - 1, "Note where its own log ends now: positions are each server's own.")
            _wait_at(book, hop, "Wait: no row of the old definition may arrive after the next step.")
            _replica(book, stage, hop, "")
    for hop, modes in enumerate(settings):
        if modes is not None:
            server = book.server(hop)
            before = ",".join(sorted(book.links[hop].type_conversions))
            book.add(
                StepKind.SETTING, hop, "Set the conversions back.", words.stop(server),
                f"SET GLOBAL {words.conversions(server)} = '{before}'", words.start(server),
            )  # fmt: skip


def _source(book: _Book, stage: Stage, text: str) -> None:
    sql, costs = _statements(book, stage.statements)
    server = book.server(None)
    back, note = undo(stage.statements, server)
    book.add(
        StepKind.RUN, None, text, _OFF, _PATIENCE, *sql, _ON, before=_before(stage.statements),
        after=_after(stage.statements),
        discards=_discards(stage.statements), cost=tuple(costs), timeout=words.PATIENCE,
        rollback=tuple(map(_ended, (_OFF, *back, _ON))) if back else (), rollback_note=note,
    )  # fmt: skip


def _replica(book: _Book, stage: Stage, hop: int, of: str) -> None:
    server = book.server(hop)
    sql, costs = _statements(book, stage.statements)
    back, note = undo(stage.statements, server, hop)
    opened, shut = (_WRITABLE, _AS_BEFORE) if server.has("super-read-only") else ((), ())

    def around(statements: Sequence[str]) -> tuple[str, ...]:
        return (words.stop(server), *opened, _OFF, *statements, _ON, *shut, words.start(server))

    book.add(
        StepKind.RUN, hop, f"Change it with the applier stopped, unlogged{of}.", *around(sql),
        before=(book.look(server), *_before(stage.statements, hop)),
        after=(*_after(stage.statements), book.look(server, " (when it has caught up)")),
        discards=_discards(stage.statements), cost=tuple(costs), timeout=words.PATIENCE,
        rollback=tuple(map(_ended, around(back))) if back else (), rollback_note=note,
    )  # fmt: skip


def _cheaper_from_source(stage: Stage) -> bool:
    """An `any order` stage goes the way that needs no setting."""
    return (
        stage.order is Order.ANY
        and any(p.modes for t in stage.tables for p in t.replica_first)
        and not any(p.modes for t in stage.tables for p in t.source_first)
    )


def _modes(stage: Stage, hop: int, *, replica_first: bool) -> str | None:
    """All words that a hop's replica needs for the tables of a stage; None where its own setting will do."""
    needed: list[str] = []
    for table in stage.tables:
        passages = table.replica_first if replica_first else table.source_first
        if hop < len(passages) and passages[hop].modes is not None:
            needed.append(passages[hop].modes or "")
    if not needed:
        return None
    return ",".join(sorted({word for modes in needed for word in modes.split(",") if word}))
