"""What of a session decides whether a statement runs: its locks, and the variables that it may set."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field
from schemacheck.model.server import Server


@dataclass(slots=True)
class Session:
    """What of a session decides whether a statement runs: tables under LOCK TABLES, and whether for WRITE."""

    locked: dict[tuple[str | None, str], bool] = field(default_factory=dict)


def has_session_value(server: Server, name: str) -> bool:
    """Whether sessions have their own value of a variable, so that SET GLOBAL leaves this one's as it is."""
    return name in settable(server) and name not in knowledge.load("session_variables")["global"]


@lru_cache(maxsize=64)
def settable(server: Server) -> dict[str, object]:
    """The variables that scripts set on this server, and what values they take."""
    found = knowledge.load("session_variables")
    named = {**found["both"], **found[server.family]}
    return {
        name: kind
        for name, kind in named.items()
        if not isinstance(kind, dict) or "needs" not in kind or server.has(kind["needs"])
    }
