"""Which columns the before image of an event carries, and the key that finds a row by them."""

from __future__ import annotations

from collections.abc import Collection

from schemacheck.alignment.pair import Pair
from schemacheck.model import ColumnType, Key


def found_alone_by(pair: Pair, sent: Collection[str] | None = None) -> Key | None:
    """The replica's key that finds a row alone and whose columns the before image carries all.

    `sent` are those columns, folded; without it what `carried` says, and all of them where that is None.
    """
    sent = carried(pair) if sent is None else sent
    for key in pair.lookup_keys():
        if sent is None or all(part.column and part.column.casefold() in sent for part in key.parts):
            return key
    return None


def carried(pair: Pair) -> frozenset[str] | None:
    """Folded names of the replica columns that the before image has a value for; None: all of them."""
    sent, unsent = of_image(pair), {cell.replica.name.casefold() for cell in pair.unsent}
    if not unsent:
        return sent
    return (frozenset(c.name.casefold() for c in pair.replica.columns) if sent is None else sent) - unsent


def of_image(pair: Pair) -> frozenset[str] | None:
    """The same as binlog_row_image has it, without what servers leave out by themselves."""
    if not pair.terms.partial_image:
        return None
    key = pair.sent_key()
    keyed = {p.column.casefold() for p in key.parts if p.column} if key else set()
    if pair.terms.row_image == "MINIMAL":
        if key is None:
            return (
                None if not pair.extra_replica else frozenset(c.replica.name.casefold() for c in pair.cells)
            )
        return frozenset(c.replica.name.casefold() for c in pair.cells if c.source.name.casefold() in keyed)
    if key is None:
        return None
    blobs = [c for c in pair.cells if is_blob(c.source.type) and c.source.name.casefold() not in keyed]
    return frozenset(c.replica.name.casefold() for c in pair.cells if c not in blobs) if blobs else None


def is_blob(kind: ColumnType) -> bool:
    """Whether NOBLOB leaves out a column that did not change."""
    return kind.is_lob or kind.is_json or kind.is_any_geometry
