"""Columns of other types in which a logged statement leaves the same values on both ends: those to which it
gives literals that both keep alike, and those that it does not touch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemacheck.conversion.literal import Literal
from schemacheck.conversion.statement import kept_alike, like_types
from schemacheck.conversion.values.integer import span
from schemacheck.dataclass import replace
from schemacheck.model import Column, ColumnType, Link, Table
from schemacheck.model.table import DefaultKind
from schemacheck.sql.statements import Statement

_WORD = re.compile(r"[\w$]+", re.ASCII)
#: What reads a whole row without naming its columns.
_WHOLE = re.compile(r"\b(select|table|natural|portion)\b", re.IGNORECASE | re.ASCII)
#: Anything else in an AUTO_INCREMENT column may make the server count.
_NUMBER = re.compile(r"-?0*[1-9]\d*", re.ASCII)
_CONSTANT = (DefaultKind.NULL, DefaultKind.LITERAL)
Given = tuple[str, bool] | None


def alike(statement: Statement, source: Table, replica: Table, link: Link) -> frozenset[str]:
    """The folded names of those columns; none where a trigger, a function or a subquery may use the row, or
    nobody knows which rows are changed. Rows are taken to be the same on both ends before the statement.
    """
    differing = [
        (source_column, replica_column)
        for source_column in source.columns
        if (replica_column := replica.column(source_column.name)) is not None
        and source_column.type != replica_column.type
    ]
    if not differing or source.triggers or replica.triggers or statement.unsafe or statement.calls:
        return frozenset()
    if statement.needs is None or _WHOLE.search(statement.text):
        return frozenset()
    read = [_expressions(table) for table in (source, replica)]
    compared = _compared(source) | _compared(replica)
    found = []
    for source_column, replica_column in differing:
        name = source_column.name.casefold()
        if any(column.generated for column in (source_column, replica_column)) or any(
            _in(name, text) for text in read
        ):
            continue
        if name in compared and not like_types(source_column.type, replica_column.type):
            continue
        values = _given(statement, source, source_column, replica_column)
        if values is None:
            continue
        if all(_keeps(value, source_column, replica_column, link) for value in values):
            found.append(name)
    return frozenset(found)


def _expressions(table: Table) -> str:
    """What the server computes from other columns of a row, in whatever type they have."""
    texts = [column.expression for column in table.columns]
    texts += [one.default.text for one in table.columns if one.default and one.default.kind not in _CONSTANT]
    texts += [check.expression for check in table.checks]
    texts += [part.expression for key in table.keys for part in key.parts]
    texts += [table.partitioning, table.partition_sql]
    return " ".join(filter(None, texts)).casefold()


def _in(name: str, expressions: str) -> bool:
    return name in _WORD.findall(expressions) if _WORD.fullmatch(name) else bool(expressions)


def _compared(table: Table) -> set[str]:
    """The folded names of columns whose values are compared with those of other rows."""
    names = [part.column for key in table.keys if key.unique for part in key.parts]
    names += [name for key in table.foreign_keys for name in key.columns]
    names += [name for key in table.incoming for name in key.ref_columns]
    return {name.casefold() for name in names if name}


def narrowed(replica: Table, source: Table, names: frozenset[str]) -> Table:
    """The replica's table with the source's types for these columns."""
    ours = {column.name.casefold(): column.type for column in source.columns}
    columns = tuple(
        replace(one, type=ours[one.name.casefold()]) if one.name.casefold() in names else one
        for one in replica.columns
    )
    return replace(replica, columns=columns)


def _given(
    statement: Statement, source: Table, column: Column, replica_column: Column
) -> Iterable[Given] | None:
    """What the statement gives to a column, None for NULL; None alone where that is not known."""
    needs = statement.needs
    assert needs is not None
    if statement.verb in ("update", "delete"):
        # Names in functions and subqueries are not among those that are needed.
        name = column.name.casefold()
        words = _WORD.findall(statement.text.casefold())
        moves = column.on_update or replica_column.on_update
        return () if _WORD.fullmatch(name) and name not in words and not moves else None
    if statement.verb not in ("insert", "replace") or not needs.rows:
        return None
    names = [name.rpartition(".")[2].casefold() for clause, name in needs.columns if clause == "insert"]
    names = names or [one.name.casefold() for one in source.columns if not one.invisible]
    if any(len(row) != len(names) for row in needs.rows):
        return None
    if column.name.casefold() in names:
        at = names.index(column.name.casefold())
        return [row[at] for row in needs.rows]
    default = column.default
    if default is None or default.kind is DefaultKind.NULL:
        return (None,)
    return [(default.text, column.type.is_integer)] if default.kind is DefaultKind.LITERAL else None


def _keeps(value: Given, source_column: Column, replica_column: Column, link: Link) -> bool:
    if (source_column.auto_increment or replica_column.auto_increment) and (
        value is None or not _NUMBER.fullmatch(value[0])
    ):
        return (
            source_column.auto_increment
            and replica_column.auto_increment
            and _holds(replica_column.type, source_column.type)
        )
    if value is None:
        # A column that is NOT NULL refuses it, or makes something of its type of it.
        return source_column.nullable and replica_column.nullable
    text, number = value
    return kept_alike(
        Literal(text, number=number), source_column.type, replica_column.type, link.source, link.replica
    )


def _holds(replica: ColumnType, source: ColumnType) -> bool:
    """Whether an integer column has every number that the other one may count to."""
    return source.is_integer and replica.is_integer and span(source)[1] <= span(replica)[1]
