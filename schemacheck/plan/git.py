"""The old side of a change out of git: a file or directory as it is at a commit."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError
from schemacheck.model import InputProblem, Location, Schema, Table
from schemacheck.system import git, leftovers


def at(ref: str, path: str, read: Callable[[str], Schema]) -> Schema:
    """What `read` makes of `path` as it was at `ref`; places read `ref:path`.

    `path` is of the working tree; one that did not exist there is read as an empty folder. Raises
    UsageError outside of a repository or for a ref that git does not know, InputError where git fails.
    """
    if path == "-" or "://" in path:
        raise UsageError(f"--against takes a file or a directory of the repository, not {path}")
    commit = git.commit(ref, Path(path).resolve(), "--against")
    here = commit.followed(Path(path))
    if not here.is_relative_to(commit.top):
        raise UsageError(f"--against takes a file or a directory of the repository, not {path}")
    inside = here.relative_to(commit.top).as_posix()
    files, links = commit.files(inside), commit.links(inside)
    if any(name == inside for name, _ in links):
        raise UsageError(f"--against: {path} is a symbolic link in the commit {ref!r}: name what it leads to")
    unread = _unread(commit, inside)
    if not files and not links and not here.exists():
        raise UsageError(f"--against: neither the commit {ref!r} nor the working tree has {path}")
    with tempfile.TemporaryDirectory(prefix="schemacheck-") as folder, leftovers.kept(Path(folder)):
        if not files and not links:
            Path(folder, inside).mkdir(parents=True, exist_ok=True)
        for name, content in files:
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        for name, content in links:
            _link(Path(folder, name), content, Path(folder))
        schema = _renamed(read(str(Path(folder, inside))), f"{folder}/", f"{ref}:")
        return replace(schema, problems=(*schema.problems, *unread))


def _unread(commit: git.Commit, inside: str) -> tuple[InputProblem, ...]:
    """What one of the two sides lacks: the files of submodules, and those that came from elsewhere."""
    old = [
        InputProblem(
            "SC003",
            f"the submodule {name} is not read: the commit has none of its files; "
            "compare two checkouts that have it",
            Location(f"{commit.ref}:{name}"),
        )
        for name in commit.submodules(inside)
    ]
    new = [
        InputProblem(
            "SC003",
            f"the submodule {name} is not read: it is not checked out (git submodule update)",
            Location(name),
        )
        for name in commit.missing_submodules(inside)
    ]
    moved = [
        InputProblem(
            "SC003", f"{name} was {was} at {commit.ref}: compare a folder that holds both", Location(name)
        )
        for was, name in commit.moved(inside)
    ]
    return (*old, *new, *moved, *_settings(commit))


def _settings(commit: git.Commit) -> Iterator[InputProblem]:
    """Settings of migration tools that say otherwise than at the commit which files are run: a tool may read
    what nobody has given here.
    """
    tools = [tool for tool in knowledge.load("histories").values() if "settings" in tool]
    for name in commit.changed():
        for tool in tools:
            for pattern, lines in tool["settings"].items():
                if not fnmatchcase(name.rpartition("/")[2], pattern):
                    continue
                now = git.read_bounded(commit.top / name) if (commit.top / name).is_file() else b""
                texts = [side.decode("utf-8", "replace") for side in (commit.file(name) or b"", now)]
                then, today = (
                    [x.strip() for x in text.splitlines() if re.search(lines, x)] for text in texts
                )
                if then != today:
                    why = f"{tool['title']} is told otherwise than at {commit.ref} which migrations it runs"
                    yield InputProblem("SC003", f"{why}: only the path given here is read", Location(name))


def _link(place: Path, leads_to: bytes, folder: Path) -> None:
    """A link as the commit has it: it is followed inside of the folder that is read only."""
    if not place.parent.resolve().is_relative_to(folder.resolve()) or os.path.lexists(place):
        raise UsageError(f"--against: the commit holds {place.relative_to(folder)} twice")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(os.fsdecode(leads_to))


def _renamed(schema: Schema, old: str, new: str) -> Schema:
    """The same schema with every place's file named otherwise."""

    def place(location: Location | None) -> Location | None:
        return (
            replace(location, file=new + location.file.removeprefix(old))
            if location and location.file.startswith(old)
            else location
        )

    def table(table: Table) -> Table:
        return replace(
            table,
            location=place(table.location),
            columns=tuple(replace(c, location=place(c.location)) for c in table.columns),
            keys=tuple(replace(k, location=place(k.location)) for k in table.keys),
            checks=tuple(replace(c, location=place(c.location)) for c in table.checks),
            foreign_keys=tuple(replace(f, location=place(f.location)) for f in table.foreign_keys),
        )

    problems = tuple(
        replace(p, location=place(p.location), message=p.message.replace(old, new)) for p in schema.problems
    )
    history = schema.history and replace(
        schema.history,
        migrations=tuple(
            replace(migration, file=new + migration.file.removeprefix(old))
            if migration.file.startswith(old)
            else migration
            for migration in schema.history.migrations
        ),
    )
    files = tuple(
        replace(f, path=f.path.replace(old, new), why=f.why.replace(old, new)) for f in schema.files
    )
    routines = tuple(replace(routine, location=place(routine.location)) for routine in schema.routines)
    tables = tuple(map(table, schema.tables))
    return replace(schema, tables=tables, problems=problems, history=history, files=files, routines=routines)
