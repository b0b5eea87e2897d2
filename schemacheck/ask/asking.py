"""Questions asked of scratch servers: each answer is a fact; what is no answer leaves its question open."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

from schemacheck import knowledge
from schemacheck.ask.fact import DATABASE, Fact, fact
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs import snapshot_queries
from schemacheck.inputs.connection import Refused, Session, connected
from schemacheck.inputs.endpoint import Access
from schemacheck.model import Server
from schemacheck.model.question import Question
from schemacheck.model.quote import quoted
from schemacheck.model.variable import folded
from schemacheck.scratch import NoAnswer, ScratchServer, open_server

#: What MariaDB and old servers say of a foreign key, whose parent may be in another file.
_FOREIGN = "errno: 150"
#: Seconds for what the catalogue says of one question.
_SECONDS = 60.0
_READING = "reading its catalogue failed"
#: Warnings that another engine took the place of the one that is named.
_ENGINE = (1266, 1286)


class Asker:
    """Scratch servers by version, each started for its first question. `stack` ends them."""

    def __init__(self, where: str, access: Access, stack: ExitStack) -> None:
        self._where, self._access, self._stack = where, access, stack
        self._servers: dict[Server, ScratchServer | UsageError] = {}
        self._until = time.monotonic() + knowledge.load("questions")["seconds"]

    def ask(self, questions: Iterable[Question]) -> Iterator[tuple[Question, Fact | str]]:
        """Each question with its fact, or why it stays open. Raises UsageError, InputError."""
        start = knowledge.load("questions")["start"]
        for question in questions:
            try:
                given = {name: value for name, value in question.settings if name in start}
                scratch = self._server(question.server.with_told(given))
                late = time.monotonic() > self._until
                yield question, "the time for questions is over" if late else _answered(question, scratch)
            except (NoAnswer, UsageError) as error:
                yield question, str(error)
        absent = [server for server in self._servers.values() if isinstance(server, UsageError)]
        if absent and len(absent) == len(self._servers):
            raise absent[0]

    def _server(self, asked: Server) -> ScratchServer:
        """The scratch server of a version. Raises UsageError where there is none."""
        if asked not in self._servers:
            try:
                opened = open_server(self._where, asked, access=self._access)
                self._servers[asked] = self._stack.enter_context(opened)
            except UsageError as error:
                self._servers[asked] = error
        usage_error = self._servers[asked]
        if isinstance(usage_error, UsageError):
            raise usage_error
        return usage_error


def _answered(question: Question, scratch: ScratchServer) -> Fact | str:
    names = knowledge.load("questions")
    has: Server = scratch.server
    wanted = dict(question.settings)
    other = {name: value for name, value in wanted.items() if folded(has.setting(name)) != value}
    # A connection has its own, whatever the server's is.
    other |= {name: value for name, value in wanted.items() if name == "collation_connection"}
    own = [f"{name} = {has.setting(name)}" for name in other if name not in names["session"]]
    if own:
        return f"{has} has {', '.join(own)}"
    databases = {
        name or DATABASE: f"CHARACTER SET {charset} COLLATE {collation}"
        for name, charset, collation in question.databases
    }
    with scratch.question(databases, other) as asked:
        for database, text in question.before:
            try:
                asked.run(text, database=database or DATABASE)
            except Refused as error:
                return f"{has} refuses a definition before it: {error.text} (error {error.number})"
        when = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            asked.run(question.statement, database=question.database or DATABASE)
        except Refused as error:
            if error.number in names["about-others"] or _FOREIGN in error.text:
                return f"{has} lacks what it needs: {error.text} (error {error.number})"
            return fact(question, has, scratch.version, when, {"error": error.number, "message": error.text})
        if warned := [text for _, number, text in asked.run("SHOW WARNINGS")[1] if number in _ENGINE]:
            return f"{has} lacks what it needs: {warned[0]}"
        try:
            # A connection of its own: bytes that are no text end it.
            with connected(scratch.endpoint, _SECONDS) as reader:
                rows = _rows(reader, has, tuple(databases))
                shown = _shown(reader, rows)
        except InputError as error:  # what it has made the server itself cannot tell (seen: 1267 on 11.8)
            return f"{has} does not tell what it has made: {error}"
    return fact(question, has, scratch.version, when, {"rows": rows, "shown": shown})


def _rows(reader: Session, server: Server, databases: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each view of information_schema, as a snapshot has them, without NULLs."""
    result = {}
    for query in snapshot_queries.queries(server, databases):
        rows = reader.query(query.sql, _READING)[1]
        given = [dict(zip(query.columns, map(_plain, row), strict=True)) for row in rows]
        if given:
            result[query.view] = [{name: v for name, v in row.items() if v is not None} for row in given]
    return result


def _shown(reader: Session, rows: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """What SHOW CREATE TABLE says of each table, by `database.table`."""
    result = {}
    for row in rows.get("TABLES", ()):
        names = row["TABLE_SCHEMA"], row["TABLE_NAME"]
        if row["TABLE_TYPE"] != "VIEW":
            given = reader.query(f"SHOW CREATE TABLE {'.'.join(map(quoted, names))}", _READING)[1]
            result[".".join(names)] = _plain(given[0][1])
    return result


def _plain(value: Any) -> Any:
    """A value as JSON has it. Raises InputError for bytes that are no text."""
    if isinstance(value, bytes | bytearray):
        try:
            return bytes(value).decode()
        except UnicodeDecodeError:
            raise InputError("the server's catalogue holds bytes that are no text") from None
    return value if value is None or isinstance(value, str | int | float) else str(value)
