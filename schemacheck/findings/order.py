"""The order in which a pair's findings are told."""

from __future__ import annotations

from functools import partial

from schemacheck.alignment.pair import Pair
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Column, Finding


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
    """Compare names by position. Where both are unknown to the other side it is a rename."""
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


#: Rules about what happens while the first conversion is prepared, before any column is refused.
BEFORE_COLUMNS = ("SC217",)


#: Rules about columns that stand at another place, and the beginnings of those that compare them by position.
PLACES = ("SC101", "SC102")
_BY_POSITION = ("SC1", "SC2", "SC3", "SC5")


def _with_one_fix(findings: list[Finding], pair: Pair) -> list[Finding]:
    """Columns at another place are compared with their neighbours; all have one fix."""
    cause = next((finding for finding in findings if finding.code in PLACES), None)
    if cause is None:
        return findings
    shared = misplaced(pair).shared
    cells = [(cell.source.name, cell.replica.name) for cell in pair.cells if not cell.same_name]
    cells += [(column.name, column.name) for column in (*pair.extra_source, *pair.extra_replica)]
    moved = {here for here, there in cells if {here.casefold(), there.casefold()} & shared}
    return [
        replace(finding, remedy=cause.remedy, remedy_sql=None)
        if finding.column in moved and finding.code not in PLACES and finding.code.startswith(_BY_POSITION)
        else finding
        for finding in findings
    ]


class _Places(dict[str, int]):
    """The source's columns by name, each with its place."""

    def __init__(self, pair: Pair) -> None:
        super().__init__({cell.source.name: cell.source_index for cell in pair.differing})
        self._columns = pair.source.columns

    def __missing__(self, name: str) -> int:
        """One that is not the source's comes behind them all."""
        for place, column in enumerate(self._columns):
            self[column.name] = place
        return self.setdefault(name, len(self._columns))


def worst_first(findings: list[Finding], pair: Pair) -> list[Finding]:
    """Worst first, and of those that stop, the certain ones first, by column: the first one is what the
    applier reports. Columns at another place have one fix.
    """
    return sorted(_with_one_fix(findings, pair), key=partial(_order, _Places(pair)))


def _order(places: _Places, finding: Finding) -> tuple[int, bool, int]:
    if finding.column is None:
        place = -2
    else:
        place = -1 if finding.code in BEFORE_COLUMNS else places[finding.column]
    return (-finding.effect.rank, finding.depends_on_rows, place)
