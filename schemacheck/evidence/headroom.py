"""Integer keys that are near an end of their range, on the source or in the replica's narrower column."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

from schemacheck.model.column_type import span
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.alignment.pair import Cell, Pair
    from schemacheck.evidence.given import Looked
    from schemacheck.profile.document import TableProfile

#: Named from this share of a range on, or so many days before its end.
SHARE, DAYS = Decimal("0.8"), 365


def headroom(pair: Pair, looked: Looked) -> Iterator[str]:
    """A line for each integer column of a key whose values are near an end on either server."""
    keyed = {(part.column or "").casefold() for key in pair.source.keys for part in key.parts}
    for cell in pair.cells:
        here, there = cell.source, cell.replica
        integers = here.type.is_integer and there.type.is_integer and here.name.casefold() in keyed
        if looked.rows is None or not integers:
            continue
        name = ".".join(filter(None, (pair.source.database, pair.source.name, here.name)))
        ends = [(span(here.type), f"{here.type.sql()} on the source")]
        ends.append((span(there.type), f"{there.type.sql()} on the replica"))
        (_, top), where = min(ends, key=lambda entry: entry[0][1])
        smallest, largest = _used(cell, looked.rows)
        days = _days(cell, top, looked.rows, looked.before)
        if largest is not None and (largest >= SHARE * top or (days is not None and days <= DAYS)):
            full = f", full in {plural(days, 'day')} at today's rate" if days is not None else ""
            yield f"{name}: {largest:,} of {top:,} ({where}){full}"
        (low, _), where = max(ends, key=lambda entry: entry[0][0])
        if low < 0 and smallest is not None and smallest <= SHARE * low:
            yield f"{name}: {smallest:,} of {low:,} ({where})"


def _used(cell: Cell, table: TableProfile) -> tuple[Decimal | None, Decimal | None]:
    """The smallest and the largest number in use; of an AUTO_INCREMENT column the last that was given out."""
    column = next((c for n, c in table.columns.items() if n.casefold() == cell.source.name.casefold()), None)
    ends = (column.minimum, column.maximum) if column else (None, None)
    low, high = (end if isinstance(end, Decimal) else None for end in ends)
    if cell.source.auto_increment and table.auto_increment:
        high = max(high or Decimal(0), Decimal(table.auto_increment - 1))
    return low, high


def _days(cell: Cell, top: int, now: TableProfile, before: TableProfile | None) -> int | None:
    """Days until the range is used up at the rate between two profiles; None where nothing tells."""
    if before is None or before.definition != now.definition:
        return None
    last, first = _used(cell, now)[1], _used(cell, before)[1]
    seconds = (dt.datetime.fromisoformat(now.taken) - dt.datetime.fromisoformat(before.taken)).total_seconds()
    if last is None or first is None or last <= first or seconds <= 0:
        return None
    return max(int((top - last) / (last - first) * Decimal(seconds) / 86400), 0)
