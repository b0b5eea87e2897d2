"""Both sides of a check read at the same time: the replica's in a process of its own, where there is enough
to read.

Whatever goes wrong over there, this process reads that side itself: results and errors are those of one
process.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import linking, reading
from schemacheck.errors import UsageError
from schemacheck.system import child, inner_file

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.linking import Wanted
    from schemacheck.model import Schema, Server

#: Bytes of DDL that both sides must have before a second process pays: about 3,000 tables, two seconds of
#: reading. Rows never
#: pay: they are read as fast as tables pass between processes. Nor does text that both sides have: it is read
#: once.
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
        help="1: read both sides in this process; 2 or more: the replica's side in a second "
        "one\n(default: 2 where both have 4 MB of DDL or more that differs)",
    )


def read(source: str, replica: str, args: argparse.Namespace, wanted: Wanted) -> tuple[Schema, Schema]:
    """The tables of both sides, as `reading.read` gives them; the source's errors come first. A side that
    tells nothing of its server's settings is read as the other side's server reads it. Raises InputError,
    UsageError.
    """
    servers = linking.server(wanted, "source"), linking.server(wanted, "replica")
    return alike(source, replica, args, wanted, _read(source, replica, args, servers))


def alike(
    source: str, replica: str | None, args: argparse.Namespace, wanted: Wanted, sides: tuple[Schema, Schema]
) -> tuple[Schema, Schema]:
    """Both sides; a file is read again where the other side tells more of its server than was known before.
    Raises InputError.
    """

    def again(path: str | None, side: str, schema: Schema, opposite: Server | None) -> Schema:
        server = linking.server(wanted, side, schema.server, opposite)
        known = linking.server(wanted, side, schema.server)
        return schema if not path or server in (None, known) else reading.read(path, side, args, server)

    ours, theirs = sides
    return again(source, "source", ours, theirs.server), again(replica, "replica", theirs, ours.server)


def _read(
    source: str, replica: str, args: argparse.Namespace, servers: tuple[Server | None, Server | None]
) -> tuple[Schema, Schema]:
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs: give 1 or more")
    from schemacheck.catalog import asked

    found = (
        None
        if asked.are_there()
        or any(one == "-" or "://" in one for one in (source, replica))
        or (args.jobs or _chosen(source, replica)) == 1
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
    """Both sides, the replica's None where the other process failed; None where there can be no other
    process.
    """
    import subprocess

    from schemacheck.model import transport
    from schemacheck.system import leftovers

    try:
        other = subprocess.Popen(
            child.command("schemacheck.cli.other_side"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None
    with leftovers.ended(other):
        assert other.stdin is not None
        assert other.stdout is not None
        told = (replica, {name: value for name, value in vars(args).items() if _plain(value)}, servers[1])
        answer: list[bytes] = []
        with contextlib.suppress(OSError):
            # The pipe stays open: when this process is gone, the other one sees its end and goes too.
            other.stdin.write(transport.pack(told) + b"\n")
            other.stdin.flush()
        # What the other one has read must not wait for us in its pipe.
        stream = other.stdout
        receiver = threading.Thread(target=lambda: answer.append(stream.read()), daemon=True)
        receiver.start()
        ours = reading.read(source, "source", args, servers[0])
        receiver.join()
    found = None
    with contextlib.suppress(ValueError):
        found = transport.unpack(answer[0]) if answer and answer[0] else None
    return ours, found


def _plain(value: object) -> bool:
    """Whether an option's value is text, a number, or a list of them."""
    if isinstance(value, list):
        return all(map(_plain, value))
    return value is None or isinstance(value, str | int)


def _chosen(source: str, replica: str) -> int:
    """2 where both sides are files or directories with enough DDL that differs, and there is a second
    processor.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if processors == 1:
        return 1
    ours, theirs = _sample(source), _sample(replica)
    if ours is None or theirs is None:
        return 1
    # Text that stands on both sides is read once in one process.
    return 1 if len(ours & theirs) * 2 > min(len(ours), len(theirs)) else 2


def _sample(path: str) -> set[bytes] | None:
    """The statements among the first WORTHWHILE bytes of DDL; None where there is less, or nothing to be
    seen.
    """
    found = 0
    out: set[bytes] = set()
    with contextlib.suppress(OSError):
        top = Path(path)
        for file in sorted(top.rglob("*")) if top.is_dir() else (top,):
            kind = _DDL.search(file.name)
            if kind and file.is_file():
                found += file.stat().st_size * (_PACKED if kind["packed"] else 1)
                with inner_file.opened(file, top if top.is_dir() else file.parent) as stream:
                    out.update(re.split(rb";\s*\n", stream.read(WORTHWHILE)))
                if found >= WORTHWHILE:
                    return {one for one in out if b"CREATE TABLE" in one}
    return None
