"""What could not be read, as the data set `input_problems`: with the file and the line where there is one."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

#: `odd` of a table with a broken row, as rows.py has it (which imports pyspark).
MARKED = 3

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from schemacheck.fleet.snapshots import Dump
    from schemacheck.fleet.topology import Topology

#: Broken rows that are listed one by one; a file that is broken all through is counted, not listed.
LISTED = 10_000
COLUMNS = (("code", "string"), ("message", "string"), ("instance", "string"), ("file", "string"), ("line", "int64"),
           ("database", "string"), ("table", "string"), ("skipped", "bool"))  # fmt: skip


def collect(broken: DataFrame | None, dumps: list[Dump], topology: Topology, stage: Path) -> list[dict[str, Any]]:
    """All problems of the input that are not findings of a pair."""
    found: list[dict[str, Any]] = []
    by_origin = {dump.origin: dump for dump in dumps}
    if broken is not None and _marked(stage):
        found += _broken(broken, by_origin)
    found += _missing(dumps, topology)
    found += _repeated(by_origin, stage)
    found += _foreign(by_origin, stage)
    return found


def _marked(stage: Path) -> bool:
    """Whether a broken row was met at all: looking for the rows themselves reads everything again."""
    import pyarrow.dataset as ds

    return bool(ds.dataset(stage / "definitions", exclude_invalid_files=False).count_rows(filter=ds.field("odd") >= MARKED))


def _row(message: str, instance: str | None, file: str | None = None, line: int | None = None, **more: Any) -> dict[str, Any]:
    return {"code": "SC001", "message": message, "instance": instance, "file": file, "line": line, "database": None, "table": None, "skipped": False, **more}


def _broken(broken: DataFrame, dumps: Mapping[int, Dump]) -> list[dict[str, Any]]:
    """Rows with another number of fields than their heading."""
    rows = broken.limit(LISTED + 1).collect()
    wanted: dict[tuple[int, str], list[str]] = defaultdict(list)
    for row in rows[:LISTED]:
        wanted[row["origin"], row["view"]].append(row["value"])
    found = []
    for (origin, view), values in sorted(wanted.items()):
        dump = dumps[origin]
        paths = [file.path for file in dump.native if file.view == view]
        places = _lines(paths, set(values))
        for value in values:
            file, line = next(iter(places.get(value, ())), (paths[0], None))
            if len(places.get(value, ())) > 1:
                places[value].pop(0)
            fields = value.split("\t")
            message = f"a row of {view.upper()} does not fit its heading ({len(fields)} fields): {value[:80]!r}; was it dumped with --raw?"
            found.append(_row(message, dump.instance, file, line))
    if len(rows) > LISTED:
        found.append(_row(f"more than {LISTED} rows do not fit their headings; only the first are listed", None))
    return found


def _lines(paths: Iterable[str], wanted: set[str]) -> dict[str, list[tuple[str, int]]]:
    """Where these lines stand."""
    places: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8", errors="replace") if path.endswith(".gz") else Path(path).open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                text = line.rstrip("\n").rstrip("\r")
                if text in wanted:
                    places[text].append((path, number))
    return places


def _missing(dumps: list[Dump], topology: Topology) -> list[dict[str, Any]]:
    """Instances of the topology that nobody dumped."""
    having = {dump.instance for dump in dumps}
    named = dict.fromkeys(n for link in topology.links for n in (link.source, link.replica))
    found = [_row(f"there is no snapshot of {name}: its tables are unknown", name) for name in named if name not in having]
    unused = sorted(having - set(named))
    found += [_row(f"{name} was dumped but no link of the topology names it", name, skipped=True) for name in unused]
    places: dict[str, list[str]] = defaultdict(list)
    for dump in dumps:
        places[dump.instance].append(dump.place)
    for name, where in places.items():
        if len(where) > 1:
            found.append(_row(f"{name} was dumped {len(where)} times ({', '.join(where[:3])}); tables that differ between the dumps are unknown", name, where[0], skipped=True))
    return found


def _repeated(dumps: Mapping[int, Dump], stage: Path) -> list[dict[str, Any]]:
    """Rows that came more than once, by dump."""
    import pyarrow.dataset as ds

    frame = ds.dataset(stage / "definitions", exclude_invalid_files=False).to_table(columns=["origin", "repeated"], filter=ds.field("repeated") > 0)
    grouped = frame.group_by(["origin"]).aggregate([("repeated", "sum")]).to_pylist()
    return [
        _row(f"{row['repeated_sum']} rows came more than once and were taken once", dumps[row["origin"]].instance, dumps[row["origin"]].place, skipped=True)
        for row in sorted(grouped, key=lambda r: r["origin"])
    ]


def _foreign(dumps: Mapping[int, Dump], stage: Path) -> list[dict[str, Any]]:
    """What the readers of other formats said."""
    import pyarrow.dataset as ds

    if not (stage / "unread").is_dir():
        return []
    frame = ds.dataset(stage / "unread", exclude_invalid_files=False).to_table(columns=["origin", "problem"], filter=ds.field("problem").is_valid())
    return [{"instance": dumps[row["origin"]].instance, **json.loads(row["problem"])} for row in frame.to_pylist()]


def write(found: list[dict[str, Any]], out: Path) -> None:
    """The data set, one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_()}
    (out / "input_problems").mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(found, schema=pa.schema([(name, kinds[kind]) for name, kind in COLUMNS]))
    pq.write_table(table, out / "input_problems" / "part-0.parquet")
