"""Snapshots become definitions: one errand per dump, of files that rows.py reads, or of any that `schemacheck.inputs` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from schemacheck.fleet import definition, rows
from schemacheck.fleet.essence import ANY_STAND_IN
from schemacheck.fleet.snapshots import Dump, File
from schemacheck.fleet.texts import Texts, signature
from schemacheck.fleet.workers import arrow_schema
from schemacheck.inputs.collector import collector_paused
from schemacheck.model import InputProblem, Server, with_incoming

if TYPE_CHECKING:
    import pyarrow as pa

#: One row per table, whose text is among the Texts, and one per problem (`problem` as JSON, and nothing else).
SQL = (
    "origin int, instance string, db string, tbl string, sig string, odd int, refs boolean, repeated int, "
    "n_rows bigint, n_bytes bigint, problem string"
)
ASKED = "origin int, dump string"
def asked(dump: Dump) -> tuple[int, str]:
    """A dump as a row of ASKED."""
    files = [[f.path, f.view, "\t".join(f.heading)] for f in dump.native]
    return dump.origin, json.dumps({"instance": dump.instance, "native": files, "other": dump.other})


class Answer(NamedTuple):
    """A row of SQL behind its origin and instance: a table, or a problem and nothing else. `text` is the table's definition."""

    text: str | None = None
    database: str | None = None
    table: str | None = None
    signature: str | None = None
    odd: int | None = None
    refs: bool | None = None
    repeated: int | None = None
    n_rows: int | None = None
    n_bytes: int | None = None
    problem: str | None = None


def answers(servers: Mapping[str, Server], folder: str, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Batches of SQL for a batch of ASKED; the definitions' texts go to a folder (see Texts)."""
    import pyarrow as pa

    schema = arrow_schema(SQL)
    store = Texts(folder)
    for row in batch.to_pylist():
        dump = json.loads(row["dump"])
        native = [File(path, view, tuple(heading.split("\t")) if heading else ()) for path, view, heading in dump["native"]]
        server = servers.get(dump["instance"])
        with collector_paused():
            found = list(_native(native, server) if native else _other(dump["other"], server))
        if not found:
            continue
        texts, *values = zip(*found, strict=True)
        store.write(row["origin"], {name: text for name, text in zip(values[2], texts, strict=True) if text is not None})
        columns = [[row["origin"]] * len(found), [dump["instance"]] * len(found), *values]
        yield pa.RecordBatch.from_arrays([pa.array(one, kind.type) for one, kind in zip(columns, schema, strict=True)], schema=schema)


def _answer(database: str, table: str, text: str, odd: int, repeated: int = 0, n_rows: int | None = None, n_bytes: int | None = None) -> Answer:
    # A name that stands for names would be put back wrongly.
    odd = max(odd, 2) if not text.isascii() and ANY_STAND_IN.search(text) else odd
    refs = _FOREIGN in text or '"foreign_keys"' in text
    return Answer(text, database, table, signature(text), odd, refs, repeated, n_rows, n_bytes)


_FOREIGN = definition.LINE + definition.BY_NAME["key_column_usage"].letter


def _native(files: Sequence[File], server: Server | None) -> Iterator[Answer]:
    from schemacheck.errors import InputError

    try:
        tables, broken, problems = rows.read(files, server)
    except InputError as error:
        yield Answer(problem=problem(InputProblem("SC001", str(error)), files[0].path))
        return
    for table in tables:
        yield _answer(table.database, table.table, table.text, table.odd, table.repeated, table.n_rows, table.n_bytes)
    for found in problems:
        yield Answer(problem=problem(found, next(f.path for f in files if f.view == "columns")))
    for row in broken[:LISTED]:
        message = f"a row of {row.view.upper()} does not fit its heading ({row.fields} fields): {row.text[:80]!r}; was it dumped with --raw?"
        if row.fields == len(next(f.heading for f in files if f.path == row.file)):
            message = f"a row of {row.view.upper()} holds bytes that are no text: {row.text[:80]!r}"
        yield Answer(problem=_problem(InputProblem("SC001", message, None, *row.names), row.file, row.line))
    if len(broken) > LISTED:
        yield Answer(problem=problem(InputProblem("SC001", f"{len(broken)} rows do not fit their headings; only the first {LISTED} are listed"), broken[0].file))


#: Broken rows of one dump that are listed one by one; a file that is broken all through is counted, not listed.
LISTED = 1000


def _other(paths: Iterable[str], server: Server | None) -> Iterator[Answer]:
    """Every table and problem of a dump's files. A file that cannot be read is a problem, not the end of the job."""
    from schemacheck.errors import SchemacheckError
    from schemacheck.inputs import open_schema

    for path in paths:
        try:
            schema = open_schema(path, server=server)
        except SchemacheckError as error:
            yield Answer(problem=problem(InputProblem("SC001", str(error)), path))
            continue
        for table in with_incoming(schema.tables, fold=server is not None and server.folds_names):
            yield _answer(table.database or "", table.name, definition.encode(table), 1)
        for found in schema.problems:
            yield Answer(problem=problem(found, path))
            if found.table and not found.skipped:
                yield _answer(found.database or "", found.table, "w" + definition.BROKEN + found.message.replace(definition.LINE, " "), 1)


def problem(found: InputProblem, path: str) -> str:
    """A problem as JSON, with the file that it was found in."""
    place = found.location
    file = place.file if place and place.file not in ("", "-") else path
    return _problem(replace(found, location=None), file, place.line if place else None)


def _problem(found: InputProblem, file: str, line: int | None) -> str:
    return json.dumps({
        "code": found.code, "message": found.message, "file": file, "line": line, "database": found.database, "table": found.table,
        "skipped": found.skipped,
    })  # fmt: skip
