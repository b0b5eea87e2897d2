"""Findings about a pair, a column of each end, or one end only."""

from __future__ import annotations

import shlex
from typing import TypedDict, Unpack

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion.affected import condition
from schemacheck.dataclass import maker
from schemacheck.model import (
    Affected,
    Column,
    ColumnType,
    Effect,
    Example,
    Finding,
    Server,
    ServerError,
    Side,
    Table,
)
from schemacheck.model.quote import quoted


class More(TypedDict, total=False):
    """What else a finding may say: fields of `Finding`."""

    remedy: str
    remedy_sql: str | None
    error: ServerError | None
    depends_on_rows: bool
    also: tuple[int, ...]
    setting: str | None
    example: Example | None
    statements: tuple[str, ...]


_finding, _side = maker(Finding), maker(Side)
MANUAL = "MySQL manual, Replication with Differing Table Definitions on Source and Replica"


def says_1532(replica: Server) -> str:
    """The manual's section, with what it says about misplaced columns and what the server does."""
    does = (
        "error 1535 where the types do not line up"
        if replica.has("applier-5.1")
        else "no error of its own, only one about types that do not line up"
    )
    return f"{MANUAL}; the 5.6 manual says error 1532 (ER_BINLOG_ROW_RBR_TO_SBR), {replica} raises {does}"


def side(table: Table, column: Column | None, text: str | None = None) -> Side:
    """One end: the column's place, or the table's where there is no column."""
    if column is None:
        return _side(table.location, text)
    return _side(column.location or table.location, text if text is not None else column.type.sql())


def on_cell(
    pair: Pair,
    cell: Cell,
    effect: Effect,
    message: str,
    *,
    texts: tuple[str, str] | None = None,
    reference: str = MANUAL,
    **more: Unpack[More],
) -> Finding:
    """A finding about a common column; the rule's code and name are filled in by the engine."""
    source, replica, here, there = pair.source, pair.replica, cell.source, cell.replica
    shown = texts or (here.type.sql(), there.type.sql())
    return _finding(
        "", "", effect, message, source.database, source.name, here.name,
        _side(here.location or source.location, shown[0]),
        _side(there.location or replica.location, shown[1]), reference=reference,
        affected=affected_by_column(pair, cell, effect) if effect in ABOUT_VALUES else None, **more,
    )  # fmt: skip


def on_table(
    pair: Pair,
    effect: Effect,
    message: str,
    *,
    column: str | None = None,
    source: Side | None = None,
    replica: Side | None = None,
    reference: str = MANUAL,
    **more: Unpack[More],
) -> Finding:
    """A finding about the table, or a column of one end; `statements`: marks of those that show it."""
    return _finding(
        "", "", effect, message, pair.source.database, pair.source.name, column,
        source or _side(pair.source.location), replica or _side(pair.replica.location),
        reference=reference, affected=affected_by_table(pair, effect), **more,
    )  # fmt: skip


def listed(names: list[str]) -> str:
    """`a, b and 3 more`."""
    return ", ".join(names) if len(names) <= 4 else ", ".join(names[:3]) + f" and {len(names) - 3} more"


#: Findings with these effects are about values; the others keep every value, or none arrives.
ABOUT_VALUES = frozenset((Effect.LOSSY, Effect.UNSUPPORTED, Effect.DIVERGES))
#: Characters of a name that no list of pt-table-checksum can hold.
_UNLISTED = frozenset(",.`\\")


def affected_by_column(pair: Pair, cell: Cell, effect: Effect) -> Affected | None:
    """The rows that a finding of this effect about a common column means: a condition on the source where one
    tells exactly, else a query for each end whose results are compared.
    """
    if effect not in ABOUT_VALUES:
        return None
    if not pair.logs_rows:
        return affected_by_table(pair, effect)
    here, there = quoted(cell.source.name), quoted(cell.replica.name)
    where = condition(here, cell.source.type, cell.replica.type, cell.kind, cell.outcome, pair.link)
    same = cell.same_name and _same_place(pair)
    checksum = _checksum(pair.source, cell.source.name) if same else None
    if where is not None:
        return Affected(_query("*", pair.source, f"WHERE {where}"), None, checksum)
    bytes_ = _is_bytes(cell.source.type) or _is_bytes(cell.replica.type)
    return Affected(
        _sum(pair.source, here, bytes_=bytes_), _sum(pair.replica, there, bytes_=bytes_), checksum
    )


def affected_by_table(pair: Pair, effect: Effect) -> Affected | None:
    """The same for a finding about a whole table: only a checksum of all columns tells."""
    if effect not in ABOUT_VALUES or not _same_place(pair):
        return None
    line = _checksum(pair.source)
    return Affected(checksum=line) if line else None


def _is_bytes(column: ColumnType) -> bool:
    return column.holds_bytes or column.is_bit or column.is_vector or column.is_geometry


def _sum(table: Table, column: str, *, bytes_: bool) -> str:
    """A number of values and a sum over them that changes when one of them does."""
    text = f"HEX({column})" if bytes_ else f"CONVERT({column} USING utf8mb4)"
    return _query(f"COUNT({column}), SUM(CRC32({text}))", table)


def _query(what: str, table: Table, *rest: str) -> str:
    place = f"{quoted(table.database)}.{quoted(table.name)}" if table.database else quoted(table.name)
    return " ".join(("SELECT", what, "FROM", place, *rest)) + ";"


def _same_place(pair: Pair) -> bool:
    """Whether the table has one name on both ends: pt-table-checksum's statements are replicated."""
    return (pair.source.database, pair.source.name) == (pair.replica.database, pair.replica.name)


def _checksum(table: Table, column: str | None = None) -> str | None:
    """pt-table-checksum's line; None where one of its lists cannot hold the name."""
    database, name = table.database, table.name
    joined = f"{database or ''}{name}{column or ''}"
    plain = joined.isascii() and joined.isidentifier()
    if not plain and any(
        set(text) & _UNLISTED or not text.isprintable() for text in (database, name, column) if text
    ):
        return None
    words = ["pt-table-checksum"]
    words += [f"--databases={database}", f"--tables={database}.{name}"] if database else [f"--tables={name}"]
    if column:
        words.append(f"--columns={column}")
    return " ".join(words) if plain else shlex.join(words)
