"""Questions asked of scratch servers: each answer is a fact; what is no answer leaves its question open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from schemacheck import knowledge
from schemacheck.ask.fact import DATABASE, Fact, fact
from schemacheck.errors import InputError
from schemacheck.inputs import snapshot_queries
from schemacheck.inputs.connection import Refused, connected
from schemacheck.inputs.endpoint import Access
from schemacheck.model import Server
from schemacheck.model.question import Question
from schemacheck.model.quote import quoted
from schemacheck.model.variable import folded
from schemacheck.scratch import NoAnswer, ScratchServer, open_server

if TYPE_CHECKING:
    from schemacheck.inputs.connection import Session

Read = Callable[[str], list[tuple[Any, ...]]]

#: What MariaDB and old servers say of a foreign key, whose parent may be in another file.
_FOREIGN = "errno: 150"
#: Seconds that the reader of a server's catalogue has in a run.
_SESSION = 3600.0


def ask(questions: Iterable[Question], where: str, access: Access) -> Iterator[tuple[Question, Fact | str]]:
    """Each question with its fact, or with why it stays open. Raises UsageError where `where` cannot be used,
    InputError where a server does not start.
    """
    groups: dict[Server, list[Question]] = defaultdict(list)
    for one in questions:
        groups[one.server.with_told(dict(_of_start(one)))].append(one)
    for server, group in groups.items():
        with open_server(where, server, access=access) as scratch, ExitStack() as stack:
            reader: Session | None = None

            def read(statement: str) -> list[tuple[Any, ...]]:
                """Rows of the catalogue of the server as it is now: another one may have been started."""
                nonlocal reader
                if reader is None or reader.endpoint != scratch.endpoint:
                    stack.close()
                    reader = stack.enter_context(connected(scratch.endpoint, _SESSION))
                return reader.query(statement, "reading a scratch server's catalogue failed")[1]

            for one in group:
                try:
                    yield one, _answered(one, scratch, read)
                except NoAnswer as error:
                    yield one, str(error)


def _of_start(question: Question) -> list[tuple[str, str]]:
    """What a server can be given only when it starts."""
    return [one for one in question.settings if one[0] == "lower_case_table_names"]


def _answered(question: Question, scratch: ScratchServer, read: Read) -> Fact | str:
    names = knowledge.load("questions")
    has: Server = scratch.server
    wanted = dict(question.settings)
    other = {name: value for name, value in wanted.items() if folded(has.setting(name)) != value}
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
        rows = _rows(read, has, tuple(databases))
        shown = _shown(read, rows)
    if engine := _substituted(question, rows):
        return f"{has} has not the engine that it names, and took {engine}"
    return fact(question, has, scratch.version, when, {"rows": rows, "shown": shown})


def _rows(read: Read, server: Server, databases: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each view of information_schema, as a snapshot has them, without NULLs and views
    that have none.
    """
    found = {}
    for query in snapshot_queries.queries(server, databases):
        rows = read(query.sql)
        given = [dict(zip(query.columns, map(_plain, row), strict=True)) for row in rows]
        if given:
            found[query.view] = [{name: v for name, v in row.items() if v is not None} for row in given]
    return found


def _shown(read: Read, rows: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """What SHOW CREATE TABLE says of each table, by `database.table`."""
    found = {}
    for row in rows.get("TABLES", ()):
        names = row["TABLE_SCHEMA"], row["TABLE_NAME"]
        if row["TABLE_TYPE"] != "VIEW":
            given = read(f"SHOW CREATE TABLE {'.'.join(map(quoted, names))}")
            found[".".join(names)] = _plain(given[0][1])
    return found


def _plain(value: Any) -> Any:
    """A value as JSON has it. Raises InputError for bytes that are no text."""
    if isinstance(value, bytes | bytearray):
        try:
            return bytes(value).decode()
        except UnicodeDecodeError:
            raise InputError("the server's catalogue holds bytes that are no text") from None
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _substituted(question: Question, rows: dict[str, list[dict[str, Any]]]) -> str:
    """The engine that took the place of one that the statement names; '' for none."""
    text = question.statement.upper()
    engines = {str(row.get("ENGINE", "")) for row in rows.get("TABLES", ())}
    named = "ENGINE" in text and not any(one.upper() in text for one in engines if one)
    return ", ".join(sorted(engines)) if named else ""
