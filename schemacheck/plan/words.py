"""How a server's version spells the statements of a runbook."""

from __future__ import annotations

from schemacheck.model import InputProblem, Server
from schemacheck.sql.words import first_words

#: Seconds after which a wait gives up.
PATIENCE = 600
#: Seconds for which an ALTER may stand in the way of everybody while it waits for a table's metadata lock.
LOCK_PATIENCE = 10


def typed(sql: str) -> list[str]:
    """A statement with its delimiter, as it is typed: another delimiter around one that has `;` in a body."""
    plain = sql.rstrip(";")
    if ";" not in plain or first_words(plain, 1) not in (["CREATE"], ["ALTER"]):
        return [sql]
    mark = "//"
    while mark in plain:
        mark += "/"
    return [f"DELIMITER {mark}", f"{plain}{mark}", "DELIMITER ;"]


def problem(problem: InputProblem) -> str:
    """What became of a statement that is not planned."""
    refused = "the source refuses it" if problem.refusal else "not understood"
    return "left out" if problem.skipped else refused


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
    """The replica's state, one value a line."""
    return f"SHOW {_replica(server)} STATUS\\G"


def running(server: Server) -> str:
    """What the replica's state must show."""
    word = "Replica" if server.has("replica-words") else "Slave"
    behind = "Seconds_Behind_Source" if server.has("replica-words") else "Seconds_Behind_Master"
    return f"{word}_IO_Running: Yes, {word}_SQL_Running: Yes, {behind}: 0, Last_SQL_Errno: 0"


def gtids(server: Server) -> bool:
    """Whether a place in the source's log can be named by GTIDs here, the same on every server."""
    if server.mariadb:
        return server.has("master-gtid-wait")
    return server.setting("gtid_mode").upper() == "ON" and server.has("wait-for-executed-gtid-set")


def mark(server: Server, *, by_gtid: bool) -> str:
    """Where the source's binary log ends: the GTIDs in it, or file and position."""
    if by_gtid:
        return f"SELECT @@GLOBAL.{'gtid_binlog_pos' if server.mariadb else 'gtid_executed'}\\G"
    return ("SHOW BINARY LOG STATUS" if server.has("binary-log-status") else "SHOW MASTER STATUS") + "\\G"


def wait(server: Server, *, by_gtid: bool) -> tuple[str, str]:
    """Wait until the replica has applied everything up to a mark, and what that shows."""
    if by_gtid:
        name = "MASTER_GTID_WAIT" if server.mariadb else "WAIT_FOR_EXECUTED_GTID_SET"
        late = "-1" if server.mariadb else "1"
        return f"SELECT {name}('<gtids>', {PATIENCE})", f"0; {late} is too late"
    name = "SOURCE_POS_WAIT" if server.has("replica-words") else "MASTER_POS_WAIT"
    return (
        f"SELECT {name}('<file>', <position>, {PATIENCE})",
        "0 or more; -1 is too late, NULL: the applier does not run",
    )


def _replica(server: Server) -> str:
    return "REPLICA" if server.has("replica-words") else "SLAVE"
