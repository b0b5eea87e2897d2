"""Rows as the applier reads them where it takes its own column for the source's: will it run past the event?

A temporal without fraction, a VARCHAR(0), a FLOAT whose lengths happen to be equal: the replica
reads other numbers of bytes than were written. It stops when a row ends behind the event.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.alignment.pair import Cell, Pair
from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.rows import VERSION_2, Rows
from schemacheck.conversion import What
from schemacheck.conversion.error import server_error
from schemacheck.dataclass import replace
from schemacheck.model import Server, ServerError


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


def runs_past(event: Rows, columns: tuple[t.WireColumn, ...]) -> str | None:
    """Whether reading the rows so ends behind the event: the name of the applier's error, or None."""
    try:
        for _ in event.rows(None, columns):
            pass
    except DamagedEvent as error:
        # A next value that begins behind the event is one error, a row that ends there another.
        return "corrupt-event" if error.later else "corrupt-event-at-end"
    return None


def error_of(name: str, event: Rows, server: Server, table: tuple[str, str], file: str) -> ServerError | None:
    """The applier's error for this event, with its name and its place."""
    action = {"insert": "Write_rows", "update": "Update_rows", "delete": "Delete_rows"}[event.action]
    error = server_error(name, server, *table, event=action)
    if error is None:
        return None
    message = error.message
    if event.header.code in VERSION_2:
        message = message.replace(f"{action}_v1", action)
    if "handler error" in message:
        words = knowledge.load("binlog")["event-place"]
        known = [
            one
            for one in words.get(server.flavor, words["mysql"])
            if knowledge.version(one["since"]) <= server.version
        ]
        if known:
            message += known[-1]["text"].format(
                file=file.replace("\\", "/").rsplit("/", 1)[-1], end=event.header.log_pos
            )
    return replace(error, message=message)
