"""Flyway: V1__x.sql, R__x.sql, U1__x.sql, B1__x.sql and callbacks in all folders (its manual: Migrations,
Callbacks): versions part by part, repeatable ones last. A baseline is for new servers: it counts where no
version that it stands for is there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories import placeholders
from schemacheck.inputs.histories.folder import Found, Kind, strangers
from schemacheck.inputs.source import read_source
from schemacheck.inputs.walk import is_copy

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder, Script
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model.history import Migration, Part

NAME = "flyway"

_NUMBERED = re.compile(r"(?P<kind>[VUB])(?P<version>[0-9]{1,40}(?:[._][0-9]{1,40})*)__(?P<title>.*)\.sql\Z")
_REPEATED = re.compile(r"R__(?P<title>.*)\.sql\Z")
_CALLBACK = re.compile(r"(?P<event>(?:before|after|create)[A-Z][A-Za-z]*)(?:__.*)?\.sql\Z")
#: With another ending than .sql: in another language, or one that `sqlMigrationSuffixes` names.
_OTHER_ENDING = re.compile(r"(?:[VUB][0-9][0-9._]*|R)__.*(?<!\.sql\.conf)\Z")
_CONFIG = re.compile(r".*\.sql\.conf\Z")
#: Settings of one script that change nothing of what it defines.
_HARMLESS = ("executeInTransaction", "encoding")
#: Callbacks that `migrate`, which validates and may make a baseline first, does not run where all succeeds.
_NOT_RUN = re.compile(r"(?:before|after)(?:Clean|Info|Repair|Undo|EachUndo)|.*Error\Z")


def claims(script: Script) -> bool:
    """By its name."""
    return _NUMBERED.match(script.name) is not None or _REPEATED.match(script.name) is not None


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The migrations of a folder and those below it. Raises InputError where two have one version."""
    result = Found(NAME)
    versions: dict[tuple[str, tuple[int, ...]], tuple[Script, str, str]] = {}
    repeated: list[tuple[str, Script]] = []
    callbacks: dict[str, list[Script]] = {"beforeMigrate": [], "afterMigrate": []}
    for script in folder.scripts:
        if match := _NUMBERED.match(script.name):
            key = match["kind"], _version(match["version"])
            before = versions.setdefault(key, (script, match["version"], match["title"]))
            if before[0] is not script:
                raise InputError(
                    f"{script.path} has the same version as {before[0].path} ({_shown(key[1])}): "
                    "Flyway refuses two migrations of one version"
                )
        elif match := _REPEATED.match(script.name):
            repeated.append((match["title"], script))
        elif match := _CALLBACK.match(script.name):
            _callback(script, match["event"], callbacks, result)
    newest = max((key[1] for key in versions if key[0] == "B"), default=())
    replaced = any(kind == "V" and version <= newest for kind, version in versions)
    ordered = sorted(versions.items(), key=lambda entry: (entry[0][1], entry[0][0]))
    result.migrations += (
        _migration(script, result, options, repeats=True) for script in callbacks["beforeMigrate"]
    )
    for (kind, version), (script, _, title) in ordered:
        if kind == "U":
            result.leave(script.path, f"undoes version {_shown(version)}: not run")
        elif kind == "B" and (replaced or version < newest):
            result.leave(
                script.path, "a baseline is run on new servers alone, in place of the versions up to it"
            )
        else:
            result.migrations.append(_migration(script, result, options, _shown(version), title))
    result.gaps()
    result.migrations += (
        _migration(script, result, options, "R", title, repeats=True)
        for title, script in sorted(repeated, key=lambda entry: entry[0])
    )
    result.migrations += (
        _migration(script, result, options, repeats=True) for script in callbacks["afterMigrate"]
    )
    _others(folder, result)
    strangers(folder, result, "Flyway")
    return result


def _version(text: str) -> tuple[int, ...]:
    """1.0 is 1."""
    numbers = [int(part) for part in re.split(r"[._]", text)]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _shown(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _callback(script: Script, event: str, run: dict[str, list[Script]], folder: Found) -> None:
    """A script that Flyway runs at an event."""
    if event in run:
        run[event].append(script)
    elif _NOT_RUN.match(event):
        folder.leave(script.path, f"Flyway runs it at {event}: not part of a migration that succeeds")
    else:
        empty = not script.source.data.strip()
        folder.leave(
            script.path, f"Flyway runs it at {event}, which is not followed here", doubtful=not empty
        )


def _migration(
    script: Script, folder: Found, options: HistoryOptions, version: str = "", title: str = "", *,
    repeats: bool = False,
) -> Migration:  # fmt: skip
    folder.read(script)
    if alone := re.search(r"\r(?!\n)", script.text):
        why = "a carriage return stands alone: to Flyway it ends a comment, to other readers it does not"
        line = script.text.count("\n", 0, alone.start()) + 1
        folder.note(f"{why}; write a newline", script.path, line, problem=True)
    placeholders.fill(script, folder, options)
    title = (title or ("" if version else script.name.removesuffix(".sql"))).replace("_", " ")
    return script.migration(version, title, _parts(script), repeats=repeats)


def _parts(script: Script) -> tuple[Part, ...]:
    """Flyway knows the client's DELIMITER, and ends a routine at its END without one."""
    return script.whole(";" if "delimiter" in script.text.lower() else None)


def _others(folder: Folder, result: Found) -> None:
    for other in folder.others:
        if _OTHER_ENDING.match(other.path.name) and not is_copy(other.path.name):
            why = "named like a migration, and no .sql: what it does is not known"
            result.leave(str(other.path), why, doubtful=True)
        elif _CONFIG.match(other.path.name) and Path(other.path).is_file() and not other.path.is_symlink():
            lines = read_source(str(other.path), within=folder.root).text.split("\n")
            settings = [line.partition("=")[0].strip() for line in lines if line.partition("#")[0].strip()]
            odd = [name for name in settings if name not in _HARMLESS]
            why = (
                f"sets {', '.join(odd)[:100]}, which is not followed here" if odd else "settings of a script"
            )
            result.leave(str(other.path), why, doubtful=bool(odd))


KIND = Kind(NAME, claims=claims, of_folder=of_folder)
