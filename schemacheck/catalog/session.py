"""Which variables sessions have a value of their own of."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.model.server import Server


def has_session_value(server: Server, name: str) -> bool:
    """Whether sessions have their own value of a variable, so that SET GLOBAL leaves this one's as it is."""
    return name in _of_sessions(server)


@lru_cache(maxsize=64)
def _of_sessions(server: Server) -> frozenset[str]:
    """The variables that sessions set on this server."""
    table = knowledge.load("session_variables")
    idle = {
        name
        for one in table["idle"]
        if one["of"] in ("both", server.family) and server.has(one["needs"]) and one["scope"] != "global"
        for name in one["names"]
    }
    own = {
        name
        for name, kind in {**table["both"], **table[server.family]}.items()
        if name not in table["global"]
        and not (isinstance(kind, dict) and "needs" in kind and not server.has(kind["needs"]))
    }
    return frozenset(idle | own)
