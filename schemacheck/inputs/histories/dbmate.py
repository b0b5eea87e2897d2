"""dbmate: `1_x.sql` with `-- migrate:up`, `-- migrate:down`, by name (pkg/dbmate/migration.go, db.go)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories.folder import Found, Kind, single_folder, strangers
from schemacheck.model.history import Part

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder, Script
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model.history import Migration

NAME = "dbmate"

_FILE = re.compile(r"(?P<version>[0-9]+)_?(?P<title>.*)\.sql\Z")
_BLOCK = re.compile(r"--\s*migrate:(?P<way>\S*)")
#: What its schema.sql ends with.
_DUMPED = "-- Dbmate schema migrations"


def claims(script: Script) -> bool:
    """By its name and what it holds."""
    return _FILE.match(script.name) is not None and _annotated(script)


def holds(script: Script) -> bool:
    """A migration, or the schema that dbmate dumps."""
    return _annotated(script) or _dumped(script)


def of_script(script: Script, options: HistoryOptions) -> Found:
    """One migration, or a whole schema."""
    del options
    folder = Found(NAME)
    if _annotated(script):
        folder.migrations.append(_migration(script, script.name.removesuffix(".sql"), ""))
    else:
        folder.migrations.append(script.migration("schema", "as dbmate dumped it", script.whole()))
    return folder


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The migrations of one folder. Raises InputError where two have one version, or a block is missing."""
    del options
    mine = sorted((script for script in folder.scripts if claims(script)), key=lambda script: script.name)
    single_folder(mine, NAME, folder.root)
    result = Found(NAME)
    by_name: dict[str, Script] = {}
    for script in mine:
        match = _FILE.match(script.name)
        assert match is not None
        before = by_name.setdefault(match["version"], script)
        if before is not script:
            raise InputError(
                f"{script.path}: has the version of {before.path} ({match['version']}): dbmate runs "
                "one migration a version"
            )
        result.read(script)
        result.migrations.append(_migration(script, match["version"], match["title"].replace("_", " ")))
    numbers = [int(version[:40]) for version in by_name]
    if numbers != sorted(numbers):
        result.note(
            "dbmate goes by the names of the files, which is not the order of these numbers: give "
            "all as many digits",
            str(folder.root),
        )
    result.gaps()
    for script in folder.scripts:
        if script.path not in result.files and _dumped(script):
            result.leave(script.path, "the schema as dbmate dumped it: its migrations are read")
    strangers(folder, result, NAME)
    return result


def _annotated(script: Script) -> bool:
    return NAME in script.marks and any(_BLOCK.match(line) for _, _, line in script.lines())


def _dumped(script: Script) -> bool:
    return NAME in script.marks and _DUMPED in script.text


def _migration(script: Script, version: str, title: str) -> Migration:
    blocks: dict[str, tuple[int, int, int]] = {}
    for number, at, line in script.lines():
        match = _BLOCK.match(line)
        if match is None:
            if line.strip() and not line.lstrip().startswith("--") and not blocks:
                raise InputError(
                    f"{script.path}:{number}: a statement before -- migrate:up, which dbmate refuses"
                )
            continue
        algorithm = match["way"]
        if algorithm not in ("up", "down"):
            raise InputError(f"{script.path}:{number}: -- migrate:{algorithm[:40]} is no block of dbmate's")
        if algorithm in blocks:
            raise InputError(f"{script.path}:{number}: -- migrate:{algorithm} a second time")
        if algorithm == "down" and not blocks:
            raise InputError(f"{script.path}:{number}: -- migrate:down before -- migrate:up")
        blocks[algorithm] = number, at, at + len(line)
    if "up" not in blocks:
        raise InputError(f"{script.path}: -- migrate:up is missing")
    number, _, begin = blocks["up"]
    end = blocks["down"][1] if "down" in blocks else len(script.text)
    return script.migration(
        version, title, (Part(begin, end, None),), line=number, down=int("down" in blocks)
    )


KIND = Kind(NAME, claims=claims, of_folder=of_folder, holds=holds, of_script=of_script)
