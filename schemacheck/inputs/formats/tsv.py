r"""Tab-separated rows: `mysql --batch` (with and without --raw, -N), SELECT ... INTO OUTFILE and --tab with
their default options.

`mysql --batch` writes NULL as a bare word and escapes \t, \n, \\ and \0 (client/mysql.cc, safe_put_field);
with --raw it escapes nothing: tabs and newlines of a comment break rows, and their tables are unknown. INTO
OUTFILE writes \N for NULL and puts a backslash before a real tab or newline. All three are told apart by
what the file holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows, is_heading, layout_of, view_of
from schemacheck.inputs.piece import NotePiece, RowsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "tsv"

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANS = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
#: A backslash that batch mode never writes.
_NOT_BATCH = re.compile(r"(?<!\\)(?:\\\\)*\\(?![tn0\\])")
_OUTFILE_NULL = re.compile(r"(?:^|\t)\\N(?=\t|$)", re.MULTILINE)
_BATCH_NULL = re.compile(r"(?:^|\t)NULL(?=\t|$)", re.MULTILINE)
_OUTFILE_LINE = re.compile(r"(?:[^\\\n]|\\.)*", re.DOTALL)


def sniff(source: Source) -> int:
    """Tabs in the first line, and a known heading or a known layout."""
    line = source.head.split("\n", 1)[0].rstrip("\r")
    if "\t" not in line:
        return 0
    fields = line.split("\t")
    if is_heading(fields):
        return 95
    if layout_of([_value(f) or f for f in fields]):
        return 90
    if fields[0] == "def" or (len(fields) == 2 and fields[1].upper().startswith("CREATE ")):
        return 85
    return 20 if re.fullmatch(r"[\w@. \t]+", line) else 0


def _value(field: str) -> str | None:
    return None if field in ("NULL", "\\N") else field


_STARTS = frozenset(
    (
        "TABLE_CATALOG",
        "CONSTRAINT_CATALOG",
        "CATALOG_NAME",
        "TABLE_SCHEMA",
        "SCHEMA_NAME",
        "VARIABLE_NAME",
        "TABLE",
    )
)

#: What is said of a file whose last line has no end.
CUT_OFF = (
    "the last line does not end: the file is cut off, and its last table may miss columns; dump it again"
)

Record = tuple[int, list[str]]


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece for every heading in the file (several statements in one `mysql --batch` give several)."""
    text = source.text.replace("\r\n", "\n")
    # A default may be the text \\N or NULL: the one that stands more often is the null.
    outfile = len(_OUTFILE_NULL.findall(text)) > len(_BATCH_NULL.findall(text))
    style = "outfile" if outfile else "raw" if _NOT_BATCH.search(text) else "batch"
    null = options.null_token if options.null_token is not None else "\\N" if outfile else "NULL"
    heading: tuple[str, ...] = ()
    view = ""
    result: list[Record] = []
    cut_off: Record | None = None
    for line, fields in (
        _outfile_records(text)
        if outfile
        else ((n, record.split("\t")) for n, record in enumerate(text.split("\n"), 1))
    ):
        if not heading or (fields[0].upper() in _STARTS and len(fields) > 1 and is_heading(fields)):
            if fields == [""]:
                continue
            if heading:
                yield from _pieces(view, heading, result, source, null, style)
                result = []
            view, heading = _heading(fields, source.name, line)
            if is_heading(fields):
                continue
        if fields != [""]:
            result.append((line, fields))
    if heading and not text.endswith("\n"):
        yield NotePiece(CUT_OFF, source.name, result[-1][0] if result else 1, problem=True)
        if result and "TABLE_NAME" in map(str.upper, heading):
            cut_off = result.pop()
    yield from _pieces(view, heading, result, source, null, style, cut_off)


def _pieces(
    view: str, heading: tuple[str, ...], result: list[Record], source: Source, null: str, style: str,
    cut_off: Record | None = None,
) -> Iterator[Piece]:  # fmt: skip
    """The rows under one heading, with nulls. `cut_off` is the last row of a file that has no end."""
    width = len(heading)
    broken = next((line for line, fields in result if len(fields) != width), None)
    if broken is not None and style != "outfile":
        style = "raw"
        text = "tabs or newlines inside values broke rows, as with mysql --raw: dump without --raw"
        yield NotePiece(text, source.name, broken)
    if cut_off is not None:
        # Its table may have had more rows: a row that is too short makes the table unknown.
        line, fields = cut_off
        result = [*result, (line, fields[: width - 1])]
    escaped = style != "raw"
    rows = [
        (line, [None if f == null else unescape(f) if escaped and "\\" in f else f for f in fields])
        for line, fields in result
    ]
    yield RowsPiece(view, Rows(heading, rows, null_is_word=null == "NULL"), source.name)


def _heading(fields: list[str], file: str, line: int) -> tuple[str, tuple[str, ...]]:
    """View and heading: the first record, or those that a record of this shape has."""
    if is_heading(fields):
        return view_of(fields) or "", tuple(fields)
    result = layout_of([_value(f) or f for f in fields])
    if result is None:
        raise InputError(
            f"{file}:{line}: no heading, and {len(fields)} fields that fit no view; dump with the "
            "heading (without -N)"
        )
    return result


def unescape(field: str) -> str:
    r"""Backslash escapes of batch mode and of INTO OUTFILE undone."""
    return _ESCAPE.sub(lambda m: _MEANS.get(m.group(1), m.group(1)), field)


def _outfile_records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Records of INTO OUTFILE: a backslash takes the meaning from a tab or newline behind it."""
    if "\\\n" not in text and "\\\t" not in text:
        for line, record in enumerate(text.split("\n"), 1):
            yield line, record.split("\t")
        return
    line, at = 1, 0
    while at < len(text):
        match = _OUTFILE_LINE.match(text, at)
        record = match.group() if match else ""
        yield line, re.findall(r"(?:^|\t)((?:[^\\\t]|\\.)*)", record, re.DOTALL)
        line += record.count("\n") + 1
        at += len(record) + 1
