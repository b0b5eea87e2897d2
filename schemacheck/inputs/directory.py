"""A directory as one input: .sql files in order, dumps, mydumper's and MySQL Shell's layouts."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.inputs import histories
from schemacheck.inputs.folder_database import folder_databases
from schemacheck.inputs.formats import recognise
from schemacheck.inputs.formats.sql import about_dump
from schemacheck.inputs.piece import DdlPiece, FilePiece, NotePiece, SettingsPiece
from schemacheck.inputs.source import read_source
from schemacheck.inputs.walk import Seen, begins_with_table, is_copy, is_sql, natural, unpacked, walk
from schemacheck.model.account import EMPTY, FileAccount
from schemacheck.sql.words import cut_name, defines_table, first_words, states_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Format, Options, Piece
    from schemacheck.inputs.source import Source

_TABLE = re.compile(r"(?P<database>.+?)\.(?P<table>.+)-schema\Z")
_CREATE = re.compile(r"(?P<database>.+)-schema-create\Z")
#: What definitions begin with: in text of any kind, or as the heading of rows; what stands for a file
#: whose content git keeps elsewhere (Git LFS); and Liquibase's changes in XML, YAML and JSON.
_LOOKS_LIKE_ONE = re.compile(
    rb"\b(?:CREATE|ALTER|DROP|RENAME)\s+(?:OR\s+REPLACE\s+)?(?:TEMPORARY\s+)?(?:TABLE|SEQUENCE)\b|<mysqldump\b|\bTABLE_SCHEMA\b|\bCOLUMN_TYPE\b|schemacheck_snapshot"
    rb"|\Aversion https://git-lfs|\bdatabaseChangeLog\b",
    re.IGNORECASE,
)
#: Endings of files that are read only to see whether they are definitions of another program.
_OPEN = ("", ".yaml", ".yml")
#: Files whose names, or whose folder's, say in which order they are run.
_NUMBERED = re.compile(r"[VvBbRrUu]?_?[0-9]")
#: Endings of programs; those with such a name are migrations (Rails, Alembic, Doctrine, Yii, Ecto, Flyway).
_PROGRAMS = tuple(
    ".py .rb .js .ts .mjs .cjs .php .go .cs .kt .java .groovy .scala .exs .sh .pl".split(" ")  # noqa: SIM905
)
_MIGRATION = re.compile(r"(?:[VvBbRrUum]|Version)?_?[0-9]|[0-9a-f]{8,}_")
#: Folders of migrations by their names, and what programs in them call or are that change definitions.
_HOME = re.compile(r"(?i)migrat(?:ions?|e)\Z")
_CALLS = re.compile(
    rb"(?i:\b(?:create|drop|alter|add|rename|change|modify|remove)_?(?:table|column|field|index|model|foreign))"
    rb"|\bRunSQL\b|Migration\b"
)
#: Endings of schemas in languages of their own.
_SCHEMAS = (".prisma", ".hcl")
#: Bytes of a file of rows that is looked at all the same.
_MOST_LOOKED_AT = 1 << 20
#: What ends a statement to myloader, and a comment that servers run.
_END, _RUN = re.compile(r";\r?\n"), re.compile(r"/\*M?![0-9]*")
#: mydumper's other definitions: views, triggers, routines, sequences.
_OTHER = re.compile(r".+-schema-[a-z-]+\Z")


def read_directory(
    path: Path, options: Options, *, encoding: str | None = None, chosen: Format | None = None
) -> Iterator[Piece]:
    """The pieces of all files. Raises InputError where there is none, or one cannot be read."""
    options = replace(options, within=str(path))
    if (path / "@.json").is_file():
        yield from _accounted(path, "MySQL Shell dump", _shell_dump(path, encoding))
    elif (path / "metadata").is_file() or any(
        _CREATE.match(_stem(file)) for file in path.iterdir() if _is_sql(file)
    ):
        yield from _accounted(path, "mydumper dump", _mydumper(path, encoding))
    else:
        yield from _plain(path, options, encoding, chosen)


def _accounted(path: Path, layout: str, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces of a dump's own layout, and what became of the other files beside them."""
    listed: set[str] = set()
    read: set[str] = set()
    for piece in pieces:
        if not isinstance(piece, FilePiece):
            listed.add(piece.file)
        if isinstance(piece, DdlPiece):
            read.add(piece.file)
        yield piece
    for file in sorted(read):
        yield FilePiece(FileAccount(file, "sql", layout))
    for seen in walk(path):
        if str(seen.path) in read:
            continue
        inside = seen.path.parent == path
        why = seen.why or (
            f"no definition of this {layout}" if inside else f"in a folder of a {layout}, which has none"
        )
        # Files of the dump's own folder were judged by its layout.
        doubtful = str(seen.path) not in listed and (seen.doubtful or (not inside and is_sql(seen.path.name)))
        yield from _unread(Seen(seen.path, why, doubtful, seen.count))


def _stem(file: Path) -> str:
    return unpacked(file.name).removesuffix(".sql")


def _is_sql(file: Path) -> bool:
    return unpacked(file.name).endswith(".sql") and file.is_file()


def _plain(path: Path, options: Options, encoding: str | None, chosen: Format | None) -> Iterator[Piece]:
    seen = walk(path)
    homes = {item.path.parent for item in seen if _in_order(item.path)}
    folder = histories.of_folder(path, seen, options.history, encoding=encoding) if chosen is None else None
    if folder is not None:
        yield from folder.pieces()
        seen = [seen for seen in seen if str(seen.path) not in folder.files]
    wanted = [seen.path for seen in seen if not seen.why]
    # mysqldump --tab writes table.sql beside table.txt, which is data.
    described = {str(file.with_suffix("")) for file in wanted if file.suffix == ".sql"}
    databases = folder_databases(path, [path for path in wanted if is_sql(path.name)])
    for item in seen:
        if item.why and not item.doubtful and item.path.is_file():
            yield from _unread(replace(item, doubtful=_may_define(item.path, homes)))
        elif item.why:
            yield from _unread(item)
    for file in wanted:
        source = read_source(str(file), encoding=encoding, within=path)
        if file.suffix == ".txt" and str(file.with_suffix("")) in described:
            doubtful = _holds_ddl(source)
            yield from _unread(
                Seen(file, f"taken for the rows of {file.stem}.sql (mysqldump --tab)", doubtful=doubtful)
            )
            continue
        if not source.data.strip():
            yield FilePiece(FileAccount(str(file), "", EMPTY))
            continue
        yield from _file(source, file, options, chosen, databases.get(file.parent))


def _file(
    source: Source, file: Path, options: Options, chosen: Format | None, database: str | None
) -> Iterator[Piece]:
    """The pieces of one file; what is neither SQL nor known rows is left out, perhaps doubtfully."""
    try:
        reader = chosen if chosen and file.suffix not in (".cnf", ".ini") else recognise(source)
        pieces = list(reader.read(source, options))
    except RecursionError:
        raise InputError(f"{file}: nested too deeply") from None
    except InputError as error:
        if chosen or is_sql(file.name):
            raise
        yield from _unread(Seen(file, str(error).removeprefix(f"{file}: "), doubtful=_holds_ddl(source)))
        return
    why = EMPTY if is_sql(file.name) and states_nothing(source.text) else ""
    yield FilePiece(FileAccount(str(file), reader.NAME, why))
    for piece in pieces:
        if isinstance(piece, DdlPiece):
            anyhow = not any(_NUMBERED.match(name) for name in (file.name, file.parent.name))
            yield replace(piece, database=piece.database if database is None else database, anyhow=anyhow)
        else:
            yield piece


def _unread(seen: Seen) -> Iterator[Piece]:
    """The account of a file that was not read; a problem where it may hold definitions."""
    yield FilePiece(FileAccount(str(seen.path), "", seen.why, seen.doubtful, seen.count))
    if seen.doubtful:
        yield NotePiece(f"not read: {seen.why}", str(seen.path), problem=True, code="SC003")


def _looked_at(file: Path) -> Source:
    """A file of which only this is said: whether it is doubtful. Links may lead out, logs may grow."""
    real = Path(os.path.realpath(file))
    return read_source(str(real), within=real.parent, grows=True)


def _holds_ddl(source: Source) -> bool:
    """Whether there is something in a file that was not read that may be definitions."""
    return _LOOKS_LIKE_ONE.search(source.data) is not None


def _in_order(file: Path) -> bool:
    """Whether a file is a migration by its name or its folder's."""
    if file.suffix in _PROGRAMS:
        return _MIGRATION.match(file.name) is not None
    return is_sql(file.name) and (_NUMBERED.match(file.name) or _HOME.match(file.parent.name)) is not None


def _may_define(file: Path, homes: set[Path]) -> bool:
    """Whether a file that is not read may define tables: a migration in another language by its name, or by
    what it calls in a folder that holds migrations (`homes`); a file with a foreign ending by its first
    statement. Prose and programs that hold definitions somewhere do not.
    """
    suffix = file.suffix
    if suffix in _SCHEMAS:
        return True
    if suffix in _PROGRAMS:
        if _MIGRATION.match(file.name):
            return True
        if not homes.isdisjoint(file.parents) or _HOME.match(file.parent.name):
            data = _looked_at(file)
            return _holds_ddl(data) or _CALLS.search(data.data) is not None
    if suffix in (*_OPEN, ".groovy"):  # nothing in its name says what it is
        return _holds_ddl(_looked_at(file))
    return not is_copy(file.name) and begins_with_table(file)


def _ddl(file: Path, database: str | None, encoding: str | None) -> Iterator[Piece]:
    source = read_source(str(file), encoding=encoding, within=file.parent)
    yield from about_dump(source.text, str(file))
    yield DdlPiece(source.text, str(file), 1, database)


def _mydumper(path: Path, encoding: str | None) -> Iterator[Piece]:
    """`db-schema-create.sql`, `db.table-schema.sql`; views, triggers, routines, data are left out."""
    files = [file for file in sorted(path.iterdir(), key=natural) if _is_sql(file)]
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
        else:
            yield from _defines_others(file, encoding, own=_stem(file).removesuffix("-schema"))
    data = {stem.removesuffix("-schema") for stem in stems if _TABLE.match(stem)}
    for file in others:
        stem = _stem(file)
        parts = stem.split(".")
        if _OTHER.match(stem):
            yield NotePiece("a view, triggers or routines of mydumper: left out", str(file))
            yield from _defines_others(
                file, encoding, own=stem.removesuffix("-schema-view") if stem.endswith("-view") else ""
            )
        elif not any(".".join(parts[:count]) in data for count in range(2, len(parts) + 1)):
            message = (
                "left out: this directory is a mydumper dump, and the file is none of its tables'; "
                "give other scripts by themselves"
            )
            yield NotePiece(message, str(file), problem=True)
        elif file.stat().st_size <= _MOST_LOOKED_AT:
            yield from _defines_others(file, encoding)


def _defines_others(file: Path, encoding: str | None, *, own: str = "") -> Iterator[Piece]:
    """A problem where a file of mydumper's that is left out defines a table, which mydumper writes elsewhere;
    but `own` (`database.table`), for which a view stands. Rows may hold bytes that are no text.
    """
    source = read_source(str(file), encoding=encoding, within=file.parent)
    text = _RUN.sub(" ", source.data.decode(source.encoding or "utf-8", "replace"))
    for statement in _END.split(text):
        if defines_table(statement):
            named = cut_name(statement, None)
            if named is None or not own or named[1] != own.partition(".")[2]:
                why = f"left out, but {' '.join(first_words(statement)[:4])} stands in it"
                yield NotePiece(why, str(file), problem=True, code="SC003")
                return


def _mydumper_names(path: Path) -> dict[str, str]:
    """File name part -> database, for names that mydumper replaced (`mydumper_0`), by its metadata."""
    metadata = path / "metadata"
    out: dict[str, str] = {}
    if metadata.is_file():
        current = None
        text = read_source(str(metadata), within=path).data.decode("utf-8", "replace")
        for line in text.split("\n"):
            if match := re.match(r"\[`?(?P<database>[^`\]]+)`?\]\s*\Z", line):
                current = match["database"]
            elif current and (match := re.match(r"real_(?:schema|database)_name\s*=\s*(?P<name>.+)", line)):
                out[current] = match["name"].strip().strip("`'\"")
    return out


def _shell_dump(path: Path, encoding: str | None) -> Iterator[Piece]:
    """MySQL Shell's dump: `@.json` has the server, `schema@table.sql` the DDL, .json beside it names."""
    top = _json(path / "@.json")
    values = {"version": str(top["serverVersion"])} if top.get("serverVersion") else {}
    if values:
        yield SettingsPiece(values, str(path / "@.json"))
    by_file = {str(base): str(name) for name, base in _object(top, "basenames", path / "@.json").items()}
    files = sorted(path.iterdir(), key=natural)
    for file in files:
        stem = _stem(file)
        if unpacked(file.name).endswith(".sql") and "@" not in stem:
            # CREATE DATABASE with its character set, and placeholders of views.
            yield DdlPiece(
                read_source(str(file), encoding=encoding, within=path).text,
                str(file),
                1,
                by_file.get(stem, stem),
            )
    seen = False
    for file in files:
        stem = _stem(file)
        if (
            not unpacked(file.name).endswith(".sql")
            or "@" not in stem
            or stem.startswith("@")
            or stem.endswith((".triggers", ".pre", ".post"))
        ):
            continue
        beside = path / f"{stem}.json"
        about = _object(_json(beside), "options", beside) if beside.is_file() else {}
        base = stem.split("@", 1)[0]
        seen = True
        yield DdlPiece(
            read_source(str(file), encoding=encoding, within=path).text,
            str(file),
            1,
            str(about.get("schema") or by_file.get(base, base)),
        )
    if not seen:
        yield NotePiece("this MySQL Shell dump holds no table", str(path / "@.json"))


def _json(file: Path) -> dict[str, Any]:
    source = read_source(str(file), within=file.parent)
    try:
        loads = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON: {error}") from None
    if not isinstance(loads, dict):
        raise InputError(f"{file}: an object is expected")
    return loads


def _object(content: dict[str, Any], key: str, file: Path) -> dict[str, Any]:
    """The object under a key; an empty one where there is none. Raises InputError."""
    result = content.get(key) or {}
    if not isinstance(result, dict):
        raise InputError(f"{file}: {key!r} has to be an object, not a {type(result).__name__}")
    return result
