"""One file of an information_schema view, as an Arrow table of texts: tab-separated as `mysql --batch` writes
it, or Parquet.
"""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import InputError
from schemacheck.fleet.definition import BY_NAME
from schemacheck.fleet.snapshots import heading
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.formats.tsv import unescape
from schemacheck.inputs.source import decompress

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import File

#: Bytes that separate fields of a definition; a row that has one is not read.
_RESERVED = bytes((0, 1, 2, 3, 0x1E, 0x1F))
_EACH = tuple(bytes((one,)) for one in _RESERVED)
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


def tsv(file: File) -> tuple[pa.Table, list[BrokenRow]]:
    """Rows of a `mysql --batch` file, the word NULL as null; and the lines that are no rows.

    No CSV reader's quoting is wanted: a quote is a character like any other in this format.
    """
    import pyarrow as pa
    from pyarrow import csv

    data = opened(file)
    if b"\n" not in data:
        data += b"\n"  # Arrow skips no line without an end
    misfit = False

    def note(_: Any) -> str:
        nonlocal misfit
        misfit = True
        return "skip"

    def parse(text: bytes, block: int = 4 << 20) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(text),
            csv.ReadOptions(use_threads=False, block_size=block, skip_rows=1, column_names=file.heading),
            csv.ParseOptions(delimiter="\t", quote_char=False, double_quote=False, escape_char=False,
            invalid_row_handler=note),
            csv.ConvertOptions(
                include_columns=[name for name in file.heading if name in WANTED],
                column_types=dict.fromkeys(file.heading, pa.string()),
                null_values=["NULL"], strings_can_be_null=True,
            ),
        )  # fmt: skip

    broken: list[BrokenRow] = []
    try:
        rows = (
            None
            if has_reserved(data) or (b"\r" in data and b"\r" in data.replace(b"\r\n", b""))
            else parse(data)
        )
    except pa.ArrowInvalid:
        rows = None
    if rows is None or misfit or not data.endswith(b"\n"):
        data, broken = _sieved(data, file)
        # A row must not reach over two blocks.
        rows = parse(data, max(4 << 20, 2 * max(map(len, data.split(b"\n")))))
    return _without_headings(rows), broken


def has_reserved(data: bytes) -> bool:
    """Whether a byte that separates fields of a definition is among these."""
    return any(one in data for one in _EACH)


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


def _sieved(data: bytes, file: File) -> tuple[bytes, list[BrokenRow]]:
    """The lines that fit the heading, and the others: also a last line without an end, whose table may have
    had more rows.
    """
    kept, broken = [], []
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
            and len(plain.translate(None, _RESERVED)) == len(plain)
            and b"\r" not in plain
        )
        text = plain.decode("utf-8", "replace")
        if number == 1 or (fits and "\ufffd" not in text and number != cut_off) or not plain:
            kept.append(plain)
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
    return b"\n".join((*kept, b"")), broken


def without_reserved(rows: pa.Table, view: str, file: str) -> tuple[pa.Table, list[BrokenRow]]:
    """Rows that do not come out of lines, and those of them that hold a byte which separates fields."""
    import pyarrow.compute as pc

    reserved = "[" + _RESERVED.decode() + "]"
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


def _without_headings(rows: pa.Table) -> pa.Table:
    """Dumps that were put one behind the other have their heading again in the middle."""
    import pyarrow.compute as pc

    name = next((n for n in ("TABLE_NAME", "CONSTRAINT_NAME") if n in rows.column_names), None)
    if name is None:
        return rows
    again = pc.equal(pc.utf8_upper(rows.column(name)), name)
    for other in rows.column_names:
        if not pc.any(again).as_py():
            return rows
        again = pc.and_(again, pc.equal(pc.utf8_upper(rows.column(other)), other))
    return rows.filter(pc.invert(pc.fill_null(again, fill_value=False)))


def parquet(file: File) -> pa.Table:
    """Rows of a Parquet file, headings in upper case, every value as text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.ParquetFile(file.path if file.data is None else pa.BufferReader(file.data))
        kept = [name for name in found.schema_arrow.names if name.upper() in WANTED]
        return as_text(found.read(columns=kept))
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
