"""What a script is refused with."""

from __future__ import annotations

from schemacheck.catalog import read
from schemacheck.model import Server


def number(text: str, server: Server) -> int | None:
    """The number of the last refusal, 0 where nothing is refused, 1064 where it is not understood, None where
    that is not known.
    """
    problems = read(text, server, database="d").problems
    if not problems:
        return 0
    refusal = problems[-1].refusal
    if problems[-1].code == "SC001":
        return 1064
    return refusal.number if refusal is not None else None
