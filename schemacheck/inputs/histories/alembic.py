"""Alembic's `upgrade --sql`: `-- Running upgrade A -> B` before each revision (migration.py)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories.folder import Found, Kind
from schemacheck.model.history import Part

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Script
    from schemacheck.inputs.piece import HistoryOptions

NAME = "alembic"

_RUNNING = re.compile(r"-- Running (?P<way>\w+) (?P<from>[^>]*)-> (?P<to>.*)\Z")


def holds(script: Script) -> bool:
    """The comment before a revision."""
    return NAME in script.marks and any(_RUNNING.match(line) for _, _, line in script.lines())


def of_script(script: Script, options: HistoryOptions) -> Found:
    """Its revisions, in the order in which they stand there. Raises InputError where they go up and down."""
    del options
    folder = Found(NAME)
    heads = [(number, at, match) for number, at, line in script.lines() if (match := _RUNNING.match(line))]
    ways = {match["way"] for _, _, match in heads}
    if ways != {"upgrade"}:
        number = next(number for number, _, match in heads if match["way"] != "upgrade")
        raise InputError(
            f"{script.path}:{number}: a history is read upwards only, and this file is not "
            f"({', '.join(sorted(ways))[:80]}); --history none reads the file as a plain "
            "script"
        )
    ends = [*(at for _, at, _ in heads[1:]), len(script.text)]
    names: set[str] = set()
    for index, ((number, at, match), end) in enumerate(zip(heads, ends, strict=True)):
        version, _, title = match["to"].partition(", ")
        if version in names:
            raise InputError(f"{script.path}:{number}: revision {version} a second time")
        names.add(version)
        # What stands before the first revision makes Alembic's own table.
        folder.migrations.append(
            script.migration(version, title, (Part(at if index else 0, end),), line=number)
        )
    return folder


KIND = Kind(NAME, holds=holds, of_script=of_script)
