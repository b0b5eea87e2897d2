"""Progress for a person: a line for each stage with the seconds so far; on a terminal each takes the place of
the one before.
"""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """`say(text)` begins a stage."""

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
