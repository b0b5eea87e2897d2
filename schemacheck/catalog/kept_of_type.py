"""What is found out about a column's type, kept: a dump's columns share the types of their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from schemacheck.model.column_type import ColumnType

_Found = TypeVar("_Found")
#: Of each function so many answers are kept.
_MOST = 4_096


def kept_of_type(look: Callable[[ColumnType], _Found]) -> Callable[[ColumnType], _Found]:
    """The same function, which keeps its answers by the type's identity: two types that are equal are looked
    at twice, which costs less than to compare them. An entry holds its type, so that no other one takes its
    place in memory.
    """
    known: dict[int, tuple[ColumnType, _Found]] = {}

    def again(kind: ColumnType) -> _Found:
        entry = known.get(id(kind))
        if entry is None:
            if len(known) >= _MOST:
                known.clear()
            entry = known[id(kind)] = (kind, look(kind))
        return entry[1]

    return again
