"""A server that may be lost: questions are put to it one after the other, and none leaves a trace."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from schemacheck.dataclass import replace
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.connection import Refused, Session, connected
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.inputs.settings import server_from
from schemacheck.model import Server
from schemacheck.model.quote import quoted, string
from schemacheck.scratch.door import NoAnswer, sent

#: Databases that every server has.
SYSTEM = ("mysql", "sys", "information_schema", "performance_schema")
#: The database that its user makes on a server that may be lost.
MARKER = "schemacheck_scratch"
_ASKER = "schemacheck_ask"
#: What a question may do with its own databases.
_RIGHTS = (
    "CREATE, DROP, ALTER, INDEX, REFERENCES, SELECT, INSERT, UPDATE, DELETE, CREATE VIEW, SHOW VIEW, "
    "TRIGGER, CREATE TEMPORARY TABLES"
)
#: Errors that say nothing about a statement, but what a question may not do, what this server was started
#: without, or that it has reached a limit: rights; files, options and engines that come as plugins; memory,
#: disk and threads; time and the connection; errors without a meaning of their own.
_NOT_ABOUT_IT = frozenset((
    *(1044, 1045, 1142, 1143, 1226, 1227, 1370, 1419),
    *(1004, 1016, 1036, 1126, 1127, 1148, 1286, 1290, 1524),
    *(1021, 1026, 1030, 1037, 1038, 1040, 1041, 1114, 1135),
    *(1053, 1080, 1152, 1153, 1158, 1159, 1160, 1161, 1184, 1205, 1317, 1927, 1969, 2006, 2013, 3024),
    *(1105, 1815),
))  # fmt: skip
#: A table that cannot be made or renamed, and where that is for what the statement says: foreign keys, a
#: duplicate, options of the engine.
_NOT_MADE, _FOR_ITS_MEANING = (1005, 1025), re.compile(r"errno: (?:121|140|150|152)\b")
#: Seconds for what the account does that makes and removes databases, and for a statement to end when told.
_PATIENCE, _UNTIL_IT_ENDS = 60.0, 3.0
#: Words alone: a character set and a collation.
_OPTIONS = re.compile(r"[a-z0-9_ ]*", re.IGNORECASE | re.ASCII)
_VARIABLE = re.compile(r"[a-z][a-z0-9_]*")


def tables_of_others(session: Session) -> str:
    """The databases that hold tables, beside the server's own, with how many; '' for none."""
    asked = "SELECT table_schema, COUNT(*) FROM information_schema.tables GROUP BY table_schema"
    rows = session.query(asked, "its tables cannot be listed")[1]
    return ", ".join([f"{name} ({count})" for name, count in rows if name.lower() not in SYSTEM][:5])


def grant(database: str, account: str) -> str:
    """The GRANT of these rights on one database, whose name is no pattern."""
    pattern = re.sub(r"([\\_%])", r"\\\1", database)
    return f"GRANT {_RIGHTS} ON {quoted(pattern)}.* TO {account}"


class ScratchServer:
    """A server of the version. `start` gives a fresh one, also where a question ended the last."""

    def __init__(
        self, start: Callable[[], AbstractContextManager[Endpoint]], asked: Server, seconds: float
    ) -> None:
        self._start, self._asked, self._seconds = start, asked, seconds
        self._stack = ExitStack()
        self.begin()

    def begin(self) -> None:
        """Start, with the questions' account. Raises InputError, UsageError for another version."""
        with ExitStack() as stack:
            self.endpoint = stack.enter_context(self._start())
            self._keeper = stack.enter_context(connected(self.endpoint, _PATIENCE))
            if self._keep(f"SELECT GET_LOCK({string(MARKER)}, 0)") != [(1,)]:
                raise UsageError(f"{self.endpoint.name}: another run asks this server")
            self._keep(f"SET SESSION lock_wait_timeout = {_PATIENCE / 4:.0f}, foreign_key_checks = 0")
            variables = {str(name).lower(): str(value) for name, value in self._keep("SHOW GLOBAL VARIABLES")}
            server = server_from(variables)
            self.version = variables.get("version", "")
            if server is None or not server.answers_for(self._asked):
                raise UsageError(f"{self.endpoint.name} is {server or self.version}, not {self._asked}")
            self.server = server
            account = str(self._keep("SELECT CURRENT_USER()")[0][0])
            self._account = f"{string(_ASKER)}@{string(account.rpartition('@')[2])}"
            self._password = secrets.token_urlsafe(18)
            with contextlib.suppress(InputError):
                self._keep(f"DROP USER {self._account}")
            self._stack = stack.pop_all()

    def end(self) -> None:
        """The server is not needed any more, or is lost."""
        self._stack.close()

    @contextlib.contextmanager
    def question(
        self, databases: Mapping[str, str], variables: Mapping[str, str] | None = None
    ) -> Iterator[Question]:
        """Empty databases and a session with these variables, for a block. Raises NoAnswer, InputError."""
        try:
            self._keep("SELECT 1")
        except InputError:
            self.end()
            self.begin()
        if taken := [name for name in databases if name.lower() in (*SYSTEM, MARKER)]:
            raise NoAnswer(f"not asked: {taken[0]} is a database of the server's own")
        if not all(map(_OPTIONS.fullmatch, databases.values())):
            raise NoAnswer("not asked: a database has other options than a character set and a collation")
        with ExitStack() as stack:
            names: list[str] = []
            stack.callback(self._without, names)
            try:
                self._keep(f"CREATE USER {self._account} IDENTIFIED BY {string(self._password)}")
                for name, options in databases.items():
                    self._keep(f"CREATE DATABASE {quoted(name)} {options}")
                    names.append(name)
                    self._keep(grant(name, self._account))
                own = replace(self.endpoint, user=_ASKER, password=self._password, for_one_run=True)
                session = stack.enter_context(connected(own, self._seconds))
                question = Question(session, self.server, variables or {}, self._seconds)
            except InputError as error:
                raise NoAnswer(f"not asked: {error}") from None
            stack.callback(self._after, question)
            yield question

    def _after(self, question: Question) -> None:
        """What a question still runs ends, or the server does."""
        try:
            with contextlib.suppress(Refused):
                self._keep(f"KILL {question.connection}")
            until = time.monotonic() + _UNTIL_IT_ENDS
            while question.lost and question.connection in {row[0] for row in self._keep("SHOW PROCESSLIST")}:
                if time.monotonic() > until:
                    raise NoAnswer("a statement does not end")
                time.sleep(0.05)
        except InputError:
            self.end()

    def _without(self, names: list[str]) -> None:
        """The account and these databases go."""
        try:
            for name in names:
                self._keep(f"DROP DATABASE IF EXISTS {quoted(name)}")
            self._keep(f"DROP USER {self._account}")
        except InputError:
            self.end()

    def _keep(self, statement: str) -> list[tuple[Any, ...]]:
        self._keeper.renew()
        return self._keeper.query(statement, "a scratch server failed")[1]


class Question:
    """A session of an account that has rights on the databases of its question alone."""

    def __init__(
        self, session: Session, server: Server, variables: Mapping[str, str], seconds: float
    ) -> None:
        self._session, self._seconds = session, seconds
        self._database: str | None = None
        #: Whether the server did not answer any more.
        self.lost = False
        #: The mode comes last: it says how strings are read.
        given = {"sql_mode": server.setting("sql_mode"), **variables}
        for name in sorted(given, key=lambda name: name == "sql_mode"):
            if not _VARIABLE.fullmatch(name):
                raise NoAnswer(f"{name!r} is no variable")
            value = given[name]
            session.query(
                f"SET SESSION {name} = {value if value.isdigit() else string(value)}", "a variable failed"
            )
        self._server = server.with_told(given)
        self.connection = int(session.query("SELECT CONNECTION_ID()", "a question failed")[1][0][0])

    def run(self, statement: str, *, database: str | None = None) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Names and rows of one statement's answer. Raises Refused, NoAnswer."""
        text = sent(statement, self._server)
        self._session.renew()
        since = time.monotonic()
        try:
            if database not in (None, self._database):
                self._session.query(f"USE {quoted(str(database))}", "a question failed")
                self._database = database
            return self._session.query(text, "a question failed")
        except Refused as error:
            own = error.number in _NOT_MADE and not _FOR_ITS_MEANING.search(error.text)
            if error.number is None or error.number in _NOT_ABOUT_IT or own:
                raise NoAnswer(f"{error.text} (error {error.number})") from None
            raise
        except InputError:
            self.lost = True
            long = time.monotonic() - since >= self._seconds
            why = f"it takes more than {self._seconds:g} seconds" if long else "the server has ended on it"
            raise NoAnswer(why) from None
