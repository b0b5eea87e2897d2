"""Rows of an information_schema view as text, a line each: a tab-separated file as `mysql --batch` writes it,
or an Arrow table (Parquet, DataFrames), whose rows become such lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.fleet.definition import BY_NAME, NULL
from schemacheck.fleet.fields import RESERVED, Fields, Misfit, part
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.formats.tsv import unescape
from schemacheck.inputs.source import decompress

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import File

#: TABLES' estimates.
SIZES = ("TABLE_ROWS", "DATA_LENGTH", "INDEX_LENGTH")
WANTED = frozenset(
    ("TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_SCHEMA", *SIZES,
     *(name for view in BY_NAME.values() for name in (*view.order, *view.carried)))
)  # fmt: skip


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
        """The values of some columns row by row (see columns)."""
        return zip(*self.columns(names), strict=False)

    def columns(self, names: Sequence[str]) -> list[Iterable[str]]:
        """The values of some columns, the definitions' NULL for null and for a column that was not dumped.
        Raises Misfit.
        """
        places = [self.heading.index(name) if name in self.heading else None for name in names]
        if self.fields is None:
            return [()] * len(names)
        escaped = b"\\" in self.data
        columns: list[Iterable[str]] = []
        for at in places:
            values: Iterable[str] = repeat(NULL) if at is None else self.fields.values(at)
            if isinstance(values, list) and self.null != NULL and self.null in values:
                values = [NULL if value == self.null else value for value in values]
            columns.append(map(unescaped, values) if escaped and at is not None else values)
        return columns


def rows(file: File) -> ViewRows:
    """The rows of a file of a view. Raises InputError where it cannot be read, Misfit where a line may be no
    row of its heading.
    """
    if is_parquet(file):
        return of_table(parquet(file), file.view)
    data = opened(file)
    if not data:
        return ViewRows(file.view, (), b"")
    at = data.find(b"\n") + 1
    try:
        heading = tuple(name.strip().upper() for name in data[:at].decode("utf-8-sig").split("\t"))
        _ = data.isascii() or data.decode()
    except UnicodeDecodeError:
        raise Misfit from None
    if not data.endswith(b"\n") or data.find(data[:at].removeprefix(b"\xef\xbb\xbf"), at) >= 0:
        raise Misfit  # cut off, or a heading in the middle
    if "TABLE_NAME" not in heading and "CONSTRAINT_NAME" not in heading:
        raise Misfit
    return ViewRows(file.view, heading, data[at:])


def opened(file: File) -> bytes:
    """The file's bytes, decompressed. Raises InputError."""
    try:
        raw = Path(file.path).read_bytes() if file.data is None else file.data
        return decompress(raw, file.path) if file.path.endswith((".gz", ".zst")) else raw
    except (OSError, EOFError) as error:
        raise InputError(f"{file.path}: {getattr(error, 'strerror', None) or error}") from None


def is_parquet(file: File) -> bool:
    """Whether a file is Parquet, by its name."""
    return file.path.lower().endswith(".parquet")


def of_table(table: pa.Table, view: str) -> ViewRows:
    """Rows of an Arrow table. Raises Misfit where a byte that separates fields is in one."""
    import pyarrow.compute as pc

    table = as_text(table)
    texts = [pc.fill_null(column, NULL) for column in table.columns]
    if any(_has(column, "[" + RESERVED.decode() + "]") for column in table.columns):
        raise Misfit
    escaped = any(_has(text, r"[\\\t\n]") for text in texts)
    for sign, mark in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n")) if escaped else ():
        texts = [pc.replace_substring(text, sign, mark) for text in texts]
    lines = pc.binary_join_element_wise(*texts, "\t").to_pylist() if len(table) else []
    data = "".join([f"{line}\n" for line in lines]).encode()
    return ViewRows(view, tuple(table.column_names), data, NULL)


def _has(column: pa.ChunkedArray, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(column, pattern)).as_py())


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


def as_parquet(table: pa.Table) -> bytes:
    """Rows as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


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
