"""Columns that an ALTER adds: what the rows that are there get in them, and what the server refuses then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from schemacheck.catalog.default_values import implicit
from schemacheck.dataclass import replace
from schemacheck.model import Column, Default, DefaultKind, Server, Table
from schemacheck.model.column_type import BLOBS, INTEGERS, TEXTS
from schemacheck.model.definition_sql import default_sql, table_name
from schemacheck.model.quote import quoted
from schemacheck.plan.clauses import expression_sql
from schemacheck.plan.model import Look

NO_ROW = "no row"
_DATES = ("date", "datetime")
_NUMBERS = (*INTEGERS, "decimal", "float", "double", "year")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def looks(old: Table, new: Table, server: Server) -> Iterator[Look]:
    """Queries that must show no row, or the server refuses a new column without a default. Recorded on four
    servers: zero dates under NO_ZERO_DATE are refused with 1292, a GEOMETRY NOT NULL with 1138 (MySQL from
    5.7: GEOMETRY_WITHOUT_DEFAULT, copy_data_between_tables).
    """
    name = table_name(old)
    bare = [c for c in _bare(old, new) if not c.auto_increment]
    if any(c.type.base in _DATES for c in bare):
        strict = "" if server.mariadb else " AND @@SESSION.sql_mode LIKE '%STRICT%'"
        mode = f"FIND_IN_SET('NO_ZERO_DATE', @@SESSION.sql_mode){strict}"
        yield Look(f"SELECT 1 FROM {name} WHERE {mode} LIMIT 1", NO_ROW)  # noqa: S608 for a person to run
    if server.has("new-geometry-needs-empty-table") and any(c.type.is_geometry for c in bare):
        yield Look(f"SELECT 1 FROM {name} LIMIT 1", NO_ROW)  # noqa: S608 for a person to run


def notes(old: Table, new: Table, server: Server) -> Iterator[str]:
    """What is said of new NOT NULL columns without a default."""
    for column in _bare(old, new):
        if column.auto_increment:
            continue
        bare = f"{column.name} is NOT NULL and has no default:"
        if column.type.is_geometry and server.has("new-geometry-needs-empty-table"):
            yield f"{bare} the server refuses it where the table has rows (1138): add it NULL, then fill it"
            continue
        dates = ", which sql_mode NO_ZERO_DATE refuses (1292)" if column.type.base in _DATES else ""
        value = _implicit(column) or "the empty value of its type"
        yield f"{bare} the rows that are there get {value}{dates}; for another value give it a DEFAULT"


def rows(old: Table, new: Table, names: Iterable[str]) -> str | None:
    """The rows of `old` as a table with these columns of `new`, for FROM; None where what a new one holds is
    not known.
    """
    plain: dict[str, str] = {}
    computed: dict[str, str] = {}
    wanted = list(names)
    for name in wanted:
        here, there = old.column(name), new.column(name)
        if here is not None:
            plain[name] = quoted(here.name)
        elif there is None:
            return None
        elif there.generated:
            formula = expression_sql(there.expression or "", new)
            computed[name] = f"({formula}) AS {quoted(there.name)}"
            wanted += [n for n in _named(there) if n not in wanted]
        else:
            value = _value(there)
            if value is None:
                return None
            plain[name] = f"{value} AS {quoted(there.name)}"
    if not computed and all(old.column(name) for name in plain):
        return table_name(old)
    if any(n in computed for c in computed for n in _named(new.column(c))):
        return None
    inner = f"(SELECT {', '.join(plain.values()) or '1'} FROM {table_name(old)}) t"  # noqa: S608 for a person
    if not computed:
        return inner
    every = ", ".join([*map(quoted, plain), *computed.values()])
    return f"(SELECT {every} FROM {inner}) t"  # noqa: S608 for a person to run


def _named(column: Column | None) -> frozenset[str]:
    from schemacheck.model.expression import columns

    return columns(column.expression or "") if column else frozenset()


def _bare(old: Table, new: Table) -> Iterator[Column]:
    """New columns that are NOT NULL and have no default."""
    return (
        c
        for c in new.columns
        if old.column(c.name) is None and not c.nullable and c.default is None and c.generated is None
    )


def _value(column: Column) -> str | None:
    """What the rows that are there get, as SQL; None where it is not one value."""
    if column.auto_increment:
        return None
    default = column.default
    if default is None:
        return "NULL" if column.nullable else _implicit(column)
    if default.kind is DefaultKind.LITERAL:
        return _literal(column, default)
    return "NULL" if default.kind is DefaultKind.NULL else None


def _implicit(column: Column) -> str | None:
    """The value of a type where a definition gives none, as SQL; None where it is not known (recorded on
    four servers: 0, '', zero dates, the first member of an ENUM).
    """
    text = "" if column.type.base in (*TEXTS, *BLOBS) else implicit(column.type)
    return None if text is None else _literal(column, Default(DefaultKind.LITERAL, text))


def _literal(column: Column, default: Default) -> str:
    """A number without quotes: the rows are compared as the table will hold them."""
    number = column.type.base in _NUMBERS and _NUMBER.fullmatch(default.text)
    return default.text if number else default_sql(replace(column, default=default)).removeprefix("DEFAULT ")
