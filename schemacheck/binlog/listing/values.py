"""Row values and column types in the words of mysqlbinlog -vv."""

from __future__ import annotations

import json
import re
from calendar import timegm
from decimal import Decimal

from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.values import ABSENT, Value
from schemacheck.binlog.values.diff import JsonDiffs

_PLAIN = {
    t.TINY: "TINYINT", t.SHORT: "SHORTINT", t.INT24: "MEDIUMINT", t.LONG: "INT", t.LONGLONG: "LONGINT",
    t.FLOAT: "FLOAT",
    t.DOUBLE: "DOUBLE", t.YEAR: "YEAR", t.DATE: "DATE", t.NEWDATE: "DATE", t.TIME: "TIME",
    t.DATETIME: "DATETIME",
    t.TIMESTAMP: "TIMESTAMP", t.JSON: "JSON", t.GEOMETRY: "GEOMETRY", t.TYPED_ARRAY: "TYPED ARRAY",
    t.DECIMAL: "OLD DECIMAL",
}  # fmt: skip
_SIZED = {
    t.TIME2: "TIME({})", t.DATETIME2: "DATETIME({})", t.TIMESTAMP2: "TIMESTAMP({})", t.BIT: "BIT({})",
    t.STRING: "STRING({})",
    t.VARCHAR: "VARSTRING({})", t.VAR_STRING: "VARSTRING({})",
    t.VARCHAR_COMPRESSED: "VARSTRING({}) COMPRESSED", t.SET: "SET({} bytes)",
}  # fmt: skip
_BLOBS = {1: "TINYBLOB/TINYTEXT", 2: "BLOB/TEXT", 3: "MEDIUMBLOB/MEDIUMTEXT", 4: "LONGBLOB/LONGTEXT"}
_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_CONTROL = re.compile(r"[\x00-\x1f]")


def type_name(column: t.WireColumn, value: Value = None) -> str:
    """The type as mysqlbinlog names it; a VECTOR's dimension is that of the value."""
    kind = column.type
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _SIZED:
        return _SIZED[kind].format(column.length)
    if kind == t.ENUM:
        return "ENUM(1 byte)" if column.length == 1 else f"ENUM({column.length} bytes)"
    if kind == t.NEWDECIMAL:
        return f"DECIMAL({column.length},{column.scale})"
    if kind in (t.BLOB, t.BLOB_COMPRESSED):
        return _BLOBS.get(column.length, "BLOB") + (" COMPRESSED" if kind == t.BLOB_COMPRESSED else "")
    if kind == t.VECTOR:
        dimension = len(value) if isinstance(value, tuple) else column.dimension
        return f"VECTOR({dimension or 0})"
    return f"TYPE {kind}"


def comment(column: t.WireColumn, value: Value) -> str:
    """What stands in the comment behind a value."""
    return (
        f"{type_name(column, value)} meta={column.metadata} nullable={column.nullable:d} "
        f"is_null={value is None:d}"
    )


def shown(value: Value, column: t.WireColumn, number: int) -> str:
    """The value as mysqlbinlog shows it: TIMESTAMP as seconds, ENUM as index, SET and BIT as bits, a JSON
    change as functions on `@number`.
    """
    if value is None:
        return "NULL"
    if value is ABSENT:
        return ""
    if isinstance(value, JsonDiffs):
        return _changes(value, number)
    if isinstance(value, str):
        return _temporal(value, column)
    if isinstance(value, bytes):
        return string(value)
    if isinstance(value, tuple):
        return "[" + ",".join(f"{part:.5e}" for part in value) + "]"
    if isinstance(value, float):
        return f"{value:<20.6g}" if column.type == t.FLOAT else f"{value:.20g}"
    if isinstance(value, Decimal):
        return format(value, "f")
    return _whole(value, column)


def _whole(value: int, column: t.WireColumn) -> str:
    if column.type in t.INTEGERS and value < 0:
        # Nobody knows the sign: both readings are given.
        return f"{value} ({value + (1 << 8 * t.INTEGERS[column.type])})"
    if column.type == t.BIT:
        return f"b'{value:0{column.length}b}'"
    if column.type == t.SET:
        # The tool prints the bytes as they are stored, least significant first.
        return "b'" + "".join(f"{byte:08b}" for byte in value.to_bytes(column.length, "little")) + "'"
    if column.type == t.YEAR and value == 0:
        return "1900"
    return str(value)


def _temporal(value: str, column: t.WireColumn) -> str:
    if column.type in (t.TIMESTAMP, t.TIMESTAMP2):
        whole, point, part = value.partition(".")
        year = int(whole[:4])
        seconds = (
            0
            if year == 0
            else timegm(
                (
                    year,
                    int(whole[5:7]),
                    int(whole[8:10]),
                    int(whole[11:13]),
                    int(whole[14:16]),
                    int(whole[17:19]),
                )
            )
        )
        return f"{seconds}{point}{part}"
    if column.type in (t.DATE, t.NEWDATE):
        return "'" + value.replace("-", ":") + "'"
    if column.type == t.JSON and value.startswith('"'):
        return string(json.loads(value).encode())
    if column.type in (t.JSON, t.TYPED_ARRAY):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return f"'{value}'"


def string(raw: bytes) -> str:
    """Bytes in quotes; what is no UTF-8, and control characters, as backslash, x and two digits."""
    text = raw.decode("utf-8", "backslashreplace") if b"\\" not in raw else _escaped(raw)
    text = text.replace("'", "\\'")
    return "'" + _CONTROL.sub(lambda m: _NAMED.get(m.group()) or f"\\x{ord(m.group()):02x}", text) + "'"


def _escaped(raw: bytes) -> str:
    return raw.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def _changes(value: JsonDiffs, number: int) -> str:
    """Mysqlbinlog nests one function call per kind of change in a row."""
    text = f"@{number}"
    kind = ""
    for operation, path, content in value.changes:
        literal = "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"
        if content:
            inner = content[1:-1] if content.startswith('"') else content
            literal += f", '{inner}'" if content.startswith('"') else f", {_json_argument(content)}"
        function = "JSON_" + operation.upper()
        text = f"{text[:-1]}, {literal})" if kind == operation else f"{function}({text}, {literal})"
        kind = operation
    return text


def _json_argument(content: str) -> str:
    return f"CAST('{content}' AS JSON)" if content[0] in "[{" else content
