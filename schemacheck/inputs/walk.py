"""Every file of a directory, and what its name says about reading it."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.model.quantity import plural
from schemacheck.sql.words import defines_table
from schemacheck.system import git

#: Files and folders that a directory may have below it.
MOST_FILES = 200_000
#: Where answers of servers are kept: it is no file that is not read.
OWN = ".schemacheck"
#: Folders of version control, of editors and of package managers: whatever lies in them is no part of a
#: schema.
TOOLS = frozenset((
    ".git", ".hg", ".svn", ".bzr", "CVS", ".github", ".gitlab", ".idea", ".vscode", "node_modules",
    "bower_components", "__pycache__", ".venv", "venv", ".tox",
    ".nox", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".terraform", ".gradle", ".mvn",
    OWN,
))  # fmt: skip
#: How some format may read a file with this ending.
READABLE = frozenset(
    (".sql", ".ddl", ".tsv", ".csv", ".txt", ".json", ".jsonl", ".ndjson", ".xml", ".parquet", ".cnf", ".ini")
)
SQL = (".sql", ".ddl")
#: Bytes of a file that is not read which are looked at.
_BEGINNING = 1 << 16
#: Endings of scripts that no format reads, and of what editors and patches leave behind.
_DUMPS = frozenset(("mysql", "mariadb", "mysqldump", "dump", "dmp"))
_COPIES = frozenset(("bak", "old", "orig", "rej", "swp", "save"))
_PACKED = re.compile(r"\.(?:gz|zst)\Z", re.IGNORECASE)
_FOREIGN = re.compile(r"\.(?:bz2|xz|lzma|zip|7z|rar|lz4|br|z|tgz|tbz2?|txz|tar)\Z", re.IGNORECASE)


_ARCHIVE = re.compile(r"\.(?:zip|7z|rar|tgz|tbz2?|txz|tar)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """A file, or (with `why`) one not read. `doubtful`: it may hold definitions. `count`: stands for."""

    path: Path
    why: str = ""
    doubtful: bool = False
    count: int = 1


def unpacked(name: str) -> str:
    """A file's name without the ending of a compression that is read here."""
    return _PACKED.sub("", name)


def is_sql(name: str) -> bool:
    """Whether a name says SQL: `.sql` or `.ddl`, in any case, compressed in any way, blanks behind it."""
    plain = name.rstrip().lower()
    while True:
        shorter = _FOREIGN.sub("", _PACKED.sub("", plain))
        if shorter == plain:
            return plain.endswith(SQL)
        plain = shorter


def is_copy(name: str) -> bool:
    """Whether a name is that of what an editor or a patch leaves behind."""
    return name.endswith("~") or name.rpartition(".")[2].lower() in _COPIES


def begins_with_table(file: Path) -> bool:
    """Whether the first statement of a file is about a table, or nobody can see."""
    try:
        with file.open("rb") as stream:
            return defines_table(stream.read(_BEGINNING).decode("utf-8-sig", "replace"))
    except OSError:
        return True


def _may_hold_sql(name: str) -> bool:
    """Whether a name that is not read says SQL all the same: the script of another tool, or a template."""
    parts = name.rstrip().lower().split(".")[1:]
    return parts[-1:] != [] and (parts[-1] in _DUMPS or (f".{parts[0]}" in SQL and not is_copy(parts[-1])))


def _may_pack_sql(name: str) -> bool:
    """Whether a name is that of an archive, or of a file that would be read if it were not compressed."""
    plain = unpacked(name)
    inner = _FOREIGN.sub("", plain)
    while _FOREIGN.search(inner) and not _ARCHIVE.search(plain):
        plain, inner = inner, _FOREIGN.sub("", inner)
    return _ARCHIVE.search(plain) is not None or (inner != plain and Path(inner).suffix in ("", *READABLE))


def _of_tools(folder: Path) -> Seen:
    """A folder that is not looked into, but for scripts that somebody has committed."""
    committed = () if folder.name == ".git" else git.tracked(folder)
    if isinstance(committed, str):
        why = f"a folder of tools, and git cannot say what of it is committed: {committed}"
        return Seen(folder, why, doubtful=True)
    count = sum(is_sql(text) for text in committed)
    why = "a folder of tools"
    if count:
        why += f" that is not looked into, with {plural(count, 'committed script')}: move them"
    return Seen(folder, why, doubtful=count > 0, count=int(folder.name != OWN))


def natural(file: Path) -> tuple[object, ...]:
    """V2 before V10, as migrations are meant."""
    return tuple(
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part)
        for part in re.split(r"([0-9]+)", str(file))
        if part
    )


def walk(root: Path) -> list[Seen]:
    """All files below a directory, V2 before V10. Raises InputError."""
    real = Path(os.path.realpath(root))
    seen_files: list[Seen] = []
    read: set[str] = set()
    #: Hidden folders last: a file in them that was reached through a link is read there (as Kubernetes mounts
    #: volumes).
    folders = [root]
    hidden: list[Path] = []
    entered: set[str] = set()
    empty: list[Path] = []
    #: A checked-out submodule has an index of its own.
    repositories = [root]
    while folders or hidden:
        concealed = not folders
        folder = folders.pop() if folders else hidden.pop()
        place = os.path.realpath(folder)
        if place in entered:
            continue
        entered.add(place)
        entries = list(_listed(folder))
        if not entries:
            empty.append(folder)
        for entry in entries:
            if len(seen_files) > MOST_FILES:
                raise InputError(
                    f"{root}: more than {MOST_FILES:,} files; name the folder that holds the definitions"
                )
            path = folder / entry.name
            if entry.name == ".git" and folder != root:
                repositories.append(folder)
            seen = _judged(entry, path, real, read, concealed=concealed)
            if isinstance(seen, Seen):
                seen_files.append(seen)
            elif seen is not None:
                (hidden if concealed or entry.name.startswith(".") else folders).append(seen)
    for repository in sorted(repositories, key=lambda path: -len(path.parts)):
        inside = [path for path in empty if path.is_relative_to(repository)]
        empty = [path for path in empty if not path.is_relative_to(repository)]
        seen_files += _not_checked_out(repository, inside)
    return sorted(seen_files, key=lambda entry: natural(entry.path))


def _not_checked_out(root: Path, empty: list[Path]) -> list[Seen]:
    """Submodules and files that the commit has here and the disk has not."""
    sparse = git.is_sparse(root)
    entries = git.not_checked_out(root) if empty or sparse else ([], [])
    if isinstance(entries, str):
        why = f"git cannot say whether what is missing here is left out by a sparse checkout: {entries}"
        unsure = [Seen(root, why, doubtful=True, count=0)] if sparse else []
        why = (
            f"an empty folder, and git cannot say whether it is a "
            f"submodule that is not checked out: {entries}"
        )
        return [*unsure, *(Seen(path, why, doubtful=True, count=0) for path in empty)]
    places = {os.path.realpath(path) for path in entries[0]}
    why = "a submodule that is not checked out (git submodule update)"
    out = [Seen(path, why, doubtful=True, count=0) for path in empty if os.path.realpath(path) in places]
    left = Counter(path.parent for path in entries[1] if not path.exists() and _is_readable(path.name))
    return [
        *out,
        *(
            Seen(folder, f"{count} files that are left out by a sparse checkout", doubtful=True, count=count)
            for folder, count in left.items()
            if TOOLS.isdisjoint(folder.relative_to(root).parts)
        ),
    ]


def _is_readable(name: str) -> bool:
    """Whether a file of this name is read, or its definitions are missed."""
    return Path(unpacked(name)).suffix.lower() in READABLE or is_sql(name) or _may_hold_sql(name)


def _listed(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            # A link is looked at after the files themselves.
            yield from sorted(entries, key=lambda dir_entry: (dir_entry.is_symlink(), dir_entry.name))
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}") from None


def _judged(
    entry: os.DirEntry[str], path: Path, root: Path, read: set[str], *, concealed: bool
) -> Seen | Path | None:
    """A file, a folder to go into, or None for what was read already under another name."""
    name, sql = entry.name, is_sql(entry.name)
    if entry.is_symlink():
        target = os.path.realpath(path)
        if not os.path.exists(target):  # noqa: PTH110 realpath gives text
            return Seen(path, "a broken symbolic link", doubtful=sql or "." not in name)
        if target != str(root) and not target.startswith(f"{root}{os.sep}"):
            folder = os.path.isdir(target)  # noqa: PTH112 realpath gives text
            return Seen(
                path, "a link that leads out of the directory is not followed", doubtful=sql or folder
            )
    try:
        state = path.stat()
    except OSError as error:
        return Seen(path, error.strerror or str(error), doubtful=sql)
    if stat.S_ISDIR(state.st_mode):
        return _of_tools(path) if name in TOOLS else path
    if not stat.S_ISREG(state.st_mode):
        return Seen(path, "no regular file (a pipe, a socket or a device)", doubtful=sql)
    target = os.path.realpath(path)
    if target in read:
        return None
    if concealed or name.startswith("."):
        return Seen(path, "hidden, by its name or its folder's", doubtful=sql)
    if name != name.rstrip():
        return Seen(path, "its name ends in a blank", doubtful=sql)
    if Path(unpacked(name)).suffix.lower() not in READABLE:
        packed = _FOREIGN.search(unpacked(name)) is not None
        why = (
            f"compressed as {Path(name).suffix}, which is not read here: decompress it"
            if packed
            else "not by its name a definition or a dump"
        )
        return Seen(path, why, doubtful=sql or _may_hold_sql(name) or _may_pack_sql(name))
    read.add(target)
    return Seen(path)
