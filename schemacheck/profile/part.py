"""The file of a profile that is being taken: what is measured so far, so that another run can go on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError
from schemacheck.profile import combined
from schemacheck.profile.document import plain
from schemacheck.profile.reader import Wrong, table_of

if TYPE_CHECKING:
    from pathlib import Path

    from schemacheck.profile.document import TableProfile


class Part:
    """Lines of JSON: who is measured and how, then each piece of a table with the places in its key where it
    begins and where the next one does (null: none).
    """

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        """Open or go on. Raises InputError where the file is another run's or cannot be read."""
        self.path = path
        self.head = head
        self._next: dict[tuple[str, str], int | None] = {}
        self._tables: dict[tuple[str, str], TableProfile] = {}
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
            self._take(table_of(piece["table"], "table"), _place(piece["from"]), _place(piece["next"]))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, Wrong) as error:
            raise InputError(f"{self.path}:{number}: not a part of a profile ({error}); remove it") from None

    def _take(self, table: TableProfile, begin: int | None, end: int | None) -> None:
        name = (table.schema, table.name)
        before = self._tables.get(name)
        if before is None or begin is None:
            self._tables[name] = table
        elif begin != self._next[name]:
            raise ValueError("its pieces do not follow each other")
        else:
            self._tables[name] = combined.rows(before, table)
        self._next[name] = end

    def add(self, table: TableProfile, begin: int | None, end: int | None) -> None:
        """One more piece: of rows whose key is from `begin` (None: the first piece) to before `end` (None:
        the last).
        """
        self._take(table, begin, end)
        self._write({"table": plain(table), "from": begin, "next": end})

    def _write(self, piece: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(piece, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror or error}") from None

    def table(self, schema: str, name: str) -> tuple[TableProfile | None, int | None]:
        """What is measured of a table, and where its next piece begins (None: it is whole, or not begun)."""
        return self._tables.get((schema, name)), self._next.get((schema, name))


def _place(value: object) -> int | None:
    if value is None or type(value) is int:
        return value
    raise ValueError("a place is no number")
