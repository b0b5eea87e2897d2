"""Whether a change of rows or a query of a script runs: its tables, columns and functions are there.

What its rows do (a duplicate, a value that does not fit) is not looked at: it is taken to run, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from schemacheck.catalog.state import Catalog
from schemacheck.model import Table
from schemacheck.sql import query_tree
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.statements import dml
from schemacheck.sql.statements.names import find, plain
from schemacheck.sql.words import Name

if TYPE_CHECKING:
    from sqlglot import exp

_LITERAL = (
    r"(?:NULL|TRUE|FALSE|DEFAULT|0x[0-9a-f]+|[+-]?[0-9][0-9.]*(?:e[+-]?[0-9]+)?"
    r"|(?:_[a-z0-9]+ ?)?'(?:[^'\\]|\\.|'')*'|NOW\(\)|CURRENT_TIMESTAMP(?:\(\))?|UUID\(\))"
)
_ROW = re.compile(rf"\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)?\s*\)\s*(,?)\s*", re.IGNORECASE | re.DOTALL)
_VALUE = re.compile(_LITERAL, re.IGNORECASE | re.DOTALL)
_CHECK_OPTION = re.compile(r"\s+WITH\s+(?:CASCADED\s+|LOCAL\s+)?CHECK\s+OPTION\s*\Z", re.IGNORECASE)
_NAME = r"(?:`[^`]+`|[A-Za-z_][\w$]*)"
_INSERT = re.compile(
    rf"\s*(?:INSERT|REPLACE)(?: IGNORE)?(?: INTO)?\s+({_NAME})\s*"
    rf"(?:\(((?:\s*{_NAME}\s*,?)+)\))?\s*VALUES?\s*",
    re.IGNORECASE,
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
    for name in _columns(tree):
        if name.casefold() not in names:
            raise Refused(f"column {name!r} is not known", 0)


def of_view(t: Tokens, catalog: Catalog) -> str:
    """Why a CREATE VIEW may be refused: a table that its query reads is not known, or it is not read; else
    ''.
    """
    from sqlglot import exp

    t.at = 0
    find(t, "AS")
    tree = query_tree.parse(_CHECK_OPTION.sub("", plain(t, t.at)))
    if tree is None:
        return "its query is not read"
    made = {"dual", *(node.alias.casefold() for node in tree.find_all(exp.CTE))}
    names, all_known = set[str](), True
    for table in tree.find_all(exp.Table):
        key = catalog.key(table.db or catalog.database, table.name)
        if table.name.casefold() in made or key in catalog.failed:
            all_known = False
        elif key not in catalog.tables:
            return f"table {table.name!r} is not known"
        else:
            shown = catalog.tables[key].view_columns
            names |= {one.casefold() for one in shown or (c.name for c in catalog.tables[key].columns)}
            all_known &= bool(shown or catalog.tables[key].columns)
    missing = [name for name in _columns(tree) if name.casefold() not in names] if all_known else []
    return f"column {missing[0]!r} is not known" if missing else ""


def _rows_of_literals(text: str, catalog: Catalog) -> bool:
    """Whether it inserts rows of literals, as dumps do, each with a value for every column that it names.
    Raises Refused where the table, a column or a value is missing.
    """
    head = _INSERT.match(text)
    if head is None:
        return False
    at, counts = head.end(), set()
    while (row := _ROW.match(text, at)) is not None:
        counts.add(len(_VALUE.findall(row[1] or "")))
        at = row.end()
        if not row[2]:
            break
    if at != len(text) or not counts:
        return False
    table = _table(catalog, (None, head[1].strip("`")))
    there = {column.name.casefold() for column in table.columns}
    given = [name.strip().strip("`") for name in (head[2] or "").split(",") if name.strip()]
    for name in given:
        if name.casefold() not in there:
            raise Refused(f"column {name!r} is not known", 0)
    for column in table.columns if given else ():
        if not (column.nullable or column.has_default or column.name.casefold() in map(str.casefold, given)):
            raise Refused(f"column {column.name!r} has no default", 0)
    visible = sum(not column.invisible for column in table.columns)
    if counts - {0} and counts != {len(given) or visible}:
        raise Refused("a row has other values than there are columns", 0)
    return True


def _table(catalog: Catalog, name: Name) -> Table:
    """A table that is there. Raises Refused for another."""
    key = catalog.key(name[0] or catalog.database, name[1])
    if key in catalog.tables:
        return catalog.tables[key]
    raise Refused(f"table {name[1]!r} is not known", 0)


def _columns(tree: exp.Expression) -> Iterator[str]:
    """The columns that a tree names and does not make itself."""
    from sqlglot import exp

    made = {node.alias.casefold() for node in tree.find_all(exp.Alias, exp.TableAlias) if node.alias}
    for insert in tree.find_all(exp.Insert):
        if isinstance(insert.this, exp.Schema):
            yield from (column.name for column in insert.this.expressions)
    for node in tree.find_all(exp.Column):
        quoted = node.this.args.get("quoted") if isinstance(node.this, exp.Identifier) else None
        constant = not quoted and node.name.upper() in ("DEFAULT", "CURRENT_USER", "LOCALTIME")
        if node.name and node.name.casefold() not in made and not constant:
            yield node.name
