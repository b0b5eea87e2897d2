"""The columns of a MariaDB sequence: it is a table of one row, and is in row events as such; and the tables
of the SEQUENCE engine (`seq_1_to_9_step_2`), which are there without a definition, in any database.

Source: information_schema.COLUMNS of MariaDB 10.11.19 and 11.8.6 (sql/sql_sequence.cc, sequence_structure).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Column, Key, KeyKind, KeyPart, Table

if TYPE_CHECKING:
    from schemacheck.model.server import Server

_TYPED = ("next_not_cached_value", "minimum_value", "maximum_value", "start_value")
_OTHERS = (
    ("increment", "bigint(21)"),
    ("cache_size", "bigint(21) unsigned"),
    ("cycle_option", "tinyint(1) unsigned"),
    ("cycle_count", "bigint(21)"),
)
#: All of them, in their order.
NAMES = (*_TYPED, *(name for name, _ in _OTHERS))
_SERIES = re.compile(r"seq_\d+_to_\d+(_step_[1-9]\d*)?", re.ASCII)
_WIDTHS = {"tinyint": 5, "smallint": 7, "mediumint": 10, "int": 12, "bigint": 21}


def columns(server: Server, base: str = "bigint", *, unsigned: bool = False) -> tuple[Column, ...]:
    """The columns of a sequence whose values have this type (AS, from 11.5 on; else BIGINT)."""
    base = {"integer": "int", "int4": "int"}.get(base, base)
    if not server.has("sequence-types") or base not in _WIDTHS:
        base, unsigned = "bigint", False
    typed = f"{base}({_WIDTHS[base]})" + (" unsigned" if unsigned else "")
    return tuple(
        Column(name, ColumnType.parse(written), nullable=False)
        for name, written in (*((name, typed) for name in _TYPED), *_OTHERS)
    )


def is_series(name: str) -> bool:
    """Whether MariaDB has a table of the SEQUENCE engine under this name (asked of 10.11 and 11.8)."""
    return _SERIES.fullmatch(name) is not None


def series(database: str, name: str) -> Table:
    """Such a table."""
    column = Column("seq", ColumnType.parse("bigint(20) unsigned"), nullable=False)
    key = Key(KeyKind.PRIMARY, (KeyPart("seq"),), "PRIMARY")
    return Table(name, (column,), database, (key,))
