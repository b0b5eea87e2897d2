"""What one input yields: tables, what could not be read, and what it says about its server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model.account import FileAccount, Taken
from schemacheck.model.history import History
from schemacheck.model.names import folded
from schemacheck.model.problem import InputProblem
from schemacheck.model.program import Event, Routine
from schemacheck.model.server import Server
from schemacheck.model.table import ForeignKey, Table


@dataclass(frozen=True, slots=True)
class Schema:
    """One side of a check.

    `tables` are in the order of the input; `server` is the flavour, version and settings that the
    input itself says (a dump's header, SHOW VARIABLES beside it), else None; `problems` are what
    did not become a table; `events` are the scheduled events that it tells, `routines` its procedures
    and functions;
    `files` says what became of every file; `taken` which statements of scripts were taken to run;
    `history` are the migrations that the tables come from; `charsets` are the default character set and
    collation of databases for which it names one.
    """

    tables: tuple[Table, ...] = ()
    problems: tuple[InputProblem, ...] = ()
    server: Server | None = None
    events: tuple[Event, ...] = ()
    routines: tuple[Routine, ...] = ()
    files: tuple[FileAccount, ...] = field(default=(), compare=False)
    taken: tuple[Taken, ...] = field(default=(), compare=False)
    history: History | None = field(default=None, compare=False)
    charsets: Mapping[str, tuple[str, str]] = field(default_factory=dict, compare=False)

    @property
    def programs(self) -> tuple[tuple[str, str, str], ...]:
        """The routines and events that are listed: kind, database ("" where none is named) and name."""
        events = [("event", event.database or "", event.name) for event in self.events]
        return (*events, *((routine.kind, routine.database or "", routine.name) for routine in self.routines))


def with_incoming(tables: tuple[Table, ...], *, fold: bool = False) -> tuple[Table, ...]:
    """The tables, each with the foreign keys that point at it; `fold`: names have no case."""

    def key(database: str | None, name: str) -> tuple[str | None, str]:
        return (database and folded(database), folded(name)) if fold else (database, name)

    result: dict[tuple[str | None, str], list[ForeignKey]] = {}
    for child in tables:
        home = key(child.database, "")[0]
        for foreign in child.enforced_keys:
            target = key(foreign.ref_database or child.database, foreign.ref_table)
            result.setdefault(target, []).append(
                replace(
                    foreign, ref_table=child.name, ref_database=None if home == target[0] else child.database
                )
            )
    if not result:
        return tables
    return tuple(
        replace(t, incoming=tuple(result.get(key(t.database, t.name), ())))
        if key(t.database, t.name) in result
        else t
        for t in tables
    )


def without_unread_children(tables: Iterable[Table], problems: Iterable[InputProblem]) -> tuple[Table, ...]:
    """The tables without foreign keys of children that were not read: those are undecided themselves."""
    unread = {folded(problem.table) for problem in problems if problem.table and not problem.skipped}
    if not unread:
        return tuple(tables)
    return tuple(
        replace(table, incoming=tuple(key for key in table.incoming if folded(key.ref_table) not in unread))
        for table in tables
    )
