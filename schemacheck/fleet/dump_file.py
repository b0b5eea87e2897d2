"""Rows of an information_schema view as text, a line each: a tab-separated file as `mysql --batch` writes it,
or an Arrow table (Parquet, DataFrames), whose rows become such lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import InputError
from schemacheck.fleet.definition import BY_NAME, NULL
from schemacheck.fleet.fields import RESERVED, Fields, part
from schemacheck.fleet.snapshots import heading
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.formats.tsv import unescape
from schemacheck.inputs.source import decompress

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import File

#: TABLES' estimates.
SIZES = ("TABLE_ROWS", "DATA_LENGTH", "INDEX_LENGTH")
WANTED = frozenset(
    {
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "CONSTRAINT_SCHEMA",
        *SIZES,
        *(name for view in BY_NAME.values() for name in (*view.order, *view.carried)),
    }
)


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A row that is not read; `why` says what is wrong with it. `line` is None where there are no lines."""

    file: str
    view: str
    line: int | None
    text: str
    why: str
    names: tuple[str, str]


class ViewRows:
    """Rows of a view: lines, each with its end, whose fields are those of `heading` (upper case), with the
    backslashes of `mysql --batch`. `null` is the word that stands for null.
    """

    def __init__(self, view: str, heading: tuple[str, ...], data: bytes, null: str = "NULL") -> None:
        self.view, self.heading, self.data, self.null = view, heading, data, null

    @cached_property
    def fields(self) -> Fields | None:
        """The lines, taken apart; None where there is none. Raises Misfit."""
        return part(self.data, len(self.heading), reserved=self.null == NULL) if self.data else None

    def records(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The values of some columns row by row, the definitions' NULL for null and for a column that was not
        dumped. Raises Misfit.
        """
        places = [self.heading.index(name) if name in self.heading else None for name in names]
        if self.fields is None:
            return
        escaped = b"\\" in self.data
        columns: list[Iterable[str]] = []
        for at in places:
            values: Iterable[str] = repeat(NULL) if at is None else self.fields.values(at)
            if isinstance(values, list) and self.null != NULL and self.null in values:
                values = [NULL if value == self.null else value for value in values]
            columns.append(map(unescaped, values) if escaped and at is not None else values)
        yield from zip(*columns, strict=False)


def plain(file: File) -> ViewRows | None:
    """Rows of a `mysql --batch` file; None where some line may be no row. Raises InputError."""
    data = opened(file)
    at = data.find(b"\n") + 1
    if not data.endswith(b"\n") or data.find(data[:at].removeprefix(b"\xef\xbb\xbf"), at) >= 0:
        return None  # cut off, or a heading in the middle
    rows = data[at:]
    try:
        _ = rows.isascii() or rows.decode()
    except UnicodeDecodeError:
        return None
    return ViewRows(file.view, file.heading, rows)


def opened(file: File) -> bytes:
    """The file's bytes, decompressed. Raises InputError."""
    try:
        raw = Path(file.path).read_bytes() if file.data is None else file.data
        return decompress(raw, file.path) if file.path.endswith((".gz", ".zst")) else raw
    except (OSError, EOFError) as error:
        raise InputError(f"{file.path}: {getattr(error, 'strerror', None) or error}") from None


def with_heading(file: File) -> File:
    """The file with its bytes and its heading, where it is tab-separated and begins with one. Raises
    InputError.
    """
    if is_parquet(file):
        return file
    data = opened(file)
    line = data[:_LONGEST].partition(b"\n")[0].decode("utf-8-sig", "replace")
    return replace(file, heading=heading(line), data=data)


def is_parquet(file: File) -> bool:
    """Whether a file is Parquet, by its name."""
    return file.path.lower().endswith(".parquet")


#: Bytes that a heading has at most.
_LONGEST = 65_536


def sieved(file: File) -> tuple[ViewRows, list[BrokenRow]]:
    """The lines that fit the heading, and the others: also a last line without an end, whose table may have
    had more rows. Dumps that were put one behind the other have their heading again in the middle.
    """
    remaining, broken, data = [], [], opened(file)
    cut_off = 0 if data.endswith(b"\n") else data.count(b"\n") + 1
    before = b""
    width = len(file.heading)
    places = [
        file.heading.index(name) if name in file.heading else None for name in ("TABLE_SCHEMA", "TABLE_NAME")
    ]
    for number, line in enumerate(data.split(b"\n"), 1):
        plain = line.removesuffix(b"\r")
        fits = (
            plain.count(b"\t") == width - 1
            and len(plain.translate(None, RESERVED)) == len(plain)
            and b"\r" not in plain
        )
        text = plain.decode("utf-8", "replace")
        if number == 1 or not plain:
            continue
        if fits and "\ufffd" not in text and number != cut_off:
            if tuple(text.upper().split("\t")) != file.heading:
                remaining.append(text)
            before = plain
            continue
        fields = text.split("\t")
        # The last field of a short row may be cut off.
        sure = fields[:-1] if len(fields) < width or number == cut_off else fields
        if file.view == "columns" and len(sure) <= max(place or 0 for place in places):
            # Where its names are not told it may belong to the table before.
            sure = before.decode("utf-8").split("\t")
        names = [sure[place] if place is not None and place < len(sure) else "" for place in places]
        why = (
            "has no end"
            if number == cut_off
            else "holds bytes that are no text"
            if len(fields) == width
            else f"does not fit its heading ({len(fields)} fields); was it dumped with --raw?"
        )
        broken.append(
            BrokenRow(file.path, file.view, number, text, why, (unescaped(names[0]), unescaped(names[1])))
        )
    return ViewRows(file.view, file.heading, "\n".join((*remaining, "")).encode()), broken


def of_table(rows: pa.Table, view: str, file: str) -> tuple[ViewRows, list[BrokenRow]]:
    """Rows of an Arrow table, and those of them that hold a byte which separates fields."""
    import pyarrow.compute as pc

    rows, broken = without_reserved(as_text(rows), view, file)
    texts = [pc.fill_null(column, NULL) for column in rows.columns]
    escaped = any(pc.any(pc.match_substring_regex(text, r"[\\\t\n]")).as_py() for text in texts)
    for sign, mark in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n")) if escaped else ():
        texts = [pc.replace_substring(text, sign, mark) for text in texts]
    lines = pc.binary_join_element_wise(*texts, "\t").to_pylist() if len(rows) else []
    data = "".join([f"{line}\n" for line in lines]).encode()
    return ViewRows(view, tuple(rows.column_names), data, NULL), broken


def without_reserved(rows: pa.Table, view: str, file: str) -> tuple[pa.Table, list[BrokenRow]]:
    """Rows that do not come out of lines, and those of them that hold a byte which separates fields."""
    import pyarrow.compute as pc

    reserved = "[" + RESERVED.decode() + "]"
    hits = [
        pc.fill_null(pc.match_substring_regex(column, reserved), fill_value=False)
        for column in rows.columns
        if len(column)
    ]
    if not any(pc.any(hit).as_py() for hit in hits):
        return rows, []
    bad = reduce(pc.or_, hits)
    broken = [
        BrokenRow(
            file, view, None, "\t".join(str(value) for value in row.values()), "holds bytes that are no text",
            (row.get("TABLE_SCHEMA") or "", row.get("TABLE_NAME") or ""),
        )
        for row in rows.filter(bad).to_pylist()
    ]  # fmt: skip
    return rows.filter(pc.invert(bad)), broken


def unescaped(text: str) -> str:
    r"""\t, \n, \0 and \\ of `mysql --batch` undone."""
    # A zero byte separates fields of a definition.
    return unescape(text).replace("\0", "\ufffd") if "\\" in text else text


def parquet(file: File) -> pa.Table:
    """Rows of a Parquet file. Raises InputError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        result = pq.ParquetFile(file.path if file.data is None else pa.BufferReader(file.data))
        remaining = [name for name in result.schema_arrow.names if name.upper() in WANTED]
        return result.read(columns=remaining)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{file.path}: {str(error).splitlines()[0]}") from None


def as_text(rows: pa.Table) -> pa.Table:
    """Rows of a view with their headings in upper case and every value as text; what is not wanted is left
    out.
    """
    import pyarrow as pa

    return pa.table({n.upper(): _text(rows.column(n)) for n in rows.column_names if n.upper() in WANTED})


def _text(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Any values as text: whole numbers without a fraction, bytes as UTF-8."""
    import pyarrow as pa

    if pa.types.is_floating(values.type) or pa.types.is_decimal(values.type):
        try:
            values = values.cast(pa.int64())
        except pa.ArrowInvalid:
            texts = [text_of(value) for value in values.to_pylist()]
            values = pa.chunked_array([pa.array(texts, pa.string())])
    return values.cast(pa.string())
