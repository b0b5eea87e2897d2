"""Inputs: everything that becomes a Table. `open_schema` is the one door."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schemacheck.inputs.endpoint import Access
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model import Schema, Server

__all__ = ["is_dsn", "open_schema", "read_schema"]

_SCHEMES = ("mysql://", "mariadb://")


def is_dsn(text: str) -> bool:
    """Whether a text names a live server (`mysql://user@host:3306/database`) and not a path."""
    return text.lower().startswith(_SCHEMES)


def open_schema(
    path_or_dsn: str | PathLike[str], *, server: Server | None = None,
    format: str | None = None,  # noqa: A002 the option's name
    null_token: str | None = None,
    encoding: str | None = None, database: str | None = None,
    beside: Sequence[str | PathLike[str]] = (),
    access: Access | None = None, allow_empty: bool = False, history: HistoryOptions | None = None,
    within: str | None = None, fallback: Server | None = None,
) -> Schema:  # fmt: skip
    """The tables of a DDL file, a dump, a directory, a snapshot file, standard input (`-`) or a live server
    (`mysql://...`).

    >>> open_schema("fixtures/demo/today.sql").tables[0].name
    'orders'

    The format is told from the content; `format` (`csv`, `json`, `sql`, ...) wins. `server` is what a person
    says about the server, `fallback` counts where the input does not tell it either; what the input itself
    tells comes back as Schema.server. `null_token` is for row dumps that do not show their own; `encoding` is
    the text's, UTF-8 without it; `database` is the default database of DDL; `beside` are further files about
    the same server: variables, status, my.cnf, more views. `access` says how live servers are asked,
    `history` what a person says about migrations; `within` is the folder that files and their includes must
    lie in.

    An input without any table is a problem unless `allow_empty`: a mistyped database looks the same. What is
    wrong with single tables stands in Schema.problems, what became of every file in Schema.files. Raises
    InputError where the input cannot be read at all, UnknownServer, UsageError.
    """
    from schemacheck.inputs.bundle import assemble
    from schemacheck.inputs.directory import read_directory
    from schemacheck.inputs.formats import by_name, recognise
    from schemacheck.inputs.piece import FilePiece, HistoryOptions, Options, Piece
    from schemacheck.inputs.source import read_source
    from schemacheck.model.account import FileAccount
    from schemacheck.system.collector import collector_paused

    first, *others = map(_place, (path_or_dsn, *beside))
    options = Options(null_token, within, history or HistoryOptions())
    chosen = by_name(format) if format else None
    pieces: list[Piece] = []
    with collector_paused():
        for place in (first, *others):
            if is_dsn(place):
                from schemacheck.inputs.endpoint import Access, Endpoint
                from schemacheck.inputs.live import children, shown, take

                how = access or Access()
                endpoint = Endpoint.parse(place, how)
                snapshot = take(endpoint, seconds=how.seconds)
                pieces += [*snapshot.pieces(), *shown(endpoint, snapshot, seconds=how.seconds)]
                pieces += children(endpoint, seconds=how.seconds)
                pieces.append(FilePiece(FileAccount(snapshot.instance, "live server")))
            elif place != "-" and Path(place).is_dir():
                pieces += read_directory(
                    Path(place), options, encoding=encoding, chosen=chosen if place == first else None
                )
            else:
                source = read_source(place, encoding=encoding, within=within)
                source.is_dump = within is None
                reader = chosen if chosen and place == first else recognise(source)
                try:
                    pieces += [*reader.read(source, options), FilePiece(FileAccount(place, reader.NAME))]
                except RecursionError:
                    raise InputError(f"{place}: nested too deeply") from None
        return assemble(
            pieces, server=server, name=first, database=database, allow_empty=allow_empty, fallback=fallback
        )


def _place(given: str | PathLike[str]) -> str:
    """A path or a DSN as text. Raises UsageError where it is neither."""
    text = fspath(given) if isinstance(given, str | PathLike) else None
    if not isinstance(text, str):
        raise UsageError(f"a place is a path (text or Path) or mysql://user@host, not {type(given).__name__}")
    return text


def read_schema(files: Mapping[str, bytes], name: str, *, server: Server | None = None) -> Schema:
    """`open_schema` of files in memory, `name` is that of them all. A file that cannot be read is a problem.
    Raises InputError where they make no sense together.
    """
    from schemacheck.inputs.bundle import assemble
    from schemacheck.inputs.formats import recognise
    from schemacheck.inputs.piece import FilePiece, NotePiece, Options, Piece
    from schemacheck.inputs.source import Source, decompress
    from schemacheck.model.account import FileAccount
    from schemacheck.system.collector import collector_paused

    pieces: list[Piece] = []
    with collector_paused():
        for path, data in files.items():
            try:
                source = Source(path, decompress(data, path))
                if len(files) > 1 and not source.data.strip():
                    continue  # a view without rows
                reader = recognise(source)
                pieces += [*reader.read(source, Options()), FilePiece(FileAccount(path, reader.NAME))]
            except InputError as error:
                pieces.append(NotePiece(str(error), path, problem=True))
            except RecursionError:
                pieces.append(NotePiece("nested too deeply", path, problem=True))
        return assemble(pieces, server=server, name=name, allow_empty=True)
