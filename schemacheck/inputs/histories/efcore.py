"""EF Core's `migrations script`: each migration ends with its row of __EFMigrationsHistory. With --idempotent
each statement stands in a procedure, which is called once and asks for that row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories.folder import Found, Kind
from schemacheck.model.history import Part

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Script
    from schemacheck.inputs.piece import HistoryOptions

NAME = "efcore"

_ROW = re.compile(
    r"^[ \t]*INSERT INTO `?__EFMigrationsHistory`? \(`?MigrationId`?, `?ProductVersion`?\)\s+"
    r"VALUES \('([^']*)', '[^']*'\);\n",
    re.MULTILINE,
)
#: What stands around a statement: on an empty server its row is not there, and it runs.
_FRAME = re.compile(
    r"^DROP PROCEDURE IF EXISTS (?P<a>\w+);\nDELIMITER //\nCREATE PROCEDURE (?P=a)\(\)\nBEGIN\n"
    r"[ \t]*IF NOT EXISTS ?\(SELECT 1 FROM `?__EFMigrationsHistory`? WHERE `?MigrationId`? = "
    r"'(?P<id>[^']*)'\) THEN\n"
    r"|^[ \t]*END IF;\nEND //\nDELIMITER ;\nCALL (?P<b>\w+)\(\);\nDROP PROCEDURE (?P=b);\n",
    re.MULTILINE,
)


def holds(script: Script) -> bool:
    """A row of its history."""
    return NAME in script.marks and _ROW.search(script.text) is not None


def _frames(text: str, rows: list[re.Match[str]]) -> list[tuple[int, int]]:
    """The places of both halves of each frame that asks for the row of the migration in which it stands.
    Others stay: a procedure that is called is unknown.
    """
    result: list[tuple[int, int]] = []
    left, first = iter(rows), None
    row = next(left, None)
    for match in _FRAME.finditer(text):
        while row is not None and match["id"] is not None and row.end() <= match.start():
            row = next(left, None)
        if match["id"] is None and first is not None:
            result += [first.span(), match.span()]
        first = match if row is not None and match["id"] == row[1] else None
    return result


def of_script(script: Script, options: HistoryOptions) -> Found:
    """Its migrations, in the order in which they stand there. Raises InputError where one is there twice."""
    del options
    folder, text = Found(NAME), script.text
    rows = list(_ROW.finditer(text))
    frames = _frames(text, rows)
    names: set[str] = set()
    start = 0
    for row in rows:
        number = text.count("\n", 0, start) + 1
        if row[1] in names:
            raise InputError(f"{script.path}:{number}: migration {row[1]} a second time")
        names.add(row[1])
        end = len(text) if row is rows[-1] else row.end()
        inside = [(a, b) for a, b in frames if start <= a < end]
        starts, ends = [start, *(b for _, b in inside)], [*(a for a, _ in inside), end]
        parts = tuple(Part(a, b) for a, b in zip(starts, ends, strict=True) if a < b)
        version, _, title = row[1].partition("_")
        folder.migrations.append(script.migration(version, title, parts, line=number))
        start = end
    return folder


KIND = Kind(NAME, holds=holds, of_script=of_script)
