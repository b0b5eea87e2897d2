"""Migration histories: one module and one entry of rules/histories.yaml for each tool (`Kind`)."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.errors import InputError, UsageError, near
from schemacheck.inputs.histories.folder import Folder, Found, Script

if TYPE_CHECKING:
    from pathlib import Path

    from schemacheck.inputs.histories.folder import Kind
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.inputs.source import Source
    from schemacheck.inputs.walk import Seen

#: What `--history` takes beside the names of tools.
NONE = "none"


@cache
def kinds() -> dict[str, Kind]:
    """All tools by name."""
    return {name: _kind(name) for name in knowledge.load("histories")}


def _kind(name: str) -> Kind:
    kind: Kind = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").KIND
    return kind


def title(kind: str) -> str:
    """A tool's name as it writes it itself."""
    return str(knowledge.load("histories")[kind]["title"])


def checked(name: str) -> str:
    """A name that `--history` takes. Raises UsageError."""
    entries = [*sorted(kinds()), NONE]
    if name not in entries:
        raise UsageError(f"--history: there is no kind of history {name!r}{near(name, entries)}")
    return name


def of_source(source: Source, options: HistoryOptions) -> Found | None:
    """The history in one file, recognised by what it holds; None where it is plain SQL."""
    if options.kind == NONE:
        return None
    script = Script(source.name, source)
    # Modules are imported for the tools whose marks are in the text alone: most files are of none.
    for name in [options.kind] if options.kind else knowledge.load("histories"):
        kind = _kind(name) if name in script.marks else None
        if kind and kind.holds and kind.of_script and kind.holds(script):
            found = kind.of_script(script, options)
            found.named = bool(options.kind) or kind.claims is None or kind.claims(script)
            return found
    return None


def of_folder(root: Path, seen: list[Seen], options: HistoryOptions, *, encoding: str | None) -> Found | None:
    """The history that a folder's files are together, in an order that their tool knows; None where each file
    is by itself. Raises InputError where they are of several tools, or not of the one that was named.
    """
    if options.kind == NONE:
        return None
    folder = Folder.of(root, seen, encoding=encoding)
    claims: dict[str, Script] = {}
    for script in folder.scripts:
        for kind in [kinds()[options.kind]] if options.kind else kinds().values():
            if (kind.claims or (kind.holds if options.kind else None) or _never)(script):
                claims.setdefault(kind.name, script)
    if options.kind and not claims:
        raise InputError(f"{root}: no migration of {title(options.kind)} is in this directory")
    if len(claims) > 1:
        text = " and ".join(f"{title(name)} ({script.path})" for name, script in sorted(claims.items()))
        raise InputError(
            f"{root}: holds migrations of {text}: name the folder of one of them, or the tool "
            "(--history NAME; --history none reads all files in the order of their names)"
        )
    read = kinds()[next(iter(claims))].of_folder if claims else None
    return read(folder, options) if read else None


def _never(script: Script) -> bool:
    del script
    return False
