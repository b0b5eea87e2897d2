"""Columns that are in the row image and not in information_schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.model import Column, ColumnType, Key, KeyKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.inputs.table_columns import Columns
    from schemacheck.model import Server

#: The generated invisible primary key (MySQL manual, "Generated Invisible Primary Keys"), which
#: information_schema hides on demand.
GIPK = Column(
    "my_row_id", ColumnType.parse("bigint unsigned"), nullable=False, auto_increment=True, invisible=True
)
#: The period columns of WITH SYSTEM VERSIONING, which are in the row image and not in information_schema.
PERIOD = tuple(
    Column(
        f"row_{end}",
        ColumnType.parse("timestamp(6)"),
        nullable=False,
        generated="stored",
        expression=f"row {end}",
        invisible=True,
    )
    for end in ("start", "end")
)


def hash_column(number: int, key: Key, server: Server) -> Column:
    """The hidden column behind a UNIQUE key that MariaDB keeps as a hash: it is in the row image and not in
    information_schema (recorded on 10.11 and 11.8).
    """
    names = ",".join(f"`{part.column}`" for part in key.parts)
    return Column(
        f"DB_ROW_HASH_{number}",
        ColumnType.parse(f"bigint({0 if server.has('unique-hash-of-width-0') else 8}) unsigned"),
        generated="virtual",
        expression=f"hash({names})",
        invisible=True,
    )


def is_gipk(first: Column, server: Server) -> bool:
    """Whether a table's first column is the generated invisible primary key."""
    return first == GIPK and server.has("gipk")


def may_hide_gipk(known: Columns, keys: Sequence[Key]) -> bool:
    """Whether a table without a first column may have the generated primary key: not beside another primary
    key or a UNIQUE key that is NOT NULL, which COLUMN_KEY calls PRI (recorded on 9.7.4).
    """
    needed = {column.name.casefold() for column in known.columns if not column.nullable}
    other = any(
        key.kind in (KeyKind.PRIMARY, KeyKind.UNIQUE)
        and all(
            part.column is not None and part.length is None and part.column.casefold() in needed
            for part in key.parts
        )
        for key in keys
    )
    primary = any(
        key.kind is KeyKind.PRIMARY and [part.column for part in key.parts] != [GIPK.name] for key in keys
    )
    return not (other or primary or known.primary)
