"""Findings about a pair, a column of each end, or one end only."""

from __future__ import annotations

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.dataclass import maker
from schemacheck.findings.affected_rows import ABOUT_VALUES, affected_by_column, affected_by_table
from schemacheck.model import Column, Effect, Example, Finding, Server, ServerError, Side, Table

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
    remedy: str = "",
    remedy_sql: str | None = None,
    error: ServerError | None = None,
    depends_on_rows: bool = False,
    also: tuple[int, ...] = (),
    setting: str | None = None,
    example: Example | None = None,
    reference: str = MANUAL,
    texts: tuple[str, str] | None = None,
    statements: tuple[str, ...] = (),
) -> Finding:
    """A finding about a common column; the rule's code and name are filled in by the engine."""
    source, replica, here, there = pair.source, pair.replica, cell.source, cell.replica
    shown = texts or (here.type.sql(), there.type.sql())
    return _finding(
        "", "", effect, message, source.database, source.name, here.name,
        _side(here.location or source.location, shown[0]),
        _side(there.location or replica.location, shown[1]),
        error, depends_on_rows, setting, remedy, remedy_sql, example, reference, also, None,
        affected_by_column(pair, cell, effect) if effect in ABOUT_VALUES else None, statements,
    )  # fmt: skip


def on_table(
    pair: Pair,
    effect: Effect,
    message: str,
    *,
    column: str | None = None,
    source: Side | None = None,
    replica: Side | None = None,
    remedy: str = "",
    remedy_sql: str | None = None,
    error: ServerError | None = None,
    depends_on_rows: bool = False,
    also: tuple[int, ...] = (),
    setting: str | None = None,
    example: Example | None = None,
    reference: str = MANUAL,
    statements: tuple[str, ...] = (),
) -> Finding:
    """A finding about the table, or about a column of one end. `statements` are the marks of statements to
    which it happens.
    """
    return _finding(
        "", "", effect, message, pair.source.database, pair.source.name, column,
        source or _side(pair.source.location), replica or _side(pair.replica.location),
        error, depends_on_rows, setting, remedy, remedy_sql, example, reference, also,
        affected=affected_by_table(pair, effect), statements=statements,
    )  # fmt: skip


def listed(names: list[str]) -> str:
    """`a, b and 3 more`."""
    return ", ".join(names) if len(names) <= 4 else ", ".join(names[:3]) + f" and {len(names) - 3} more"
