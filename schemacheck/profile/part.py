"""The file of a profile that is being taken: what is measured so far, so that another run can go on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError
from schemacheck.profile.document import plain
from schemacheck.profile.reader import Wrong, table_of

if TYPE_CHECKING:
    from pathlib import Path

    from schemacheck.profile.document import TableProfile


class Part:
    """Lines of JSON: who is measured and how, then after each piece of a table all that is measured of it and
    the place in its key where the next piece begins (null: it is whole).
    """

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        """Open or go on. Raises InputError where the file is another run's or cannot be read."""
        self.path = path
        self.head = head
        self._tables: dict[tuple[str, str], tuple[TableProfile, int | None]] = {}
        try:
            data = path.read_bytes() if path.exists() else b""
            lines = data.split(b"\n")[:-1]
            if not data.endswith(b"\n"):  # the line in which a run was killed
                with path.open("ab") as stream:
                    stream.truncate(data.rfind(b"\n") + 1)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        for number, line in enumerate(lines, 1):
            self._read(number, line)
        if not lines:
            self._write(head)

    def _read(self, number: int, line: bytes) -> None:
        try:
            piece = json.loads(line)
            if number == 1:
                self.head = self.head | {"from": piece.get("from")}
                if piece != self.head:
                    raise InputError(f"{self.path}: it is of another run (server or options); remove it")
                return
            table, begin = table_of(piece["table"], "table"), _place(piece["next"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, Wrong) as error:
            raise InputError(f"{self.path}:{number}: not a part of a profile ({error}); remove it") from None
        self._tables[table.schema, table.name] = table, begin

    def add(self, table: TableProfile, begin: int | None) -> None:
        """What is measured of a table, and where its next piece begins (None: it is whole)."""
        self._tables[table.schema, table.name] = table, begin
        self._write({"table": plain(table), "next": begin})

    def _write(self, piece: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(piece, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror or error}") from None

    def table(self, schema: str, name: str) -> tuple[TableProfile | None, int | None]:
        """What was added last of a table (None: nothing)."""
        return self._tables.get((schema, name), (None, None))


def _place(value: object) -> int | None:
    if value is None or type(value) is int:
        return value
    raise ValueError("a place is no number")
