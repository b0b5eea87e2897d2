"""A history by itself, with what is to be said of its files: without the tables that it leads to."""

from __future__ import annotations

import contextlib
from pathlib import Path

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.inputs import is_dsn
from schemacheck.inputs.directory import read_directory
from schemacheck.inputs.formats import sql
from schemacheck.inputs.histories.folder import Script
from schemacheck.inputs.piece import (
    DdlPiece,
    FilePiece,
    HistoryOptions,
    HistoryPiece,
    NotePiece,
    Options,
    Piece,
    RowsPiece,
)
from schemacheck.inputs.source import Source, read_source
from schemacheck.model import InputProblem, Location
from schemacheck.model.account import FileAccount
from schemacheck.model.history import History, Migration
from schemacheck.system import inner_file

#: The kind of a history that is of no tool: scripts in the order of their names.
SCRIPTS = "scripts"


@dataclass(frozen=True, slots=True)
class Opened:
    """A history, what was said where it was read, and what became of every file."""

    history: History
    problems: tuple[InputProblem, ...]
    files: tuple[FileAccount, ...]


def read(path: str, options: HistoryOptions, *, encoding: str | None = None) -> Opened:
    """The migrations of a directory or file; of no known tool: each script one. Raises InputError."""
    if is_dsn(path):
        raise InputError(f"{path}: a server holds no migrations: give their directory")
    if path == "-" or not Path(path).is_dir():
        return of_source(read_source(path, encoding=encoding), options)
    opened = _made(list(read_directory(Path(path), Options(history=options), encoding=encoding)))
    if not opened.history.migrations:
        changelogs = sum(file.count for file in opened.files if _changelog(Path(file.path), Path(path)))
        if changelogs:
            said_ = "give the SQL that `liquibase update-sql` writes for an empty database"
            raise InputError(f"{path}: {changelogs} changelogs of Liquibase that are no SQL: {said_}")
        raise InputError(f"{path}: no migration in this directory (.sql, .ddl, or those with .gz, .zst)")
    return opened


def _changelog(file: Path, root: Path) -> bool:
    if file.suffix.lower() not in (".xml", ".yaml", ".yml", ".json"):
        return False
    with contextlib.suppress(OSError), inner_file.opened(file, root) as stream:
        return b"databaseChangeLog" in stream.read(4096)
    return False


def of_source(source: Source, options: HistoryOptions) -> Opened:
    """The migrations of one file, which is one where it is of no tool. Raises InputError."""
    return _made(list(sql.read(source, Options(history=options))))


def _made(pieces: list[Piece]) -> Opened:
    kinds = {piece.history.kind for piece in pieces if isinstance(piece, HistoryPiece)}
    migrations: list[Migration] = []
    problems: list[InputProblem] = []
    for piece in pieces:
        if isinstance(piece, HistoryPiece):
            migrations += piece.history.migrations
        elif isinstance(piece, DdlPiece) and piece.parts is None:
            migrations.append(_script(piece))
        elif isinstance(piece, NotePiece):
            place = Location(piece.file, piece.line)
            problems.append(InputProblem(piece.code, piece.message, place, skipped=not piece.problem))
        elif isinstance(piece, RowsPiece):
            raise InputError(f"{piece.file}: holds rows of {piece.view}, and not a migration")
    kind = kinds.pop() if len(kinds) == 1 else SCRIPTS
    files = tuple(piece.account for piece in pieces if isinstance(piece, FilePiece))
    return Opened(History(kind, tuple(migrations)), tuple(problems), files)


def _script(piece: DdlPiece) -> Migration:
    script = Script(piece.file)
    script.replace(piece.text.replace("\r\n", "\n"))
    return script.migration(Path(piece.file).stem, "", script.whole())
