"""Django's `sqlmigrate`: comments name each operation, and those that are no SQL. One file, one step."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.inputs.histories.folder import Found, Kind

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Script
    from schemacheck.inputs.piece import HistoryOptions

NAME = "django"

#: What `Operation.describe` begins with.
_SAID = (
    "Add", "Alter", "Change", "Concurrently", "Create", "Custom", "Delete", "Raw", "Remove", "Rename",
)  # fmt: skip
_OPERATION = re.compile(rf"^--\n-- (?:{'|'.join(_SAID)}) [^\n]*\n--$", re.MULTILINE)
_NO_SQL = ("THIS OPERATION CANNOT BE WRITTEN AS SQL", "PERFORMS OPERATION THAT CANNOT BE WRITTEN AS SQL")


def holds(script: Script) -> bool:
    """The comment before an operation."""
    return NAME in script.marks and _OPERATION.search(script.text) is not None


def of_script(script: Script, options: HistoryOptions) -> Found:
    """One migration; an operation that is no SQL is a problem."""
    del options
    folder = Found(NAME)
    for number, _, line in script.lines():
        if line.startswith("--") and any(words in line for words in _NO_SQL):
            message = (
                "this operation is Python, which Django does not write as SQL: what it does is not known"
            )
            folder.note(message, script.path, number, problem=True)
    folder.migrations.append(script.migration(Path(script.name).stem, "", script.whole()))
    return folder


KIND = Kind(NAME, holds=holds, of_script=of_script)
