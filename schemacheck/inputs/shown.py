"""What SHOW CREATE of a live server tells and information_schema does not: the order of unique keys, parsers
of FULLTEXT keys, CYCLE of sequences, columns that MySQL's DROP DEFAULT left without a default. Rows of SHOWN,
which no snapshot's file has.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from schemacheck import catalog
from schemacheck.catalog.asked import aside
from schemacheck.dataclass import replace
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.key_rows import records
from schemacheck.model import InputProblem, Schema, TableKind
from schemacheck.model.quote import quoted
from schemacheck.model.table import DEFAULT_NULL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schemacheck.inputs.piece import RowsPiece
    from schemacheck.inputs.snapshot import Snapshot
    from schemacheck.model import Server, Table

VIEW = "SHOWN"
HEADING = ("TABLE_SCHEMA", "TABLE_NAME", "DEFINITION")
_STATISTICS = ("TABLE_SCHEMA", "TABLE_NAME", "NON_UNIQUE", "INDEX_NAME", "INDEX_TYPE")
_TABLES = ("TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE")
_DEFAULTS = ("TABLE_SCHEMA", "TABLE_NAME", "IS_NULLABLE", "COLUMN_DEFAULT")


def wanted(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """(TABLE or SEQUENCE, database, name) of what SHOW CREATE has to tell of."""
    keys = set(_columns(snapshot, "STATISTICS", _STATISTICS))
    unique = Counter(key[:2] for key in keys if key[2] == "0" and key[3] != "PRIMARY")
    tables = {("TABLE", key[0], key[1]) for key in keys if unique[key[:2]] > 1 or key[4] == "FULLTEXT"}
    kinds = list(_columns(snapshot, "TABLES", _TABLES))
    if _logs_text(snapshot):
        here = {(home, name) for home, name, kind in kinds if kind == "BASE TABLE"}
        untold = {
            (row[0], row[1]) for row in _columns(snapshot, "COLUMNS", _DEFAULTS) if row[2:] == ("YES", "")
        }
        tables |= {("TABLE", home, name) for home, name in untold & here}
    return sorted(tables | {(kind, home, name) for home, name, kind in kinds if kind == "SEQUENCE"})


def _logs_text(snapshot: Snapshot) -> bool:
    """Whether it is a MySQL that logs statements, which use a column's default."""
    told = {str(name).lower(): str(value).upper() for name, value in snapshot.views["VARIABLES"][1]}
    return "MARIADB" not in told.get("version", "") and told.get("binlog_format", "ROW") != "ROW"


def _columns(snapshot: Snapshot, view: str, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    heading, rows = snapshot.views[view]
    places = [heading.index(name) for name in names]
    return (tuple(text_of(row[place]) or "" for place in places) for row in rows)


def add(schema: Schema, pieces: Iterable[RowsPiece], server: Server) -> Schema:
    """The schema with what such rows tell of tables that are otherwise as it has them."""
    problems: list[InputProblem] = []
    shown: dict[tuple[str | None, str], Table] = {}
    told = (piece for piece in pieces if piece.view == VIEW)
    rows = (row for piece in told for row in records(piece.rows, HEADING, (), VIEW, piece.file, problems))
    with aside():
        for row in rows:
            database, text = row["TABLE_SCHEMA"], row["DEFINITION"] or ""
            for table in catalog.read(text, server, database=database, charsets=schema.charsets).tables:
                shown[database, table.name] = table if server.mariadb else _without_defaults(table, text)
    if not shown:
        return schema
    tables = (_told(table, shown.get((table.database, table.name))) for table in schema.tables)
    return replace(schema, tables=tuple(tables))


def _without_defaults(table: Table, text: str) -> Table:
    """MySQL writes DEFAULT NULL of every column that has it, BLOB and its like excepted."""
    written = set(re.findall(r"^ *(`(?:[^`]|``)+`) .*DEFAULT NULL", text, re.MULTILINE))
    columns = (
        column
        if column.default != DEFAULT_NULL or column.type.is_off_page or column.generated
        else replace(column, default=DEFAULT_NULL if quoted(column.name) in written else None)
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def _told(table: Table, shown: Table | None) -> Table:
    if shown is None or len(shown.columns) != len(table.columns):
        return table
    columns = tuple(
        replace(mine, default=None) if other.default is None and mine.default == DEFAULT_NULL else mine
        for mine, other in zip(table.columns, shown.columns, strict=True)
    )
    if shown != (result := replace(table, columns=columns)):
        return table
    table = result
    if table.kind is TableKind.SEQUENCE:
        return replace(table, query=shown.query)
    attributes = {key.name: key.attributes for key in shown.keys}
    keys = tuple(replace(key, attributes=attributes.get(key.name, key.attributes)) for key in table.keys)
    return replace(table, keys=keys, key_order=shown.key_order)
