"""Columns that an ALTER adds: what the rows that are there get in them, and what the server refuses then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.catalog.default_values import implicit
from schemacheck.dataclass import replace
from schemacheck.model import Column, Default, DefaultKind, Server, Table
from schemacheck.model.definition_sql import default_sql, table_name
from schemacheck.plan.model import Look, Renames

NO_ROW = "no row"
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def looks(old: Table, new: Table, server: Server, renames: Renames) -> Iterator[Look]:
    """Queries that must show no row, or the server refuses a new column without a default. Recorded on four
    servers: zero dates under NO_ZERO_DATE are refused with 1292, a GEOMETRY NOT NULL with 1138 (MySQL from
    5.7: GEOMETRY_WITHOUT_DEFAULT, copy_data_between_tables).
    """
    name = table_name(old)
    bare = [c for c in _bare(old, new, renames) if not c.auto_increment]
    if any(c.type.is_calendar for c in bare):
        strict = "" if server.mariadb else " AND @@SESSION.sql_mode LIKE '%STRICT%'"
        mode = f"FIND_IN_SET('NO_ZERO_DATE', @@SESSION.sql_mode){strict}"
        yield Look(f"SELECT 1 FROM {name} WHERE {mode} LIMIT 1", NO_ROW)  # noqa: S608 for a person to run
    if server.has("new-geometry-needs-empty-table") and any(c.type.is_geometry for c in bare):
        yield Look(f"SELECT 1 FROM {name} LIMIT 1", NO_ROW)  # noqa: S608 for a person to run


def notes(old: Table, new: Table, server: Server, renames: Renames) -> Iterator[str]:
    """What is said of new NOT NULL columns without a default."""
    for column in _bare(old, new, renames):
        if column.auto_increment:
            continue
        bare = f"{column.name} is NOT NULL and has no default:"
        if column.type.is_geometry and server.has("new-geometry-needs-empty-table"):
            yield f"{bare} the server refuses it where the table has rows (1138): add it NULL, then fill it"
            continue
        dates = ", which sql_mode NO_ZERO_DATE refuses (1292)" if column.type.is_calendar else ""
        value = _implicit(column) or "the empty value of its type"
        yield f"{bare} the rows that are there get {value}{dates}; for another value give it a DEFAULT"


def _bare(old: Table, new: Table, renames: Renames) -> Iterator[Column]:
    """New columns that are NOT NULL and have no default."""
    there = {*(c.name.casefold() for c in old.columns), *(name for _, name in renames)}
    bare = (c for c in new.columns if not c.nullable and c.default is None and c.generated is None)
    return (c for c in bare if c.name.casefold() not in there)


def _implicit(column: Column) -> str | None:
    """The value of a type where a definition gives none, as SQL; None where it is not known (recorded on
    four servers: 0, '', zero dates, the first member of an ENUM).
    """
    text = "" if column.type.is_lob else implicit(column.type)
    return None if text is None else _literal(column, Default(DefaultKind.LITERAL, text))


def _literal(column: Column, default: Default) -> str:
    """A number without quotes: the rows are compared as the table will hold them."""
    number = column.type.is_number and not column.type.is_bit and _NUMBER.fullmatch(default.text)
    return default.text if number else default_sql(replace(column, default=default)).removeprefix("DEFAULT ")
