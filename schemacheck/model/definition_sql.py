"""Definitions as SQL, for messages and remedies."""

from __future__ import annotations

import re

from schemacheck.model import Column, DefaultKind, Table
from schemacheck.model.quote import quoted, string

#: A value in bits or hexadecimal digits, as BIT and binary columns keep it.
_BITS = re.compile(r"[bB]'[01]*'|[xX]'[0-9A-Fa-f]*'")


def table_name(table: Table) -> str:
    """The table's qualified name in backquotes."""
    if table.database and table.name:
        return f"{quoted(table.database)}.{quoted(table.name)}"
    return quoted(table.database or table.name)


def column_sql(column: Column) -> str:
    """A column's definition: `` `c` int unsigned NOT NULL DEFAULT '0'``."""
    return f"{quoted(column.name)} {_unnamed(column)}"


def _unnamed(column: Column) -> str:
    """What stands behind the name in a column's definition."""
    parts = [column.type.sql()]
    if column.type.collation and column.type.is_character:
        parts.append(f"COLLATE {column.type.collation}")
    if column.generated:
        parts.append(f"GENERATED ALWAYS AS ({column.expression}) {column.generated.upper()}")
    parts.append("NULL" if column.nullable else "NOT NULL")
    if column.default is not None and column.generated is None:
        parts.append(default_sql(column))
    if column.auto_increment:
        parts.append("AUTO_INCREMENT")
    if column.invisible:
        parts.append("INVISIBLE")
    return " ".join(parts)


def default_sql(column: Column) -> str:
    """`DEFAULT 'x'`, or '' where there is none."""
    if column.default is None:
        return ""
    kind, text = column.default.kind, column.default.text
    if kind is DefaultKind.NULL:
        return "DEFAULT NULL"
    if kind is DefaultKind.CURRENT_TIMESTAMP:
        digits = f"({column.type.fraction})" if column.type.fraction else ""
        return f"DEFAULT CURRENT_TIMESTAMP{digits}"
    if kind is DefaultKind.EXPRESSION:
        return f"DEFAULT ({text})"
    return f"DEFAULT {text if not column.type.is_character and _BITS.fullmatch(text) else string(text)}"


def modify(table: Table, column: Column, definition: Column) -> str:
    """The ALTER that gives a table's column another column's definition, under its own name."""
    return f"ALTER TABLE {table_name(table)} MODIFY COLUMN {quoted(column.name)} {_unnamed(definition)};"
