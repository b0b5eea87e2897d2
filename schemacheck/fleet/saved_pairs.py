"""What is told of pairs that were saved on this machine, read from their files: planning a query and starting
its tasks costs an engine more than the few columns that are wanted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.fleet import columns

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    from schemacheck.fleet.place import Place

#: Rows that are looked at here: of more the engine tells, on as many machines as it has.
MOST = 250_000


@dataclass(frozen=True, slots=True)
class SavedPairs:
    """The data set `pairs` of a run. The methods tell what those of `Results` of the same names do."""

    files: ds.Dataset

    @classmethod
    def of(cls, place: Place | None) -> SavedPairs | None:
        """Those that were saved there; None where they do not lie on this machine, or are too many."""
        files = None if place is None else place.dataset("pairs", columns.PAIRS)
        return None if files is None or files.count_rows() > MOST else cls(files)

    def _read(self, names: Sequence[str], chosen: pc.Expression | None = None) -> pa.Table:
        """Columns of all pairs, or of those that are chosen; not of rows that are no pair."""
        import pyarrow.compute as pc

        pair = pc.field("pair").is_valid()
        return self.files.to_table(list(names), filter=pair if chosen is None else pair & chosen)

    def counts(self, by: Sequence[str]) -> list[dict[str, Any]]:
        """Pairs by these columns, with `count`."""
        found = self._read(by).group_by(list(by)).aggregate([([], "count_all")])
        return list(found.rename_columns([*by, "count"]).to_pylist())

    def decisions(self) -> int:
        """Distinct pairs that the engine decided."""
        import pyarrow.compute as pc

        return int(pc.count_distinct(self._read(["decision"]).column(0)).as_py())

    def largest(self, names: Sequence[str], verdicts: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """The largest tables of pairs with these verdicts."""
        import pyarrow.compute as pc

        rows = self._read(names, pc.field("verdict").isin(verdicts) & pc.field("n_bytes").is_valid())
        return _first(rows, [("n_bytes", "descending"), *_by("database", "table")], limit)

    def unknown(self, names: Sequence[str], limit: int) -> list[dict[str, Any]]:
        """The first pairs that could not be decided."""
        import pyarrow.compute as pc

        rows = self._read(names, pc.field("verdict") == "unknown")
        return _first(rows, _by("source", "database", "table"), limit)

    def named(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """The first names of tables, and how many there are."""
        names = ["database", "table"]
        rows = self._read(names).group_by(names).aggregate([])
        return [(row["database"], row["table"]) for row in _first(rows, _by(*names), limit)], len(rows)

    def problems(self, limit: int) -> tuple[list[dict[str, Any]], int, int]:
        """The first problems of the input, and how many leave something unknown and how many do not."""
        import pyarrow.compute as pc

        told = self.files.to_table(["problem"], filter=pc.field("problem").is_valid()).column(0).to_pylist()
        names = [column.name for column in columns.PROBLEMS if column not in columns.RUN]
        rows = [{name: row.get(name) for name in names} for row in map(json.loads, told)]
        order = ("skipped", "instance", "file", "line", "message")
        # (What is not known comes first.)
        rows.sort(key=lambda row: [(row[name] is not None, row[name]) for name in order])
        counts = Counter(row["skipped"] for row in rows)
        return rows[:limit], counts[False], counts[True]

    def spent(self) -> list[str]:
        """What tasks tell of their CPU."""
        import pyarrow.compute as pc

        told: list[str] = (
            self.files.to_table(["spent"], filter=pc.field("spent").is_valid()).column(0).to_pylist()
        )
        return told


def _by(*names: str) -> list[tuple[str, str]]:
    return [(name, "ascending") for name in names]


def _first(rows: pa.Table, order: Sequence[tuple[str, str]], limit: int) -> list[dict[str, Any]]:
    """The first rows in this order; those without a text come before all others, as engines have it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = {name: rows.column(name) for name, _ in order}
    given = {n: pc.fill_null(c, "") if pa.types.is_string(c.type) else c for n, c in keys.items()}
    places = pc.sort_indices(pa.table(given), list(order))
    return list(rows.take(places.slice(0, limit)).to_pylist())
