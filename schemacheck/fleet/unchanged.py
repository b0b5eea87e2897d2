"""What is to be asked of a fleet, and what of it an earlier run on this machine has told: of groups that are
as they were its rows are taken, and where all are, no engine is started.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.fleet import bites, columns, data_sets, secret, task
from schemacheck.fleet.group import Group
from schemacheck.fleet.place import plain
from schemacheck.fleet.trend import Run
from schemacheck.fleet.workers import ahead


@dataclass(frozen=True, slots=True)
class Asked:
    """`groups` are to be decided, `told` are rows of GROUPS about the others. `key` signs what the next run
    may use.
    """

    evidence: bites.Texts
    groups: Sequence[Group]
    told: Sequence[task.Row] = ()
    key: str = field(default="", repr=False)

    def compared(self, run: Path, given: Mapping[str, Any], cores: int) -> Asked:
        """The same with what an earlier run, whose summary is `given`, has told of groups that are as they
        were.
        """
        try:
            import pyarrow as pa
            import pyarrow.dataset as ds
        except ImportError:
            return self  # who starts the engine says what is missing
        if given.get("memory_key") != secret.name(self.key):
            return self
        plain(run / "memory")
        kinds = tuple(column for column in columns.GROUPS if column.name in ("home", "memory"))
        try:
            rows = ds.dataset(run / "memory", task.arrow_schema(kinds), "parquet").to_table()
        except (OSError, pa.ArrowException):
            return self  # the engine says what is wrong
        packed = dict(zip(rows.column("home").to_pylist(), rows.column("memory"), strict=True))

        def kept(group: Group) -> task.Row | None:
            item = packed.get(group.home)
            return None if item is None or not item.is_valid else task.kept(group, item.as_py())

        made = list(ahead(kept, self.groups, cores))
        groups = [group for group, row in zip(self.groups, made, strict=True) if row is None]
        return replace(self, groups=groups, told=[row for row in made if row is not None])

    def save(self, run: Run, folder: Path) -> None:
        """Write what is told as rows of the data set of GROUPS."""
        import pyarrow as pa

        schema = task.arrow_schema((*columns.RUN, *columns.GROUPS))
        values = zip(*((run.run_id, run.snapshot_date, *row) for row in self.told), strict=True)
        arrays = [pa.array(some, kind.type) for some, kind in zip(values, schema, strict=False)]
        data_sets.write(pa.table(arrays, schema=schema), folder, 0)
