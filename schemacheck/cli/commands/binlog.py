"""Read binary logs: list their events, or check whether they apply to a replica.

`binlog events` prints what the logs hold. `binlog check` holds every event against the
replica's definitions and filters: where the applier will stop, with which error, and
which rows change their values without any error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import asking, checking, link_arguments, linking, live_access, output_arguments, progress
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError
from schemacheck.text.printable import as_json, disarmed, visible

if TYPE_CHECKING:
    import argparse

    from schemacheck.applier import LogReport
    from schemacheck.model import Effect

#: Settings of the source that each event shows.
_TOLD_BY_LOG = ("binlog_format", "binlog_row_metadata")
USAGE = "(events | check --replica INPUT) [OPTION]... FILE..."

OPTIONS = """
action: {events,check}    what to do
logs: FILE...             binary logs in order; compressed or not; - is standard input
--format {text,json,jsonl}
    events: text or jsonl; check: text or json (default: text)
--start-position N        offset in the first log where an event begins
"""
CHECK = """
--replica INPUT  the replica's definitions: a file, a directory or a DSN
--source, --schema-at-start INPUT
    the source's definitions, for what the log does not say (order of columns, keys, members of ENUM): without
    them it is seldom known whether the data stays the same, and the exit status is 3
"""
EPILOG = """\
exit status:
  0  the logs were read; with check: nothing at or above --fail-on
  1  check: findings
  2  wrong usage, or logs that cannot be read
  3  check: only unknowns stand in the way

examples:
  schemacheck binlog events mysql-bin.000042 --format jsonl
  schemacheck binlog check mysql-bin.0000* --replica replica.sql --source source.sql
  schemacheck binlog check mysql-bin.000042 --replica mysql://dba@replica/ --start-position 1234
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action, the logs, the replica."""
    declare(parser, OPTIONS + asking.OPTIONS)
    declare(parser.add_argument_group("check"), CHECK + linking.FILTER_OPTIONS + checking.FAIL_ON)
    link_arguments.add(parser)
    live_access.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """List or check."""
    return _events(args) if args.action == "events" else _check(args)


#: Options that mean nothing to `binlog events`, by attribute.
_OF_CHECK = ("replica", "source", "filters", "channel", "fail_on", "source_version", "replica_version")


def _refuse_foreign(args: argparse.Namespace) -> None:
    """An option that would silently do nothing is refused."""
    given = [name for name in _OF_CHECK if getattr(args, name)]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} belongs to binlog check: it means nothing to binlog events")


def _events(args: argparse.Namespace) -> int:
    from schemacheck.binlog.listing import event_lines

    _refuse_foreign(args)
    if args.format == "json":
        raise UsageError("binlog events prints text or jsonl")
    for line in event_lines(args.logs, form=args.format or "text", start_position=args.start_position):
        output_arguments.write(disarmed(visible(line)) + "\n", None)
    return 0


def _check(args: argparse.Namespace) -> int:
    from schemacheck.applier import LogCheck, check_logs
    from schemacheck.applier.report import document
    from schemacheck.applier.text import render
    from schemacheck.inputs import open_schema
    from schemacheck.model import Effect, Schema, Server

    if args.replica is None:
        raise UsageError("--replica is missing: the replica's definitions")
    if args.format == "jsonl":
        raise UsageError("binlog check prints text or json")
    config = linking.configuration(args)
    wanted = linking.wanted(args, config)
    assumed: list[str] = []

    def begin(writer: Server | None) -> LogCheck:
        """The log says who wrote it; that is the source, and without other word the replica."""
        if writer is not None:
            wanted.servers["source"] = (f"{writer.flavor}-{writer.version_text}", linking.LOG)

        def end(side: str, place: str) -> Schema:
            named, how = linking.named_server(wanted, side), live_access.access(args, side)
            return open_schema(place, server=named, fallback=linking.server(wanted, side), access=how)

        replica = end("replica", args.replica)
        source = end("source", args.source) if args.source else None
        link, sentences = linking.link(wanted, source or Schema(), replica)
        assumed[:] = [text for text in sentences if not text.startswith(_TOLD_BY_LOG)]
        return LogCheck(replica, link, filters=linking.load_filters(args, wanted, link), source=source)

    def decide() -> LogReport:
        shown = progress.bytes_read()
        return check_logs(args.logs, begin, start_position=args.start_position, progress=shown)

    with asking.asking(args, config) as answers:
        report = answers.decided(decide)
    assumed += answers.said
    progress.clear()
    if args.format == "json":
        text = as_json(document(report) | {"assumptions": list(assumed)})
    else:
        text = disarmed(visible(render(report)))
        text += "" if text.endswith("\n") else "\n"
        text += f"assumed: {'; '.join(assumed)}\n" if assumed else ""
    output_arguments.write(text, None)
    return status(report, Effect(args.fail_on or "unsupported"))


def status(report: LogReport, fail_on: Effect) -> int:
    """0 nothing at or above `fail_on`; 1 findings; 3 only unknowns stand in the way."""
    from schemacheck.model import Effect, PairState

    pair_reports = [t.pair for t in report.tables if t.pair.state is not PairState.NOT_REPLICATED]
    # An unknown beside a finding does not hide it.
    effects = [
        effect for pair in pair_reports for effect in (pair.verdict, *(f.effect for f in pair.findings))
    ]
    effects += [finding.effect for finding in report.link_findings]
    effects += [Effect.STOPS] if report.stop else []
    effects += [Effect.UNKNOWN] if report.problems or report.lacking else []
    shut = [effect for effect in effects if effect >= fail_on]
    if any(effect is not Effect.UNKNOWN for effect in shut):
        return 1
    return 3 if shut else 0
