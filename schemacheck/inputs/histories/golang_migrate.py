"""golang-migrate: 1_name.up.sql, 1_name.down.sql in one folder, each sent whole (source/parse.go)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories.folder import Found, Kind, numbered, single_folder, strangers

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder, Script
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model.history import Migration

NAME = "golang-migrate"

_FILE = re.compile(r"(?P<version>[0-9]+)_(?P<title>.*)\.(?P<way>up|down)\.(?:.*)\Z")
#: The largest number that it reads.
_MOST = 2**64 - 1


def claims(script: Script) -> bool:
    """By its name."""
    return _FILE.match(script.name) is not None


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The migrations of one folder. Raises InputError where two have one version, or several folders some."""
    del options
    mine = [script for script in folder.scripts if claims(script)]
    single_folder(mine, NAME, folder.root)
    result = Found(NAME)
    up: list[tuple[int, Migration]] = []
    down: dict[int, Script] = {}
    for script in mine:
        match = _FILE.match(script.name)
        assert match is not None
        version = int(match["version"][:40])
        if version > _MOST:
            raise InputError(f"{script.path}: its version is larger than golang-migrate reads ({_MOST})")
        if match["way"] == "up":
            result.read(script)
            title = match["title"].replace("_", " ")
            up.append((version, script.migration(str(version), title, script.whole(None))))
        elif version in down:
            raise InputError(f"{script.path}: {down[version].path} undoes version {version} too")
        else:
            down[version] = script
            result.leave(script.path, f"undoes version {version}: not run")
    numbered(result, up, NAME)
    for version in sorted(down.keys() - {number for number, _ in up}):
        result.note(f"version {version} has no up migration", down[version].path)
    for other in folder.others:
        if _FILE.match(other.path.name):
            why = "golang-migrate runs it whatever it ends with, and SQL alone is read here: call it .sql"
            result.leave(str(other.path), why, doubtful=True)
    strangers(folder, result, NAME)
    return result


KIND = Kind(NAME, claims=claims, of_folder=of_folder)
