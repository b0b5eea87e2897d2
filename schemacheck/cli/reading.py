"""Reading one side of a check: a file, a directory of files, standard input, a DSN."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.model import Schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.model import Server


def read(path: str, server: Server | None) -> Schema:
    """The tables of `path`; `server` decides grammar and defaults where the input says nothing.

    Raises InputError where it cannot be read at all.
    """
    from schemacheck import inputs

    if hasattr(inputs, "open_schema"):
        found = inputs.open_schema(path, server=server)
        assert isinstance(found, Schema)
        return found
    return _files(path, server)


def _files(path: str, server: Server | None) -> Schema:
    from schemacheck.inputs import ddl
    from schemacheck.inputs.source import read_source
    from schemacheck.model import Server

    files = sorted(str(p) for p in Path(path).rglob("*.sql")) if Path(path).is_dir() else [path]
    if not files:
        message = f"{path}: no .sql file in this directory"
        raise InputError(message)
    schema = Schema()
    for file in files:
        schema = ddl.read(read_source(file).text, server or Server.parse("mysql"), file=file, base=schema)
    return schema


def texts(schemas: Iterable[Schema]) -> dict[str, str]:
    """The texts of the files that the tables came from and that speak about schemacheck at all:
    suppression comments may stand outside of every statement."""
    from schemacheck.inputs.source import read_source

    files = {t.location.file for schema in schemas for t in schema.tables if t.location and t.location.line is not None}
    files |= {p.location.file for schema in schemas for p in schema.problems if p.location and p.location.line is not None}
    out = {}
    for file in sorted(files - {"-"}):
        if not Path(file).is_file():
            continue
        source = read_source(file)
        if b"schemacheck" in source.data:
            out[file] = source.text
    return out
