"""The database of a folder's SQL: what its `.skeema` says, or the folder's name."""

from __future__ import annotations

import re
from pathlib import Path

from schemacheck.errors import InputError
from schemacheck.system import inner_file

#: Bytes of a `.skeema` file, and of a script that is looked at for the names that it creates.
_MOST, _LOOK = 64 << 10, 4 << 20
_SCHEMA = re.compile(r"[ \t]*schema[ \t]*=[ \t]*([^\s#]+)")
_CREATED = re.compile(
    rb"^[^\S\n]*+CREATE\s++TABLE\s++(`[^`\n]+`|[\w$]++)\s*+\(", re.IGNORECASE | re.MULTILINE
)
_NAMES_DATABASE = re.compile(rb"^[^\S\n]*+USE\b|\bDROP\s++TABLE\b", re.IGNORECASE | re.MULTILINE)


def folder_databases(root: Path, scripts: list[Path]) -> dict[Path, str]:
    """Folder -> database, for those of these scripts. Raises InputError where a `.skeema` cannot be read."""
    folders = sorted({file.parent for file in scripts})
    record = {folder: name for folder in folders if (name := _skeema(root, folder)) is not None}
    return record or _by_name(root, scripts)


def _skeema(root: Path, folder: Path) -> str | None:
    """What the `.skeema` of a folder says, or of one above it."""
    while True:
        file = folder / ".skeema"
        if file.is_file():
            try:
                with inner_file.opened(file, root) as stream:
                    lines = stream.read(_MOST).decode("utf-8", "replace").split("\n")
            except OSError as error:
                raise InputError(f"{file}: {error.strerror or error}") from None
            names = [match[1].strip("'\"`") for line in lines if (match := _SCHEMA.match(line))]
            if names:
                if "," in names[0] or "*" in names[0] or names[0].startswith("/"):
                    raise InputError(
                        f"{file}: 'schema' names several databases ({names[0]}): check each one's "
                        "folder by itself, with --database"
                    )
                return names[0]
        if folder == root:
            return None
        folder = folder.parent


def _by_name(root: Path, scripts: list[Path]) -> dict[Path, str]:
    """Folders side by side that create tables of one name, without a word of databases, are databases."""
    if any(file.parent == root for file in scripts):
        return {}
    made: dict[bytes, set[str]] = {}
    for file in scripts:
        try:
            with inner_file.opened(file, root) as stream:
                text = stream.read(_LOOK)
        except OSError:
            return {}
        if _NAMES_DATABASE.search(text):
            return {}
        for name in set(_CREATED.findall(text)):
            made.setdefault(name.strip(b"`"), set()).add(file.relative_to(root).parts[0])
    if not any(len(tops) > 1 for tops in made.values()):
        return {}
    return {file.parent: file.relative_to(root).parts[0] for file in scripts}
