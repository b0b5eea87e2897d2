"""Limits held against what a profile says of a column: how many of its values are beyond them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from schemacheck.conversion.affected import condition
from schemacheck.model.quote import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schemacheck.alignment.pair import Cell
    from schemacheck.conversion.affected import Limit
    from schemacheck.model import Link
    from schemacheck.profile.document import ColumnProfile

#: Character sets whose bytes of ASCII are other text elsewhere.
_NOT_ASCII = frozenset(("ucs2", "utf16", "utf16le", "utf32", "swe7", "binary"))
_UTF8 = frozenset(("utf8mb3", "utf8mb4"))


class Seen(NamedTuple):
    """What was looked at has `count` (at `least`) to which it happens; or, not `certain`, may happen."""

    number: int
    least: bool = False
    certain: bool = True


NONE = Seen(0)
#: What a bound proves.
_SOME = Seen(1, least=True)


def filled(column: ColumnProfile, rows: int | None) -> Seen | None:
    """Values that are not NULL."""
    if column.nulls is None or rows is None:
        return None
    return Seen(max(rows - column.nulls, 0))


def changed(
    column: ColumnProfile, rows: int | None, cell: Cell, link: Link, limits: Iterable[Limit]
) -> Seen | None:
    """Values that arrive as others: beyond one of the limits. An exact count where the profile has one."""
    here, there = cell.source.type, cell.replica.type
    sql = condition(quoted(cell.source.name), here, there, cell.kind, cell.outcome, link)
    if column.counted and sql and sql in column.counted:
        return Seen(column.counted[sql])
    if filled(column, rows) == NONE:
        return NONE
    seen = []
    for limit in limits:
        if limit.what == "charset":
            seen.append(_recoded(column, here.charset or "", there.charset or ""))
        else:
            seen.append(_BEYOND[limit.what](column, limit.bound))
    hits = [seen for seen in seen if seen and seen.number]
    if hits:
        most = max(hits, key=lambda seen: (seen.certain, seen.number))
        return most._replace(least=most.least or len(seen) > 1)
    return None if None in seen else NONE


def _outside(column: ColumnProfile, bottom: object, top: object) -> Seen | None:
    """Whether the smallest or the largest value is outside; None: no end there."""
    smallest, largest = column.minimum, column.maximum
    if not isinstance(smallest, Decimal) or not isinstance(largest, Decimal):
        return None
    below = bottom is not None and smallest < Decimal(str(bottom))
    return _SOME if below or (top is not None and largest > Decimal(str(top))) else NONE


def _more(most: int | None, bound: object) -> Seen | None:
    """Whether the most of some measure is more than the bound."""
    return None if most is None else _SOME if most > int(str(bound)) else NONE


def _numbers(members: Mapping[int, int] | None, bound: object, first: int) -> Seen | None:
    """Rows with one of the members `bound` (from 0), which the profile numbers from `first`."""
    if members is None or not isinstance(bound, tuple):
        return None
    rows = [members.get(number + first, 0) for number in bound]
    return Seen(sum(rows)) if first else Seen(max(rows), least=True) if any(rows) else NONE


def _recoded(column: ColumnProfile, sent: str, held: str) -> Seen | None:
    """Text whose bytes are read in another character set: ASCII stays as it is, nothing else does between
    UTF-8 and the sets of single bytes.
    """
    beyond = (column.outside or {}).get("ascii")
    if beyond is None or sent in _NOT_ASCII or held in _NOT_ASCII:
        return None
    if {sent, held} == _UTF8:
        four = (column.outside or {}).get("utf8mb3")
        return None if four is None else Seen(four)
    return Seen(beyond, certain=len({sent, held} & _UTF8) == 1)


_BEYOND: dict[str, Callable[[ColumnProfile, object], Seen | None]] = {
    "below": lambda column, bound: _outside(column, bound, None),
    "above": lambda column, bound: _outside(column, None, bound),
    "beyond": lambda column, bound: _outside(column, f"-{bound}", bound),
    "bits above": lambda column, bound: _outside(column, None, bound),
    "digits": lambda column, bound: _more(column.fraction, bound),
    "second digits": lambda column, bound: _more(column.fraction, bound),
    "time of day": lambda _column, _bound: None,
    "members": lambda column, bound: _numbers(column.members, bound, 1),
    "set members": lambda column, bound: _numbers(column.members, bound, 0),
    "other bytes": lambda _column, _bound: None,
    "characters": lambda column, bound: _more(
        column.longest_bytes if column.longest_characters is None else column.longest_characters, bound
    ),
    "bytes": lambda column, bound: _more(column.longest_bytes, bound),
    "blanks": lambda column, _bound: None if column.blanks is None else Seen(column.blanks),
}
