"""Standard error for what went wrong, and standard output that nobody reads any more."""

from __future__ import annotations

import contextlib
import os
import sys


def complain(*texts: str) -> None:
    """Lines on standard error, which steer no terminal."""
    from schemacheck.text.printable import one_line

    with contextlib.suppress(OSError, ValueError):
        print(*(f"schemacheck: {one_line(text)}" for text in texts), sep="\n", file=sys.stderr)  # noqa: T201


def abandon_output() -> None:
    """Let what is still to be printed go nowhere: Python would try it once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # a stream that is no file
        return
