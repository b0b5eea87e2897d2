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
    hits = [one for one in seen if one and one.number]
    if hits:
        most = max(hits, key=lambda one: (one.certain, one.number))
        return most._replace(least=most.least or len(seen) > 1)
    return None if None in seen else NONE


def _number(bound: object) -> Decimal | None:
    return bound if isinstance(bound, Decimal) else None


def _outside(low: object, high: object, bottom: Decimal | None, top: Decimal | None) -> Seen | None:
    """Whether the smallest or the largest value is outside."""
    smallest, largest = _number(low), _number(high)
    if smallest is None or largest is None:
        return None
    out = (bottom is not None and smallest < bottom) or (top is not None and largest > top)
    return _SOME if out else NONE


def _below(column: ColumnProfile, bound: object) -> Seen | None:
    return _outside(column.minimum, column.maximum, Decimal(str(bound)), None)


def _above(column: ColumnProfile, bound: object) -> Seen | None:
    return _outside(column.minimum, column.maximum, None, Decimal(str(bound)))


def _beyond(column: ColumnProfile, bound: object) -> Seen | None:
    top = Decimal(str(bound))
    return _outside(column.minimum, column.maximum, -top, top)


def _more(measure: Callable[[ColumnProfile], int | None]) -> Callable[[ColumnProfile, object], Seen | None]:
    """A measure that is more than the bound in some value."""

    def held(column: ColumnProfile, bound: object) -> Seen | None:
        most = measure(column)
        return None if most is None else _SOME if most > int(str(bound)) else NONE

    return held


def _other_bytes(column: ColumnProfile, bound: object) -> Seen | None:
    if column.shortest_bytes is None or column.longest_bytes is None:
        return None
    return NONE if column.shortest_bytes == column.longest_bytes == bound else _SOME


def _numbers(members: Mapping[int, int] | None, bound: object, first: int) -> Seen | None:
    """Rows with one of the members `bound` (from 0), which the profile numbers from `first`."""
    if members is None or not isinstance(bound, tuple):
        return None
    rows = [members.get(number + first, 0) for number in bound]
    return Seen(sum(rows)) if first else Seen(max(rows), least=True) if any(rows) else NONE


def _blanks(column: ColumnProfile, _bound: object) -> Seen | None:
    return None if column.blanks is None else Seen(column.blanks)


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
    "below": _below,
    "above": _above,
    "beyond": _beyond,
    "bits above": _above,
    "digits": _more(lambda column: column.fraction),
    "second digits": _more(lambda column: column.fraction),
    "time of day": lambda _column, _bound: None,
    "members": lambda column, bound: _numbers(column.members, bound, 1),
    "set members": lambda column, bound: _numbers(column.members, bound, 0),
    "other bytes": _other_bytes,
    "characters": _more(
        lambda column: (
            column.longest_bytes if column.longest_characters is None else column.longest_characters
        )
    ),
    "bytes": _more(lambda column: column.longest_bytes),
    "blanks": _blanks,
}
