"""Whether a change's logged statements make the same of rows and definitions on both ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.link import Ends, dialect
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import InputProblem, Link, Location, Schema
from schemacheck.plan.change import Statement
from schemacheck.replay.change import NOT_LOGGED, OF_SESSIONS
from schemacheck.replay.other_rows import own_rows
from schemacheck.sql.flavor import reserved_apart
from schemacheck.sql.statements import parse
from schemacheck.sql.words import Name
from schemacheck.workload import run_script

_DATA = ("insert", "replace", "update", "delete")


def problems(
    statements: Sequence[Statement], texts: Sequence[tuple[str, str]], link: Link,
    bases: tuple[Schema, Schema], database: str | None,
) -> Iterator[InputProblem]:  # fmt: skip
    """What `link --statements` says of those statements of a change that write rows; `bases` is what the ends
    have before. A statement that needs what an earlier file of the change makes is unknown.
    """
    for statement in statements:
        for why in _of_definition(statement, link):
            yield InputProblem("SC004", why, statement.location)
    writing = [statement for statement in statements if statement.writes]
    data = [s for s in writing if s.location and parse(s.sql, link.source).verb.startswith(_DATA)]
    for statement in writing:
        if why := own_rows(statement.sql, link):
            yield InputProblem("SC004", why, statement.location)
    # A session may log statements over a link that logs rows.
    logged = link.binlog_format == "STATEMENT" or any("binlog_format" in text.lower() for _, text in texts)
    for file, text in texts if data and logged else ():
        answer = run_script(Ends(link), text, bases, file=file, database=database or "")
        for outcome, place in ((answer.outcome, answer.at), *answer.further):
            # What is not decided about the whole file is not about any of its statements.
            lines = {place.line} if place else {s.location.line for s in data if s.location}
            for at in (s.location for s in data if outcome.kind is not Kind.RUNS):
                if at and at.file == file and at.line in lines and (place or outcome.kind is Kind.UNKNOWN):
                    yield _problem(outcome, at)


def written(statements: Sequence[Statement], link: Link) -> frozenset[Name]:
    """The tables to which a change writes rows, as it names them."""
    return frozenset(
        (ref.database or statement.database, ref.name)
        for statement in statements
        if statement.writes
        for ref in parse(statement.sql, link.source).updated
    )


def _of_definition(statement: Statement, link: Link) -> Iterator[str]:
    """Why the replica may not make of a logged definition what the source makes."""
    source, replica = link.source, link.replica
    yield from (
        f"{name} {NOT_LOGGED}"
        for name in OF_SESSIONS
        if statement.touched and any(name in sql.casefold() for sql in statement.session)
    )
    verb, text = parse(statement.sql, source).verb, dialect.plain(statement.sql)
    if not ("table" in verb or "index" in verb) and (word := reserved_apart(text, source, replica)):
        yield f"{word} is a reserved word of {replica}: as a name it needs quotes"


def _problem(outcome: Outcome, location: Location | None) -> InputProblem:
    return InputProblem("SC004", f"{outcome.why}: `schemacheck link --statements` says more", location)
