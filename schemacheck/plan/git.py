"""The old side of a change out of git: a file or directory as it is at a commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from schemacheck import leftovers
from schemacheck.errors import InputError, UsageError
from schemacheck.model import Location, Schema, Table

#: A folder of the checkout can look like a bare repository with settings of its own, which name programs to run.
_CAREFUL = (
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
)


def at(ref: str, path: str, read: Callable[[str], Schema]) -> Schema:
    """What `read` makes of `path` as it was at `ref`; places read `ref:path`.

    `path` is of the working tree; a path that did not exist there gives an empty Schema. Raises
    UsageError outside of a repository or for a ref that git does not know, InputError where git fails.
    """
    if path == "-" or "://" in path:
        message = f"--against takes a file or a directory of the repository, not {path}"
        raise UsageError(message)
    if ref.startswith("-"):
        message = f"--against: {ref!r} is no git ref"
        raise UsageError(message)
    here = Path(path).resolve()
    start = next(p for p in (here if here.is_dir() else here.parent, *here.parents) if p.is_dir())
    top = Path(
        _git(start, "rev-parse", "--show-toplevel", why="--against needs a git repository")
        .decode("utf-8", "surrogateescape")
        .removesuffix("\n")
    )
    commit = (
        _git(
            top,
            "rev-parse",
            "--verify",
            "--quiet",
            f"{ref}^{{commit}}",
            why=f"--against: git knows no commit {ref!r}",
        )
        .decode()
        .strip()
    )
    inside = here.relative_to(top.resolve()).as_posix()
    files = _files(top, commit, inside)
    if not files:
        if not here.exists():
            message = f"--against: neither the commit {ref!r} nor the working tree has {path}"
            raise UsageError(message)
        return Schema()
    with tempfile.TemporaryDirectory(prefix="schemacheck-") as folder, leftovers.kept(Path(folder)):
        for name, content in files:
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return _renamed(read(str(Path(folder, inside))), f"{folder}/", f"{ref}:")


def _files(top: Path, commit: str, inside: str) -> list[tuple[str, bytes]]:
    """(name, content) of all files of a commit at or below a path; links and submodules are none."""
    entries = [
        line.split("\t", 1)
        for line in _git(top, "ls-tree", "-r", "-z", commit, "--", inside, why="git ls-tree")
        .decode("utf-8", "surrogateescape")
        .split("\0")
        if line
    ]
    wanted = [(name, about.split()[2]) for about, name in entries if about.startswith("100")]
    for name, _ in wanted:
        # git itself checks out no such tree, but stores it.
        if not set(name.split("/")).isdisjoint(("", ".", "..", ".git")):
            message = f"--against: the commit holds the path {name!r}, which leads out of its folder"
            raise UsageError(message)
    if not wanted:
        return []
    packed = _git(
        top,
        "cat-file",
        "--batch",
        why="git cat-file",
        given="".join(f"{oid}\n" for _, oid in wanted).encode(),
    )
    out, at = [], 0
    for name, _ in wanted:
        end = packed.index(b"\n", at)
        size = int(packed[at:end].split()[2])
        out.append((name, packed[end + 1 : end + 1 + size]))
        at = end + size + 2
    return out


def _git(where: Path, *arguments: str, why: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *_CAREFUL, "-C", str(where), *arguments],
            input=given,
            capture_output=True,
            check=False,
            timeout=60,
            env={
                **os.environ,
                "GIT_NO_LAZY_FETCH": "1",
                "GIT_OPTIONAL_LOCKS": "0",
                "GIT_TERMINAL_PROMPT": "0",
            },
        )
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
        return (
            replace(location, file=new + location.file.removeprefix(old))
            if location and location.file.startswith(old)
            else location
        )

    def table(one: Table) -> Table:
        return replace(
            one,
            location=place(one.location),
            columns=tuple(replace(c, location=place(c.location)) for c in one.columns),
            keys=tuple(replace(k, location=place(k.location)) for k in one.keys),
            checks=tuple(replace(c, location=place(c.location)) for c in one.checks),
            foreign_keys=tuple(replace(f, location=place(f.location)) for f in one.foreign_keys),
        )

    problems = tuple(
        replace(p, location=place(p.location), message=p.message.replace(old, new)) for p in schema.problems
    )
    return replace(schema, tables=tuple(map(table, schema.tables)), problems=problems)
