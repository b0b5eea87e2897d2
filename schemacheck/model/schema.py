"""What one input yields: tables, what could not be read, and what it says about its server."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.dataclass import dataclass, field
from schemacheck.model.account import FileAccount, Taken
from schemacheck.model.history import History
from schemacheck.model.problem import InputProblem
from schemacheck.model.program import Event, Routine
from schemacheck.model.server import Server
from schemacheck.model.table import Table


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
