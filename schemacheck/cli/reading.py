"""Reading one side of a check: a file, a directory of files, standard input, a DSN."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import linking, live_access
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError
from schemacheck.model.server import Server

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from schemacheck.cli.linking import Wanted
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model import Schema

HISTORY_OPTIONS = """
--history KIND                the migration tool whose files these are, where they do not show it, or `none`:
                              a directory is read file by file then (see `schemacheck lint-history --help`)
--placeholder NAME=VALUE ...  the value of a placeholder ${NAME} in migrations; may be repeated
"""


def history_options(args: argparse.Namespace) -> HistoryOptions:
    """What the options say. Raises UsageError."""
    from schemacheck.cli import link_arguments
    from schemacheck.inputs import histories
    from schemacheck.inputs.piece import HistoryOptions

    values = link_arguments.pairs(args.placeholder, "--placeholder")
    if any("\n" in value for _, value in values):
        raise UsageError("--placeholder: a value is one line")
    kind = histories.checked(args.history) if args.history else ""
    return HistoryOptions(kind, tuple(values))


OPTIONS = f"""
--input-format NAME     the format of both inputs, where the content does not tell it
--encoding NAME         encoding of text input (default: UTF-8)
{HISTORY_OPTIONS}
--null TEXT             what stands for NULL in row dumps that do not show it
--database NAME         default database of DDL that names none
--allow-empty           a side without any table passes (else the check is undecided: a mistyped name looks
                        the same)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options about what the input cannot tell itself."""
    group = parser.add_argument_group(
        "input",
        "The format of an input is recognised by its content: DDL, dumps of information_schema,\n"
        "snapshots of servers, a folder with such files and its my.cnf; compressed or not.",
    )
    declare(group, OPTIONS)
    live_access.add_arguments(parser)


def both(source: str, replica: str, args: argparse.Namespace, wanted: Wanted) -> tuple[Schema, Schema]:
    """Both sides; one without settings is read as the other's server reads it. Raises InputError."""
    ours, theirs = read(source, "source", args, wanted), read(replica, "replica", args, wanted)
    return alike(source, replica, args, wanted, (ours, theirs))


def alike(
    source: str | None,
    replica: str | None,
    args: argparse.Namespace,
    wanted: Wanted,
    sides: tuple[Schema, Schema],
) -> tuple[Schema, Schema]:
    """Both sides; one is read again where the other tells more of its server. Raises InputError."""

    def again(path: str | None, side: str, schema: Schema, other: Schema) -> Schema:
        server = linking.server(wanted, side, schema.server, linking.with_databases(other, schema))
        current = linking.server(wanted, side, schema.server)
        if path and server is None and (given := wanted.settings_of(side)):
            # Nobody names a version: the text is read as by the one that the link assumes.
            assumed = read(path, side, args, Server.parse("mysql").with_settings(given))
            return replace(assumed, server=None)
        return schema if not path or server in (None, current) else read(path, side, args, server)

    ours, theirs = sides
    return again(source, "source", ours, theirs), again(replica, "replica", theirs, ours)


def read(
    path: str,
    side: str,
    args: argparse.Namespace,
    server: Server | Wanted | None,
    *,
    allow_empty: bool = False,
) -> Schema:
    """The tables of `path`, the configuration's where the command line names none, read as a server reads
    them, or as its input and what is `wanted` tell. Raises InputError.
    """
    from schemacheck.inputs import open_schema

    if path == "-" and not sys.stdin.buffer.seekable():
        # A pipe can be read once, and `texts` reads it again.
        sys.stdin = io.TextIOWrapper(io.BytesIO(sys.stdin.buffer.read()))
    if path == "-":
        sys.stdin.buffer.seek(0)
    configured = getattr(args, side, "") is None
    named, fallback = (
        (linking.named_server(server, side), linking.server(server, side))
        if isinstance(server, linking.Wanted)
        else (server, None)
    )
    return open_schema(
        path,
        server=named,
        fallback=fallback,
        format=args.input_format,
        null_token=args.null,
        encoding=args.encoding,
        database=args.database,
        access=live_access.access(args, side, configured=configured),
        allow_empty=allow_empty or args.allow_empty,
        history=history_options(args),
    )


def texts(schemas: Iterable[Schema], *, encoding: str | None = None) -> dict[str, str]:
    """The texts of the files that the tables came from and that speak about schemacheck at all:
    suppression comments may stand outside of every statement. `encoding` is what they were read with."""
    from schemacheck.inputs.source import read_source

    files = {
        t.location.file
        for schema in schemas
        for t in schema.tables
        if t.location and t.location.line is not None
    }
    files |= {
        p.location.file
        for schema in schemas
        for p in schema.problems
        if p.location and p.location.line is not None
    }
    out = {}
    for file in sorted(files):
        if file == "-":
            sys.stdin.buffer.seek(0)
        elif not Path(file).is_file():
            continue
        source = read_source(file, encoding=encoding)
        # Where a letter is more than one byte (UTF-16, UTF-32) the word has zero bytes in between.
        if b"schemacheck" in source.data or b"\0" in source.data[:4096]:
            out[file] = source.text
    return out
