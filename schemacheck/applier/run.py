"""Whole files held against a replica."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemacheck.applier.log import LogCheck
from schemacheck.applier.report import LogReport, Stop
from schemacheck.applier.unread import unread
from schemacheck.binlog.errors import BinlogError
from schemacheck.binlog.files import Progress, read_logs
from schemacheck.binlog.writer import writer
from schemacheck.model import InputProblem, Location, Server


def check_logs(
    files: Iterable[str],
    begin: Callable[[Server | None], LogCheck],
    *,
    start_position: int | None = None,
    follow: bool = False,
    progress: Progress | None = None,
    on_stop: Callable[[Stop], None] | None = None,
) -> LogReport:
    """Check files in order, see `LogCheck`; reading stops with a problem where a log is damaged. `begin`
    makes the check once it is known which server wrote the log (None: nobody knows).

    Raises InputError where a file cannot be opened, EncryptedLog and NotABinlog for the first file.
    """
    check: LogCheck | None = None

    try:
        for file, event in read_logs(files, start_position=start_position, follow=follow, progress=progress):
            if check is None:
                check = begin(writer(event))
            before = check.report.stop
            if before is None:
                check.report.stop = unread(file, event, check.link.replica)
            check.take(file, event)
            if on_stop and before is None and check.report.stop is not None:
                on_stop(check.report.stop)
    except KeyboardInterrupt:
        if not follow:
            raise
        check = check or begin(None)
        check.report.notes.append("following was interrupted")
    except BinlogError as error:
        if check is None or not check.report.events:
            raise
        check.report.problems.append(
            InputProblem(
                "SC003", error.reason, Location(f"{error.file or check.report.files[-1]}@{error.offset}")
            )
        )
    return (check or begin(None)).finish()
