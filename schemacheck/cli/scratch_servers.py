"""Options of the two servers that may be lost, and the servers themselves, put back afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import live_access
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.prove.scratch import Journal, Scratch

_JOURNAL = ".schemacheck-prove.json"


OPTIONS = f"""
--local                   start the machine's own mariadbd or mysqld twice, on loopback, in a temporary folder
--local-server PATH ...   the program that --local starts, or its folder; given twice: the source's and the
                          replica's
--source-server DSN       a server that may be lost: mysql://user@host:port/
--replica-server DSN      another one
--allow-nonempty          use servers that hold tables of others (databases of the same names are dropped)
--journal FILE={_JOURNAL}
    where changes are noted while it runs
"""
RESTORE = """
--restore FILE  put back what a run that was killed has changed, and do no more
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add --local, both DSNs, what guards servers that live on, and what puts them back."""
    declare(parser.add_argument_group("scratch servers"), OPTIONS)


def check(args: argparse.Namespace) -> None:
    """Raise UsageError unless two servers are named in one of the two ways."""
    if args.local and (args.source_server or args.replica_server):
        raise UsageError("--local and --source-server, --replica-server exclude each other")
    if not args.local and not (args.source_server and args.replica_server):
        raise UsageError(
            "give --local, or --source-server and --replica-server: two servers that may be lost"
        )


@contextlib.contextmanager
def ends(args: argparse.Namespace) -> Iterator[tuple[Scratch, Scratch]]:
    """Source and replica, put back behind the block. Raises UsageError for servers in use, and a journal."""
    from schemacheck.prove.scratch import Journal

    journal = Journal(None if args.local else Path(args.journal))
    if journal.file is not None and journal.file.exists():
        raise UsageError(
            f"{journal.file} is left from a run that did not end: put it back with --restore {journal.file}"
        )
    with ExitStack() as stack:
        yield _connected(args, journal, stack, empty=not args.allow_nonempty)


def restore(args: argparse.Namespace) -> None:
    """Put back what the journal of --restore has. Raises InputError, UsageError for other servers."""
    from schemacheck.prove.scratch import Journal

    journal = Journal.load(Path(args.restore))
    with ExitStack() as stack:
        names = {end.name for end in _connected(args, journal, stack, empty=False)}
    left = sorted(set(journal.servers) - names)
    if left:
        raise UsageError(f"{args.restore} is about {', '.join(left)} too: name these servers")


def _connected(
    args: argparse.Namespace, journal: Journal, stack: ExitStack, *, empty: bool
) -> tuple[Scratch, Scratch]:
    from schemacheck.inputs.connection import connected
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.prove.scratch import Scratch
    from schemacheck.scratch import program, start
    from schemacheck.scratch.where import program_maker

    endpoints: tuple[Endpoint, Endpoint]
    if args.local:
        programs = [program.named(place) for place in args.local_server or ()] or [program.any_of_them()]
        if len(programs) > 2:
            raise UsageError("--local-server: one program, or the source's and the replica's")
        endpoints = stack.enter_context(start.pair(program_maker(programs[0]), program_maker(programs[-1])))
    else:
        source, replica = (
            Endpoint.parse(getattr(args, f"{side}_server"), live_access.access(args, side))
            for side in ("source", "replica")
        )
        endpoints = (source, replica)
    out = []
    for number, endpoint in enumerate(endpoints):
        end = Scratch(stack.enter_context(connected(endpoint, args.timeout)), journal, own=args.local)
        if not args.local:
            if empty:
                end.must_be_scratch(replica=number == 1)
            stack.callback(end.put_back)
        out.append(end)
    return out[0], out[1]
