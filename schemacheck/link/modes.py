"""gtid_mode of a server."""

from __future__ import annotations

from schemacheck.model import Server

#: Modes in which a source writes anonymous transactions.
ANONYMOUS = ("OFF", "OFF_PERMISSIVE")
_BY_NUMBER = {"0": "OFF", "1": "OFF_PERMISSIVE", "2": "ON_PERMISSIVE", "3": "ON"}


def gtid_mode(server: Server) -> str:
    """OFF, OFF_PERMISSIVE, ON_PERMISSIVE or ON; a server without the variable writes anonymous
    transactions.
    """
    if not server.has("gtid-modes"):
        return "OFF"
    value = server.setting("gtid_mode").upper() or "OFF"
    return _BY_NUMBER.get(value, value)
