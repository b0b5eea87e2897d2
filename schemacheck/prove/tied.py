"""The tables that foreign keys tie together: what a question about one of them has to make."""

from __future__ import annotations

from collections import defaultdict

from schemacheck.model import PairReport, Schema, Table, TableKind

#: More tables that foreign keys tie together are in no question.
MOST_TABLES = 50
_Name = tuple[str | None, str]


def name_of(table: Table) -> _Name:
    """Database and name, as its end writes them."""
    return table.database, table.name


class Tied:
    """The tables of both ends that foreign keys tie together, in either direction."""

    def __init__(self, schemas: tuple[Schema, Schema]) -> None:
        self._schemas = schemas
        self._places = [{name_of(t): place for place, t in enumerate(s.tables)} for s in schemas]
        beside: dict[_Name, set[_Name]] = defaultdict(set)
        for table in (table for schema in schemas for table in schema.tables):
            for key in table.foreign_keys:
                other = (key.ref_database or table.database, key.ref_table)
                beside[name_of(table)].add(other)
                beside[other].add(name_of(table))
        self._groups: dict[_Name, set[_Name]] = {}
        for name in beside:
            waiting = [] if name in self._groups else [name]
            group = set(waiting)
            while waiting:
                fresh = beside[waiting.pop()] - group
                group |= fresh
                waiting += fresh
            self._groups |= dict.fromkeys(group, group) if name not in self._groups else {}

    def names(self, pair: PairReport) -> set[_Name]:
        """The names of those that take part in a pair's rows."""
        own = {name_of(table) for table in (pair.source, pair.replica) if table is not None}
        return own.union(*(self._groups[name] for name in own if name in self._groups))

    def of(self, pair: PairReport) -> tuple[list[Table], list[Table]]:
        """Those that take part in a pair's rows, in order; for a view all, itself last."""
        if any(table is not None and table.kind is TableKind.VIEW for table in (pair.source, pair.replica)):
            ours, theirs = (
                sorted(
                    (t for t in schema.tables if t.kind is not TableKind.SEQUENCE),
                    key=lambda t: t.kind is TableKind.VIEW,
                )
                for schema in self._schemas
            )
            return ours, theirs
        names = self.names(pair)
        first, second = (
            [schema.tables[place] for place in sorted(places[name] for name in names & places.keys())]
            for schema, places in zip(self._schemas, self._places, strict=True)
        )
        return first, second
