"""Integer keys that are near an end of their range, on the source or in the replica's narrower column."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

from schemacheck.conversion.values.integer import span
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.alignment.pair import Cell, Pair
    from schemacheck.profile.document import TableProfile
    from schemacheck.profile.merged import Sightings, Taken

#: Named from this share of a range on, or so many days before its end.
SHARE, DAYS = Decimal("0.8"), 365


def headroom(pair: Pair, seen: Sightings) -> Iterator[str]:
    """A line for each integer column of a key whose values are near an end on either server."""
    if seen.data is None:
        return
    keyed = {(part.column or "").casefold() for key in pair.source.keys for part in key.parts}
    for cell in pair.cells:
        here, there = cell.source, cell.replica
        if not (here.type.is_integer and there.type.is_integer and here.name.casefold() in keyed):
            continue
        ends = [
            (span(column.type), column.type.sql(), end)
            for column, end in ((here, "source"), (there, "replica"))
        ]
        (_, top), text, end = min(ends, key=lambda one: one[0][1])
        used = _largest(cell, seen.data.table)
        days = _days(cell, top, seen.data, seen.before)
        if used is not None and (used >= SHARE * top or (days is not None and days <= DAYS)):
            full = f", full in {plural(days, 'day')} at today's rate" if days is not None else ""
            yield f"{_name(pair, cell)}: {used:,} of {top:,} ({text} on the {end}){full}"
        (low, _), text, end = max(ends, key=lambda one: one[0][0])
        smallest = _bound(cell, seen.data.table)[0]
        if low < 0 and smallest is not None and smallest <= SHARE * low:
            yield f"{_name(pair, cell)}: {smallest:,} of {low:,} ({text} on the {end})"


def _name(pair: Pair, cell: Cell) -> str:
    return ".".join(filter(None, (pair.source.database, pair.source.name, cell.source.name)))


def _bound(cell: Cell, table: TableProfile) -> tuple[Decimal | None, Decimal | None]:
    """The smallest and the largest value."""
    column = next((c for n, c in table.columns.items() if n.casefold() == cell.source.name.casefold()), None)
    ends = (column.minimum, column.maximum) if column else (None, None)
    low, high = (end if isinstance(end, Decimal) else None for end in ends)
    return low, high


def _largest(cell: Cell, table: TableProfile) -> Decimal | None:
    """The largest number in use; of an AUTO_INCREMENT column the last one that was given out."""
    given = table.auto_increment if cell.source.auto_increment else None
    numbers = [_bound(cell, table)[1], Decimal(given - 1) if given else None]
    return max((number for number in numbers if number is not None), default=None)


def _days(cell: Cell, top: int, now: Taken, before: Taken | None) -> int | None:
    """Days until the range is used up at the rate between two profiles; None where nothing tells."""
    if before is None or before.table.definition != now.table.definition:
        return None
    last, first = _largest(cell, now.table), _largest(cell, before.table)
    seconds = (_moment(now) - _moment(before)).total_seconds()
    if last is None or first is None or last <= first or seconds <= 0:
        return None
    return max(int((top - last) / (last - first) * Decimal(seconds) / 86400), 0)


def _moment(taken: Taken) -> dt.datetime:
    return dt.datetime.fromisoformat(taken.table.taken)
