r"""`\G` output (mysql -E): blocks of `Name: value`, aligned on the colon. NULL is a bare word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows, view_of
from schemacheck.inputs.piece import RowsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "vertical"

_START = re.compile(r"\*{10,} (\d+)\. row \*{10,}\s*\Z")
#: The beginning of such a line, at the end of a file.
_CUT = re.compile(r"\*{10,}(?: [\d.]*[row]* ?\**)?\Z")
_FIRST = re.compile(r"( *[^\s:][^:]*):(?: |$)")


def sniff(source: Source) -> int:
    """A row of stars with a number."""
    return 95 if any(_START.match(line) for line in source.head.split("\n", 40)[:40]) else 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece for every run of rows under the same names."""
    null = options.null_token if options.null_token is not None else "NULL"
    heading: tuple[str, ...] = ()
    rows: list[tuple[int, list[str | None]]] = []
    text = source.text.replace("\r\n", "\n")
    for line, first, fields in _blocks(text):
        names = tuple(name for name, _ in fields)
        if not names or (not first and len(names) < len(heading) and names == heading[: len(names)]):
            raise InputError(f"{source.name}:{line}: this row has not all its values: is the file truncated?")
        if names != heading and rows:
            yield _piece(heading, rows, source.name)
            rows = []
        heading = names
        rows.append((line, [None if value == null else value for _, value in fields]))
    if not rows:
        raise InputError(f"{source.name}: no rows")
    last = text.rstrip().rpartition("\n")[2]
    if _CUT.match(last) and not _START.match(last):
        raise InputError(f"{source.name}: the last line begins another row: is the file truncated?")
    yield _piece(heading, rows, source.name)


def _piece(heading: tuple[str, ...], rows: list[tuple[int, list[str | None]]], file: str) -> Piece:
    view = view_of(heading)
    if view is None:
        raise InputError(
            f"{file}:{rows[0][0]}: rows with {', '.join(heading)[:200]} are of no view that is known here"
        )
    return RowsPiece(view, Rows(heading, rows, null_is_word=True, multiline=True), file)


def _blocks(text: str) -> Iterator[tuple[int, bool, list[tuple[str, str]]]]:
    """(line, whether it is a result's first row, name and value pairs) of every block."""
    block: list[tuple[str, list[str]]] = []
    start = width = 0
    first = True
    for number, line in enumerate(text.split("\n"), 1):
        if begins := _START.match(line):
            if start:
                yield start, first, _joined(block)
            block, start, width, first = [], number, 0, begins[1] == "1"
        elif start:
            match = _FIRST.match(line)
            if match and (not width or match.end(1) == width):
                width = match.end(1)
                block.append((match.group(1).strip(), [line[match.end() :]]))
            elif block and not _tail(line):
                block[-1][1].append(line)
    if start:
        yield start, first, [(name, value.rstrip("\n")) for name, value in _joined(block)]


def _joined(block: list[tuple[str, list[str]]]) -> list[tuple[str, str]]:
    """Names and values, each value's lines put together."""
    return [(name, "\n".join(lines)) for name, lines in block]


def _tail(line: str) -> bool:
    """What the client prints behind a result."""
    return re.match(r"\d+ rows? in set|mysql> |MariaDB \[|Bye\Z", line) is not None
