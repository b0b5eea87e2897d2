"""Definitions as SQL, for messages and remedies."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.model import Column, ColumnType, DefaultKind, KeyKind, Server, Table, charset
from schemacheck.model.quote import quoted, string

#: A value in bits or hexadecimal digits, as BIT and binary columns keep it.
_BITS = re.compile(r"[bB]'[01]*'|[xX]'[0-9A-Fa-f]*'")

_COLLATE = re.compile(r"(\bCOLLATE[ =]+)(\w+)", re.IGNORECASE)
#: The columns of system versioning, and a capability.
_PERIOD = ("row start", "row end")
_EXPRESSIONS = "ddl-default-expression"


def table_name(table: Table) -> str:
    """The table's qualified name in backquotes."""
    if table.database and table.name:
        return f"{quoted(table.database)}.{quoted(table.name)}"
    return quoted(table.database or table.name)


def _fitted(column: Column, server: Server, *, counts: bool) -> tuple[Column, list[str]] | None:
    """The column as this server takes it, and what it does not have; None where nothing is near."""
    kind, missing = column.type, []
    needs = knowledge.load("reserved")["types"].get(kind.base)
    if needs and not server.has(needs):
        return None
    if column.generated and (not server.has("ddl-generated") or column.expression in _PERIOD):
        return None
    if kind.is_character and kind.charset and not charset.has_charset(kind.charset, server.has):
        return None
    if kind.is_character and kind.collation:
        near = charset.nearest_collation(kind.collation, server.flavor, server.version, server.has)
        if near != kind.collation:
            missing.append(kind.collation)
            kind = replace(kind, collation=near)
    default = column.default
    if default is not None and default.kind is DefaultKind.LITERAL and _no_literal(kind, server):
        default = replace(default, kind=DefaultKind.EXPRESSION, text=string(default.text))
    if default is not None and default.kind is DefaultKind.EXPRESSION and not server.has(_EXPRESSIONS):
        missing.append("expression as DEFAULT")
        default = None
    if column.auto_increment and not counts:
        missing.append("AUTO_INCREMENT without a key")
        column = replace(column, auto_increment=False)
    # MariaDB wants a value for what no INSERT names (asked of 10.11 and 11.8).
    valued = not server.mariadb or column.nullable or column.has_default
    if column.invisible and not (valued and server.has("ddl-invisible")):
        missing.append("INVISIBLE" if valued else "INVISIBLE without a default")
        column = replace(column, invisible=False)
    if kind is not column.type or default is not column.default:
        column = replace(column, type=kind, default=default)
    return column, missing


def _no_literal(kind: ColumnType, server: Server) -> bool:
    """Whether MySQL takes no literal as the type's default (1101)."""
    return not server.mariadb and (kind.is_lob or kind.is_geometry or kind.is_json)


def _unnamed(column: Column, server: Server) -> str:
    """What stands behind the name in a column's definition."""
    parts = [column.type.sql()]
    if column.type.collation and column.type.is_character:
        parts.append(f"COLLATE {column.type.collation}")
    if column.generated:
        parts.append(f"GENERATED ALWAYS AS ({column.expression}) {column.generated.upper()}")
    if not (column.generated and server.mariadb):
        parts.append("NULL" if column.nullable else "NOT NULL")
    if column.default is not None and column.generated is None:
        parts.append(default_sql(column))
    if column.on_update:
        digits = f"({column.type.fraction})" if column.type.fraction else ""
        parts.append(f"ON UPDATE CURRENT_TIMESTAMP{digits}")
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


def modify(table: Table, column: Column, definition: Column, server: Server, place: str = "") -> str | None:
    """The ALTER that gives a table's column another column's definition, under its own name, as the table's
    server takes it: a comment says what it does not have. None where it takes nothing near.
    """
    keys = [key for key in table.keys if any(part.column == column.name for part in key.parts)]
    if place == f" AFTER {quoted(column.name)}" or (
        definition.nullable and any(key.kind in (KeyKind.PRIMARY, KeyKind.SPATIAL) for key in keys)
    ):
        return None
    first = any(key.parts[0].column == column.name for key in keys)
    counts = first and not any(item.auto_increment for item in table.columns if item is not column)
    return _altered(table, f"MODIFY COLUMN {quoted(column.name)}", definition, server, place, counts=counts)


def add(table: Table, column: Column, server: Server, place: str = "") -> str | None:
    """The ALTER that adds another table's column; None where there is one of its name, or as `modify`."""
    if table.column(column.name) is not None:
        return None
    return _altered(table, f"ADD COLUMN {quoted(column.name)}", column, server, place, counts=False)


def rename(table: Table, column: Column, name: str, server: Server) -> str | None:
    """The ALTER that gives a table's column another name."""
    if server.has("ddl-rename-column"):
        return f"ALTER TABLE {table_name(table)} RENAME COLUMN {quoted(column.name)} TO {quoted(name)};"
    action = f"CHANGE COLUMN {quoted(column.name)} {quoted(name)}"
    return _altered(table, action, column, server, "", counts=column.auto_increment)


def _altered(
    table: Table, action: str, column: Column, server: Server, place: str, *, counts: bool
) -> str | None:
    fitted = _fitted(column, server, counts=counts)
    if fitted is None:
        return None
    column, missing = fitted
    note = f" -- {server} takes no {', no '.join(missing)}" if missing else ""
    return f"ALTER TABLE {table_name(table)} {action} {_unnamed(column, server)}{place};{note}"


def created(text: str, server: Server, table: Table | None = None, home: str | None = None) -> str:
    """A CREATE TABLE with the nearest collations that the server has; that of a `table` names its database,
    or `home` instead.
    """
    if table is not None and table.database:
        head, bracket, rest = text.partition("(")
        names = [re.escape(word) for word in (quoted(table.name), table.name)]
        homes = [re.escape(word) for word in (quoted(table.database), table.database)]
        given = rf"(?:(?:{'|'.join(homes)})\s*\.\s*)?(?:{'|'.join(names)})\s*\Z"
        name = table_name(replace(table, database=home or table.database))
        text = re.sub(rf"(?<=\s){given}", lambda _: f"{name} ", head, count=1) + bracket + rest
        for key in table.foreign_keys:  # 5.6 looks for a parent in the default database
            for word in (
                (quoted(key.ref_table), key.ref_table) if key.ref_database in (None, table.database) else ()
            ):
                above = table_name(replace(table, database=home or table.database, name=key.ref_table))
                text = re.sub(
                    rf"(?<= (?i:REFERENCES) ){re.escape(word)}(?= ?\()", above.replace("\\", r"\\"), text
                )
    return _COLLATE.sub(
        lambda match: (
            match[1] + charset.nearest_collation(match[2], server.flavor, server.version, server.has)
        ),
        text.strip().rstrip(";") + ";",
    )
