"""Events and values in the words of mysqlbinlog -vv, which the truth files quote. Times are UTC."""

from __future__ import annotations

import json
import re
from calendar import timegm
from collections.abc import Callable
from decimal import Decimal
from time import gmtime, strftime
from typing import Any

from schemacheck.binlog.events import control, gtid, load, payload, statement
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.readers import Event
from schemacheck.binlog.values import ABSENT, Value
from schemacheck.model.quote import quoted

_ROWS = {
    23: "Write_rows", 24: "Update_rows", 25: "Delete_rows",
    30: "Write_rows", 31: "Update_rows", 32: "Delete_rows", 39: "Update_rows_partial",
    166: "Write_compressed_rows",
    167: "Update_compressed_rows", 168: "Delete_compressed_rows", 169: "Write_compressed_rows",
    170: "Update_compressed_rows",
    171: "Delete_compressed_rows",
}  # fmt: skip


def label(event: Event) -> str:
    """The event in one line, as the vendor's tool names it."""
    writer = _LABELS.get(type(event))
    return writer(event) if writer else event.header.name


def _query(name: str) -> Callable[[Any], str]:
    def write(e: statement.Query | load.ExecuteLoadQuery) -> str:
        text = f"{name}\tthread_id={e.thread_id}\texec_time={e.exec_time}\terror_code={e.error_code}"
        variables = statement.status_variables(e.status, e.header.position) if e.status else {}
        if "ddl_xid" in variables:
            text += f"\tXid = {variables['ddl_xid']}"
        if "xid" in variables:
            text += f"\txid={variables['xid']}"
        return text

    return write


_plain_query, _compressed_query = _query("Query"), _query("Query_compressed")


def _start(e: control.FormatDescription) -> str:
    created = " at startup" if e.created else ""
    return (
        f"Start: binlog v {e.binlog_version}, server v {e.server_version} created "
        f"{strftime('%y%m%d %k:%M:%S', gmtime(e.header.timestamp))}{created}"
    )


def _gtid(e: gtid.Gtid) -> str:
    name = "Anonymous_GTID" if e.header.code == 34 else "GTID"
    sizes = f"transaction_length={e.transaction_length}\t{e.gtid}"
    return (
        f"{name}\tlast_committed={e.last_committed}\tsequence_number={e.sequence_number}"
        f"\trbr_only={'no' if e.flags & 1 else 'yes'}"
        f"\toriginal_committed_timestamp={e.original_commit_timestamp}\timmediate_commit_timestamp={e.immediate_commit_timestamp}\t{sizes}"
    )


def _mariadb_gtid(e: gtid.MariadbGtid) -> str:
    words = [f"GTID {e.gtid}"]
    if e.commit_id is not None:
        words.append(f"cid={e.commit_id}")
    words += [word for flag, word in ((32, "ddl"), (4, "trans"), (16, "waited")) if e.flags & flag]
    words += [word for flag, word in ((2, "START ALTER"), (4, f"COMMIT ALTER id= {e.start_alter}"), (8,
    f"ROLLBACK ALTER id= {e.start_alter}"))
              if e.extra_flags & flag]  # fmt: skip
    if e.thread_id is not None:
        words.append(f"thread_id={e.thread_id}")
    return " ".join(words)


def _rows(e: Rows) -> str:
    flags = " flags: " + " ".join(e.flag_names) if e.flag_names else ""
    return f"{_ROWS[e.header.code]}: table id {e.table_id}{flags}"


def _user_var(e: statement.UserVar) -> str:
    value = e.value
    if isinstance(value, bytes):
        value = string(value)
    return f"User_var @{quoted(e.name)}={'NULL' if value is None else value}"


_LABELS: dict[type, Callable[[Any], str]] = {
    control.FormatDescription: _start,
    control.Stop: lambda _: "Stop",
    control.Rotate: lambda e: f"Rotate to {e.next_log}  pos: {e.position}",
    control.Incident: lambda e: f"Incident: {e.number} {e.message}",
    control.BinlogCheckpoint: lambda e: f"Binlog checkpoint {e.log}",
    control.StartEncryption: lambda e: f"Start_encryption: scheme {e.scheme}, key version {e.key_version}",
    statement.Query: lambda e: (_compressed_query if e.header.code == 165 else _plain_query)(e),
    statement.IntVar: lambda e: f"Intvar {e.kind}={e.value}",
    statement.Rand: lambda e: f"Rand seed1={e.seed1} seed2={e.seed2}",
    statement.UserVar: _user_var,
    statement.Xid: lambda e: f"Xid = {e.xid}",
    statement.XaPrepare: lambda e: (
        f"XA {'COMMIT' if e.one_phase else 'PREPARE'} {e.xid}{' ONE PHASE' if e.one_phase else ''}"
    ),
    statement.RowsQuery: lambda e: "Rows_query" if e.header.code == 29 else "Annotate_rows:",
    load.LoadBlock: lambda e: (
        f"{'Append_block' if e.header.code == 9 else 'Begin_load_query'}: file_id: {e.file_id}  block_len: "
        f"{len(e.block)}"
    ),
    load.LoadFile: lambda e: f"Delete_file: file_id={e.file_id}",
    load.ExecuteLoadQuery: _query("Execute_load_query"),
    gtid.Gtid: _gtid,
    gtid.PreviousGtids: lambda _: "Previous-GTIDs",
    gtid.MariadbGtid: _mariadb_gtid,
    gtid.GtidList: lambda e: f"Gtid list [{', '.join(e.gtids)}]",
    TableMap: lambda e: (
        f"Table_map: {quoted(e.table.database)}.{quoted(e.table.name)} mapped to number {e.table_id}"
    ),
    Rows: _rows,
    payload.TransactionPayload: lambda e: (
        f"Transaction_Payload\t\tpayload_size={len(e.payload)}\tcompression_type={e.compression_name}\tuncompressed_size={e.uncompressed_size}"
    ),
}


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


def shown(value: Value, column: t.WireColumn) -> str:
    """The value as mysqlbinlog shows it: TIMESTAMP as seconds, ENUM as index, SET and BIT as bits."""
    if value is None:
        return "NULL"
    if value is ABSENT:
        return ""
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


def changes(value: str, number: int) -> str:
    """JSON changes as functions on `@number`: mysqlbinlog nests one call per kind of change in a row."""
    text = f"@{number}"
    kind = ""
    for operation, path, *content in json.loads(value):
        literal = "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"
        if content:
            literal += f", {_json_argument(content[0])}"
        function = "JSON_" + operation.upper()
        text = f"{text[:-1]}, {literal})" if kind == operation else f"{function}({text}, {literal})"
        kind = operation
    return text


def _json_argument(content: Any) -> str:
    if isinstance(content, str):
        return f"'{content}'"
    plain = json.dumps(content, ensure_ascii=False)
    return f"CAST('{plain}' AS JSON)" if isinstance(content, list | dict) else plain
