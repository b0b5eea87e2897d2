"""Events as text, in the manner of mysqlbinlog -vv --base64-output=decode-rows. Times are UTC."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from schemacheck.binlog.errors import DamagedEvent
from schemacheck.binlog.events import control, gtid, load, payload, statement
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.header import Header
from schemacheck.binlog.listing.values import comment, shown, string
from schemacheck.binlog.readers import Event
from schemacheck.binlog.transaction import unpacked
from schemacheck.binlog.values import ABSENT
from schemacheck.binlog.values.temporal import civil
from schemacheck.model.quote import quoted

_ROWS = {
    20: "Write_rows_old", 21: "Update_rows_old", 22: "Delete_rows_old", 23: "Write_rows", 24: "Update_rows",
    25: "Delete_rows",
    30: "Write_rows", 31: "Update_rows", 32: "Delete_rows", 39: "Update_rows_partial",
    166: "Write_compressed_rows",
    167: "Update_compressed_rows", 168: "Delete_compressed_rows", 169: "Write_compressed_rows",
    170: "Update_compressed_rows",
    171: "Delete_compressed_rows",
}  # fmt: skip
_VERBS = {"insert": "INSERT INTO", "update": "UPDATE", "delete": "DELETE FROM"}


@lru_cache(maxsize=4096)
def clock(seconds: int) -> str:
    """`250101  0:00:00`: the time as mysqlbinlog writes it, UTC."""
    days, rest = divmod(seconds, 86400)
    year, month, day = civil(days)
    return f"{year % 100:02d}{month:02d}{day:02d} {rest // 3600:2d}:{rest // 60 % 60:02d}:{rest % 60:02d}"


def head(header: Header) -> str:
    """The two lines above every event, up to the label."""
    checksum = f" CRC32 0x{header.checksum:08x}" if header.checksum is not None else ""
    return (
        f"# at {header.position}\n#{clock(header.timestamp)} server id {header.server_id}  "
        f"end_log_pos {header.log_pos}{checksum} \t"
    )


def label(event: Event) -> str:
    """The event in one line, as the vendor's tool names it."""
    writer = _LABELS.get(type(event))
    return writer(event) if writer else event.header.name


def body(event: Event, *, rows: bool = True) -> Iterator[str]:
    """The lines below the label: statements, and rows where wanted, as bytes where they
    cannot be read.
    """
    if isinstance(event, statement.Query | load.ExecuteLoadQuery):
        if event.database and not event.header.flags & 8:
            yield f"use {quoted(event.database)};"
        yield f"{event.query};"
    elif isinstance(event, statement.RowsQuery):
        for line in event.query.splitlines():
            yield f"# {line}"
    elif isinstance(event, gtid.PreviousGtids):
        for one in event.ranges:
            yield f"# {one}"
    elif isinstance(event, control.Other):
        yield f"# {len(event.body)} bytes skipped" + ("" if event.known else ": this type is not documented")
    elif isinstance(event, Rows) and rows and event.body is not None:
        yield from row_lines(event)


#: How the rows of an event begin that are shown as bytes.
UNREADABLE = "### rows that cannot be read"


def row_lines(event: Rows) -> Iterator[str]:
    """The rows in pseudo SQL."""
    if event.table is None:
        yield f"### no table map for table id {event.table_id}"
        return
    columns = event.table.columns()
    try:
        rows = list(event.rows())
    except DamagedEvent as error:
        # A row that was misread may look like one: none of them is shown as values then.
        yield f"{UNREADABLE}: {error.reason}"
        yield f"### {len(event.body or b'')} bytes: {(event.body or b'').hex()}"
        return
    for row in rows:
        yield f"### {_VERBS[event.action]} {quoted(event.table.database)}.{quoted(event.table.name)}"
        for word, image in (("WHERE", row.before), ("SET", row.after)):
            if image is None:
                continue
            yield f"### {word}"
            for number, (value, column) in enumerate(zip(image, columns, strict=True), 1):
                if value is not ABSENT:
                    yield f"###   @{number}={shown(value, column, number)} /* {comment(column, value)} */"


def lines(event: Event, *, rows: bool = True) -> Iterator[str]:
    """All lines about one event, those inside a transaction payload with it."""
    yield head(event.header) + label(event)
    yield from body(event, rows=rows)
    if isinstance(event, payload.TransactionPayload):
        for inner in unpacked(event):
            yield from lines(inner, rows=rows)
        yield f"# End of compressed events of the payload at {event.header.position}"


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


def _start(e: control.FormatDescription | control.Start) -> str:
    created = " at startup" if e.created else ""
    return (
        f"Start: binlog v {e.binlog_version}, server v {e.server_version} created "
        f"{clock(e.header.timestamp)}{created}"
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


def _load(e: load.Load) -> str:
    block = f" file_id={e.file_id} block_len={len(e.block)}" if e.file_id is not None else ""
    options = " ".join(e.flag_names)
    columns = f" ({', '.join(map(quoted, e.columns))})" if e.columns else ""
    table = f"{quoted(e.database)}.{quoted(e.table)}" if e.database else quoted(e.table)
    name = {6: "Load", 8: "Create_file", 12: "New_load"}[e.header.code]
    delimiters = ", ".join(
        f"{word} {string(text.encode())}"
        for word, text in (
            ("fields", e.field_term), ("enclosed", e.enclosed), ("escaped", e.escaped), ("lines",
            e.line_term), ("starting", e.line_start),
        )
    )  # fmt: skip
    return (
        f"{name}: {string(e.file.encode())} into {table}{columns} ignore {e.skip_lines} lines, "
        f"{delimiters} {options}{block}"
    ).rstrip()


_LABELS: dict[type, Callable[[Any], str]] = {
    control.Start: _start,
    control.FormatDescription: _start,
    control.Stop: lambda _: "Stop",
    control.Rotate: lambda e: f"Rotate to {e.next_log}  pos: {e.position}",
    control.Slave: lambda e: f"Slave: {e.host}:{e.port} {e.log} pos: {e.position}",
    control.Incident: lambda e: f"Incident: {e.number} {e.message}",
    control.Heartbeat: lambda e: f"Heartbeat {e.log} pos: {e.position}",
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
    load.Load: _load,
    load.LoadBlock: lambda e: (
        f"{'Append_block' if e.header.code == 9 else 'Begin_load_query'}: file_id: {e.file_id}  block_len: "
        f"{len(e.block)}"
    ),
    load.LoadFile: lambda e: f"{'Exec_load' if e.header.code == 10 else 'Delete_file'}: file_id={e.file_id}",
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
