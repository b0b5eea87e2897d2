"""The order in which a pair's findings are told."""

from __future__ import annotations

from functools import partial

from schemacheck.alignment.pair import Pair
from schemacheck.model import Finding

#: Rules about what happens while the first conversion is prepared, before any column is refused.
BEFORE_COLUMNS = ("SC217",)


class _Places(dict[str, int]):
    """The source's columns by name, each with its place. (Findings mostly name columns that differ; the
    others are looked at when one of them is asked for.)
    """

    def __init__(self, pair: Pair) -> None:
        super().__init__({cell.source.name: cell.source_index for cell in pair.differing})
        self._columns = pair.source.columns

    def __missing__(self, name: str) -> int:
        """One that is not the source's comes behind them all."""
        for place, column in enumerate(self._columns):
            self[column.name] = place
        return self.setdefault(name, len(self._columns))


def sort_worst_first(found: list[Finding], pair: Pair) -> None:
    """Worst first, and of those that stop, the certain ones first, by column: the first one is what the
    applier reports.
    """
    found.sort(key=partial(_order, _Places(pair)))


def _order(places: _Places, finding: Finding) -> tuple[int, bool, int]:
    if finding.column is None:
        place = -2
    else:
        place = -1 if finding.code in BEFORE_COLUMNS else places[finding.column]
    return (-finding.effect.rank, finding.depends_on_rows, place)
