"""Two rows that the source takes and a key of the replica may not."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import Column, Key, KeyKind
from schemacheck.model.column_type import span
from schemacheck.model.quote import string
from schemacheck.prove import row
from schemacheck.prove.scenarios import Subject

RULES = ("stricter-unique-key", "changed-key-value", "functional-index", "spatial-key")


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """For each unique key of the replica: rows that may be equal there."""
    pair = subject.pair
    if pair.source is None or pair.replica is None:
        return
    for key in pair.replica.keys:
        if key.kind not in (KeyKind.PRIMARY, KeyKind.UNIQUE):
            continue
        columns = [pair.source.column(part.column) for part in key.parts if part.column]
        for low, high in _alike(key, [c for c in columns if c is not None]):
            first = row.values(pair.source, 0, low)
            second = row.values(pair.source, 1, high)
            yield (row.insert(pair.source, first), row.insert(pair.source, second))


def _alike(key: Key, columns: list[Column]) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Values by folded column name, of two rows."""
    same = {c.name.casefold(): literal for c in columns if (literal := row.distinct(c, 3)) is not None}
    yield same, same
    for column in columns:
        name = column.name.casefold()
        length = next((p.length for p in key.parts if (p.column or "").casefold() == name), None)
        for low, high in _near(column, length):
            yield same | {name: low}, same | {name: high}


def _near(column: Column, prefix: int | None) -> Iterator[tuple[str, str]]:
    kind = column.type
    if kind.is_integer:
        low, high = span(kind)
        yield str(high), str(high - 1)
        yield str(low), str(low + 1)
    elif kind.holds_text:
        if prefix is not None:
            yield string("x" * prefix + "a"), string("x" * prefix + "b")
        longest = min(kind.length or 200, 200)
        yield string("x" * (longest - 1) + "a"), string("x" * (longest - 1) + "b")
        yield "'a'", "'A'"
        yield "'a'", "'a '"
        yield "'a'", "'\u00e4'"
    elif kind.is_decimal:
        yield "1.1", "1.2"
    elif kind.is_approximate:
        yield "16777216", "16777217"
        yield "1.1", "1.2"
    elif kind.is_moment:
        yield "'2001-02-03 04:05:06.1'", "'2001-02-03 04:05:06.2'"
    elif kind.has_members and len(kind.members) > 1:
        yield string(kind.members[-1]), string(kind.members[-2])
