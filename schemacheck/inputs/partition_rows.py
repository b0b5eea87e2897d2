"""Rows of information_schema.PARTITIONS: how each table is partitioned, in the spelling of DDL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.catalog import partitions
from schemacheck.catalog.context import Context, Lines
from schemacheck.dataclass import replace
from schemacheck.inputs.key_rows import records
from schemacheck.model import InputProblem, TableKind
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.quote import quoted
from schemacheck.sql.ddl.partition import reread
from schemacheck.sql.flavor import of as flavor_of
from schemacheck.sql.lexer import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from schemacheck.inputs.piece import RowsPiece
    from schemacheck.model import Schema, Server, Table

Name = tuple[str | None, str]
Row = dict[str, "str | None"]
VIEW = "PARTITIONS"
NAMES = ("TABLE_SCHEMA", "TABLE_NAME", "PARTITION_NAME", "PARTITION_METHOD")
MORE = (
    "SUBPARTITION_METHOD", "PARTITION_EXPRESSION", "PARTITION_DESCRIPTION", "PARTITION_ORDINAL_POSITION",
)  # fmt: skip


def add(schema: Schema, pieces: Sequence[RowsPiece], server: Server) -> Schema:
    """The schema with its tables' partitioning; without PARTITIONS it is unknown."""
    problems: list[InputProblem] = []
    result: dict[Name, list[Row]] = {}
    called: dict[Name, str] = {}
    for piece in pieces:
        if piece.view == VIEW:
            for row in records(piece.rows, NAMES, MORE, VIEW, piece.file, problems):
                if row["PARTITION_NAME"] is not None:
                    result.setdefault((row["TABLE_SCHEMA"], row["TABLE_NAME"] or ""), []).append(row)
        elif piece.view == "TABLES":
            given = ("TABLE_SCHEMA", "TABLE_NAME")
            for row in records(piece.rows, given, ("CREATE_OPTIONS",), "TABLES", piece.file, problems):
                options = row.get("CREATE_OPTIONS")
                if options is not None:
                    called[row["TABLE_SCHEMA"], row["TABLE_NAME"] or ""] = options.lower()
    tables = []
    for table in schema.tables:
        key = (table.database, table.name)
        if table.text is not None or table.kind is not TableKind.TABLE:
            tables.append(table)
        elif key in result:
            tables.append(replace(table, partitioning=_partitioning(result[key], table, server)))
        elif "partitioned" in called.get(key, ""):
            tables.append(replace(table, partitioning=UNKNOWN))
        else:
            tables.append(table)
    return replace(schema, tables=tuple(tables), problems=(*schema.problems, *problems))


def _partitioning(rows: Iterable[Row], table: Table, server: Server) -> str:
    ordered = sorted(rows, key=_place)
    places = [_place(row) for row in ordered]
    # Partitions count from 1; 0 counts nothing.
    if (places[-1] and places != [*range(1, len(places) + 1)]) or ordered[0].get("SUBPARTITION_METHOD"):
        return UNKNOWN
    try:
        draft = reread(_text(ordered), flavor_of(server))
        return partitions.settle(draft, table.columns, Context(server, Lines("", "-"))).sql
    except Refused:
        return UNKNOWN


def _place(row: Mapping[str, str | None]) -> int:
    text = row.get("PARTITION_ORDINAL_POSITION") or "0"
    return int(text) if text.isdecimal() else 0


def _text(rows: Sequence[Row]) -> str:
    first = rows[0]
    method = (first["PARTITION_METHOD"] or "").upper()
    parts = ", ".join(_part(row, method) for row in rows)
    return f"{method} ({first.get('PARTITION_EXPRESSION') or ''}) ({parts})"


def _part(row: Row, method: str) -> str:
    text = f"PARTITION {quoted(row['PARTITION_NAME'] or '')}"
    bound = row.get("PARTITION_DESCRIPTION")
    if method.startswith("RANGE"):
        text += f" VALUES LESS THAN ({bound})"
    elif method.startswith("LIST"):
        text += " DEFAULT" if (bound or "").upper() == "DEFAULT" else f" VALUES IN ({bound})"
    return text
