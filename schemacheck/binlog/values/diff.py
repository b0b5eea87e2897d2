"""Changes to a JSON document, as PARTIAL_UPDATE_ROWS sends them (sql-common/json_diff.cc)."""

from __future__ import annotations

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.values.json import Json, quoted, text

OPERATIONS = {0: "replace", 1: "insert", 2: "remove"}


class JsonDiffs(Json):
    """A list of changes, itself JSON: [["replace", "$.a", 22], ["remove", "$.b[1]"]]; empty: unchanged."""

    __slots__ = ()


def read_diffs(raw: bytes) -> JsonDiffs:
    """Changes in binary form: operation1, length of the path packed, path, and unless it removes: length
    packed, binary JSON. Raises ShortRead.
    """
    c = Cursor(raw)
    changes = []
    while c.left:
        operation = c.uint(1)
        if operation not in OPERATIONS:
            raise ShortRead(f"JSON change {operation}")
        path = quoted(c.take(c.packed()))
        value = f", {text(c.take(c.packed()))}" if operation != 2 else ""
        changes.append(f'["{OPERATIONS[operation]}", {path}{value}]')
    return JsonDiffs("[" + ", ".join(changes) + "]")
