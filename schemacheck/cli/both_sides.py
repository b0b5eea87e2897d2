"""Both sides of a check read at the same time: the replica's in a process of its own, where there is enough to read.

Whatever goes wrong over there, this process reads that side itself: results and errors are those of one process.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import reading
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from multiprocessing.connection import Connection

    from schemacheck.model import Schema, Server

#: Bytes of DDL that both sides must have before a second process pays: about 3,000 tables, two seconds of reading. Rows never
#: pay: they are read as fast as tables pass between processes. Nor does text that both sides have: it is read once.
WORTHWHILE = 4 << 20
#: What compressed input counts for: schemas are packed about so well.
_PACKED = 8
_DDL = re.compile(r"\.(?:sql|ddl)(?P<packed>\.gz|\.zst)?\Z", re.IGNORECASE)


def add_arguments(parser: argparse._ArgumentGroup) -> None:
    """How many processes read."""
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="1: read both sides in this process; 2 or more: the replica's side in a second one\n(default: 2 where both have 4 MB of DDL or more that differs)",
    )


def read(
    source: str, replica: str, args: argparse.Namespace, servers: tuple[Server | None, Server | None]
) -> tuple[Schema, Schema]:
    """The tables of both sides, as `reading.read` gives them; the source's errors come first. Raises InputError, UsageError."""
    if args.jobs is not None and args.jobs < 1:
        message = "--jobs: give 1 or more"
        raise UsageError(message)
    found = (
        None
        if "-" in (source, replica) or (args.jobs or _chosen(source, replica)) == 1
        else _at_once(source, replica, args, servers)
    )
    from schemacheck.catalog.table_cache import parsed_once

    with parsed_once():
        ours = found[0] if found else reading.read(source, "source", args, servers[0])
        theirs = found[1] if found else None
        return ours, theirs or reading.read(replica, "replica", args, servers[1])


def _at_once(
    source: str, replica: str, args: argparse.Namespace, servers: tuple[Server | None, Server | None]
) -> tuple[Schema, Schema | None] | None:
    """Both sides, the replica's None where the other process failed; None where there can be no other process."""
    import multiprocessing

    from schemacheck.inputs import transport

    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    other = context.Process(target=_send, args=(sender, replica, args, servers[1]), daemon=True)
    try:
        other.start()
    except OSError:
        return None
    sender.close()
    try:
        ours = reading.read(source, "source", args, servers[0])
        theirs = b""
        with contextlib.suppress(EOFError, OSError):
            theirs = receiver.recv_bytes()
    finally:
        receiver.close()
        other.kill()
        other.join()
    return ours, transport.unpack(theirs) if theirs else None


def _send(sender: Connection, path: str, args: argparse.Namespace, server: Server | None) -> None:
    """The other process: read the replica's side; say nothing where that fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(Exception):
        from schemacheck.inputs import transport

        sender.send_bytes(transport.pack(reading.read(path, "replica", args, server)))


def _chosen(source: str, replica: str) -> int:
    """2 where both sides are files or directories with enough DDL that differs, and there is a second processor."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if processors == 1:
        return 1
    ours, theirs = _sample(source), _sample(replica)
    if ours is None or theirs is None:
        return 1
    # Text that stands on both sides is read once in one process.
    return 1 if len(ours & theirs) * 2 > min(len(ours), len(theirs)) else 2


def _sample(path: str) -> set[bytes] | None:
    """The statements among the first WORTHWHILE bytes of DDL; None where there is less, or nothing to be seen."""
    found = 0
    out: set[bytes] = set()
    with contextlib.suppress(OSError):
        top = Path(path)
        for file in sorted(top.rglob("*")) if top.is_dir() else (top,):
            kind = _DDL.search(file.name)
            if kind and file.is_file():
                found += file.stat().st_size * (_PACKED if kind["packed"] else 1)
                with file.open("rb") as stream:
                    out.update(re.split(rb";\s*\n", stream.read(WORTHWHILE)))
                if found >= WORTHWHILE:
                    return {one for one in out if b"CREATE TABLE" in one}
    return None
