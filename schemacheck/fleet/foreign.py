"""Snapshots in every other format: read in Python by `schemacheck.inputs`, one task per dump."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.fleet import definition
from schemacheck.model import InputProblem, Server

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from schemacheck.fleet.profiles import Profiles
    from schemacheck.fleet.session import Engine
    from schemacheck.fleet.snapshots import Dump

SQL = "origin int, db string, tbl string, definition string, odd int, repeated int, n_rows bigint, n_bytes bigint, problem string"


def definitions(engine: Engine, dumps: list[Dump], profiles: Profiles, stage: Path) -> DataFrame:
    """The same columns as `rows.definitions`. Problems go to `stage` as a data set too (`origin`, `problem` as JSON)."""
    asked = engine.spark.createDataFrame([(d.origin, d.instance, "\n".join(d.other)) for d in dumps], "origin int, instance string, paths string")
    if engine.name != "sail":
        asked = asked.repartition(max(1, min(len(dumps), 200)), "origin")
    asked.mapInArrow(_reader(profiles.servers), SQL).write.mode("overwrite").parquet(str(stage))
    made = engine.spark.read.parquet(str(stage))
    return made.filter(made.definition.isNotNull()).drop("problem")


def _reader(servers: Mapping[str, Server]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        kinds = {"int": pa.int32(), "bigint": pa.int64(), "string": pa.string()}
        schema = pa.schema([(name, kinds[kind]) for name, kind in (part.split() for part in SQL.split(", "))])
        for batch in batches:
            for row in batch.to_pylist():
                found = [{"origin": row["origin"], **one} for one in read(row["paths"].split("\n"), servers.get(row["instance"]))]
                yield pa.RecordBatch.from_pylist(found, schema=schema)

    return run


def read(paths: Iterable[str], server: Server | None) -> Iterator[dict[str, object]]:
    """Every table and problem of a dump's files, as rows of SQL. A file that cannot be read is a problem, not the end of the job."""
    from schemacheck.errors import SchemacheckError
    from schemacheck.inputs import open_schema

    for path in paths:
        try:
            schema = open_schema(path, server=server)
        except SchemacheckError as error:
            yield {"problem": problem(InputProblem("SC001", str(error)), path)}
            continue
        for table in schema.tables:
            yield {"db": table.database or "", "tbl": table.name, "definition": definition.encode(table), "odd": 1, "repeated": 0}
        for found in schema.problems:
            yield {"problem": problem(found, path)}
            if found.table and not found.skipped:
                text = "w" + definition.BROKEN + found.message.replace("\x1e", " ")
                yield {"db": found.database or "", "tbl": found.table, "definition": text, "odd": 1, "repeated": 0}


def problem(found: InputProblem, path: str) -> str:
    """A problem as JSON, with the file that it was found in."""
    place = found.location
    told = replace(found, location=None)
    return json.dumps({
        "code": told.code, "message": told.message, "file": place.file if place and place.file not in ("", "-") else path,
        "line": place.line if place else None, "database": told.database, "table": told.table, "skipped": told.skipped,
    })  # fmt: skip
