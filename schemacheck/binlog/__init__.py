"""Binary logs: a decoder without I/O, files and streams around it, and what a log will do to a replica.

Here stands the decoder. `files.read_logs` reads files, `listing` prints events, `table.table_from_map`
makes a Table of a table map, `check` holds a log against a replica.
"""

from schemacheck.binlog.decoder import NEED_DATA, Decoder, Event, NeedData, decode
from schemacheck.binlog.errors import (
    BinlogError,
    ChecksumMismatch,
    DamagedEvent,
    EncryptedLog,
    MissingLibrary,
    NotABinlog,
    TruncatedLog,
)
from schemacheck.binlog.header import Format, Header
from schemacheck.binlog.values import ABSENT

__all__ = [
    "ABSENT",
    "NEED_DATA",
    "BinlogError",
    "ChecksumMismatch",
    "DamagedEvent",
    "Decoder",
    "EncryptedLog",
    "Event",
    "Format",
    "Header",
    "MissingLibrary",
    "NeedData",
    "NotABinlog",
    "TruncatedLog",
    "decode",
]
