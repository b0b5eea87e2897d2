"""Progress for a person: one line on the terminal that says what is going on and how long; elsewhere a plain
line per stage.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self, TextIO


class Progress:
    """`say(text)` begins a stage. On a terminal the line is drawn anew twice a second; elsewhere each stage
    is a line, with the seconds since the beginning.
    """

    def __init__(self, stream: TextIO | None = None, *, wanted: bool = True) -> None:
        self._stream = stream or sys.stderr
        self._live = wanted and self._stream.isatty()
        self._plain = wanted and not self._live
        self._text = ""
        self._begun = self._started = time.monotonic()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._draw, daemon=True)

    def __enter__(self) -> Self:
        if self._live:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._live:
            self._thread.join(2)
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def say(self, text: str) -> None:
        """A stage begins."""
        if self._live and self._text:
            self._stream.write(f"\r\x1b[K  {self._text}: {time.monotonic() - self._begun:.1f} s\n")
        if self._plain:
            self._stream.write(f"{time.monotonic() - self._started:6.1f} s  {text}\n")
            self._stream.flush()
        self._text, self._begun = text, time.monotonic()

    def _draw(self) -> None:
        while not self._done.wait(0.5):
            now = time.monotonic()
            tasks = _tasks()
            self._stream.write(
                f"\r\x1b[K{self._text} ... {now - self._begun:.0f} s{tasks} (in all "
                f"{now - self._started:.0f} s)"
            )
            self._stream.flush()


def _tasks() -> str:
    """Tasks done of Spark's running stages, where the engine tells."""
    module = sys.modules.get("pyspark.core.context")
    context = getattr(getattr(module, "SparkContext", None), "_active_spark_context", None)
    if context is None:
        return ""
    try:
        tracker = context.statusTracker()
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    except Exception:  # noqa: BLE001 a picture of progress must never end the job
        return ""
    done, total = sum(s.numCompletedTasks for s in stages if s), sum(s.numTasks for s in stages if s)
    return f", {100 * done // total} % of {total} tasks" if total else ""
