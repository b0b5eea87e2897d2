"""`python -m schemacheck` and the `schemacheck` command: a process that starts and ends quickly."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

#: Modules that leave something to do at the interpreter's end.
_NEED_AN_ORDERLY_END = frozenset({"pyspark", "pysail", "multiprocessing", "coverage"})


def main() -> int:
    """Run the command line; returns the exit status, or ends the process with it.

    Two habits of short-lived commands, worth a fifth of the time of a small check together
    (benchmarks/startup.py): the cycle collector runs seldom while modules are loaded, and the
    process ends without taking the interpreter apart, as mypy does.
    """
    gc.set_threshold(100_000, 20, 20)
    _open_streams()
    from schemacheck.cli import main as run
    from schemacheck.system import interrupt

    interrupt.install()
    status = run()
    if not _NEED_AN_ORDERLY_END.intersection(sys.modules):
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    return status


def _open_streams() -> None:
    """Where a shell has closed a standard stream (`>&-`), put one in its place: else the next file that is
    opened gets its number. Nothing can be written to that standard output, so that a report that goes nowhere
    is an error.
    """
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            # stays open
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False))  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
