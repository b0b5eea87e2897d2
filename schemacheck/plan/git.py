"""The old side of a change out of git: a file or directory as it is at a commit."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from schemacheck.errors import InputError, UsageError
from schemacheck.model import Location, Schema, Table


def at(ref: str, path: str, read: Callable[[str], Schema]) -> Schema:
    """What `read` makes of `path` as it was at `ref`; places read `ref:path`.

    `path` is of the working tree; a path that did not exist there gives an empty Schema. Raises
    UsageError outside of a repository or for a ref that git does not know, InputError where git fails.
    """
    if ref.startswith("-"):
        message = f"--against: {ref!r} is no git ref"
        raise UsageError(message)
    here = Path(path).resolve()
    start = next(p for p in (here if here.is_dir() else here.parent, *here.parents) if p.is_dir())
    top = Path(_git(start, "rev-parse", "--show-toplevel", why="--against needs a git repository").decode().strip())
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", why=f"--against: git knows no commit {ref!r}").decode().strip()
    inside = here.relative_to(top.resolve()).as_posix()
    listed = _git(top, "ls-tree", "-r", "-z", "--name-only", commit, "--", inside, why="git ls-tree").decode().split("\0")
    files = [name for name in listed if name]
    if not files:
        return Schema()
    with tempfile.TemporaryDirectory(prefix="schemacheck-") as folder:
        for name in files:
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_git(top, "cat-file", "blob", f"{commit}:{name}", why=f"{ref}:{name}"))
        return _renamed(read(str(Path(folder, inside))), f"{folder}/", f"{ref}:")


def _git(where: Path, *arguments: str, why: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(where), *arguments], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"git cannot be run: {error}"
        raise InputError(message) from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip()
        message = why + (f" ({told})" if told else "")
        raise UsageError(message)
    return done.stdout


def _renamed(schema: Schema, old: str, new: str) -> Schema:
    """The same schema with every place's file named otherwise."""

    def place(location: Location | None) -> Location | None:
        return replace(location, file=new + location.file.removeprefix(old)) if location and location.file.startswith(old) else location

    def table(one: Table) -> Table:
        return replace(
            one,
            location=place(one.location),
            columns=tuple(replace(c, location=place(c.location)) for c in one.columns),
            keys=tuple(replace(k, location=place(k.location)) for k in one.keys),
            checks=tuple(replace(c, location=place(c.location)) for c in one.checks),
            foreign_keys=tuple(replace(f, location=place(f.location)) for f in one.foreign_keys),
        )

    problems = tuple(replace(p, location=place(p.location), message=p.message.replace(old, new)) for p in schema.problems)
    return replace(schema, tables=tuple(map(table, schema.tables)), problems=problems)
