"""A server that may be lost: its session, its words, and what of it must be put back."""

from __future__ import annotations

import secrets
from typing import Any

from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.connection import Refused, Session
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.inputs.settings import server_from
from schemacheck.model import Server
from schemacheck.model.quote import quoted, string
from schemacheck.scratch.door import sent
from schemacheck.scratch.server import grant, tables_of_others

#: The values of gtid_mode, a step apart from each other.
_GTID_MODES = ("OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON")
#: MySQL 5.6 has names of 16 characters at most.
_DEFINER = "'schemacheck_run'@'localhost'"


class Scratch:
    """One end, which `put_back` leaves as it was. `own`: it was started for this run."""

    def __init__(self, session: Session, password: str | None = None, *, own: bool = False) -> None:
        self.session = session
        #: Whether a channel of the run replicates to it.
        self.replicates = False
        #: Databases that are made, and what global variables were before.
        self.databases: set[str] = set()
        self.settings: dict[str, str] = {}
        #: The account whose rights triggers have, those of the databases that are made here; None on a server
        #: that lives on, where it is the session's.
        self.definer = _DEFINER if own else None
        #: The password that the other end logs in with; None: it is the endpoint's own.
        self.password = session.endpoint.password if password is None else password
        variables = {str(name).lower(): str(value) for name, value in self.ask("SHOW GLOBAL VARIABLES")}
        server = server_from(variables)
        if server is None:
            raise InputError(f"{self.name}: the server does not say its version")
        self.variables = variables
        self.server: Server = server
        self.version = variables.get("version", "")

    @property
    def endpoint(self) -> Endpoint:
        """Where it is."""
        return self.session.endpoint

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.session.endpoint.name

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a statement. Raises Refused, InputError where the connection fails."""
        return self.session.query(statement, "a statement failed")[1]

    def send(self, statement: str) -> list[tuple[Any, ...]]:
        """The same of a statement made of somebody's definitions (`sql.asked`). Raises NoAnswer too."""
        return self.ask(sent(statement, self.server))

    def events(self, file: str, position: int) -> list[tuple[str, str]]:
        """(type, text) of the events in its log from here on."""
        events = self.ask(f"SHOW BINLOG EVENTS IN {string(file)} FROM {position}")
        return [(str(event[2]), str(event[5])) for event in events]

    def make_database(self, name: str) -> None:
        """An empty one; what was there under its name is gone."""
        self.databases.add(name)
        self.ask(f"DROP DATABASE IF EXISTS {quoted(name)}")
        self.ask(f"CREATE DATABASE {quoted(name)}")
        if self.definer is not None:
            if not self.ask(f"SELECT 1 FROM mysql.user WHERE User = {self.definer.partition('@')[0]}"):
                self.ask(f"CREATE USER {self.definer} IDENTIFIED BY {string(secrets.token_urlsafe(18))}")
            self.ask(grant(name, self.definer))

    def record(self, statement: str) -> dict[str, Any]:
        """The first row by its columns' names; empty where there is none."""
        names, rows = self.session.query(statement, "a statement failed")
        return dict(zip(names, rows[0], strict=True)) if rows else {}

    def word(self, statement: str) -> str:
        """A statement about replication in this version's words; given in the old ones."""
        if not self.server.has("channel-words-source"):
            return statement
        for old, new in (
            ("CHANGE MASTER", "CHANGE REPLICATION SOURCE"), ("SHOW MASTER STATUS", "SHOW BINARY LOG STATUS"),
            ("MASTER_POS_WAIT", "SOURCE_POS_WAIT"), ("MASTER_", "SOURCE_"), ("SLAVE", "REPLICA"),
        ):  # fmt: skip
            statement = statement.replace(old, new)
        return statement

    def status(self) -> dict[str, Any]:
        """The status of the channel, its fields in the old words."""
        record = self.record(self.word("SHOW SLAVE STATUS"))
        return {
            key.replace("Source", "Master").replace("Replica", "Slave"): value
            for key, value in record.items()
        }

    def set_global(self, name: str, value: str) -> None:
        """Set a global variable. Raises UsageError."""
        old = self.variables.get(name)
        if old == value:
            return
        try:
            self._walk(name, value)
        except Refused as error:
            raise UsageError(
                f"{self.name}: {name} cannot be set to {value!r}: {error.text} (error {error.number})"
            ) from None
        if old is not None:
            self.settings.setdefault(name, old)
        self.variables[name] = value

    def _walk(self, name: str, value: str) -> None:
        """Set a global variable; gtid_mode takes one step at a time."""
        steps = [value]
        now = str(self.record("SELECT @@GLOBAL.gtid_mode AS mode")["mode"]) if name == "gtid_mode" else ""
        if now in _GTID_MODES and value.upper() in _GTID_MODES:
            here, there = _GTID_MODES.index(now), _GTID_MODES.index(value.upper())
            algorithm = range(here + 1, there + 1) if there > here else range(here - 1, there - 1, -1)
            steps = [_GTID_MODES[place] for place in algorithm]
        for step in steps:
            self.ask(f"SET GLOBAL {name} = {_value(step)}")

    def position(self) -> tuple[str, int]:
        """The end of the binary log. Raises InputError where there is none."""
        for statement in dict.fromkeys(("SHOW MASTER STATUS", self.word("SHOW MASTER STATUS"))):
            try:
                record = self.record(statement)
            except Refused:
                continue
            if record:
                return str(record["File"]), int(record["Position"])
        raise InputError(f"{self.name}: the server writes no binary log (log_bin)")

    def must_be_scratch(self, *, replica: bool) -> None:
        """Raise UsageError for a server that somebody may need: tables of others, or a channel."""
        if named := tables_of_others(self.session):
            raise UsageError(
                f"{self.name}: this server holds tables of others: {named}; prove runs on servers that may "
                "be lost"
            )
        if replica and self.status():
            raise UsageError(f"{self.name}: this server replicates already: reset it")

    def put_back(self) -> None:
        """Undo what the run has changed."""
        if self.replicates:
            for statement in ("STOP SLAVE", "RESET SLAVE ALL"):
                self.ask(self.word(statement))
        self.ask("SET SESSION sql_log_bin = 0")
        self.ask("SET SESSION foreign_key_checks = 0")
        for database in self.databases:
            self.ask(f"DROP DATABASE IF EXISTS {quoted(database)}")
        for name, value in self.settings.items():
            self._walk(name, value)
            self.variables[name] = value


def _value(text: str) -> str:
    """A variable's value in SET: a number as it is, all else as a string."""
    return text if text.lstrip("-").isdigit() else string(text)
