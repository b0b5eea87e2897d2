"""A script of DDL run statement by statement: what each one makes of the tables before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schemacheck.catalog.script import _Script
from schemacheck.model.location import Location
from schemacheck.model.problem import InputProblem
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.sql.script import first_words, statements

Name = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One statement. `sql` is its text without the delimiter, `words` its first words in capitals,
    `database` the default database under which it runs; `before` and `after` are the tables by
    (database, name); `problems` are what it brought."""

    sql: str
    words: tuple[str, ...]
    location: Location | None
    database: str | None
    before: dict[Name, Table]
    after: dict[Name, Table]
    problems: tuple[InputProblem, ...] = ()


def steps(
    text: str, server: Server, *, file: str = "-", database: str | None = None, base: Schema | None = None
) -> Iterator[Step]:
    """The statements of a script, in order, each run on the tables that the ones before left, and its end; as `read`, whose parameters these are."""
    script = _Script(text, server, file, database, Schema(base.tables) if base else None, {})
    before = dict(script.tables)
    told = 0
    for statement in statements(script.text, lambda: script.server.backslash):
        script.run(statement)
        after = dict(script.tables)
        location = script.lines.at(statement.start, statement.start + 1)
        yield Step(
            statement.text.strip(),
            tuple(first_words(statement.text)),
            location,
            script.database,
            before,
            after,
            tuple(script.problems[told:]),
        )
        before, told = after, len(script.problems)
    # The end is a step of its own on every server: what was left open is told there.
    script.finish()
    yield Step(
        "",
        (),
        script.lines.at(len(script.text)),
        script.database,
        before,
        before,
        tuple(script.problems[told:]),
    )
