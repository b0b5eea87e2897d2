"""`python -m schemacheck` and the `schemacheck` command: a process that starts and ends quickly."""

from __future__ import annotations

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
    from schemacheck.cli import main as run

    status = run()
    if not _NEED_AN_ORDERLY_END.intersection(sys.modules):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
