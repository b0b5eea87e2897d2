"""Whether a change of rows or a query of a script runs: its tables, columns and functions are there.

What its rows do (a duplicate, a value that does not fit) is not looked at: it is taken to run, and counted.
"""

from __future__ import annotations

import re

from schemacheck.catalog.state import Catalog
from schemacheck.model import Table
from schemacheck.sql import literal_rows, query_tree
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.statements import dml
from schemacheck.sql.statements.names import find, plain
from schemacheck.sql.words import Name

_CHECK_OPTION = re.compile(
    r"\s+WITH\s+(?:CASCADED\s+|LOCAL\s+)?CHECK\s+OPTION\s*\Z", re.IGNORECASE | re.ASCII
)


def check(t: Tokens, text: str, catalog: Catalog) -> None:
    """Read an INSERT, REPLACE, UPDATE, DELETE, SELECT or DO, whose words are `t`. Raises Refused where
    something that it names is not known, or sqlglot does not read it.
    """
    if _rows_of_literals(text, catalog):
        return
    head = t.peek()
    value = dml.parse(t, text)
    if value.problems or value.verb not in ("insert", "replace", "update", "delete", "select", "do"):
        raise Refused("its query is not read", 0)
    stored = {name[1] for _, name in catalog.routines}
    for _, function in value.calls:
        if function.casefold() not in stored:
            raise Refused(f"function {function!r} is not known", 0)
    t.at = 0
    tree = query_tree.parse(plain(t, 1 if head == "DO" else 0)) if head != "DO" else None
    refs = [ref for ref in value.refs if ref.name.casefold() != "dual"]
    tables = [_table(catalog, (ref.database, ref.name)) for ref in refs]
    if tree is None:
        if head != "DO" or value.refs:
            raise Refused("its columns are not read", 0)
        return
    names = {column.name.casefold() for table in tables for column in table.columns}
    for name in query_tree.columns(tree):
        if name.casefold() not in names:
            raise Refused(f"column {name!r} is not known", 0)


def of_view(t: Tokens, catalog: Catalog) -> str:
    """Why a CREATE VIEW may be refused: a table that its query reads is not known, or it is not read; else
    ''.
    """
    t.at = 0
    find(t, "AS")
    tree = query_tree.parse(_CHECK_OPTION.sub("", plain(t, t.at)))
    if tree is None:
        return "its query is not read"
    made, tables = query_tree.tables(tree)
    names, all_known = set[str](), True
    for database, table in tables:
        key = catalog.key(database or catalog.database, table)
        if table.casefold() in made or key in catalog.failed:
            all_known = False
        elif key not in catalog.tables:
            return f"table {table!r} is not known"
        else:
            shown = catalog.tables[key].view_columns
            names |= {one.casefold() for one in shown or (c.name for c in catalog.tables[key].columns)}
            all_known &= bool(shown or catalog.tables[key].columns)
    missing = [name for name in query_tree.columns(tree) if name.casefold() not in names] if all_known else []
    return f"column {missing[0]!r} is not known" if missing else ""


def _rows_of_literals(text: str, catalog: Catalog) -> bool:
    """Whether it inserts rows of literals, as dumps do, each with a value for every column that it names.
    Raises Refused where the table, a column or a value is missing.
    """
    rows = literal_rows.read(text)
    if rows is None:
        return False
    table = _table(catalog, (None, rows.table))
    there, given = {column.name.casefold() for column in table.columns}, rows.columns
    for name in given:
        if name.casefold() not in there:
            raise Refused(f"column {name!r} is not known", 0)
    for column in table.columns if given else ():
        if not (column.nullable or column.has_default or column.name.casefold() in map(str.casefold, given)):
            raise Refused(f"column {column.name!r} has no default", 0)
    visible = sum(not column.invisible for column in table.columns)
    if rows.values - {0} and rows.values != {len(given) or visible}:
        raise Refused("a row has other values than there are columns", 0)
    return True


def _table(catalog: Catalog, name: Name) -> Table:
    """A table that is there. Raises Refused for another."""
    key = catalog.key(name[0] or catalog.database, name[1])
    if key in catalog.tables:
        return catalog.tables[key]
    raise Refused(f"table {name[1]!r} is not known", 0)
