"""Python's cycle collector, out of the way while much is read."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def collector_paused() -> Iterator[None]:
    """Rows and tables form no cycles; the collector would walk the heap again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not gc.get_freeze_count():
                # All generations become the oldest one, without a look at their objects.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
