"""Numbered steps with SQL: who does what, what to see, what it costs, how it is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from schemacheck.model import Link
from schemacheck.model.table import Size
from schemacheck.plan import cluster, words
from schemacheck.plan.book import PATIENCE, UNLOGGED, WRITABLE, Book, ended, first_look, run_step
from schemacheck.plan.difference import Name
from schemacheck.plan.model import Look, Order, RunbookStep, Stage, StepKind
from schemacheck.plan.rollback import alone, replicated

NO_SIZES: Mapping[Name, Size] = MappingProxyType({})


def runbook(
    stages: Sequence[Stage], links: Sequence[Link], sizes: Mapping[Name, Size] = NO_SIZES
) -> tuple[RunbookStep, ...]:
    """The steps of all stages, in order, with these sizes of tables. Empty where nothing is to be done."""
    book = Book(links, sizes)
    if stages and not _stopped(stages[0]):
        _first_looks(book, stages)
    for number, stage in enumerate(stages, 1):
        of = f" (stage {number} of {len(stages)})" if len(stages) > 1 else ""
        if why := _stopped(stage):
            text = f"Stop here{of}: {why}."
            book.steps.append(RunbookStep(len(book.steps) + 1, "nowhere", text, kind=StepKind.STOP))
            break
        if cluster.of(links):
            cluster.roll_out(book, stage, of)
        elif stage.replicated or all(one.writes for one in stage.statements):
            _replicated(book, stage, of)
        else:
            _ends(book, stage, of)
    return tuple(book.steps)


def _stopped(stage: Stage) -> str:
    """Why nothing goes on at a stage; '' where it goes."""
    if stage.goes or all(one.writes for one in stage.statements):
        return ""
    if stage.order is not Order.LOCK_STEP:
        why = next((t.blocked for t in stage.tables if t.blocked), "it could not be decided")
        return f"{why}. Correct the change and plan again"
    why = next((t.replicates_not for one in stage.statements for t in one.tables if t.replicates_not), "")
    if why:
        return f"neither end can go first, and it is not safe to replicate: {why}"
    return "neither end can go first. It is safe to replicate the statement: plan it without --unlogged"


def _first_looks(book: Book, stages: Sequence[Stage]) -> None:
    """What has to hold before anything is done."""
    first_look(book, stages)
    if cluster.of(book.links):
        cluster.first_look(book)
        return
    for hop, link in enumerate(book.links):
        more = (
            ()
            if all(stage.replicated for stage in stages)
            else (
                Look(
                    f"SELECT @@GLOBAL.{words.conversions(link.replica)}\\G",
                    f"'{','.join(sorted(link.type_conversions))}': the plan was made for that",
                ),
            )
        )
        text = "Look whether it runs and is not behind."
        book.add(StepKind.LOOK, hop, text, before=(book.look(link.replica), *more))


def _replicated(book: Book, stage: Stage, of: str) -> None:
    """Each statement once, on the source; then every server has to have applied it."""
    for one in stage.statements:
        back = replicated(one, book.server(None), [link.replica for link in book.links])
        text = f"Run it once{of}: it is replicated."
        run_step(book, None, text, (one,), back, lambda given: (PATIENCE, *given), replicated=True)
    _settle(book, f"Note where the log ends{of}.")


def _mark(book: Book, hop: int | None, text: str) -> None:
    book.add(StepKind.MARK, hop, text, words.mark(book.server(hop), by_gtid=book.by_gtid))


def _wait_at(book: Book, hop: int, text: str) -> None:
    sql, expect = words.wait(book.server(hop), by_gtid=book.by_gtid)
    look = book.look(book.server(hop))
    text += " (put in what was noted)."
    book.add(StepKind.WAIT, hop, text, sql, after=(Look(sql, expect), look), timeout=words.PATIENCE)


def _settle(book: Book, why: str) -> None:
    """A mark on the source, and a wait on every server below."""
    _mark(book, None, why)
    for hop in range(len(book.links)):
        if hop and not book.by_gtid:
            _mark(book, hop - 1, "Note where its own log ends: positions are each server's own.")
        _wait_at(book, hop, "Wait until it has applied that")


def _ends(book: Book, stage: Stage, of: str) -> None:
    """Replica by replica with the applier stopped, then the source; or the other way round."""
    replica_first = stage.order is not Order.SOURCE_FIRST and not _cheaper_from_source(stage)
    settings = [_modes(stage, hop, replica_first=replica_first) for hop in range(len(book.links))]
    for hop, modes in enumerate(settings):
        if modes is not None:
            name = words.conversions(book.server(hop))
            book.add(
                StepKind.SETTING, hop, f"Allow the conversion{of}. It stays until both ends have the new "
                "definition; put it into the option file too if the server may restart in between.",
                *_set(book, hop, modes), after=(Look(f"SELECT @@GLOBAL.{name}\\G", f"'{modes}'"),),
                rollback=tuple(map(ended, _set(book, hop))),
            )  # fmt: skip
    if replica_first:
        for hop in reversed(range(len(book.links))):
            _replica(book, stage, hop, of)
        text = "When every server below has it: change the source, unlogged. (Or fail over to a replica that "
        _source(book, stage, f"{text}has it, and change the old source as a replica.)")
        _settle(book, "Note where the log ends: all rows of the old definition are before that.")
    else:
        _source(book, stage, f"Change the source first, unlogged{of}.")
        _mark(book, None, "Note where the log ends: all rows of the old definition are before that.")
        for hop in range(len(book.links)):
            if hop and not book.by_gtid:
                _mark(book, hop - 1, "Note where its own log ends: positions are each server's own.")
            _wait_at(book, hop, "Wait: no row of the old definition may arrive after the next step")
            _replica(book, stage, hop, "")
    for hop, modes in enumerate(settings):
        if modes is not None:
            book.add(StepKind.SETTING, hop, "Set the conversions back.", *_set(book, hop))


def _set(book: Book, hop: int, modes: str | None = None) -> tuple[str, ...]:
    """The statements that set the conversions of the server below a hop; None: to what they are today."""
    server = book.server(hop)
    given = ",".join(sorted(book.links[hop].type_conversions)) if modes is None else modes
    return words.stop(server), f"SET GLOBAL {words.conversions(server)} = '{given}'", words.start(server)


def _source(book: Book, stage: Stage, text: str) -> None:
    back = alone(stage.statements, book.server(None), None, book.server(0))
    off, on = UNLOGGED
    run_step(book, None, text, stage.statements, back, lambda given: (off, PATIENCE, *given, on))


def _replica(book: Book, stage: Stage, hop: int, of: str) -> None:
    server = book.server(hop)
    back = alone(stage.statements, server, hop, book.below(hop))
    opened, shut = WRITABLE if server.has("super-read-only") else ((), ())
    off, on = UNLOGGED

    def around(given: Sequence[str]) -> tuple[str, ...]:
        return (words.stop(server), *opened, off, *given, on, *shut, words.start(server))

    text = f"Change it with the applier stopped, unlogged{of}. If that fails, run what is behind it all the "
    text += "same: else the applier stays stopped" + (", and the server writable." if opened else ".")
    caught_up = book.look(server, " (when it has caught up)")
    run_step(
        book, hop, text, stage.statements, back, around, looks=(book.look(server),), afterwards=(caught_up,)
    )


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
