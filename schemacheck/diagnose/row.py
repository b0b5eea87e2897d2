"""The rows of the event that stopped an applier, read from the source's log, as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal

from schemacheck.binlog import BinlogError, Decoder
from schemacheck.binlog.decoder import MAGIC
from schemacheck.binlog.events.control import Rotate
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import Image, Rows
from schemacheck.binlog.events.statement import Xid
from schemacheck.binlog.readers import Event
from schemacheck.binlog.unpack import unpacked
from schemacheck.model import Column, KeyKind, Table
from schemacheck.model.quote import quoted, string

#: Bytes of the log that are read for an event, and rows that a person looks at.
_MOST_BYTES, MOST_ROWS = 1 << 26, 5


def images(pieces: Iterable[bytes], table: Table, action: str, end: int) -> tuple[Image, ...]:
    """What the table's rows were, or shall be (`insert`), in the transaction with an event that ends at
    `end`; () where it cannot be told.
    """
    rowses: list[Rows] = []
    with suppress(BinlogError):
        for position, event in _events(pieces):
            if isinstance(event, Rows) and event.table is not None:
                if (event.table.database, event.table.name) == (table.database, table.name):
                    rowses.append(event)
            elif isinstance(event, Xid) and rowses:
                if position >= end:
                    break
                rowses.clear()
        alone = [event for event in rowses if event.header.log_pos == end]
        return _rows(rowses, table, action) or _rows(alone, table, action)
    return ()


def _rows(events: Sequence[Rows], table: Table, action: str) -> tuple[Image, ...]:
    """In the log's order: the first image of a row is the one before all."""
    if {event.action for event in events} != {action} or sum(e.count() for e in events) > MOST_ROWS:
        return ()
    signs = tuple(column.type.unsigned for column in table.columns)
    rows = [row.after if row.before is None else row.before for e in events for row in e.rows(signs)]
    return tuple(row for row in rows if row is not None and len(row) == len(signs))


def _events(pieces: Iterable[bytes]) -> Iterator[tuple[int, Event]]:
    """Each event, and where it ends in the log, for those of a payload where that ends."""
    decoder, size = Decoder(), 0
    decoder.feed(MAGIC)
    for piece in pieces:
        size += len(piece)
        if size > _MOST_BYTES:
            return
        if decoder.format is None and piece[4:5] == b"\4":
            continue  # a Rotate that is in no file says which file comes
        decoder.feed(piece)
        for event in decoder.events():
            if isinstance(event, Rotate):
                return
            inner = unpacked(event) if isinstance(event, TransactionPayload) else (event,)
            yield from ((event.header.log_pos, item) for item in inner)


def literals(image: Image, table: Table) -> tuple[str, ...] | None:
    """The values as SQL; None where one is missing in the image, or has no literal."""
    texts = [_literal(value, column) for value, column in zip(image, table.columns, strict=True)]
    return None if None in texts else tuple(filter(None, texts))


def _literal(value: object, column: Column) -> str | None:
    if value is None:
        return "NULL"
    if isinstance(value, int | Decimal):
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, bytes):
        charset = column.type.charset if column.type.is_character else None
        if charset in ("utf8mb4", "utf8mb3", "ascii", "latin1") and value.isascii():
            return string(value.decode("ascii"))
        return (f"_{charset} " if charset else "") + f"X'{value.hex().upper()}'"
    return string(value) if isinstance(value, str) else None


def key_columns(table: Table, name: str = "PRIMARY") -> tuple[int, ...]:
    """The places of a key's columns; () where it has a prefix or an expression, or is not there."""
    key = next((k for k in table.keys if (k.name or "PRIMARY").casefold() == name.casefold()), None)
    if key is None or any(part.column is None or part.length for part in key.parts):
        return ()
    names = [column.name.casefold() for column in table.columns]
    return tuple(names.index((part.column or "").casefold()) for part in key.parts)


def condition(rows: Iterable[Image], table: Table, name: str = "PRIMARY") -> str:
    """What finds the rows by a key, else by all their columns; '' if nothing does."""
    places = key_columns(table, name)
    if not places and not any(key.kind is KeyKind.PRIMARY for key in table.keys):
        places = tuple(range(len(table.columns)))
    return _equal(rows, table, places, [table.columns[at].name for at in places])


def equal(rows: Iterable[Image], table: Table, columns: Sequence[str], names: Sequence[str]) -> str:
    """What finds the rows of another table whose columns `names` have the values of `columns`."""
    every = [column.name for column in table.columns]
    return _equal(rows, table, [every.index(name) for name in columns if name in every], names)


def _equal(rows: Iterable[Image], table: Table, places: Sequence[int], names: Sequence[str]) -> str:
    texts = []
    for row in rows:
        values = literals(row, table)
        if values is None or not places:
            return ""
        equal = (f"{quoted(name)} <=> {values[at]}" for at, name in zip(places, names, strict=True))
        texts.append(" AND ".join(equal).replace("<=> NULL", "IS NULL").replace("<=>", "="))
    texts = list(dict.fromkeys(texts))
    return " OR ".join(f"({text})" for text in texts) if len(texts) > 1 else "".join(texts)


def insert(rows: tuple[Image, ...], table: Table) -> tuple[str, ...]:
    """INSERTs for rows of the source that the replica lacks; () without literals or a primary key."""
    values = [literals(row, table) for row in rows]
    keyed = any(key.kind is KeyKind.PRIMARY for key in table.keys)
    remaining = [at for at, column in enumerate(table.columns) if not column.generated]
    if not values or None in values or (len(values) > 1 and not keyed):
        return ()
    names = ", ".join(quoted(table.columns[at].name) for at in remaining)
    texts = ", ".join(f"({', '.join(row[at] for at in remaining)})" for row in values if row is not None)
    ignore = " IGNORE" if len(values) > 1 else ""
    zone = ["SET SESSION time_zone = '+00:00';"]
    moments = any(table.columns[at].type.is_timestamp for at in remaining)
    where = f"{quoted(table.database or '')}.{quoted(table.name)}"
    return (*(zone if moments else ()), f"INSERT{ignore} INTO {where} ({names}) VALUES {texts};")
