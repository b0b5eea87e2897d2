"""The variables that SET knows."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.model.server import Server


@dataclass(frozen=True, slots=True)
class Settable:
    """A variable that SET knows: the kind of its values (rules/session_variables.yaml), and whether sessions
    and the server have one.
    """

    kind: object
    session: bool = True
    everywhere: bool = True

    def takes_scope(self, scope: str) -> bool:
        """Whether SET may name this scope ('' is the session's)."""
        return self.everywhere if scope == "global" else self.session and scope in ("", "session", "local")


def has_session_value(server: Server, name: str) -> bool:
    """Whether sessions have their own value of a variable, so that SET GLOBAL leaves this one's as it is."""
    result = settable(server).get(name)
    return result is not None and result.session


@lru_cache(maxsize=64)
def settable(server: Server) -> dict[str, Settable]:
    """The variables that scripts set on this server."""
    table = knowledge.load("session_variables")
    result = {
        name: Settable(item["is"], item["scope"] != "global", item["scope"] != "session-only")
        for item in table["idle"]
        if item["of"] in ("both", server.family) and server.has(item["needs"])
        for name in item["names"]
    }
    for name, kind in {**table["both"], **table[server.family]}.items():
        if not isinstance(kind, dict) or "needs" not in kind or server.has(kind["needs"]):
            result[name] = Settable(kind, name not in table["global"], name not in table["session-only"])
    return result
