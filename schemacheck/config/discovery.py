"""Where the configuration lies: in the working directory or the nearest one above it."""

from __future__ import annotations

from pathlib import Path

FILE_NAMES = ("schemacheck.yaml", "schemacheck.yml", ".schemacheck.yaml")


def find(start: Path) -> Path | None:
    """The nearest configuration file at or above `start`; None where there is none.

    The search ends at the root of a git work tree: a file above it belongs to something else.
    """
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            candidate = folder / name
            if candidate.is_file():
                return candidate
        if (folder / ".git").exists():
            return None
    return None
