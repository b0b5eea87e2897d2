"""Binary logs: a decoder without I/O, files around it (`files`), listings, table maps as tables (`table`)."""

from schemacheck.binlog.decoder import Decoder, decode
from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.values import ABSENT

__all__ = ["ABSENT", "BinlogError", "DamagedEvent", "Decoder", "decode"]
