"""What could not be read, as the data set `input_problems`: with the file and the line where there is one."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    from schemacheck.fleet.snapshots import Dump
    from schemacheck.fleet.topology import Topology

COLUMNS = (("code", "string"), ("message", "string"), ("instance", "string"), ("file", "string"),
           ("line", "int64"), ("database", "string"), ("table", "string"), ("skipped", "bool"))  # fmt: skip


def collect(dumps: list[Dump], topology: Topology, stage: Path) -> list[dict[str, Any]]:
    """All problems of the input that are not findings of a pair."""
    by_origin = {dump.origin: dump for dump in dumps}
    return [*_read(by_origin, stage), *_missing(dumps, topology), *_repeated(by_origin, stage)]


def _row(
    message: str, instance: str | None, file: str | None = None, line: int | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "code": "SC001",
        "message": message,
        "instance": instance,
        "file": file,
        "line": line,
        "database": None,
        "table": None,
        "skipped": False,
        **more,
    }


def _missing(dumps: list[Dump], topology: Topology) -> list[dict[str, Any]]:
    """Instances of the topology that nobody dumped."""
    having = {dump.instance for dump in dumps}
    named = dict.fromkeys(n for link in topology.links for n in (link.source, link.replica))
    found = [
        _row(f"there is no snapshot of {name}: its tables are unknown", name)
        for name in named
        if name not in having
    ]
    unused = sorted(having - set(named))
    found += [
        _row(f"{name} was dumped but no link of the topology names it", name, skipped=True) for name in unused
    ]
    places: dict[str, list[str]] = defaultdict(list)
    for dump in dumps:
        places[dump.instance].append(dump.place)
    for name, where in places.items():
        if len(where) > 1:
            found.append(
                _row(
                    f"{name} was dumped {len(where)} times ({', '.join(where[:3])}); tables that differ "
                    "between the dumps are unknown",
                    name,
                    where[0],
                    skipped=True,
                )
            )
    for dump in dumps:
        if dump.unused:
            message = (
                f"beside columns.*, {plural(len(dump.unused), 'file')} not read "
                f"({', '.join(dump.unused[:3])}): a dump is read in one format"
            )
            found.append(_row(message, dump.instance, dump.unused[0], skipped=True))
    return found


def _repeated(dumps: Mapping[int, Dump], stage: Path) -> list[dict[str, Any]]:
    """Rows that came more than once, by dump."""
    import pyarrow.dataset as ds

    frame = ds.dataset(stage / "definitions", exclude_invalid_files=False).to_table(
        columns=["origin", "repeated"], filter=ds.field("repeated") > 0
    )
    grouped = frame.group_by(["origin"]).aggregate([("repeated", "sum")]).to_pylist()
    return [
        _row(
            f"{row['repeated_sum']} rows came more than once and were taken once",
            dumps[row["origin"]].instance,
            dumps[row["origin"]].place,
            skipped=True,
        )
        for row in sorted(grouped, key=lambda r: r["origin"])
    ]


def _read(dumps: Mapping[int, Dump], stage: Path) -> list[dict[str, Any]]:
    """What the readers said."""
    import pyarrow.dataset as ds

    frame = ds.dataset(stage / "definitions", exclude_invalid_files=False).to_table(
        columns=["origin", "problem"], filter=ds.field("problem").is_valid()
    )
    found = [
        {"instance": dumps[row["origin"]].instance, **json.loads(row["problem"])} for row in frame.to_pylist()
    ]
    return sorted(found, key=lambda row: (row["instance"], row["file"], row["line"] or 0))


def write(found: list[dict[str, Any]], out: Path) -> None:
    """The data set, one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_()}
    (out / "input_problems").mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(found, schema=pa.schema([(name, kinds[kind]) for name, kind in COLUMNS]))
    pq.write_table(table, out / "input_problems" / "part-0.parquet")
