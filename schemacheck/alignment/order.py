"""Which names stand where: reordered, inserted and renamed columns of a pair aligned by position."""

from __future__ import annotations

from schemacheck.alignment.pair import Pair
from schemacheck.dataclass import dataclass
from schemacheck.model import Column


@dataclass(frozen=True, slots=True)
class Order:
    """`shared` are the folded names that both tables have; `reordered` says that their order differs;
    the inserted columns exist on one side only and have a common position there."""

    shared: frozenset[str]
    reordered: bool
    inserted_on_source: tuple[Column, ...]
    inserted_on_replica: tuple[Column, ...]


_STRAIGHT = Order(frozenset(), reordered=False, inserted_on_source=(), inserted_on_replica=())


def misplaced(pair: Pair) -> Order:
    """Compare names by position. A position where both names are unknown to the other side is a
    rename, not an insertion."""
    order: Order | None = pair.common.order
    if order is None:
        order = pair.common.order = _misplaced(pair)
    return order


def _misplaced(pair: Pair) -> Order:
    if not pair.extra_source and not pair.extra_replica and all(cell.same_name for cell in pair.differing):
        return _STRAIGHT
    ours = [c.source.name.casefold() for c in pair.cells] + [c.name.casefold() for c in pair.extra_source]
    theirs = [c.replica.name.casefold() for c in pair.cells] + [c.name.casefold() for c in pair.extra_replica]
    shared = frozenset(ours) & frozenset(theirs)
    if pair.by_name or ours == theirs:
        return Order(shared, reordered=False, inserted_on_source=(), inserted_on_replica=())
    ours_shared, theirs_shared = [n for n in ours if n in shared], [n for n in theirs if n in shared]
    on_source, on_replica = [], []
    for cell in pair.cells:
        here, there = cell.source.name.casefold(), cell.replica.name.casefold()
        if here == there or (here not in shared and there not in shared):
            continue
        if there not in shared:
            on_replica.append(cell.replica)
        elif here not in shared:
            on_source.append(cell.source)
    return Order(shared, ours_shared != theirs_shared, tuple(on_source), tuple(on_replica))
