"""How a server's version spells the statements of a runbook."""

from __future__ import annotations

from schemacheck.model import Server


def conversions(server: Server) -> str:
    """slave_type_conversions or its newer name."""
    return "replica_type_conversions" if server.has("replica-words") else "slave_type_conversions"


def stop(server: Server) -> str:
    """Stop the applier."""
    return f"STOP {_replica(server)} SQL_THREAD"


def start(server: Server) -> str:
    """Start the applier."""
    return f"START {_replica(server)} SQL_THREAD"


def status(server: Server) -> str:
    """The replica's state."""
    return f"SHOW {_replica(server)} STATUS"


def position(server: Server) -> str:
    """Where the source's binary log ends."""
    return "SHOW BINARY LOG STATUS" if server.has("binary-log-status") else "SHOW MASTER STATUS"


def wait(server: Server) -> str:
    """Wait until the replica has applied everything up to a position."""
    return f"SELECT {'SOURCE' if server.has('replica-words') else 'MASTER'}_POS_WAIT('<file>', <position>)"


def _replica(server: Server) -> str:
    return "REPLICA" if server.has("replica-words") else "SLAVE"
