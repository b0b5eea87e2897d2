"""Ctrl-C and SIGTERM: the command unwinds; what does not unwind in time is ended, with all that it has
started and made.

Python runs a signal's handler between two of its own instructions only. A call into an engine that never
returns would keep it from running, so a thread of its own watches for signals too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from schemacheck.system import leftovers

#: Seconds that a command has to unwind.
PATIENCE = 4.0


#: For every block that holds signals back, the one that came meanwhile, or 0.
_WAITING: list[int] = []
#: The signals that this command unwinds on.
_WATCHED: set[int] = set()


class Ended(KeyboardInterrupt):
    """A signal asked this process to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def behind(error: BaseException) -> Ended | None:
    """The signal that a library met while it worked, where the error is what it then failed with."""
    context = error.__context__
    while context is not None and not isinstance(context, Ended):
        context = context.__context__
    return context


def install() -> None:
    """Unwind on SIGINT, SIGTERM and SIGHUP, not for long. For a process's main thread."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    watched = set()
    for item in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # `nohup` and background jobs of a shell ignore some of them on purpose.
        if signal.getsignal(item) is not signal.SIG_IGN:
            signal.signal(item, _unwind)
            watched.add(int(item))
    _WATCHED.update(watched)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader, watched), daemon=True).start()


def restore() -> None:
    """Take the handlers back that a library has replaced, in Python or below it."""
    if threading.current_thread() is threading.main_thread():
        for number in _WATCHED:
            signal.signal(number, _unwind)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Signals wait until the block ends: a starting process has to be registered first."""
    if threading.current_thread() is not threading.main_thread():
        # Handlers run in the main thread alone.
        yield
        return
    _WAITING.append(0)
    try:
        yield
    finally:
        number = _WAITING.pop()
    if number:
        raise Ended(number)


def _unwind(number: int, frame: FrameType | None) -> None:
    del frame
    if _WAITING:
        _WAITING[-1] = number
        return
    if "logging" in sys.modules:
        # Libraries log where they were when the signal came; nobody wants to read that.
        sys.modules["logging"].disable()
    raise Ended(number)


def _watch(reader: int, watched: set[int]) -> None:
    number = 0
    while number not in watched:
        data = os.read(reader, 1)
        if not data:
            return
        number = data[0]
    threading.Event().wait(PATIENCE)
    leftovers.remove()
    with contextlib.suppress(OSError):
        os.write(2, b"schemacheck: ended by a signal\n")
    os._exit(128 + number)
