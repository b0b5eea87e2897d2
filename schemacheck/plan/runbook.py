"""Numbered steps with SQL: who does what, what to see, what it costs, how it is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from schemacheck.model import Link
from schemacheck.model.table import Size
from schemacheck.plan import words
from schemacheck.plan.book import PATIENCE, UNLOGGED, WRITABLE, Book, before, ended, first_look, run_step
from schemacheck.plan.difference import Name
from schemacheck.plan.model import REPLICA, SOURCE, Look, Order, RunbookStep, Stage, StepKind
from schemacheck.plan.rollback import alone, replicated

NO_SIZES: Mapping[Name, Size] = MappingProxyType({})


def runbook(
    stages: Sequence[Stage], link: Link, sizes: Mapping[Name, Size] = NO_SIZES
) -> tuple[RunbookStep, ...]:
    """The steps of all stages, in order, with these sizes of tables. Empty where nothing is to be done, and
    on nodes of a cluster, which have no applier to stop and to look at.
    """
    if link.kind.cluster:
        return ()
    book = Book(link, sizes)
    if stages and not _stopped(stages[0]):
        _first_looks(book, stages)
    for number, stage in enumerate(stages, 1):
        of = f" (stage {number} of {len(stages)})" if len(stages) > 1 else ""
        if why := _stopped(stage):
            text = f"Stop here{of}: {why}."
            stop = RunbookStep(len(book.steps) + 1, "nowhere", text, kind=StepKind.STOP, side="")
            book.steps.append(stop)
            break
        if stage.replicated or all(statement.writes for statement in stage.statements):
            _replicated(book, stage, of)
        else:
            _ends(book, stage, of)
    return tuple(book.steps)


def _stopped(stage: Stage) -> str:
    """Why nothing goes on at a stage; '' where it goes."""
    if stage.goes or all(statement.writes for statement in stage.statements):
        return ""
    if stage.order is not Order.LOCK_STEP:
        why = next((t.blocked for t in stage.tables if t.blocked), "it could not be decided")
        return f"{why}. Mend that first, then plan again"
    why = next(
        (t.replicates_not for statement in stage.statements for t in statement.tables if t.replicates_not), ""
    )
    if why:
        return f"neither end can go first, and it is not safe to replicate: {why}"
    return "neither end can go first. It is safe to replicate the statement: plan it without --unlogged"


def _first_looks(book: Book, stages: Sequence[Stage]) -> None:
    """What has to hold before anything is done."""
    first_look(book, stages)
    looks = [book.look(book.link.replica)]
    if not all(stage.replicated for stage in stages):
        name, now = words.conversions(book.link.replica), ",".join(sorted(book.link.type_conversions))
        looks.append(Look(f"SELECT @@GLOBAL.{name}\\G", f"'{now}': the plan was made for that"))
    book.add(StepKind.LOOK, REPLICA, "Look whether it runs and is not behind.", before=tuple(looks))


def _replicated(book: Book, stage: Stage, of: str) -> None:
    """Each statement once, on the source; then the replica has to have applied it."""
    for statement in stage.statements:
        back = replicated(statement, book.link)
        if looks := before(book, (statement,), REPLICA):
            text = f"Look here too{of}, when it has caught up: the next statement runs on its own rows."
            book.add(StepKind.LOOK, REPLICA, text, before=looks)
        text = f"Run it once{of}: it is replicated."
        run_step(book, SOURCE, text, (statement,), back, lambda given: (PATIENCE, *given), replicated=True)
    _settle(book, f"Note where the log ends{of}.", "Wait until it has applied that")


def _settle(book: Book, why: str, text: str) -> None:
    """A mark on the source, and a wait on the replica."""
    book.add(StepKind.MARK, SOURCE, why, words.mark(book.link.source, by_gtid=book.by_gtid))
    sql, expect = words.wait(book.link.replica, by_gtid=book.by_gtid)
    text += " (put in what was noted)."
    looks = (Look(sql, expect), book.look(book.link.replica))
    book.add(StepKind.WAIT, REPLICA, text, sql, after=looks, timeout=words.PATIENCE)


def _ends(book: Book, stage: Stage, of: str) -> None:
    """Replica by replica with the applier stopped, then the source; or the other way round."""
    replica_first = stage.order is not Order.SOURCE_FIRST and not _cheaper_from_source(stage)
    modes = _modes(stage, replica_first=replica_first)
    if modes is not None:
        name = words.conversions(book.link.replica)
        book.add(
            StepKind.SETTING, REPLICA, f"Allow the conversion{of}. It stays until both ends have the new "
            "definition; put it into the option file too if the server may restart in between.",
            *_set(book, modes), after=(Look(f"SELECT @@GLOBAL.{name}\\G", f"'{modes}'"),),
            rollback=tuple(map(ended, _set(book))),
        )  # fmt: skip
    mark = "Note where the log ends: all rows of the old definition are before that."
    if replica_first:
        _replica(book, stage, of)
        text = "When every server below has it: change the source, unlogged. (Or fail over to a replica that "
        _source(book, stage, f"{text}has it, and change the old source as a replica.)")
        _settle(book, mark, "Wait until it has applied that")
    else:
        _source(book, stage, f"Change the source first, unlogged{of}.")
        _settle(book, mark, "Wait: no row of the old definition may arrive after the next step")
        _replica(book, stage, "")
    if modes is not None:
        book.add(
            StepKind.SETTING, REPLICA, "Set the conversions back.", *_set(book),
            rollback=tuple(map(ended, _set(book, modes))),
            rollback_note="take this back before any step above",
        )  # fmt: skip


def _set(book: Book, modes: str | None = None) -> tuple[str, ...]:
    """The statements that set the conversions of the replica; None: to what they are today."""
    server = book.link.replica
    given = ",".join(sorted(book.link.type_conversions)) if modes is None else modes
    return words.stop(server), f"SET GLOBAL {words.conversions(server)} = '{given}'", words.start(server)


def _source(book: Book, stage: Stage, text: str) -> None:
    back = alone(stage.statements, book.link.source, SOURCE, book.link.replica)
    off, on = UNLOGGED
    run_step(book, SOURCE, text, stage.statements, back, lambda given: (off, PATIENCE, *given, on))


def _replica(book: Book, stage: Stage, of: str) -> None:
    server = book.link.replica
    back = alone(stage.statements, server, REPLICA)
    opened, shut = WRITABLE if server.has("super-read-only") else ((), ())
    off, on = UNLOGGED

    def around(given: Sequence[str]) -> tuple[str, ...]:
        return (words.stop(server), *opened, off, *given, on, *shut, words.start(server))

    text = f"Change it with the applier stopped, unlogged{of}. If that fails, run what is behind it all the "
    text += "same: else the applier stays stopped" + (", and the server writable." if opened else ".")
    caught_up = book.look(server, " (when it has caught up)")
    looks = (book.look(server),)
    run_step(book, REPLICA, text, stage.statements, back, around, looks=looks, afterwards=(caught_up,))


def _cheaper_from_source(stage: Stage) -> bool:
    """An `any order` stage goes the way that needs no setting."""
    needs = [_modes(stage, replica_first=first) for first in (True, False)]
    return stage.order is Order.ANY and bool(needs[0]) and not needs[1]


def _modes(stage: Stage, *, replica_first: bool) -> str | None:
    """What the replica needs for the tables of a stage; None where its own setting will do."""
    passages = (t.replica_first if replica_first else t.source_first for t in stage.tables)
    needed = [passage.modes for passage in passages if passage and passage.modes is not None]
    return needed[0] if needed else None
