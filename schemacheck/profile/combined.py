"""Two profiles of one column, or of what two logs write to one table, as one."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from schemacheck.dataclass import replace
from schemacheck.profile.document import Bound, ColumnProfile, TableProfile, Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Key = TypeVar("_Key", str, int)
_TIME = re.compile(r"(-?)(\d{2,3}):(\d\d):(\d\d(?:\.\d+)?)", re.ASCII)


def order(bound: Decimal | str) -> Decimal | str:
    """By what bounds of one type are ordered: the seconds of a TIME, any other is its own order."""
    time = _TIME.fullmatch(bound) if isinstance(bound, str) else None
    if time is None:
        return bound
    sign, hours, minutes, seconds = time.groups()
    return Decimal(f"{sign}{(int(hours) * 60 + int(minutes)) * 60}") + Decimal(f"{sign}{seconds}")


def column(mine: ColumnProfile, theirs: ColumnProfile) -> ColumnProfile:
    """One column over the rows of both. A measure that one of them lacks is lacking; a bound that is None
    stands for no value.
    """
    return ColumnProfile(
        mine.type,
        _of(mine.nulls, theirs.nulls, int.__add__),
        _bound(mine.minimum, theirs.minimum, lowest=True),
        _bound(mine.maximum, theirs.maximum, lowest=False),
        _of(mine.fraction, theirs.fraction, max),
        _of(mine.longest_characters, theirs.longest_characters, max),
        _of(mine.longest_bytes, theirs.longest_bytes, max),
        _of(mine.empty, theirs.empty, int.__add__),
        _of(mine.blanks, theirs.blanks, int.__add__),
        _of(mine.zero, theirs.zero, int.__add__),
        counts(mine.outside, theirs.outside),
        counts(mine.members, theirs.members),
        counts(mine.counted, theirs.counted),
    )


def _of(mine: int | None, theirs: int | None, combine: Callable[[int, int], int]) -> int | None:
    return None if mine is None or theirs is None else combine(mine, theirs)


def _bound(mine: Bound, theirs: Bound, *, lowest: bool) -> Bound:
    if mine is None or theirs is None:
        return theirs if mine is None else mine
    return min(mine, theirs, key=order) if lowest else max(mine, theirs, key=order)


def counts(mine: Mapping[_Key, int] | None, theirs: Mapping[_Key, int] | None) -> dict[_Key, int] | None:
    """Counts added up."""
    if mine is None or theirs is None:
        return None
    return {key: mine.get(key, 0) + theirs.get(key, 0) for key in sorted(mine.keys() | theirs.keys())}


def rows(table: TableProfile, other: TableProfile) -> TableProfile:
    """One table over the rows of both, read at different times; what is said once is said by `other`."""
    columns = {name: column(table.columns[name], other.columns[name]) for name in other.columns}
    count = _of(table.rows, other.rows, int.__add__)
    return replace(other, taken=min(table.taken, other.taken), columns=columns, rows=count)


def written(table: TableProfile, other: TableProfile) -> TableProfile:
    """What two logs write to one table. Where its definition changed between them, the columns are the later
    log's and the table is not complete.
    """
    shared = table.columns.keys() & other.columns.keys()
    same = table.definition == other.definition and all(
        table.columns[name].type == other.columns[name].type for name in shared
    )
    columns = dict(other.columns)
    if same:
        columns = {**table.columns, **columns}
        for name in shared:
            both = column(table.columns[name], other.columns[name])
            if _unbounded(table, name) or _unbounded(other, name):
                both = replace(both, minimum=None, maximum=None)
            columns[name] = both
    return replace(
        other, columns=columns, writes=writes(table.writes or Writes(), other.writes or Writes()),
        rows=_of(table.rows, other.rows, int.__add__), complete=same and table.complete and other.complete,
    )  # fmt: skip


def writes(mine: Writes, theirs: Writes) -> Writes:
    """What is written together."""
    return Writes(
        mine.statements + theirs.statements, mine.inserts + theirs.inserts, mine.updates + theirs.updates,
        mine.deletes + theirs.deletes, tuple(sorted({*mine.images, *theirs.images})),
        counts(mine.changed_columns or {}, theirs.changed_columns or {}),
    )  # fmt: skip


def _unbounded(table: TableProfile, name: str) -> bool:
    """Whether a column has values without bounds."""
    column_profile = table.columns[name]
    return column_profile.minimum is None and column_profile.nulls != table.rows
