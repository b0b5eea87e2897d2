"""The variables with which a logged statement ran."""

from __future__ import annotations

from schemacheck.binlog.events.statement import Query
from schemacheck.model import Server

#: Bits of the status variable sql_mode that change how DDL is read (sql_class.h, MODE_*).
SQL_MODES = {
    0: "REAL_AS_FLOAT", 2: "ANSI_QUOTES", 3: "IGNORE_SPACE", 20: "NO_BACKSLASH_ESCAPES",
    21: "STRICT_TRANS_TABLES", 22: "STRICT_ALL_TABLES",
}  # fmt: skip
#: Bits of the status variable flags2 (log_event.h, OPTIONS_WRITTEN_TO_BIN_LOG).
NO_FOREIGN_KEY_CHECKS = 1 << 26


def checks_foreign_keys(query: Query) -> bool:
    """Whether the statement ran with foreign_key_checks."""
    flags = query.variables().get("flags2")
    return not (isinstance(flags, int) and flags & NO_FOREIGN_KEY_CHECKS)


def session(server: Server, query: Query) -> Server:
    """The server with the variables that the event carries for its statement."""
    variables = query.variables()
    settings = {"collation_connection": "?"}  # its number is not looked up
    if isinstance(mode := variables.get("sql_mode"), int):
        settings["sql_mode"] = ",".join(name for n, name in SQL_MODES.items() if mode >> n & 1)
    if isinstance(explicit := variables.get("explicit_defaults_for_timestamp"), int):
        settings["explicit_defaults_for_timestamp"] = "ON" if explicit else "OFF"
    if not checks_foreign_keys(query):
        settings["foreign_key_checks"] = "OFF"
    return server.with_told(settings)
