"""Snapshots become definitions: dumps of files that rows.py reads, or of any that
`schemacheck.inputs` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from schemacheck.fleet import definition, rows
from schemacheck.fleet.pair_key import ANY_STAND_IN
from schemacheck.fleet.snapshots import Dump, File
from schemacheck.fleet.texts import Texts, signature, write
from schemacheck.fleet.workers import arrow_schema
from schemacheck.inputs.collector import collector_paused
from schemacheck.model import InputProblem, Server, with_incoming
from schemacheck.model.names import folded

if TYPE_CHECKING:
    import pyarrow as pa

#: The data set of definitions: one row per table, whose text is among the Texts, and one per problem
#: (`problem` as JSON, and nothing else).
SQL = (
    "origin int, instance string, db string, tbl string, low_db string, low_tbl string, sig string, odd "
    "int, refs boolean, repeated int, "
    "n_rows bigint, n_bytes bigint, problem string"
)
#: A batch (its number, and dumps as JSON), and what is said of it: its number, and how many rows it made.
ASKED, ANSWERED = "batch int, dumps string", "batch int, made int"
#: Bytes of dumps that are one batch, if there are several.
_ERRAND = 16 << 20


def batches(dumps: Iterable[Dump]) -> list[tuple[int, str]]:
    """Rows of ASKED: small dumps together, a large one alone, and each that only the readers of
    `schemacheck.inputs` understand, which take their time.
    """
    grouped: list[list[Dump]] = []
    size = _ERRAND
    for dump in dumps:
        if size >= _ERRAND:
            grouped.append([])
            size = 0
        grouped[-1].append(dump)
        size += max(dump.size, 1 << 10) if dump.native else _ERRAND
    return [(number, json.dumps([_asked(dump) for dump in some])) for number, some in enumerate(grouped)]


def _asked(dump: Dump) -> dict[str, Any]:
    files = [[f.path, f.view, "\t".join(f.heading)] for f in dump.native]
    return {"origin": dump.origin, "instance": dump.instance, "native": files, "other": dump.other}


class Answer(NamedTuple):
    """A row of SQL behind its origin and instance: a table, or a problem and nothing else. `text` is the
    table's definition; the names come twice, the second time as a server compares them that does not tell
    case apart.
    """

    text: str | None = None
    database: str | None = None
    table: str | None = None
    folded_database: str | None = None
    folded_table: str | None = None
    signature: str | None = None
    odd: int | None = None
    refs: bool | None = None
    repeated: int | None = None
    n_rows: int | None = None
    n_bytes: int | None = None
    problem: str | None = None


def answers(
    servers: Mapping[str, Server], stage: str, name: str, batch: pa.RecordBatch
) -> Iterator[pa.RecordBatch]:
    """Batches of ANSWERED for a batch of ASKED. What was read goes below `stage`: a batch's definitions to
    one file of the data set `name`, their texts beside it.
    """
    import pyarrow as pa

    for row in batch.to_pylist():
        made = [
            table
            for dump in json.loads(row["dumps"])
            if (table := _dump(dump, servers.get(dump["instance"]), Texts(f"{stage}/texts"))) is not None
        ]
        whole = pa.concat_tables(made) if made else arrow_schema(SQL).empty_table()
        write(whole, Path(stage, name, f"{row['batch']}.parquet"))
        yield pa.RecordBatch.from_pylist(
            [{"batch": row["batch"], "made": whole.num_rows}], schema=arrow_schema(ANSWERED)
        )


def _dump(dump: Mapping[str, Any], server: Server | None, texts: Texts) -> pa.Table | None:
    """The definitions of one dump; None where it has none and no problem either."""
    import pyarrow as pa

    native = [
        File(path, view, tuple(heading.split("\t")) if heading else ())
        for path, view, heading in dump["native"]
    ]
    with collector_paused():
        found = list(_native(native, server) if native else _other(dump["other"], server))
    if not found:
        return None
    kept, *values = zip(*found, strict=True)
    texts.write(
        dump["origin"], {name: text for name, text in zip(values[4], kept, strict=True) if text is not None}
    )
    columns = [[dump["origin"]] * len(found), [dump["instance"]] * len(found), *values]
    schema = arrow_schema(SQL)
    return pa.Table.from_arrays(
        [pa.array(one, kind.type) for one, kind in zip(columns, schema, strict=True)], schema=schema
    )


def _answer(
    database: str,
    table: str,
    text: str,
    odd: int,
    repeated: int = 0,
    n_rows: int | None = None,
    n_bytes: int | None = None,
) -> Answer:
    # A name that stands for names would be put back wrongly.
    odd = max(odd, 2) if not text.isascii() and ANY_STAND_IN.search(text) else odd
    refs = _FOREIGN in text or '"foreign_keys"' in text
    return Answer(
        text,
        database,
        table,
        folded(database),
        folded(table),
        signature(text),
        odd,
        refs,
        repeated,
        n_rows,
        n_bytes,
    )


_FOREIGN = definition.LINE + definition.BY_NAME["key_column_usage"].letter


def _native(files: Sequence[File], server: Server | None) -> Iterator[Answer]:
    from schemacheck.errors import InputError

    try:
        tables, broken, problems = rows.read(files, server)
    except InputError as error:
        yield Answer(problem=problem(InputProblem("SC001", str(error)), files[0].path))
        return
    for table in tables:
        yield _answer(
            table.database, table.table, table.text, table.odd, table.repeated, table.n_rows, table.n_bytes
        )
    for found in problems:
        yield Answer(problem=problem(found, next(f.path for f in files if f.view == "columns")))
    for row in broken[:LISTED]:
        message = (
            f"a row of {row.view.upper()} does not fit its heading ({row.fields} fields): "
            f"{row.text[:80]!r}; was it dumped with --raw?"
        )
        if row.fields == len(next(f.heading for f in files if f.path == row.file)):
            message = f"a row of {row.view.upper()} holds bytes that are no text: {row.text[:80]!r}"
        yield Answer(problem=_problem(InputProblem("SC001", message, None, *row.names), row.file, row.line))
    if len(broken) > LISTED:
        yield Answer(
            problem=problem(
                InputProblem(
                    "SC001",
                    f"{len(broken):,} rows do not fit their headings; only the first {LISTED} are listed",
                ),
                broken[0].file,
            )
        )


#: Broken rows of one dump that are listed one by one; a file that is broken all through is counted, not
#: listed.
LISTED = 1000


def _other(paths: Iterable[str], server: Server | None) -> Iterator[Answer]:
    """Every table and problem of a dump's files. A file that cannot be read is a problem, not the end of the
    job.
    """
    from schemacheck.errors import SchemacheckError
    from schemacheck.inputs import open_schema

    for path in paths:
        try:
            schema = open_schema(path, server=server, allow_empty=True)
        except SchemacheckError as error:
            yield Answer(problem=problem(InputProblem("SC001", str(error)), path))
            continue
        for table in with_incoming(schema.tables, fold=server is not None and server.folds_names):
            yield _answer(table.database or "", table.name, definition.encode(table), 1)
        for found in schema.problems:
            yield Answer(problem=problem(found, path))
            if found.table and not found.skipped:
                yield _answer(
                    found.database or "",
                    found.table,
                    "w" + definition.BROKEN + found.message.replace(definition.LINE, " "),
                    1,
                )


def problem(found: InputProblem, path: str) -> str:
    """A problem as JSON, with the file that it was found in."""
    place = found.location
    file = place.file if place and place.file not in ("", "-") else path
    return _problem(replace(found, location=None), file, place.line if place else None)


def _problem(found: InputProblem, file: str, line: int | None) -> str:
    return json.dumps({
        "code": found.code, "message": found.message, "file": file, "line": line, "database": found.database,
        "table": found.table,
        "skipped": found.skipped,
    })  # fmt: skip
