"""A snapshot: one server's catalogue and settings, a JSON-lines file of rows with their `view`."""

from __future__ import annotations

import gzip
import json
import sys
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass, field
from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.piece import RowsPiece
from schemacheck.system import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Views by name: (heading, rows). `changed` are tables that changed while they were read."""

    instance: str
    taken: str
    passes: int
    views: Mapping[str, tuple[tuple[str, ...], Sequence[Row]]] = field(repr=False)
    changed: tuple[tuple[str, str], ...] = ()

    def pieces(self) -> list[RowsPiece]:
        """The rows, ready to be put together."""
        about = RowsPiece(
            "SNAPSHOT", Rows(("CHANGED",), [(None, [[list(name) for name in self.changed]])]), self.instance
        )
        end = RowsPiece("SNAPSHOT_END", Rows((), [(None, ())]), self.instance)
        return [
            about,
            end,
            *(
                RowsPiece(view, Rows(heading, [(None, row) for row in rows]), self.instance)
                for view, (heading, rows) in self.views.items()
            ),
        ]

    def lines(self) -> Iterator[str]:
        """The file's lines."""
        about = {
            "view": "SNAPSHOT", "schemacheck_snapshot": 1, "instance": self.instance, "taken": self.taken,
            "passes": self.passes,
            "changed": [list(name) for name in self.changed], "views": list(self.views),
        }  # fmt: skip
        yield json.dumps(about, ensure_ascii=False)
        for view, (heading, rows) in self.views.items():
            for row in rows:
                yield json.dumps(
                    {"view": view, **dict(zip(heading, map(_plain, row), strict=True))}, ensure_ascii=False
                )
        # A file without its end is a truncated one; one with other numbers of rows has lost some on its way.
        counts = {view: len(rows) for view, (_, rows) in self.views.items()}
        yield json.dumps({"view": "SNAPSHOT_END", "rows": counts})

    def write(self, place: str | PathLike[str]) -> int:
        """Write the file, compressed by its ending (`.gz`, `.zst`, else not), whole or not at all; `-` is
        standard output. Returns the bytes written. Raises InputError.
        """
        path = fspath(place)
        raw = "".join(f"{line}\n" for line in self.lines()).encode()
        if path.endswith(".gz"):
            # No time of writing: the same catalogue gives the same bytes.
            raw = gzip.compress(raw, 6, mtime=0)
        elif path.endswith(".zst"):
            try:
                import zstandard
            except ImportError:
                raise InputError(
                    f"{path}: zstd needs the zstandard package: pip install 'schemacheck[zstd]'; or "
                    "write to .gz"
                ) from None
            raw = zstandard.ZstdCompressor(level=9).compress(raw)
        try:
            if path == "-":
                sys.stdout.buffer.write(raw)
                sys.stdout.buffer.flush()
            else:
                whole_file.write(path, raw)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        return len(raw)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    return value if value is None or isinstance(value, str | int | float) else str(value)


def digests(views: Mapping[str, tuple[tuple[str, ...], Iterable[Row]]]) -> dict[tuple[str, str], int]:
    """A number per (database, table) that changes with its rows; a database is ('name', '')."""
    out: dict[tuple[str, str], int] = {}
    for view, (heading, rows) in views.items():
        database = next(
            (
                heading.index(n)
                for n in ("TABLE_SCHEMA", "EVENT_OBJECT_SCHEMA", "CONSTRAINT_SCHEMA", "SCHEMA_NAME")
                if n in heading
            ),
            None,
        )
        if database is None:
            continue
        table = next((heading.index(n) for n in ("TABLE_NAME", "EVENT_OBJECT_TABLE") if n in heading), None)
        for row in rows:
            key = (str(row[database]), str(row[table]) if table is not None else "")
            out[key] = out.get(key, 0) ^ hash((view, row))
    return out
