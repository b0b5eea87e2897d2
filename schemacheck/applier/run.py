"""Whole files held against a replica."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemacheck.applier.log import LogCheck
from schemacheck.applier.report import LogReport, Place, Stop
from schemacheck.binlog.errors import BinlogError
from schemacheck.binlog.events.statement import Query
from schemacheck.binlog.files import Progress, read_logs
from schemacheck.binlog.readers import Event
from schemacheck.binlog.writer import writer
from schemacheck.link import Outcome
from schemacheck.link.read_events import of_kind, of_numbers
from schemacheck.model import Effect, Finding, InputProblem, Location, Server, ServerError

#: Event type -> kind, see `of_kind`.
_KINDS = {
    39: "partial", 40: "payload", 42: "tagged", **dict.fromkeys(range(165, 172), "mariadb-compressed"),
    **dict.fromkeys((23, 24, 25), "v1-rows"),
}  # fmt: skip
_CARRIED = ("character_set_client", "collation_connection", "collation_server")


def unread(file: str, event: Event, replica: Server) -> Stop | None:
    """Where the applier stops at an event, or passes over it (number 0); None where it reads it."""
    outcome = _of_event(event, replica)
    if outcome is None:
        return None
    header = event.header
    effect = Effect.STOPS if outcome.dead else Effect.DIVERGES
    error = ServerError(outcome.number, outcome.why)
    finding = Finding(outcome.rule, "", effect, outcome.why, error=error, remedy=outcome.change)
    place = Place(file, header.position, header.log_pos, header.position, None)
    return Stop(
        place, error, "the log" if outcome.dead else "a statement that is left out without an error", finding
    )


def _of_event(event: Event, replica: Server) -> Outcome | None:
    kind = _KINDS.get(event.header.code)
    outcome = of_kind(kind, replica) if kind is not None else None
    if outcome is None and isinstance(event, Query):
        try:
            given = event.variables()
        except BinlogError:
            return None
        numbers = tuple(value for name in _CARRIED if isinstance(value := given.get(name), int))
        outcome = of_numbers(numbers, replica)
    return outcome


def check_logs(
    files: Iterable[str],
    begin: Callable[[Server | None], LogCheck],
    *,
    start_position: int | None = None,
    progress: Progress | None = None,
) -> LogReport:
    """Check files in order; a damaged log is a problem. `begin` makes the check once the log's writer is
    known (None: nobody). Raises InputError; EncryptedLog and NotABinlog for the first file.
    """
    check: LogCheck | None = None

    try:
        for file, event in read_logs(files, start_position=start_position, progress=progress):
            if check is None:
                check = begin(writer(event))
            if check.report.stop is None:
                check.report.stop = unread(file, event, check.link.replica)
            check.take(file, event)
    except BinlogError as error:
        if check is None or not check.report.events:
            raise
        check.report.problems.append(
            InputProblem(
                "SC003", error.reason, Location(f"{error.file or check.report.files[-1]}@{error.offset}")
            )
        )
    return (check or begin(None)).finish()
