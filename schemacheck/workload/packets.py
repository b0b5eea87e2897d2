"""How large an event is, and whether the receiver takes it."""

from __future__ import annotations

import re

from schemacheck.link.ends import Ends
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome

#: Bytes of one row from which a redo log of the default size (48 MB twice) is too small on MySQL 5.6.
MUCH = 9_000_000
_REPEAT = re.compile(r"\bREPEAT\s*\(\s*'([^']*)'\s*,\s*(\d+)\s*\)", re.IGNORECASE)


def row_bytes(text: str) -> int:
    """About how many bytes the rows of a statement have: its literals, with REPEAT written out."""
    repeated = sum(len(piece.encode()) * int(number) for piece, number in _REPEAT.findall(text))
    return repeated + len(_REPEAT.sub("", text).encode())


def too_large(ends: Ends, size: int) -> Outcome | None:
    """slave_max_allowed_packet of the replica (queue_event, read_event)."""
    limit = ends.replica.setting("slave_max_allowed_packet")
    if limit.isdigit() and size > int(limit):
        return fails(Kind.IO, "SC906", "packet", ends.replica,
            f"an event of {size} bytes is larger than slave_max_allowed_packet = {limit}",
                     change="Raise slave_max_allowed_packet on the replica")  # fmt: skip
    waiting = ends.replica.setting("slave_pending_jobs_size_max")
    works = ends.replica.setting("slave_parallel_workers") not in ("", "0")
    small = not ends.replica.mariadb and not ends.replica.has("large-events-wait")
    if works and small and waiting.isdigit() and size > int(waiting):
        why = f"an event of {size} bytes is larger than slave_pending_jobs_size_max = {waiting}"
        return Outcome(Kind.SQL, "SC906", 1864, why, "Raise slave_pending_jobs_size_max on the replica")
    return None
