"""Rows as the applier reads them where it takes its own column for the source's: will it run past the event?

A temporal without fraction, a VARCHAR(0), a FLOAT whose lengths happen to be equal: the replica
reads other numbers of bytes than were written. It stops when a row ends behind the event.
"""

from __future__ import annotations

import re
from dataclasses import replace

from schemacheck import knowledge
from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.rows import Rows
from schemacheck.conversion import What
from schemacheck.model import Finding, Server, ServerError
from schemacheck.rules import Pair
from schemacheck.rules.pair import Cell


def as_read(definition: t.TableDefinition, pair: Pair) -> tuple[t.WireColumn, ...] | None:
    """The columns as the replica reads them; None where it reads them as they were written."""
    wrong = [cell for cell in pair.cells if cell.allowed and cell.outcome.what is What.MISREAD]
    if not wrong:
        return None
    columns = list(definition.columns())
    for cell in wrong:
        columns[cell.source_index] = _column(columns[cell.source_index], cell)
    return tuple(columns)


def _column(column: t.WireColumn, cell: Cell) -> t.WireColumn:
    held = cell.replica.type
    if column.type in (t.FLOAT, t.DOUBLE):
        return replace(column, type=t.DOUBLE if held.base == "double" else t.FLOAT)
    if column.type == t.VARCHAR:
        return replace(column, length=held.max_bytes)
    # With a fraction of its own the column is read with it, else with none (create_conversion_table).
    return replace(column, length=held.fraction if cell.outcome.grows or column.length == 0 else 0)


def runs_past(event: Rows, columns: tuple[t.WireColumn, ...]) -> bool:
    """Whether reading the rows so ends behind the event."""
    try:
        for _ in event.rows(None, columns):
            pass
    except DamagedEvent:
        return True
    return False


def error_of(finding: Finding, event: Rows, server: Server, file: str) -> ServerError | None:
    """The finding's error for this event: its name, and the place that the server adds."""
    if finding.error is None:
        return None
    name = {"insert": "Write_rows", "update": "Update_rows", "delete": "Delete_rows"}[event.action]
    message = re.sub(r"\b(?:Write|Update|Delete)_rows", name, finding.error.message)
    if "handler error" in message:
        words = knowledge.load("binlog")["event-place"]
        known = [one for one in words.get(server.flavor, words["mysql"]) if knowledge.version(one["since"]) <= server.version]
        if known:
            message += known[-1]["text"].format(file=file.replace("\\", "/").rsplit("/", 1)[-1], end=event.header.log_pos)
    return replace(finding.error, message=message)
