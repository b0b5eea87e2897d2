"""XML: rows of `mysql --xml`, and `mysqldump --xml --no-data`.

mysqldump's XML says no character sets, and MySQL's leaves out generated columns (recorded on
9.7.4): what it tells of a table is not enough there, which the pieces say.
"""

from __future__ import annotations

import io
import re
from itertools import islice
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows, union, view_of
from schemacheck.inputs.piece import NotePiece, RowsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "xml"
ABOUT = "XML of mysql --xml or mysqldump --xml"

_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_KEY = {"KEY_NAME": "INDEX_NAME"}


def sniff(source: Source) -> int:
    """An XML declaration or one of the two root elements."""
    return 95 if re.match(r"\s*<(\?xml|resultset|mysqldump)\b", source.head) else 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """The pieces. Raises InputError for XML that is broken or brings its own entities."""
    del options
    if b"<!DOCTYPE" in source.data or b"<!ENTITY" in source.data:
        raise InputError(f"{source.name}: XML with a document type declaration is not read")
    try:
        root = ET.parse(io.BytesIO(source.data)).getroot()  # noqa: S314 see above
    except ET.ParseError as error:
        line, column = error.position
        raise InputError(f"{source.name}:{line}:{column + 1}: broken XML: {error}") from None
    if root.tag == "resultset":
        yield _resultset(root, source.name)
    elif root.tag == "mysqldump":
        yield from _mysqldump(root, source.name)
    else:
        raise InputError(f"{source.name}: XML of <{root.tag}>, not of mysql --xml or mysqldump --xml")


def _resultset(root: ET.Element, file: str) -> Piece:
    rows = [_row(row, file) for row in _children(root, "row", file)]
    heading = union(rows, file)
    view = view_of(heading)
    if view is None:
        raise InputError(
            f"{file}: rows with {', '.join(heading)[:200] or 'no columns'} are of no view that is known here"
        )
    return RowsPiece(view, Rows(heading, [(None, [row.get(name) for name in heading]) for row in rows]), file)


def _children(parent: ET.Element, tag: str, file: str) -> list[ET.Element]:
    """The elements of this name below `parent`. Raises InputError where one is nested deeper: no client and
    no mysqldump writes that, and elements within elements of their own kind would be read again and again.
    """
    elements = parent.findall(tag)
    if sum(1 for _ in islice(parent.iter(tag), len(elements) + 1)) > len(elements):
        raise InputError(f"{file}: <{tag}> within another element than <{parent.tag}>")
    return elements


def _row(row: ET.Element, file: str) -> dict[str, str | None]:
    values: dict[str, str | None] = {}
    for field in _children(row, "field", file):
        name = field.get("name", "")
        if name in values:
            raise InputError(f"{file}: a row has the field {name} twice: which of the two counts?")
        values[name] = None if field.get(_NIL) == "true" else field.text or ""
    return values


_COLUMN = (
    "TABLE_SCHEMA",
    "TABLE_NAME",
    "COLUMN_NAME",
    "ORDINAL_POSITION",
    "COLUMN_TYPE",
    "IS_NULLABLE",
    "COLUMN_DEFAULT",
    "COLUMN_KEY",
    "EXTRA",
)
_STATISTIC = ("TABLE_SCHEMA", "TABLE_NAME", "NON_UNIQUE", "INDEX_NAME", "SEQ_IN_INDEX", "COLUMN_NAME",
"SUB_PART", "COLLATION", "INDEX_TYPE", "IS_VISIBLE", "IGNORED", "EXPRESSION")  # fmt: skip
_TABLE = ("TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "ENGINE", "TABLE_COLLATION")


def _mysqldump(root: ET.Element, file: str) -> Iterator[Piece]:
    columns: list[tuple[None, list[object]]] = []
    statistics: list[tuple[None, list[object]]] = []
    tables: list[tuple[None, list[object]]] = []
    for database in _children(root, "database", file):
        schema = database.get("name", "")
        for table in _children(database, "table_structure", file):
            name = table.get("name", "")
            for ordinal, field in enumerate(_children(table, "field", file), 1):
                get = field.get
                columns.append(
                    (
                        None,
                        [
                            schema,
                            name,
                            get("Field"),
                            ordinal,
                            get("Type"),
                            get("Null"),
                            get("Default"),
                            get("Key"),
                            get("Extra"),
                        ],
                    )
                )
            for key in _children(table, "key", file):
                given = {_KEY.get(k.upper(), k.upper()): v for k, v in key.attrib.items()}
                given |= {"IS_VISIBLE": given.get("VISIBLE", ""), "TABLE_SCHEMA": schema, "TABLE_NAME": name}
                statistics.append((None, [given.get(heading) for heading in _STATISTIC]))
            for options in _children(table, "options", file):
                kind = "VIEW" if options.get("Comment") == "VIEW" else "BASE TABLE"
                tables.append((None, [schema, name, kind, options.get("Engine"), options.get("Collation")]))
    yield NotePiece(
        "mysqldump --xml does not say the columns' character sets: they are unknown; dump DDL or "
        "information_schema.COLUMNS instead",
        file,
    )
    message = (
        "mysqldump --xml leaves out generated columns, so that tables may miss some; dump DDL "
        "(without --xml) or information_schema.COLUMNS instead"
    )
    yield NotePiece(message, file, capability="dump-xml-without-generated", problem=True)
    yield RowsPiece("COLUMNS", Rows(_COLUMN, columns), file)
    yield RowsPiece("STATISTICS", Rows(_STATISTIC, statistics), file)
    yield RowsPiece("TABLES", Rows(_TABLE, tables), file)
