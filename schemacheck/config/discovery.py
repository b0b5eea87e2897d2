"""Where the configuration lies: in the working directory or the nearest one above it."""

from __future__ import annotations

from pathlib import Path

from schemacheck.errors import InputError
from schemacheck.system import git

#: The answers of servers that a team keeps, beside its configuration.
FACTS = ".schemacheck/facts.jsonl"
FILE_NAMES = ("schemacheck.yaml", "schemacheck.yml", ".schemacheck.yaml")


def find(start: Path) -> Path | None:
    """The nearest configuration file at or above `start`, inside the git work tree; else None."""
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            candidate = folder / name
            if candidate.is_file():
                return candidate
        if (folder / ".git").exists():
            return None
    return None


def located(name: str) -> str | None:
    """The configuration of `git:REF:PATH`; without a path the nearest, or None. Raises InputError."""
    commit, path = git.located(name)
    if path:
        if commit.file(path) is None:
            raise InputError(f"{name}: the commit has no such file")
        return f"{git.PREFIX}{commit.ref}:{path}"
    here = Path(commit.inside(Path.cwd()) or ".")
    for folder in (here, *here.parents):
        for file in FILE_NAMES:
            inside = (folder / file).as_posix()
            if commit.file(inside) is not None:
                return f"{git.PREFIX}{commit.ref}:{inside}"
    return None
