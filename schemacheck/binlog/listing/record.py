"""Events as plain values, one JSON object each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from functools import lru_cache
from typing import Any

from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events import payload, statement
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.table_map import TableDefinition, TableMap, WireColumn
from schemacheck.binlog.readers import Event
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.values import ABSENT, Value
from schemacheck.binlog.values.json import Json

_LEFT_OUT = frozenset({"header", "status", "format", "table", "payload", "body"})
#: Type code -> name (field_types.h).
_TYPES = {code: name for name, code in vars(t).items() if name.isupper() and isinstance(code, int)}


def record(event: Event, *, inside: bool = True) -> dict[str, Any]:
    """The event as a dict of JSON values.

    The header's fields under their names, `type` with the number and `name`; the body's fields under
    theirs. Bytes that are UTF-8 are text, others `{"hex": "..."}`. Rows are lists of
    {"before": {...}, "after": {...}}, by column name where the log has names, else by `@number`.
    `inside`: with the events of a transaction payload.
    """
    header = event.header
    kind: type[Any] = type(event)
    result: dict[str, Any] = {
        "position": header.position, "end": header.end, "timestamp": header.timestamp, "type": header.code,
        "name": header.name,
        "server_id": header.server_id, "size": header.size, "log_pos": header.log_pos,
        "flags": list(header.flag_names) if header.flags else [],
    }  # fmt: skip
    if header.checksum is not None:
        result["checksum"] = f"0x{header.checksum:08x}"
    for name, key in _keys(kind):
        value = getattr(event, name)
        result[key] = value if value is None or type(value) in _AS_IS else plain(value)
    if kind not in _MORE:
        return result
    if isinstance(event, statement.Query) and event.status:
        result["variables"] = {name: plain(value) for name, value in event.variables().items()}
    if isinstance(event, TableMap):
        result.update(_table(event.table))
    if isinstance(event, Rows):
        result["body_flags"] = list(event.flag_names)
        result["action"] = event.action
        result["table"] = event.table.qualified_name if event.table else None
        try:
            result["rows"] = list(row_records(event))
        except DamagedEvent as error:
            result["unreadable"] = error.reason
            result["bytes"] = event.body.hex()
    if isinstance(event, payload.TransactionPayload) and inside:
        result["events"] = [record(inner) for inner in unpacked(event)]
    return result


#: Event types whose records have more than their fields.
_MORE = frozenset({statement.Query, TableMap, Rows, payload.TransactionPayload})
#: One encoder for all lines: making one costs more than using it.
encode = json.JSONEncoder(ensure_ascii=False).encode
_AS_IS = frozenset({int, bool, float})
#: The names of the header's part of a record, which fields of a body must not hide.
HEADER = frozenset(
    {"position", "end", "timestamp", "type", "name", "server_id", "size", "log_pos", "flags", "checksum"}
)


_KEYS: dict[type, tuple[tuple[str, str], ...]] = {}


def _keys(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """The fields of an event type, and their names in a record."""
    key = _KEYS.get(kind)
    if key is None:
        names = [field.name for field in fields(kind) if field.name not in _LEFT_OUT]
        key = _KEYS[kind] = tuple((name, f"body_{name}" if name in HEADER else name) for name in names)
    return key


def row_records(event: Rows) -> Iterator[dict[str, Any]]:
    """The rows of an event."""
    if event.table is None:
        return
    columns = event.table.columns()
    names = [column.name or f"@{n}" for n, column in enumerate(columns, 1)]
    for row in event.rows():
        yield {
            word: {
                name: plain(value) for name, value in zip(names, image, strict=True) if value is not ABSENT
            }
            for word, image in (("before", row.before), ("after", row.after))
            if image is not None
        }


@lru_cache(maxsize=1024)
def _table(table: TableDefinition) -> dict[str, Any]:
    return {
        "database": table.database,
        "table": table.name,
        "table_flags": table.flags,
        "columns": [_column(column) for column in table.columns()],
        "primary_key": [index for index, _ in table.primary_key()],
    }


def _column(column: WireColumn) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": _TYPES.get(column.type, "UNKNOWN"),
        "code": column.type,
        "length": column.length,
        "metadata": column.metadata,
        "nullable": column.nullable,
    }
    for name in ("name", "unsigned", "collation", "members", "geometry", "dimension", "visible"):
        value = getattr(column, name)
        if value is not None:
            result[name] = plain(value)
    return result


def plain(value: Value | tuple[Any, ...] | object) -> Any:
    """A value that JSON can hold; decimals are text, lest JSON readers round them."""
    if type(value) is str:
        return value
    if isinstance(value, Json):
        return json.loads(value)
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return {"hex": value.hex()}
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
