"""The data sets that are made of rows of pairs, as Arrow's tables (`checked` has them as DataFrames)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.fleet import columns
from schemacheck.fleet.task import arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa

#: What is told of a finding's pair.
_OF_PAIR = tuple(
    dict.fromkeys(
        [c.name for c in columns.FINDINGS if c not in columns.FINDING] + ["source_lines", "replica_lines"]
    )
)
#: Rows of pairs that are looked at together.
ROWS = 20_000


def tables(pairs: pa.RecordBatch) -> pa.Table:
    """Rows of `tables`; every row is of a pair."""
    import pyarrow as pa

    names = [c.name if c.name != "findings" else "n_findings" for c in columns.TABLES]
    return pa.Table.from_batches([pairs.select(names)]).rename_columns([c.name for c in columns.TABLES])


def findings(pairs: pa.RecordBatch) -> pa.Table:
    """Findings behind the columns of their pairs, as far as these are there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = [name for name in _OF_PAIR if name in pairs.schema.names]
    result = pairs.select([*names, "findings"]).filter(pc.greater(pairs.column("n_findings"), 0))
    lists = result.column("findings")
    of_pair = result.select(names).take(pc.list_parent_indices(lists))
    each = [*of_pair.columns, *lists.flatten().flatten()]
    return pa.table(each, [*names, *(column.name for column in columns.FINDING)])


def problems(rows: pa.RecordBatch, names: Sequence[str]) -> pa.Table:
    """Problems of the input, with these columns of their rows before their own."""
    import pyarrow as pa
    import pyarrow.compute as pc

    some = rows.filter(pc.is_valid(rows.column("problem")))
    listed = [json.loads(text) for text in some.column("problem").to_pylist()]
    own = [column for column in columns.PROBLEMS if column not in columns.RUN]
    made = pa.Table.from_pylist(listed, arrow_schema(tuple(own)))
    return pa.table([*some.select(list(names)).columns, *made.columns], [*names, *made.column_names])


def save(rows: pa.RecordBatch, pairs: pa.RecordBatch, result: pa.Table, folder: Path, number: int) -> None:
    """Write what rows of PAIRS tell as files of the data sets that have this number in their names: those of
    them that are pairs, and these pairs' findings.
    """
    write(tables(pairs), folder / "tables", number, "verdict")
    write(result.select([column.name for column in columns.FINDINGS]), folder / "findings", number, "effect")
    write(problems(rows, [column.name for column in columns.RUN]), folder / "input_problems", number)


def together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in fewer batches: every file costs as much as some thousand rows."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    for batch in chain(batches, (None,)):
        if waiting and (batch is None or sum(some.num_rows for some in waiting) >= ROWS):
            yield pa.concat_batches(waiting) if len(waiting) > 1 else waiting[0]
            waiting.clear()
        waiting += [] if batch is None else [batch]


def write(rows: pa.Table, folder: Path, number: int, partition: str = "") -> None:
    """Rows as files of a data set that have this number in their names; none without rows."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    by = ds.partitioning(pa.schema([rows.schema.field(partition)]), flavor="hive") if partition else None
    kind = ds.ParquetFileFormat()
    folder.mkdir(exist_ok=True)
    if rows.num_rows:
        ds.write_dataset(
            rows, folder, format=kind, partitioning=by, basename_template=f"part-{number}-{{i}}.parquet",
            file_options=kind.make_write_options(compression="zstd", compression_level=1),
            existing_data_behavior="overwrite_or_ignore",
        )  # fmt: skip
