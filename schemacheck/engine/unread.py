"""What could not be read of one end hides tables: those that it names, and those that changes of what it
names go to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from schemacheck.alignment import Match
from schemacheck.engine.pairing import Matcher, Route
from schemacheck.model import InputProblem, Table
from schemacheck.model.names import folded


def by_name(problems: Iterable[InputProblem]) -> Mapping[str, Sequence[InputProblem]]:
    """Problems by the folded names of their tables."""
    result: dict[str, list[InputProblem]] = defaultdict(list)
    for problem in problems:
        result[folded(problem.table or "")].append(problem)
    return result


def replica(
    match: Match, hidden: Mapping[str, Sequence[InputProblem]], matcher: Matcher
) -> InputProblem | None:
    """The problem that hides the counterpart of a source table, or one of the tables that could be it.
    `hidden` are the replica's, by the folded names of their tables.
    """
    if match.kept_out or match.unclear:
        return None
    route = matcher.route(match.source.database, match.source.name)
    for problem in hidden.get(folded(route.name), ()):
        if problem.table is not None and matcher.same_name(route, problem.database, problem.table):
            return problem
    return None


def ways(
    problems: Iterable[InputProblem], matcher: Matcher
) -> Mapping[str, Sequence[tuple[Route, InputProblem]]]:
    """Where changes of the source's tables that could not be read go, by the folded names there."""
    result: dict[str, list[tuple[Route, InputProblem]]] = defaultdict(list)
    for problem in problems:
        route = matcher.route(problem.database, problem.table or "")
        if not route.kept_out:
            result[folded(route.name)].append((route, problem))
    return result


def source(
    table: Table, ways: Mapping[str, Sequence[tuple[Route, InputProblem]]], matcher: Matcher
) -> InputProblem | None:
    """The problem that hides the source's table whose changes go to a table of the replica."""
    for route, problem in ways.get(folded(table.name), ()):
        if matcher.same_name(route, table.database, table.name):
            return problem
    return None
