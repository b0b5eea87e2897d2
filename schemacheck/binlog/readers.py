"""Event type number -> the function that reads its body."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.events.control import (
    BinlogCheckpoint,
    FormatDescription,
    Incident,
    Other,
    Rotate,
    StartEncryption,
    Stop,
    read_format_description,
    read_incident,
)
from schemacheck.binlog.events.gtid import (
    Gtid,
    GtidList,
    MariadbGtid,
    PreviousGtids,
    read_gtid,
    read_gtid_list,
    read_gtid_tagged,
    read_mariadb_gtid,
    read_previous_gtids,
)
from schemacheck.binlog.events.load import (
    ExecuteLoadQuery,
    LoadBlock,
    LoadFile,
    read_block,
    read_execute_load_query,
)
from schemacheck.binlog.events.payload import TransactionPayload, read_payload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.statement import (
    IntVar,
    Query,
    Rand,
    RowsQuery,
    UserVar,
    XaPrepare,
    Xid,
    read_intvar,
    read_query,
    read_rand,
    read_rows_query,
    read_user_var,
    read_xa_prepare,
    read_xid,
)
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.header import Format, Header

#: Events that change nothing and end nothing: what they tell stands in others, or is of no concern to tables.
Idle = (
    Stop | Rotate | BinlogCheckpoint | StartEncryption | IntVar | Rand | UserVar | RowsQuery | LoadBlock
    | LoadFile | PreviousGtids | GtidList
)  # fmt: skip
Event = (
    Idle | FormatDescription | Incident | Other | Query | Xid | XaPrepare | ExecuteLoadQuery
    | Gtid | MariadbGtid | TableMap | Rows | TransactionPayload
)  # fmt: skip

#: TABLE_MAP (19) and rows events need the decoder's memory and are read there; every other number is `Other`.
READERS: dict[int, Callable[[Header, Cursor, Format], Event]] = {
    2: read_query,
    3: lambda header, _, __: Stop(header),
    4: lambda header, c, _: Rotate(header, c.uint(8), text(c.rest())),
    5: read_intvar,
    9: read_block,
    11: lambda header, c, _: LoadFile(header, c.uint(4)),
    13: read_rand,
    14: read_user_var,
    15: read_format_description,
    16: read_xid,
    17: read_block,
    18: read_execute_load_query,
    26: read_incident,
    29: read_rows_query,
    33: read_gtid,
    34: read_gtid,
    35: read_previous_gtids,
    38: read_xa_prepare,
    40: read_payload,
    42: read_gtid_tagged,
    160: read_rows_query,
    161: lambda header, c, _: BinlogCheckpoint(header, text(c.take(c.uint(4)))),
    162: read_mariadb_gtid,
    163: read_gtid_list,
    164: lambda header, c, _: StartEncryption(header, c.uint(1), c.uint(4), c.take(12)),
    165: read_query,
}
