"""`python -m schemacheck` and the `schemacheck` command: a process that starts and ends quickly."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

#: Modules that leave something to do at the interpreter's end.
_NEED_AN_ORDERLY_END = frozenset({"pyspark", "pysail", "multiprocessing", "coverage"})


def main() -> int:
    """Run the command line; returns the exit status, or ends the process with it. The cycle collector runs
    seldom while modules are loaded, and the interpreter is not taken apart: a fifth of the time.
    """
    gc.set_threshold(100_000, 20, 20)
    _open_streams()
    from schemacheck.cli import main as run
    from schemacheck.system import interrupt

    interrupt.install()
    status = run()
    # (An engine's threads abort a process whose interpreter is taken apart while they are at work.)
    ended = status > 128
    if ended or not _NEED_AN_ORDERLY_END.intersection(sys.modules):
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    gc.freeze()  # what was read is held to the end: nobody need walk it then
    return status


def _open_streams() -> None:
    """Fill the place of a standard stream that a shell has closed: else the next file gets its number."""
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
