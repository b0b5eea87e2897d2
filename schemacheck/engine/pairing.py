"""Which replica table a source table is replicated into: names, case, rewrite-db and filters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from schemacheck.alignment import Match
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import ForeignKey, InputProblem, Link, Table
from schemacheck.model.filters import FilterSet
from schemacheck.model.names import folded

Name = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class Route:
    """Where changes of a source table go: the name that the applier looks for, and what the filters say."""

    database: str | None
    name: str
    kept_out: str = ""
    partly: str = ""


class Router:
    """Follows names through one link: lower_case_table_names of the source, filters, rewrite-db.

    A source with lower_case_table_names=1 writes its names in lower case into row events.
    """

    def __init__(self, link: Link, filters: FilterSet | None = None) -> None:
        self.folds = sends_folded(link)
        self._filter = None
        if filters is not None and not filters.empty:
            from schemacheck.filters.tables import TableFilter

            self._filter = TableFilter(filters, link)

    def route(self, database: str | None, name: str) -> Route:
        """The way of one table's changes."""
        if self.folds:
            database, name = _fold(database), folded(name)
        if self._filter is None:
            return Route(database, name)
        from schemacheck.filters.tables import Reach

        state = self._filter.state(database or "", name)
        if state.state is Reach.NOT_REPLICATED:
            return Route(state.replica_database or None, name, kept_out=state.reason)
        return Route(
            state.replica_database or database,
            name,
            partly=state.reason if state.state is Reach.PARTLY else "",
        )

    @property
    def straight(self) -> bool:
        """Whether every name leads to itself."""
        return self._filter is None and not self.folds

    def sent(self, table: Table) -> Table:
        """The table with its foreign keys to and from where the filters send the changes of those tables."""
        if self._filter is None or not (table.foreign_keys or table.incoming):
            return table
        home = self.route(table.database, table.name).database

        def key(key: ForeignKey) -> ForeignKey:
            way = self.route(key.ref_database or table.database, key.ref_table)
            if way.kept_out:
                return key
            return replace(key, ref_database=None if way.database == home else way.database)

        return replace(
            table, foreign_keys=tuple(map(key, table.foreign_keys)), incoming=tuple(map(key, table.incoming))
        )

    def hidden_parents(self, source: Table, replica: Table | None) -> tuple[tuple[ForeignKey, str], ...]:
        """The source's foreign keys to tables that a filter keeps out, where both ends enforce keys."""
        if replica is None or not replica.enforced_keys:
            return ()
        parents = (
            (key, self.route(key.ref_database or source.database, key.ref_table).kept_out)
            for key in source.enforced_keys
        )
        return tuple((key, reason) for key, reason in parents if reason)


def sends_folded(link: Link) -> bool:
    """Whether row events of this source carry names in lower case."""
    return link.source.setting("lower_case_table_names") == "1" and link.binlog_format != "STATEMENT"


class Matcher:
    """Finds counterparts among one replica's tables.

    A server with lower_case_table_names <> 0 compares names without case. Where one side names no database,
    the table's name alone counts. `unread` are tables of the replica of which the name alone is known.
    """

    def __init__(
        self,
        replicas: Iterable[Table],
        link: Link,
        filters: FilterSet | None = None,
        unread: Iterable[Table] = (),
    ) -> None:
        self._link = link
        self._fold = link.replica.folds_names
        self._router = Router(link, filters)
        self._exact: dict[Name, Table] = {}
        self._folded: dict[Name, Table] = {}
        self._bare: dict[str, list[Table]] = {}
        for table in replicas:
            self._exact[table.database, table.name] = table
            self._folded[_fold(table.database), folded(table.name)] = table
        self._unread = {(_fold(table.database), folded(table.name)): table for table in unread}
        for table in self._exact.values():
            self._bare.setdefault(self._name(table.name), []).append(table)
        self._unnamed = all(table.database is None for table in self._exact.values())
        self._used: set[int] = set()
        self._taken: dict[int, Table] = {}

    def _name(self, name: str) -> str:
        return folded(name) if self._fold else name

    def same_name(self, route: Route, database: str | None, name: str) -> bool:
        """Whether a name of the replica is the one that changes go to, as far as databases are named."""
        if self._name(route.name) != self._name(name):
            return False
        if route.database is None or database is None or self._unnamed:
            return True
        return route.database == database or (self._fold and _fold(route.database) == _fold(database))

    def route(self, database: str | None, name: str) -> Route:
        """The way of a source table's changes, whether or not anybody dumped it."""
        return self._router.route(database, name)

    def match(self, source: Table) -> Match:
        """The counterpart of a source table."""
        route = self.route(source.database, source.name)
        home = None if self._router.straight or route.database == source.database else route.database
        candidates = self._find(route.database, route.name)
        self._used.update(map(id, candidates))
        result = candidates[0] if len(candidates) == 1 else None
        if route.kept_out:
            return Match(source, result, self._link, kept_out=route.kept_out)
        if len(candidates) > 1:
            names = sorted(table.qualified_name for table in candidates)
            unclear = (
                f"no database is named, and on the replica it could be {', '.join(names[:-1])} or {names[-1]}"
            )
            return Match(source, None, self._link, partly=route.partly, unclear=unclear)
        if result is None:
            name = (_fold(route.database), folded(route.name))
            near = self._folded.get(name) or self._unread.get(name)
            return Match(source, None, self._link, partly=route.partly, near=near, home=home)
        first = self._taken.setdefault(id(result), source)
        return Match(
            self._router.sent(source),
            result,
            self._link,
            partly=route.partly,
            twin=None if first is source else first,
            hidden_parents=self._router.hidden_parents(source, result),
        )

    def _find(self, database: str | None, name: str) -> list[Table]:
        """The tables that a name can mean: several only where one side names no database."""
        if database is None or self._unnamed:
            return self._bare.get(self._name(name), [])
        table = (
            self._folded.get((_fold(database), folded(name)))
            if self._fold
            else self._exact.get((database, name))
        )
        return [] if table is None else [table]

    def surplus(self) -> tuple[Table, ...]:
        """The replica's tables that no source table was matched with so far."""
        return tuple(table for table in self._exact.values() if id(table) not in self._used)


def _fold(database: str | None) -> str | None:
    return None if database is None else folded(database)


def unread_by_name(problems: Iterable[InputProblem]) -> Mapping[str, Sequence[InputProblem]]:
    """Problems by the folded names of their tables."""
    result: dict[str, list[InputProblem]] = defaultdict(list)
    for problem in problems:
        result[folded(problem.table or "")].append(problem)
    return result


def unread_replica(
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


def unread_ways(
    problems: Iterable[InputProblem], matcher: Matcher
) -> Mapping[str, Sequence[tuple[Route, InputProblem]]]:
    """Where changes of the source's tables that could not be read go, by the folded names there."""
    result: dict[str, list[tuple[Route, InputProblem]]] = defaultdict(list)
    for problem in problems:
        route = matcher.route(problem.database, problem.table or "")
        if not route.kept_out:
            result[folded(route.name)].append((route, problem))
    return result


def unread_source(
    table: Table, ways: Mapping[str, Sequence[tuple[Route, InputProblem]]], matcher: Matcher
) -> InputProblem | None:
    """The problem that hides the source's table whose changes go to a table of the replica."""
    for route, problem in ways.get(folded(table.name), ()):
        if matcher.same_name(route, table.database, table.name):
            return problem
    return None
