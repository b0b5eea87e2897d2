"""Binary logs: a decoder without I/O, files around it (`files`), listings, table maps as tables (`table`)."""

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
