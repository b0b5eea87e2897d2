"""Whether rows that a change writes are the same on both ends where its statements are logged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.link import Ends
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import InputProblem, Link, Location, Schema
from schemacheck.plan.change import Statement
from schemacheck.replay.other_rows import own_rows
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
    writing = [statement for statement in statements if statement.writes]
    data = [s for s in writing if s.location and parse(s.sql, link.source).verb.startswith(_DATA)]
    for statement in writing:
        if statement not in data and (why := own_rows(statement.sql, link)):
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


def _problem(outcome: Outcome, location: Location | None) -> InputProblem:
    return InputProblem("SC004", f"{outcome.why}: `schemacheck link --statements` says more", location)
