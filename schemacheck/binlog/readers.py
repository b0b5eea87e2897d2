"""Event type number -> the function that reads its body."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.events.control import (
    FormatDescription,
    Incident,
    Other,
    Rotate,
    StartEncryption,
    read_format_description,
    read_incident,
    read_rotate,
    read_start_encryption,
)
from schemacheck.binlog.events.gtid import Gtid, MariadbGtid, read_gtid, read_gtid_tagged, read_mariadb_gtid
from schemacheck.binlog.events.payload import TransactionPayload, read_payload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.statement import Query, XaPrepare, Xid, read_query, read_xa_prepare, read_xid
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.header import Format, Header

Event = (
    FormatDescription | Rotate | Incident | Other | StartEncryption | Query | Xid | XaPrepare
    | Gtid | MariadbGtid | TableMap | Rows | TransactionPayload
)  # fmt: skip

#: TABLE_MAP (19) and rows events need the decoder's memory and are read there; every other number is `Other`.
READERS: dict[int, Callable[[Header, Cursor, Format], Event]] = {
    2: read_query,
    4: read_rotate,
    15: read_format_description,
    16: read_xid,
    18: read_query,
    26: read_incident,
    33: read_gtid,
    34: read_gtid,
    38: read_xa_prepare,
    40: read_payload,
    42: read_gtid_tagged,
    162: read_mariadb_gtid,
    164: read_start_encryption,
    165: read_query,
}
