"""The common header, the file's format, and the names of event types."""

from __future__ import annotations

from typing import NamedTuple

from schemacheck.dataclass import dataclass

#: Type number -> name as SHOW BINLOG EVENTS' enum names it (log_event.h, Log_event_type).
NAMES = {
    0: "UNKNOWN_EVENT", 1: "START_EVENT", 2: "QUERY_EVENT", 3: "STOP_EVENT", 4: "ROTATE_EVENT",
    5: "INTVAR_EVENT",
    6: "LOAD_EVENT", 7: "SLAVE_EVENT", 8: "CREATE_FILE_EVENT", 9: "APPEND_BLOCK_EVENT", 10: "EXEC_LOAD_EVENT",
    11: "DELETE_FILE_EVENT", 12: "NEW_LOAD_EVENT", 13: "RAND_EVENT", 14: "USER_VAR_EVENT",
    15: "FORMAT_DESCRIPTION_EVENT",
    16: "XID_EVENT", 17: "BEGIN_LOAD_QUERY_EVENT", 18: "EXECUTE_LOAD_QUERY_EVENT", 19: "TABLE_MAP_EVENT",
    20: "PRE_GA_WRITE_ROWS_EVENT", 21: "PRE_GA_UPDATE_ROWS_EVENT", 22: "PRE_GA_DELETE_ROWS_EVENT",
    23: "WRITE_ROWS_EVENT_V1",
    24: "UPDATE_ROWS_EVENT_V1", 25: "DELETE_ROWS_EVENT_V1", 26: "INCIDENT_EVENT", 27: "HEARTBEAT_EVENT",
    28: "IGNORABLE_EVENT",
    29: "ROWS_QUERY_EVENT", 30: "WRITE_ROWS_EVENT", 31: "UPDATE_ROWS_EVENT", 32: "DELETE_ROWS_EVENT",
    33: "GTID_EVENT",
    34: "ANONYMOUS_GTID_EVENT", 35: "PREVIOUS_GTIDS_EVENT", 36: "TRANSACTION_CONTEXT_EVENT",
    37: "VIEW_CHANGE_EVENT",
    38: "XA_PREPARE_EVENT", 39: "PARTIAL_UPDATE_ROWS_EVENT", 40: "TRANSACTION_PAYLOAD_EVENT",
    41: "HEARTBEAT_EVENT_V2",
    42: "GTID_TAGGED_EVENT", 160: "ANNOTATE_ROWS_EVENT", 161: "BINLOG_CHECKPOINT_EVENT",
    162: "MARIADB_GTID_EVENT",
    163: "GTID_LIST_EVENT", 164: "START_ENCRYPTION_EVENT", 165: "QUERY_COMPRESSED_EVENT",
    166: "WRITE_ROWS_COMPRESSED_EVENT_V1",
    167: "UPDATE_ROWS_COMPRESSED_EVENT_V1", 168: "DELETE_ROWS_COMPRESSED_EVENT_V1",
    169: "WRITE_ROWS_COMPRESSED_EVENT",
    170: "UPDATE_ROWS_COMPRESSED_EVENT", 171: "DELETE_ROWS_COMPRESSED_EVENT",
}  # fmt: skip

#: Header flags (log_event.h).
FLAGS = {
    0x0001: "BINLOG_IN_USE", 0x0004: "THREAD_SPECIFIC", 0x0008: "SUPPRESS_USE",
    0x0010: "UPDATE_TABLE_MAP_VERSION",
    0x0020: "ARTIFICIAL", 0x0040: "RELAY_LOG", 0x0080: "IGNORABLE", 0x0100: "NO_FILTER",
    0x0200: "MTS_ISOLATE",
    0x8000: "SKIP_REPLICATION",
}  # fmt: skip
IN_USE = 0x0001


class Header(NamedTuple):
    """The common header (log_event.h), with what the decoder adds.

    =====  =========  ========================================================================
    bytes  field      meaning
    =====  =========  ========================================================================
    4      timestamp  seconds since 1970
    1      code       event type
    4      server_id  the server that made the event first
    4      size       bytes of the whole event, header and checksum included
    4      log_pos    where the event ends in the log of its creation (0 inside a payload
                      and inside MariaDB transactions of 11.x)
    2      flags      see FLAGS
    =====  =========  ========================================================================

    `position` is the offset of the event's first byte in this file (inside a TRANSACTION_PAYLOAD:
    in the uncompressed payload); `checksum` the CRC32 that stands behind the event, if any.
    """

    position: int
    timestamp: int
    code: int
    server_id: int
    size: int
    log_pos: int
    flags: int
    checksum: int | None = None

    @property
    def name(self) -> str:
        """The type's name, `UNKNOWN_EVENT_200` for a number that nobody described."""
        return NAMES.get(self.code) or f"UNKNOWN_EVENT_{self.code}"

    @property
    def end(self) -> int:
        """The offset behind the event."""
        return self.position + self.size

    @property
    def flag_names(self) -> tuple[str, ...]:
        """The names of the flags that are set; unknown ones as hexadecimal numbers."""
        return tuple(FLAGS.get(1 << n) or f"0x{1 << n:x}" for n in range(16) if self.flags >> n & 1)


@dataclass(frozen=True, slots=True)
class Format:
    """How a file's events are laid out: lengths in bytes, by type number from its own description."""

    header_length: int
    post_header: tuple[int, ...] = ()
    checksum: bool = False
    server_version: str = ""

    def post_header_length(self, code: int, default: int) -> int:
        """The post-header's length of an event type; `default` where the file says nothing about it."""
        return self.post_header[code - 1] if 0 < code <= len(self.post_header) else default

    @property
    def mariadb(self) -> bool:
        """Whether MariaDB wrote the file."""
        return "mariadb" in self.server_version.lower()
