"""One line of progress on standard error, on a terminal only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

#: Seconds between two redraws, and before the first one: short work shows nothing.
INTERVAL = 0.2
PATIENCE = 1.0


def bytes_read() -> Callable[[str, int], None] | None:
    """A callback for (file, bytes read so far), or None where nobody would see it."""
    if not sys.stderr.isatty():
        return None
    began = shown = time.monotonic()

    def show(name: str, done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - began < PATIENCE or now - shown < INTERVAL:
            return
        shown = now
        # name as given
        size = os.path.getsize(name) if name != "-" and os.path.isfile(name) else 0  # noqa: PTH113, PTH202
        if size and done <= size:
            filled = round(30 * done / size)
            text = (
                f"{'#' * filled}{'.' * (30 - filled)} {100 * done // size:3d} %  {done / 1e6:,.0f} of "
                f"{size / 1e6:,.0f} MB  {name}"
            )
        else:
            text = f"{done / 1e6:,.0f} MB  {name}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    return show


def clear() -> None:
    """Take the line away again."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
