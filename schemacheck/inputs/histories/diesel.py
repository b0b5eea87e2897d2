"""Diesel: 2024-01-31-120000_name/up.sql beside down.sql, in the order of the versions' text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories.folder import Found, Kind, strangers

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder, Script
    from schemacheck.inputs.piece import HistoryOptions

NAME = "diesel"

_FOLDER = re.compile(r"(?P<version>[0-9]{4}(?:-?[0-9]){2,36})(?:_(?P<title>.*))?\Z")


def claims(script: Script) -> bool:
    """By its name and its folder's."""
    return script.name == "up.sql" and _FOLDER.match(Path(script.path).parent.name) is not None


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The migrations of a folder. Raises InputError where two have one version."""
    del options
    result = Found(NAME)
    ups: dict[str, Script] = {}
    for script in folder.scripts:
        match = _FOLDER.match(Path(script.path).parent.name)
        version = match["version"].replace("-", "") if match else ""
        if match and script.name == "up.sql":
            before = ups.setdefault(version, script)
            if before is not script:
                message = (
                    f"{script.path}: has the version of {before.path} ({version}): Diesel runs one of them"
                )
                raise InputError(message)
        elif match and script.name == "down.sql":
            result.leave(script.path, f"undoes version {version}: not run")
    for version, script in sorted(ups.items()):
        result.read(script)
        title = Path(script.path).parent.name.partition("_")[2].replace("_", " ")
        result.migrations.append(script.migration(version, title, script.whole(None)))
    strangers(folder, result, "Diesel")
    return result


KIND = Kind(NAME, claims=claims, of_folder=of_folder)
