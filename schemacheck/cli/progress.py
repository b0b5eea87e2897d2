"""Progress on standard error: one line, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

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


class Progress:
    """Stages of a long run: a line for each with the seconds so far, which on a terminal takes the place of
    the one before.
    """

    def __init__(self, stream: TextIO | None = None, *, wanted: bool = True) -> None:
        self._stream = stream or sys.stderr
        self._wanted, self._started = wanted, time.monotonic()
        self._live = self._stream.isatty()

    def say(self, text: str) -> None:
        """A stage begins."""
        if self._wanted:
            begin, end = ("\r\x1b[K", " ...") if self._live else ("", "\n")
            self._stream.write(f"{begin}{time.monotonic() - self._started:6.1f} s  {text}{end}")
            self._stream.flush()

    def end(self) -> None:
        """Nothing of it stays on a terminal."""
        if self._wanted and self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
