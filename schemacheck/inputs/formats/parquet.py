"""Parquet files of information_schema rows, such as Spark's JDBC source writes. Needs pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows, view_of
from schemacheck.inputs.piece import RowsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "parquet"

#: Rows that a file of any size may hold.
FREE_ROWS = 200_000


def sniff(source: Source) -> int:
    """The magic bytes."""
    return 100 if source.data[:4] == b"PAR1" else 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece. Raises InputError where pyarrow is missing or the file is broken."""
    del options
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(f"{source.name}: Parquet needs pyarrow: pip install 'schemacheck[fleet]'") from None
    try:
        count = pq.ParquetFile(io.BytesIO(source.data)).metadata.num_rows
        if count > max(FREE_ROWS, len(source.data)):
            # A column of one value takes no room however long it is.
            raise InputError(
                f"{source.name}: {count:,} rows in {len(source.data):,} bytes; at most {FREE_ROWS:,}, "
                "or one a byte, are read"
            )
        table = pq.read_table(io.BytesIO(source.data))
        # Text is decoded here, not before.
        columns = [column.to_pylist() for column in table.columns]
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{source.name}: broken Parquet file: {str(error).splitlines()[0][:200]}") from None
    heading = tuple(table.column_names)
    view = view_of(heading)
    if view is None:
        raise InputError(
            f"{source.name}: a Parquet file with {', '.join(heading)[:200]} is of no view that is known here"
        )
    rows = [(None, values) for values in zip(*columns, strict=True)]
    if rows and all(
        str(value).upper() == name.upper() for name, value in zip(heading, rows[0][1], strict=True)
    ):
        raise InputError(
            f"{source.name}: every row holds its own heading: Spark's JDBC source quotes names with \" "
            "on jdbc:mariadb: URLs; read through jdbc:mysql: or a dialect"
        )
    yield RowsPiece(view, Rows(heading, rows), source.name)
