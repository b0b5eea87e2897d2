"""A directory as one input: .sql files in order, dumps side by side, mydumper's and MySQL Shell's own layouts.

Files are told by name only as far as data must stay unread; what a file holds is told by its content.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError
from schemacheck.inputs.dump_header import server_of_dump
from schemacheck.inputs.formats import recognise
from schemacheck.inputs.piece import DdlPiece, NotePiece, SettingsPiece
from schemacheck.inputs.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Format, Options, Piece

_PACKED = re.compile(r"\.(?:gz|zst)\Z")
_READABLE = frozenset(
    (".sql", ".ddl", ".tsv", ".csv", ".txt", ".json", ".jsonl", ".ndjson", ".xml", ".parquet", ".cnf", ".ini")
)
_TABLE = re.compile(r"(?P<database>.+?)\.(?P<table>.+)-schema\Z")
_CREATE = re.compile(r"(?P<database>.+)-schema-create\Z")
#: mydumper's other definitions: views, triggers, routines, sequences.
_OTHER = re.compile(r".+-schema-[a-z-]+\Z")


def read_directory(
    path: Path, options: Options, *, encoding: str | None = None, chosen: Format | None = None
) -> Iterator[Piece]:
    """The pieces of all files; `encoding` and `chosen` are what a person says about them. Raises InputError where there is none, or one cannot be read."""
    if (path / "@.json").is_file():
        yield from _shell_dump(path, encoding)
    elif (path / "metadata").is_file() or any(
        _CREATE.match(_stem(file)) for file in path.iterdir() if _is_sql(file)
    ):
        yield from _mydumper(path, encoding)
    else:
        yield from _plain(path, options, encoding, chosen)


def _stem(file: Path) -> str:
    return _PACKED.sub("", file.name).removesuffix(".sql")


def _is_sql(file: Path) -> bool:
    return _PACKED.sub("", file.name).endswith(".sql") and file.is_file()


def _natural(file: Path) -> tuple[object, ...]:
    """V2 before V10, as migrations are meant."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d+)", str(file))
        if part
    )


def readable(path: Path) -> list[Path]:
    """The files of a directory and its folders that some format may read, V2 before V10; hidden ones are none."""
    files = (
        f
        for f in path.rglob("*")
        if f.is_file() and not any(p.startswith(".") for p in f.relative_to(path).parts)
    )
    return sorted(
        (f for f in files if Path(_PACKED.sub("", f.name)).suffix.lower() in _READABLE), key=_natural
    )


def _plain(path: Path, options: Options, encoding: str | None, chosen: Format | None) -> Iterator[Piece]:
    wanted = readable(path)
    # mysqldump --tab writes table.sql beside table.txt, which is data.
    described = {str(file.with_suffix("")) for file in wanted if file.suffix == ".sql"}
    wanted = [
        file for file in wanted if not (file.suffix == ".txt" and str(file.with_suffix("")) in described)
    ]
    if not wanted:
        message = f"{path}: no file with an ending of {', '.join(sorted(_READABLE))} (or those with .gz, .zst) in this directory"
        raise InputError(message)
    databases = _skeema(path)
    for file in wanted:
        source = read_source(str(file), encoding=encoding)
        if not source.data.strip():
            continue
        try:
            reader = chosen if chosen and file.suffix not in (".cnf", ".ini") else recognise(source)
        except InputError:
            yield NotePiece("not recognised as DDL or as a dump; left out", str(file))
            continue
        for piece in reader.read(source, options):
            if isinstance(piece, DdlPiece) and file.parent in databases:
                yield DdlPiece(piece.text, piece.file, piece.line, databases[file.parent])
            else:
                yield piece


def _skeema(path: Path) -> dict[Path, str]:
    """The database of every directory that a `.skeema` file gives one."""
    out = {}
    for file in path.rglob(".skeema"):
        match = re.search(r"^\s*schema\s*=\s*([^\s#]+)", file.read_text("utf-8", "replace"), re.MULTILINE)
        if match:
            out[file.parent] = match.group(1).strip("'\"`")
    return out


def _ddl(file: Path, database: str | None, encoding: str | None) -> Iterator[Piece]:
    source = read_source(str(file), encoding=encoding)
    told = server_of_dump(source.head[:4096])
    if told:
        yield SettingsPiece(told, str(file))
    yield DdlPiece(source.text, str(file), 1, database)


def _mydumper(path: Path, encoding: str | None) -> Iterator[Piece]:
    """`db-schema-create.sql` and `db.table-schema.sql`; views, triggers and routines are left out, data files left alone."""
    files = [file for file in sorted(path.iterdir(), key=_natural) if _is_sql(file)]
    stems = {_stem(file) for file in files}
    names = _mydumper_names(path)
    tables = []
    others = []
    for file in files:
        if match := _CREATE.match(_stem(file)):
            yield from _ddl(file, names.get(match["database"], match["database"]), encoding)
        elif match := _TABLE.match(_stem(file)):
            tables.append((file, match["database"]))
        else:
            others.append(file)
    for file, database in tables:
        # Beside a view's own file stands a table that only keeps its place.
        if f"{_stem(file)}-view" not in stems:
            yield from _ddl(file, names.get(database, database), encoding)
    data = {stem.removesuffix("-schema") for stem in stems if _TABLE.match(stem)}
    for file in others:
        stem = _stem(file)
        parts = stem.split(".")
        if _OTHER.match(stem):
            yield NotePiece("a view, triggers or routines of mydumper: left out", str(file))
        elif not any(".".join(parts[:count]) in data for count in range(2, len(parts) + 1)):
            message = "left out: this directory is a mydumper dump, and the file is none of its tables'; give other scripts by themselves"
            yield NotePiece(message, str(file), problem=True)


def _mydumper_names(path: Path) -> dict[str, str]:
    """File name part -> database, for names that mydumper replaced (`mydumper_0`): its metadata file tells them."""
    metadata = path / "metadata"
    out: dict[str, str] = {}
    if metadata.is_file():
        current = None
        for line in metadata.read_text("utf-8", "replace").split("\n"):
            if match := re.match(r"\[`?(?P<database>[^`\]]+)`?\]\s*\Z", line):
                current = match["database"]
            elif current and (match := re.match(r"real_(?:schema|database)_name\s*=\s*(?P<name>.+)", line)):
                out[current] = match["name"].strip().strip("`'\"")
    return out


def _shell_dump(path: Path, encoding: str | None) -> Iterator[Piece]:
    """util.dumpInstance, dumpSchemas, dumpTables of MySQL Shell: `@.json` has the server, `schema@table.sql` the DDL, and the .json beside it the names."""
    top = _json(path / "@.json")
    values = {"version": str(top["serverVersion"])} if top.get("serverVersion") else {}
    if values:
        yield SettingsPiece(values, str(path / "@.json"))
    by_file = {str(base): str(name) for name, base in (top.get("basenames") or {}).items()}
    files = sorted(path.iterdir(), key=_natural)
    for file in files:
        stem = _stem(file)
        if _PACKED.sub("", file.name).endswith(".sql") and "@" not in stem:
            # CREATE DATABASE with its character set, and placeholders of views.
            yield DdlPiece(
                read_source(str(file), encoding=encoding).text, str(file), 1, by_file.get(stem, stem)
            )
    seen = False
    for file in files:
        stem = _stem(file)
        if (
            not _PACKED.sub("", file.name).endswith(".sql")
            or "@" not in stem
            or stem.startswith("@")
            or stem.endswith((".triggers", ".pre", ".post"))
        ):
            continue
        beside = path / f"{stem}.json"
        about = _json(beside).get("options", {}) if beside.is_file() else {}
        base = stem.split("@", 1)[0]
        seen = True
        yield DdlPiece(
            read_source(str(file), encoding=encoding).text,
            str(file),
            1,
            str(about.get("schema") or by_file.get(base, base)),
        )
    if not seen:
        yield NotePiece("this MySQL Shell dump holds no table", str(path / "@.json"))


def _json(file: Path) -> dict[str, Any]:
    source = read_source(str(file))
    try:
        found = json.loads(source.text)
    except ValueError as error:
        message = f"{file}: not JSON: {error}"
        raise InputError(message) from None
    if not isinstance(found, dict):
        message = f"{file}: an object is expected"
        raise InputError(message)
    return found
