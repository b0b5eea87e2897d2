"""Options of the two servers that may be lost, and the servers themselves, put back afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from schemacheck.cli import live_access
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.prove.scratch import Scratch


OPTIONS = """
--local                   start the machine's own mariadbd or mysqld twice, on loopback, in a temporary folder
--local-server PATH ...   the program that --local starts, or its folder; given twice: the source's and the
                          replica's
--source-server DSN       an empty server that may be lost: mysql://user@host:port/
--replica-server DSN      another one
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add --local and both DSNs."""
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
    """Source and replica, put back behind the block. Raises UsageError for servers that hold anything."""
    from schemacheck.inputs.connection import connected
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.prove.scratch import Scratch
    from schemacheck.scratch import program, start
    from schemacheck.scratch.where import program_maker

    with ExitStack() as stack:
        endpoints: tuple[Endpoint, Endpoint]
        if args.local:
            programs = [program.named(place) for place in args.local_server or ()] or [program.any_of_them()]
            if len(programs) > 2:
                raise UsageError("--local-server: one program, or the source's and the replica's")
            made = start.pair(program_maker(programs[0]), program_maker(programs[-1]))
            endpoints = stack.enter_context(made)
        else:
            source, replica = (
                Endpoint.parse(getattr(args, f"{side}_server"), live_access.access(args, side))
                for side in ("source", "replica")
            )
            endpoints = (source, replica)
        out = []
        for number, endpoint in enumerate(endpoints):
            end = Scratch(stack.enter_context(connected(endpoint, args.timeout)), own=args.local)
            if not args.local:
                end.must_be_scratch(replica=number == 1)
                stack.callback(end.put_back)
            out.append(end)
        yield out[0], out[1]
