"""JSON: one object a line (also a snapshot file), one array of objects, or an object of arrays by view.

An object may name its view in a key `view`, as snapshots do; otherwise its keys tell it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows, union, view_of
from schemacheck.inputs.piece import NotePiece, RowsPiece
from schemacheck.text.printable import unique

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "json"


Record = tuple[int | None, dict[str, Any]]


def sniff(source: Source) -> int:
    """An object or array at the start."""
    start = source.head.lstrip()
    if start.startswith('{"'):
        return 95
    return 90 if re.match(r"[\[{]\s*[\[{\"\]}]", start) else 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece for every view. Raises InputError with the line of broken JSON."""
    del options
    grouped: dict[str, list[Record]] = {}
    for line, record in _records(source):
        view = record.get("view") if isinstance(record.get("view"), str) else None
        view = view or _view(record)
        if view is None:
            raise InputError(
                f"{source.name}:{line or 1}: an object with the keys "
                f"{', '.join(map(str, record))[:200]} is a row of no view that is known here"
            )
        grouped.setdefault(view.upper(), []).append((line, record))
    if not grouped:
        raise InputError(f"{source.name}: no rows")
    for view, records in grouped.items():
        yield RowsPiece(view, _rows(records, source.name), source.name)
    yield from _lacking(grouped, source.name)
    yield from _lost(grouped, source.name)


def _lacking(grouped: dict[str, list[Record]], file: str) -> Iterator[NotePiece]:
    """A problem for an object that lacks keys of others in a file that writes NULLs: it has lost them."""
    if not any(None in record.values() for records in grouped.values() for _, record in records):
        return
    for view, records in grouped.items():
        names = union((record for _, record in records), file)
        for line, record in records:
            if lost := [name for name in names if name not in record]:
                message = (
                    f"an object of {view} lacks {', '.join(lost)[:200]}, which others have: dump it again"
                )
                yield NotePiece(message, file, line, problem=True, code="SC003")
                break


def _lost(grouped: dict[str, list[Record]], file: str) -> Iterator[NotePiece]:
    """A problem for each view of which a snapshot has other rows than its last line counts."""
    ends = grouped.get("SNAPSHOT_END", [])
    counts = [rows for _, record in ends if isinstance(rows := record.get("rows"), dict)]
    if len(counts) < len(ends):
        return  # written by a client that counts nothing
    for view in sorted({view for rows in counts for view in rows}):
        there, counted = len(grouped.get(view.upper(), ())), [rows.get(view, 0) for rows in counts]
        if not all(isinstance(count, int) for count in counted) or sum(counted) != there:
            text = " + ".join(map(str, counted))
            message = (
                f"the snapshot has {there} rows of {view}, and its last line counts {text}: take it again"
            )
            yield NotePiece(message, file, ends[-1][0], problem=True, code="SC003")


_seen: dict[tuple[str, ...], str | None] = {}


def _view(record: dict[str, Any]) -> str | None:
    keys = tuple(record)
    if keys not in _seen:
        if len(_seen) > 4096:
            _seen.clear()
        _seen[keys] = view_of(keys)
    return _seen[keys]


def _rows(records: list[Record], file: str) -> Rows:
    """Objects under the union of their keys; a key that an object lacks is NULL there."""
    heading = tuple(name for name in union((record for _, record in records), file) if name != "view")
    return Rows(heading, [(line, [record.get(name) for name in heading]) for line, record in records])


def _records(source: Source) -> Iterator[Record]:
    text = source.text.strip("\ufeff \r\n\t")
    if text.startswith("["):
        yield from _array(_load(source, text), source.name)
        return
    first = text.split("\n", 1)[0]
    if _fails(first):
        # A pretty-printed object.
        whole = _load(source, text)
        for view, rows in whole.items() if isinstance(whole, dict) else ():
            for _, record in _array(rows, source.name):
                yield None, {"view": view, **record}
        return
    lines = source.text.split("\n")
    for number, written in enumerate(lines, 1):
        plain = written.strip("\r \t\ufeff\0")
        if not plain:
            continue
        try:
            record = _read(plain)
        except (ValueError, RecursionError) as error:
            where = " (the last line: is the file truncated?)" if number >= len(lines) - 1 else ""
            where += _BATCHED if "\\\\" in plain else ""
            raise InputError(f"{source.name}:{number}: not JSON{where}: {error}") from None
        if isinstance(record, dict) and record and all(isinstance(value, list) for value in record.values()):
            for view, rows in record.items():
                yield from ((number, {"view": view, **row}) for _, row in _array(rows, source.name))
        elif isinstance(record, dict):
            yield number, record
        else:
            raise InputError(
                f"{source.name}:{number}: a row is an object with column names as keys; got "
                f"{type(record).__name__}"
            )


#: What is said of a broken line with doubled backslashes.
_BATCHED = " (written by mysql --batch? dump with --raw)"


def _read(text: str) -> Any:
    """The value. Raises ValueError, also for an object that has a key twice, and RecursionError."""
    return json.loads(text, object_pairs_hook=unique)


def _fails(line: str) -> bool:
    try:
        json.loads(line.strip("\r \t\ufeff"))
    except (ValueError, RecursionError):
        return True
    return False


def _load(source: Source, text: str) -> Any:
    """The value of a whole file."""
    try:
        return _read(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source.name}: not JSON: {error}") from None


def _array(rows: Any, file: str) -> Iterator[Record]:
    if not isinstance(rows, list):
        raise InputError(f"{file}: an array of rows is expected; got {type(rows).__name__}")
    for row in rows:
        if not isinstance(row, dict):
            raise InputError(
                f"{file}: a row is an object with column names as keys; got {type(row).__name__}"
            )
        yield None, row
