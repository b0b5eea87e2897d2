"""Numbered steps with SQL: who does what, and when the settings go back."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model import Link
from schemacheck.model.quote import quoted
from schemacheck.plan import words
from schemacheck.plan.model import Order, RunbookStep, Stage

_OFF, _ON = "SET SESSION sql_log_bin = 0", "SET SESSION sql_log_bin = 1"


class _Book:
    """Steps as they are written down."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = links
        self.steps: list[RunbookStep] = []

    def add(self, where: str, text: str, *sql: str) -> None:
        self.steps.append(
            RunbookStep(len(self.steps) + 1, where, text, tuple(s.rstrip(";") + ";" for s in sql))
        )

    def name(self, hop: int) -> str:
        """The server below a hop."""
        if len(self.links) == 1:
            return "every replica, one after the other"
        return (
            "every leaf replica"
            if hop == len(self.links) - 1
            else f"intermediate {hop + 1}"
            if len(self.links) > 2
            else "intermediate"
        )


def runbook(stages: Sequence[Stage], links: Sequence[Link]) -> tuple[RunbookStep, ...]:
    """The steps of all stages, in order. Empty where nothing is to be done."""
    book = _Book(links)
    for number, stage in enumerate(stages, 1):
        of = f" (stage {number} of {len(stages)})" if len(stages) > 1 else ""
        if stage.order in (Order.IMPOSSIBLE, Order.UNKNOWN):
            why = next((t.blocked for t in stage.tables if t.blocked), "it could not be decided")
            book.add("nowhere", f"Stop here{of}: {why}. Correct the change and plan again.")
            break
        if all(one.writes for one in stage.statements):
            book.add("source", f"Run it as a normal, replicated statement{of}.", *_sql(stage))
            waited = False
        elif stage.order is Order.LOCK_STEP:
            _lock_step(book, stage, of)
            waited = False
        else:
            waited = _ends(book, stage, of)
        if not waited and (number < len(stages) or stage.order is Order.LOCK_STEP):
            # The next stage was checked against rows of this one's definitions only.
            _settle(
                book,
                "Take the position: it is done, and a next stage begins, when every server has applied "
                "everything up to it.",
            )
    return tuple(book.steps)


def _sql(stage: Stage) -> list[str]:
    """The statements, each under its default database and the session's settings of the script."""
    out: list[str] = []
    told: tuple[str, ...] = ()
    current = None
    for one in stage.statements:
        if one.database is not None and one.database != current:
            out.append(f"USE {quoted(one.database)}")
            current = one.database
        # A further script begins with no settings of its own.
        out += one.session[len(told) :] if one.session[: len(told)] == told else one.session
        told = one.session
        out.append(one.sql)
    return out


def _lock_step(book: _Book, stage: Stage, of: str) -> None:
    book.add(
        "source", f"Run it as a normal, replicated statement{of} (sql_log_bin stays 1): each "
                  f"replica runs it between the rows of the old and of the new "
        "definition. Appliers wait for as long as it takes there. (Or stop all writes, wait until "
        "every replica has applied everything, and change each server "
        "unlogged before writes go on.)", *_sql(stage),
    )  # fmt: skip


def _wait(book: _Book) -> None:
    for hop, link in enumerate(book.links):
        book.add(
            book.name(hop),
            "Wait until everything up to that position is applied."
            if hop == 0
            else "Wait until it is applied here too (with the position of the server above).",
            words.wait(link.replica),
        )


def _settle(book: _Book, why: str) -> None:
    book.add("source", why, words.position(book.links[0].source))
    _wait(book)


def _ends(book: _Book, stage: Stage, of: str) -> bool:
    """Replica by replica with the applier stopped, then the source; or the other way round. Returns
    whether no row of the old definition is on its way any more."""
    replica_first = stage.order is not Order.SOURCE_FIRST and not _cheaper_from_source(stage)
    settings = [_modes(stage, hop, replica_first=replica_first) for hop in range(len(book.links))]
    for hop, modes in enumerate(settings):
        if modes is not None:
            name = words.conversions(book.links[hop].replica)
            book.add(
                book.name(hop), f"Allow the conversion{of}. It stays until both ends have the new "
                                f"definition; note the old value, and put the new one into "
                "the option file too if the server may restart in between.", f"SELECT @@GLOBAL.{name}",
                f"SET GLOBAL {name} = '{modes}'",
            )  # fmt: skip
    if replica_first:
        for hop in reversed(range(len(book.links))):
            _replica(book, stage, hop, of)
        book.add(
            "source",
            "When every server below has it: change the source, unlogged. (Or fail over to a replica that "
            "has it, and change the old source as a replica.)",
            _OFF,
            *_sql(stage),
            _ON,
        )
    else:
        book.add("source", f"Change the source first, unlogged{of}.", _OFF, *_sql(stage), _ON)
        for hop in range(len(book.links)):
            above = book.links[hop].source
            book.add(
                "source" if hop == 0 else book.name(hop - 1),
                "Take the position: all rows of the old definition are before it.",
                words.position(above),
            )
            book.add(
                book.name(hop),
                "Wait until it is applied: no row of the old definition may arrive after the next step.",
                words.wait(book.links[hop].replica),
            )
            _replica(book, stage, hop, "")
    if any(m is not None for m in settings):
        if replica_first:
            _settle(book, "Take the position: all rows of the old definition are before it.")
        for hop, modes in enumerate(settings):
            if modes is not None:
                link = book.links[hop]
                before = ",".join(sorted(link.type_conversions))
                book.add(
                    book.name(hop),
                    "Set the conversions back (to the value noted before).",
                    f"SET GLOBAL {words.conversions(link.replica)} = '{before}'",
                )
        return True
    return not replica_first


def _replica(book: _Book, stage: Stage, hop: int, of: str) -> None:
    server = book.links[hop].replica
    book.add(
        book.name(hop),
        f"Change it with the applier stopped, unlogged{of}.",
        words.stop(server),
        _OFF,
        *_sql(stage),
        _ON,
        words.start(server),
        words.status(server),
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
