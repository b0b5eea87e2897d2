"""Columns of other types in which a logged statement leaves the same values on both ends: those to which it
gives literals that both keep alike, and those that it does not touch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from schemacheck.conversion.literal import Literal
from schemacheck.conversion.statement import kept_alike
from schemacheck.model import Column, Link, Table
from schemacheck.model.table import DefaultKind
from schemacheck.sql.statements import Statement

_WORD = re.compile(r"[\w$]+", re.ASCII)
Given = tuple[str, bool] | None


def alike(statement: Statement, source: Table, replica: Table, link: Link) -> frozenset[str]:
    """The folded names of those columns; none where a trigger may use the row, or nobody knows which rows are
    changed.
    """
    differing = [
        (here, there)
        for here in source.columns
        if (there := replica.column(here.name)) is not None and here.type != there.type
    ]
    if not differing or source.triggers or replica.triggers or statement.unsafe or statement.needs is None:
        return frozenset()
    found = []
    for here, there in differing:
        values = _given(statement, source, here)
        if values is None or any(column.generated for column in (here, there)):
            continue
        if all(value is None or _keeps(value, here, there, link) for value in values):
            found.append(here.name.casefold())
    return frozenset(found)


def narrowed(replica: Table, source: Table, names: frozenset[str]) -> Table:
    """The replica's table with the source's types for these columns."""
    ours = {column.name.casefold(): column.type for column in source.columns}
    columns = tuple(
        replace(one, type=ours[one.name.casefold()]) if one.name.casefold() in names else one
        for one in replica.columns
    )
    return replace(replica, columns=columns)


def _given(statement: Statement, source: Table, column: Column) -> Iterable[Given] | None:
    """What the statement gives to a column; None where that is not known."""
    needs = statement.needs
    assert needs is not None
    if statement.verb in ("update", "delete"):
        # Names in functions and subqueries are not among those that are needed.
        name = column.name.casefold()
        words = _WORD.findall(statement.text.casefold())
        return () if _WORD.fullmatch(name) and name not in words else None
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
        return ()
    return [(default.text, column.type.is_integer)] if default.kind is DefaultKind.LITERAL else None


def _keeps(value: tuple[str, bool], here: Column, there: Column, link: Link) -> bool:
    text, number = value
    return kept_alike(Literal(text, number=number), here.type, there.type, link.source, link.replica)
