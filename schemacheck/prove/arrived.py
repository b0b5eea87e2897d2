"""What a recorded replica held, against what its source held: which columns, and whether the rows at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from decimal import Decimal, InvalidOperation, Overflow
from typing import Any

from schemacheck.dataclass import dataclass

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """One table at both ends, over the columns that both have, named as the source names them."""

    table: str
    columns: tuple[str, ...]
    ours: tuple[tuple[str | None, ...], ...]
    theirs: tuple[tuple[str | None, ...], ...]

    def differ(self, named: Collection[str] = ()) -> bool:
        """Whether rows differ in more than the columns `named` (folded)."""
        remaining = [i for i, name in enumerate(self.columns) if name.casefold() not in named]
        return Counter(_cut(self.ours, remaining)) != Counter(_cut(self.theirs, remaining))

    def differing(self, column: str = "") -> tuple[list[str | None], list[str | None]]:
        """The first row that only one end has, of each: all values, or that of a column (folded)."""
        remaining = [i for i, name in enumerate(self.columns) if column in ("", name.casefold())]
        ours, theirs = Counter(_cut(self.ours, remaining)), Counter(_cut(self.theirs, remaining))
        first, second = (next(iter(item - other), ()) for item, other in ((ours, theirs), (theirs, ours)))
        return list(first), list(second)

    def blamed(self) -> str:
        """The fewest columns that account for the difference, or `rows`."""
        if len(self.ours) != len(self.theirs):
            return "rows"
        alone = [name for name in self.columns if not self.differ({name.casefold()})]
        if alone:
            return ",".join(alone[:1])
        changed = [
            name
            for i, name in enumerate(self.columns)
            if Counter(_cut(self.ours, [i])) != Counter(_cut(self.theirs, [i]))
        ]
        return ",".join(changed) or "rows"


def _cut(rows: tuple[tuple[str | None, ...], ...], remaining: list[int]) -> list[tuple[str | None, ...]]:
    return [tuple(row[i] for i in remaining) for row in rows]


def tables_of(record: Record, bits: frozenset[str] = frozenset()) -> list[Rows]:
    """Every table whose rows were recorded on both ends; `bits`: `table.column` of BIT, folded."""
    ours, theirs = record.get("source"), record.get("replica")
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [
            _aligned(name, ours[name], theirs[name], bits)
            for name in ours
            if _is_table(ours[name]) and _is_table(theirs.get(name))
        ]
    if "source_rows" not in record or "replica_rows" not in record:
        return []
    here = (record.get("source_cols") or [], record["source_rows"])
    there = (record.get("replica_cols") or [], record["replica_rows"])
    return [_aligned(record.get("table", "t"), here, there, bits)]


def _is_table(recorded: Any) -> bool:
    return isinstance(recorded, list) and len(recorded) == 2 and isinstance(recorded[1], list)


def _aligned(table: str, here: Any, there: Any, bits: frozenset[str]) -> Rows:
    """Columns of one name; columns at one place where neither name is known to the other end."""
    ours, theirs = list(here[0]), list(there[0])
    folded = [name.casefold() for name in theirs]
    names = {name.casefold() for name in ours}
    pairs = []
    for i, name in enumerate(ours):
        if name.casefold() in folded:
            pairs.append((i, folded.index(name.casefold())))
        elif i < len(theirs) and folded[i] not in names:
            pairs.append((i, i))
    as_number = {i for i, _ in pairs if f"{table}.{ours[i]}".casefold() in bits}

    def value(text: str | None, column: int) -> str | None:
        if column in as_number and text and text.startswith("0x"):
            return str(int(text, 16))
        return plain(text)

    return Rows(
        table,
        tuple(ours[i] for i, _ in pairs),
        tuple(tuple(value(row[i], i) for i, _ in pairs) for row in here[1]),
        tuple(tuple(value(row[j], i) for i, j in pairs) for row in there[1]),
    )


def plain(value: str | None) -> str | None:
    """A value as servers of both types may write it: 2.50 is 2.5, midnight is the date, text is its bytes."""
    if value is None:
        return None
    if re.fullmatch(r"0x[0-9A-Fa-f]*", value):
        text = bytes.fromhex(value[2:]).decode("utf-8", "replace")
        if text and text.isprintable() and text.isascii():
            return plain(text)  # the same bytes, seen as another type
        return value.casefold()
    if ":" in value and re.fullmatch(r"[-0-9: ]+(\.\d+)?", value):
        seconds = value.rstrip("0").rstrip(".") if "." in value else value
        return seconds.removesuffix(" 00:00:00")
    try:
        number = Decimal(value)
        return str(number.normalize()) if number.is_finite() else value
    except (InvalidOperation, Overflow):
        # Text, or digits of an exponent that no type of the servers has.
        return value
