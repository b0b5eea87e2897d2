"""The process that reads the replica's side of a check: what to read comes on standard input, tables go to
standard output.

It says nothing where reading fails: the process that asked reads that side itself, and tells the error.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading


def main() -> None:
    """Read one side, write it as `transport` does, end."""
    from schemacheck.cli import reading
    from schemacheck.dataclass import replace
    from schemacheck.model import transport

    # An interrupt reaches the other process too, which then closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    path, options, server = transport.unpack(sys.stdin.buffer.readline())
    threading.Thread(target=_wait_for_end, daemon=True).start()
    with contextlib.suppress(Exception):
        schema = reading.read(path, "replica", argparse.Namespace(**options), server)
        # What made them is of use to nobody there, and is as long as they are.
        schema = replace(schema, tables=tuple(replace(one, ran=()) for one in schema.tables))
        answer = transport.pack(schema)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    os._exit(0)


def _wait_for_end() -> None:
    """End this process when the one that asked is gone, however it went."""
    with contextlib.suppress(OSError):
        os.read(0, 1)
    os._exit(1)
