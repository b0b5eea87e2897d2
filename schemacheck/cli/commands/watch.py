"""Look at a link again and again, and tell what has changed since the last look.

SOURCE and REPLICA are live servers (mysql://user@host), snapshots, or folders into which snapshots are
written anew. A server that cannot be reached is told once; when it comes back, it is compared with what
it was.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from schemacheck.cli import checking, evidence_arguments, linking, output_arguments
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.watching import Change, Watch

USAGE = "[OPTION]... SOURCE REPLICA"

OPTIONS = """
--interval SECONDS=300  between two looks
--looks N               end after N looks (default: never)
--prometheus FILE       after each look write figures in Prometheus' text format here
"""
EPILOG = """\
exit status, with --looks: that of the last look: 0, 1, 3 as of check, or 2 where an end could not be read

examples:
  schemacheck watch mysql://monitor@db1/ mysql://monitor@db2/ --interval 300 --prometheus drift.prom
  schemacheck watch snapshots/source snapshots/replica --looks 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of a check, and how often and whom to tell."""
    checking.add_arguments(parser)
    declare(parser.add_argument_group("watching"), OPTIONS)


def run(args: argparse.Namespace) -> int:
    """Look until the last look; nothing but a signal ends it before."""
    from schemacheck.cli.watching import Watch

    if args.looks is not None and args.looks < 1:
        raise UsageError("--looks takes a number of looks: more than 0")
    if "-" in (args.source, args.replica):
        raise UsageError("standard input can be read once: name files, snapshots or servers")
    config = linking.configuration(args)
    watch = Watch(lambda: evidence_arguments.stated(args, checking.report(args, config)))
    return watched(args, watch)


def watched(args: argparse.Namespace, watch: Watch) -> int:
    """The loop. `time.time`, `time.monotonic` and `time.sleep` are the only clock."""
    from schemacheck.engine.gate import BROKEN, exit_status

    names = (_name(args.source), _name(args.replica))
    due = time.monotonic()
    while True:
        change = watch.once(time.time())
        _tell(args, watch, change, names)
        if args.looks is not None and watch.looks >= args.looks:
            return exit_status(change.report) if change.report else BROKEN
        # A look that takes long delays the next one; none is made up for.
        due = max(due + args.interval, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))


def _tell(args: argparse.Namespace, watch: Watch, change: Change, names: tuple[str, str]) -> None:
    from schemacheck.cli import watching
    from schemacheck.system import whole_file
    from schemacheck.text.printable import visible

    if watch.looks == 1 and change.report:
        tables = f"{len(change.report.pairs)} table{'s' * (len(change.report.pairs) != 1)}"
        output_arguments.note(f"{tables} compared every {args.interval:g} seconds; each change gets a line")
    output_arguments.write(visible(watching.text(change)), None)
    if args.prometheus:
        try:
            whole_file.write(args.prometheus, watching.figures(watch, change, names).encode())
        except OSError as error:
            output_arguments.note(f"--prometheus: {args.prometheus}: {error.strerror or error}")


def _name(given: str | None) -> str:
    """An end without what a password could stand in."""
    from schemacheck.inputs import is_dsn
    from schemacheck.inputs.endpoint import Access, Endpoint

    if given and is_dsn(given):
        return Endpoint.parse(given, Access()).name
    return given or "schemacheck.yaml"
