r"""CSV rows: clients' exports (RFC 4180) and INTO OUTFILE with quotes. NULL is told by columns of numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.formats.tsv import unescape
from schemacheck.inputs.heading import Rows, is_heading, layout_of, view_of
from schemacheck.inputs.piece import NotePiece, RowsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "csv"

_DELIMITERS = ",;|"
#: Columns that hold a number or NULL: what else stands there means NULL.
_NUMERIC = (
    "CHARACTER_MAXIMUM_LENGTH",
    "NUMERIC_PRECISION",
    "NUMERIC_SCALE",
    "DATETIME_PRECISION",
    "SUB_PART",
    "AUTO_INCREMENT",
    "POSITION_IN_UNIQUE_CONSTRAINT",
)
_TOKENS = ("NULL", "[NULL]", "\\N", "(null)", "<null>", "")

#: More lines than this outside of the grammar: it is another one, or none.
_MOST_ODD = 100

#: A field: its text, and whether it stood in quotes.
Field = tuple[str, bool]


def sniff(source: Source) -> int:
    """A separator in the first line, and a known heading or layout."""
    line = source.head.split("\n", 1)[0].rstrip("\r")
    for delimiter in _DELIMITERS:
        if delimiter not in line:
            continue
        fields = [field.strip('"') for field in line.split(delimiter)]
        if is_heading(fields):
            return 95
        record = next((fields for _, fields in _records(line, delimiter, [], outfile=False)), [])
        if len(record) > 3 and layout_of([text for text, _ in record]):
            return 90
        if record and record[0] == ("def", True) and len(record) > 3:
            return 60
    return 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece. Raises InputError for a heading of no known view and for a quote that is never closed."""
    text = source.text
    line = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=lambda d: (len(line.split(d)), d == ","))
    records = _parsed(text, delimiter, source.name)
    if not records:
        raise InputError(f"{source.name}: no rows")
    first = [name for name, _ in records[0][1]]
    if is_heading(first):
        view, heading = view_of(first) or "", tuple(first)
        records = records[1:]
    else:
        result = layout_of(first)
        if result is None:
            raise InputError(
                f"{source.name}:1: no heading, and {len(first)} fields that fit no view; export with "
                "a heading"
            )
        view, heading = result
    null = options.null_token if options.null_token is not None else _null_token(heading, records)
    rows: list[tuple[int, Sequence[str | None]]] = []
    for number, fields in records:
        rows.append((number, [None if text == null and not quoted else text for text, quoted in fields]))
    if null == "" and view == "COLUMNS":
        yield NotePiece(
            "NULL and '' are both empty here: a column with DEFAULT '' reads as one without; export NULL "
            "as a word of its own (--null-token)",
            source.name,
        )
    if not text.endswith(("\n", "\r")):
        yield NotePiece(
            "the last line does not end; if the file is cut off, its last table misses columns",
            source.name,
            records[-1][0] if records else 1,
        )
    yield RowsPiece(view, Rows(heading, rows), source.name)


def _null_token(heading: tuple[str, ...], records: list[tuple[int, list[Field]]]) -> str:
    """The token that stands where a number would."""
    at = [index for index, name in enumerate(heading) if name.strip().upper() in _NUMERIC]
    for _, fields in records:
        for index in at:
            if index < len(fields) and not fields[index][0].isdigit() and fields[index][0] in _TOKENS:
                return fields[index][0]
    plain = {text for _, fields in records for text, quoted in fields if not quoted}
    return next((token for token in _TOKENS if token in plain), "NULL")


def _parsed(text: str, delimiter: str, file: str) -> list[tuple[int, list[Field]]]:
    r"""The records; a quote inside quotes is `""` (RFC 4180), or `\"` where NULL is \N (INTO OUTFILE)."""
    end = re.escape(delimiter)
    headed = is_heading([field.strip('"\r\ufeff') for field in text.split("\n", 1)[0].split(delimiter)])
    outfile = not headed and len(re.findall(rf"(?:^|{end})\\N(?={end}|\r?$)", text, re.MULTILINE)) > len(
        re.findall(rf"(?:^|{end})NULL(?={end}|\r?$)", text, re.MULTILINE)
    )
    odd: list[int] = []
    every = _records(text, delimiter, odd, outfile=outfile)
    records = [(line, fields) for line, fields in every if fields != [("", False)]]
    if len(odd) > _MOST_ODD:
        raise InputError(
            f"{file}:{odd[0]}: the quotes from this line on are no CSV; export again, "
            "with quotes doubled (RFC 4180)"
        )
    return records


def _records(
    text: str, delimiter: str, odd: list[int], *, outfile: bool
) -> Iterator[tuple[int, list[Field]]]:
    """Records with their first lines. Lines outside of the grammar are noted in `odd`."""
    end = re.escape(delimiter)
    inside = r'(?:[^"\\]|\\.)*+' if outfile else r'(?:[^"]|"")*+'
    quoted = rf'"(?P<quoted>{inside})"(?={end}|\r?\n|\Z)'
    field = re.compile(rf'(?:{quoted}|(?P<plain>(?!")[^{end}\r\n]*))(?P<end>{end}|\r?\n|\r|\Z)', re.DOTALL)
    line, at, start, fields = 1, 0, 1, []
    while at < len(text):
        match = field.match(text, at)
        if match is None:
            # A quote inside an unquoted field, or one that never closes: the rest of the line is the field.
            stop = text.find("\n", at)
            stop = len(text) if stop < 0 else stop
            odd.append(line)
            if len(odd) > _MOST_ODD:
                return
            fields.append((text[at:stop], False))
            match_end, ended = stop + 1, "\n"
        else:
            value = match["quoted"]
            if value is None:
                fields.append((match["plain"], False))
            else:
                fields.append((unescape(value) if outfile else value.replace('""', '"'), True))
            match_end, ended = match.end(), match["end"]
        line += text.count("\n", at, match_end)
        at = match_end
        if ended != delimiter:
            yield start, fields
            start, fields = line, []
    if fields:
        yield start, [*fields, ("", False)]
