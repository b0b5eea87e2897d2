"""One line of progress on standard error, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from schemacheck.text.printable import one_line

#: Seconds between two redraws, and before the first one: short work shows nothing.
INTERVAL = 0.2
PATIENCE = 1.0


def line(text: str) -> None:
    """Write a line over the one before, where somebody watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{one_line(text)}")
        sys.stderr.flush()


def clear() -> None:
    """Take the line away again."""
    line("")


def bytes_read() -> Callable[[str, int], None] | None:
    """A callback for (file, bytes read so far), or None where nobody would see it."""
    if not sys.stderr.isatty():
        return None
    began = shown = time.monotonic()

    def show(name: str, done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= (PATIENCE if shown == began else INTERVAL):
            shown = now
            line(f"{name}: {done / 1e6:,.1f} MB read")

    return show
