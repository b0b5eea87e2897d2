"""Which replica table a source table is replicated into: names, case, rewrite-db and filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schemacheck.model import Link, Table
from schemacheck.model.filters import FilterSet

Name = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class Match:
    """A source table's counterpart. `replica` is None where there is none; `kept_out` is the filter's
    sentence where the table is not replicated, `partly` where only some changes are; `near` is a
    replica table that differs by case only."""

    source: Table
    replica: Table | None = None
    kept_out: str = ""
    partly: str = ""
    near: Table | None = None


class Matcher:
    """Finds counterparts among one replica's tables.

    A server with lower_case_table_names <> 0 compares names without case, and one with 1 writes its
    names in lower case into row events. Where one side names no database, the table's name alone counts.
    """

    def __init__(self, replicas: Iterable[Table], link: Link, filters: FilterSet | None = None) -> None:
        self._fold = link.replica.setting("lower_case_table_names") not in ("", "0")
        self._sent_folded = link.source.setting("lower_case_table_names") == "1" and link.binlog_format != "STATEMENT"
        self._exact: dict[Name, Table] = {}
        self._folded: dict[Name, Table] = {}
        self._bare: dict[str, Table] = {}
        for table in replicas:
            self._exact[table.database, table.name] = table
            self._folded[_fold(table.database), table.name.casefold()] = table
            self._bare.setdefault(self._name(table.name), table)
        self._unnamed = all(table.database is None for table in self._exact.values())
        self._used: set[int] = set()
        self._filter = None
        if filters is not None and not filters.empty:
            from schemacheck.filters.tables import TableFilter

            self._filter = TableFilter(filters, link)

    def _name(self, name: str) -> str:
        return name.casefold() if self._fold else name

    def match(self, source: Table) -> Match:
        """The counterpart of a source table."""
        database, name, partly = source.database, source.name, ""
        if self._sent_folded:
            database, name = _fold(database), name.casefold()
        if self._filter is not None:
            from schemacheck.filters.tables import Reach

            state = self._filter.state(database or "", name)
            if state.state is Reach.NOT_REPLICATED:
                return Match(source, self._take(self._find(state.replica_database or None, name)), kept_out=state.reason)
            partly = state.reason if state.state is Reach.PARTLY else ""
            database = state.replica_database or database
        found = self._take(self._find(database, name))
        near = self._folded.get((_fold(database), name.casefold())) if found is None else None
        return Match(source, found, partly=partly, near=near)

    def _find(self, database: str | None, name: str) -> Table | None:
        if database is None or self._unnamed:
            return self._bare.get(self._name(name))
        if self._fold:
            return self._folded.get((_fold(database), name.casefold()))
        return self._exact.get((database, name))

    def _take(self, table: Table | None) -> Table | None:
        if table is not None:
            self._used.add(id(table))
        return table

    def surplus(self) -> tuple[Table, ...]:
        """The replica's tables that no source table was matched with so far."""
        return tuple(table for table in self._exact.values() if id(table) not in self._used)


def _fold(database: str | None) -> str | None:
    return None if database is None else database.casefold()
