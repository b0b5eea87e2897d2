"""Each distinct CREATE TABLE read once: two sides of a check mostly hold the same text.

Inside `parsed_once` one text under one server, default database and character set is one table.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from schemacheck.dataclass import replace
from schemacheck.model.location import Location
from schemacheck.model.server import Server
from schemacheck.model.table import Table

#: No more tables than this are kept.
MOST = 50_000


class Kept(NamedTuple):
    """A table, where its statement began, and what it was read under."""

    table: Table
    start: Location
    server: Server
    charset: tuple[str, str]


_KEPT: ContextVar[dict[tuple[str, str | None], Kept] | None] = ContextVar("tables read so far", default=None)


@contextmanager
def parsed_once() -> Iterator[None]:
    """Remember tables until the end of the block."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def get(text: str, database: str | None) -> Kept | None:
    """The table that this statement made under this default database."""
    cache = _KEPT.get()
    return cache.get((text, database)) if cache else None


def put(text: str, database: str | None, made: Kept) -> None:
    """Remember a table that depended on no other."""
    cache = _KEPT.get()
    if cache is not None and len(cache) < MOST:
        cache[text, database] = made


def moved(entry: Kept, start: Location) -> Table:
    """The table as its statement makes it where it begins at `start`."""
    old_line, old_column = entry.start.line or 1, entry.start.column or 1
    lines = (start.line or 1) - old_line
    # On the statement's own first line things shift with its first column.
    shift = (start.column or 1) - old_column
    file = start.file

    def at(place: Location | None) -> Location | None:
        if place is None or place.line is None:
            return place
        extra = shift if place.line == old_line else 0
        column = place.column + extra if place.column is not None else None
        end = place.end_column + extra if place.end_column is not None else None
        return Location(file, place.line + lines, column, place.ordinal, end)

    table = entry.table
    return replace(
        table,
        location=at(table.location),
        columns=tuple(replace(column, location=at(column.location)) for column in table.columns),
        keys=tuple(replace(key, location=at(key.location)) for key in table.keys),
        checks=tuple(replace(check, location=at(check.location)) for check in table.checks),
    )
