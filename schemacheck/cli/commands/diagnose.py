"""Say why a replica has stopped, and what the smallest safe way on is.

STATUS is what SHOW REPLICA STATUS or SHOW SLAVE STATUS prints: one field a line, tab-separated,
with bars, or as JSON; `-` reads standard input, and a DSN asks a live replica. With both sides'
definitions the cause is told down to the column.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from schemacheck.cli import link_arguments, linking, live_access, output_arguments, reading
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs import is_dsn
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.inputs.source import read_source
from schemacheck.printable import as_json

if TYPE_CHECKING:
    import argparse

    from schemacheck.diagnose import Diagnosis, Status
    from schemacheck.model import Table

USAGE = "[OPTION]... STATUS [SOURCE REPLICA]"

EPILOG = """\
exit status:
  0  no thread has an error
  1  a thread has stopped, and what it is is said
  3  a thread has stopped, and nothing is known about its error

examples:
  mysql -e 'SHOW REPLICA STATUS\\\\G' | schemacheck diagnose -
  schemacheck diagnose mysql://monitor@replica/ --timeout 10
  schemacheck diagnose status.txt source.sql replica.sql --replica-version mysql-8.0
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The status, and both sides' definitions."""
    parser.add_argument(
        "status",
        metavar="STATUS",
        help="a file with the status, - for standard input, or a live replica: mysql://user@host:port",
    )
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="the source's definitions")
    parser.add_argument("replica", nargs="?", metavar="REPLICA", help="the replica's definitions")
    link_arguments.add(parser)
    reading.add_arguments(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def run(args: argparse.Namespace) -> int:
    """Print what is known of each error."""
    from schemacheck.diagnose import diagnose, statuses

    channels = statuses(_text(args))
    if not channels and is_dsn(args.status):
        raise InputError(
            f"{Endpoint.parse(args.status, Access()).name}: the server is no replica: it has no channel"
        )
    if not channels:
        raise InputError(f"{args.status}: no status of a replica: Last_SQL_Errno or Last_IO_Errno is missing")
    config = linking.configuration(args)
    wanted = linking.wanted(args, config)
    sources: tuple[Table, ...] = ()
    replicas: tuple[Table, ...] = ()
    link = None
    if args.source and not args.replica:
        raise UsageError("REPLICA is missing: a cause is looked for in both sides' definitions")
    if args.source:
        ours = reading.read(args.source, "source", args, linking.server(wanted, "source"))
        theirs = reading.read(args.replica, "replica", args, linking.server(wanted, "replica"))
        link, _ = linking.link(wanted, ours, theirs)
        sources, replicas = ours.tables, theirs.tables
        for problem in (p for p in (*ours.problems, *theirs.problems) if not p.skipped):
            output_arguments.note(f"not read: {problem.location or ''} {problem.message}")
    found = [(channel, one) for channel in channels for one in diagnose(channel, sources, replicas, link)]
    if args.format == "json":
        text = as_json([entry(channel, one) for channel, one in found])
    else:
        text = "\n".join(_page(channel, one) for channel, one in found) or "no thread has an error\n"
    output_arguments.write(text, None)
    return 0 if not found else 1 if all(one.entry is not None or one.findings for _, one in found) else 3


def _text(args: argparse.Namespace) -> str:
    path = args.status
    if is_dsn(path):
        from schemacheck.inputs import replica_status

        return json.dumps(replica_status.read(path, live_access.access(args, "replica")))
    return read_source(path, grows=True).data.decode("utf-8", "replace")


def entry(channel: Status, one: Diagnosis) -> dict[str, Any]:
    """One stopped thread, as `--format json` prints it."""
    return {
        "channel": channel.channel, "thread": one.thread, "number": one.number, "message": one.message,
        "what": one.entry.what if one.entry else None, "table": one.table or None,
        "column": one.column or None,
        "rules": list(one.rules), "way": _way(one), "skipping_loses": one.entry.skip if one.entry else None,
    }  # fmt: skip


def _way(one: Diagnosis) -> str:
    given = next((f.remedy_sql or f.remedy for f in one.findings if f.remedy_sql or f.remedy), "")
    return given or (one.entry.way if one.entry is not None else "")


def _page(channel: Status, one: Diagnosis) -> str:
    from schemacheck.printable import one_line

    thread = "applier (SQL thread)" if one.thread == "SQL" else "receiver (IO thread)"
    name = f" of channel {one_line(channel.channel)}" if channel.channel else ""
    lines = [f"The {thread}{name} has stopped with error {one.number}: {one_line(one.message)[:300]}"]
    if one.entry is None and not one.findings:
        return "\n".join([*lines, "Nothing is known about this error here."]) + "\n"
    if one.entry is not None:
        lines.append(f"  what: {one.entry.what}")
    if one.table or one.column:
        lines.append(f"  where: {one_line('.'.join(part for part in (one.table, one.column) if part))}")
    lines += [f"  cause: {f.code} {one_line(f.message)}" for f in one.findings[:5]]
    lines.append(f"  way on: {one_line(_way(one))}")
    if one.entry is not None:
        lines.append(f"  skipping: {one.entry.skip}")
    lines.append(f"  rules that warn of it: {', '.join(one.rules)} (schemacheck explain CODE)")
    return "\n".join(lines) + "\n"
