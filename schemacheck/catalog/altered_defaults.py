"""Defaults that ALTER TABLE computes: MariaDB fills an empty row of the table that it makes with all of them
(`make_empty_rec`), while CREATE TABLE computes constants alone.
"""

from __future__ import annotations

from schemacheck.catalog import defaults
from schemacheck.catalog.constant import NotComputed
from schemacheck.catalog.constant_value import value_of
from schemacheck.catalog.expression_rules import of_session
from schemacheck.dataclass import replace
from schemacheck.model.column_type import INTEGERS
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.model.server import Server
from schemacheck.model.table import Column, DefaultKind, Table
from schemacheck.sql.lexer import Refused

_ANY = frozenset(("geometry", "geometrycollection"))


def check(made: Table, server: Server, at: int) -> None:
    """Refuse a geometry whose default is a shape of another type (1366), and one of which it is not known
    whether it is NULL. Asked of 10.11 and 11.8.
    """
    if not server.mariadb:
        return
    for one in made.columns:
        default = one.default
        if default is None or default.kind is not DefaultKind.EXPRESSION or not one.type.is_geometry:
            continue
        text = default.text or ""
        shape = defaults.shape(text)
        if shape is None or one.type.base in {shape, *_ANY}:
            continue
        if not columns_of(text, server.sql_mode) and not of_session(text):
            # A constant, which was looked at when it was written.
            continue
        try:
            empty = _is_null(tree(text, server.sql_mode)[0], made)
        except (NoTree, TooHigh):
            empty = None
        if empty is None:
            why = f"whether the default of column {one.name!r} is a {shape} or NULL is not known"
            raise Refused(why, at, "SC002")
        if not empty:
            raise Refused(f"column {one.name!r}: a {shape} is no {one.type.base}", at, "SC002", 1366)


def _is_null(shape: Item, made: Table) -> bool | None:
    """Whether a shape is NULL, as it is where one of its arguments is; None where nobody knows."""
    known = True
    for one in shape.args:
        try:
            if one.name != "rand" and value_of(_filled(one, made)).value is None:
                return True
        except NotComputed:
            known = False
    return False if known else None


def _filled(item: Item, made: Table) -> Item:
    """An expression with what the columns of an empty row hold. Raises NotComputed."""
    if item.kind == "column":
        column = made.column(item.name)
        if column is None:
            raise NotComputed
        return _empty(column)
    return replace(item, args=[_filled(one, made) for one in item.args]) if item.args else item


def _empty(column: Column) -> Item:
    default = column.default
    if default is None or default.kind is DefaultKind.NULL:
        if column.nullable:
            return Item("null")
        if column.type.base in INTEGERS:
            return Item("number", value="0")
    elif default.kind is DefaultKind.LITERAL and column.type.base in INTEGERS:
        return Item("number", value=default.text or "0")
    raise NotComputed
