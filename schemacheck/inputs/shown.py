"""What SHOW CREATE of a live server tells and information_schema does not: the order of unique keys, parsers
of FULLTEXT keys, CYCLE of sequences. Rows of SHOWN, which no snapshot's file has.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from schemacheck import catalog
from schemacheck.catalog.asked import aside
from schemacheck.dataclass import replace
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.key_rows import records
from schemacheck.model import InputProblem, Schema, TableKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schemacheck.inputs.piece import RowsPiece
    from schemacheck.inputs.snapshot import Snapshot
    from schemacheck.model import Server, Table

VIEW = "SHOWN"
HEADING = ("TABLE_SCHEMA", "TABLE_NAME", "DEFINITION")
_STATISTICS = ("TABLE_SCHEMA", "TABLE_NAME", "NON_UNIQUE", "INDEX_NAME", "INDEX_TYPE")
_TABLES = ("TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE")


def wanted(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """(TABLE or SEQUENCE, database, name) of what SHOW CREATE has to tell of."""
    keys = set(_columns(snapshot, "STATISTICS", _STATISTICS))
    unique = Counter(key[:2] for key in keys if key[2] == "0" and key[3] != "PRIMARY")
    tables = {("TABLE", key[0], key[1]) for key in keys if unique[key[:2]] > 1 or key[4] == "FULLTEXT"}
    kinds = _columns(snapshot, "TABLES", _TABLES)
    return sorted(tables | {(kind, home, name) for home, name, kind in kinds if kind == "SEQUENCE"})


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
                shown[database, table.name] = table
    if not shown:
        return schema
    tables = (_told(table, shown.get((table.database, table.name))) for table in schema.tables)
    return replace(schema, tables=tuple(tables))


def _told(table: Table, shown: Table | None) -> Table:
    if shown is None or shown != table:
        return table
    if table.kind is TableKind.SEQUENCE:
        return replace(table, query=shown.query)
    attributes = {key.name: key.attributes for key in shown.keys}
    keys = tuple(replace(key, attributes=attributes.get(key.name, key.attributes)) for key in table.keys)
    return replace(table, keys=keys, key_order=shown.key_order)
