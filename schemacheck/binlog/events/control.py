"""Events about the log itself: what it is, where it goes on, what went wrong."""

from __future__ import annotations

from functools import lru_cache

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FormatDescription:
    """FORMAT_DESCRIPTION_EVENT (15): the first event of a v4 log.

    =====  ===============================================================================
    bytes  field (binlog_event.h, Format_description_event)
    =====  ===============================================================================
    2      binlog_version, 4
    50     server_version, padded with nulls
    4      created: when the server started, 0 after a rotation
    1      length of the common header, 19
    n      post-header lengths of types 1..n
    1      checksum algorithm, 0 none or 1 CRC32; only of servers that know checksums
    4      CRC32 of this event, whatever the algorithm is
    =====  ===============================================================================
    """

    header: Header
    binlog_version: int
    server_version: str
    created: int
    header_length: int
    post_header: tuple[int, ...]
    checksum_algorithm: int | None

    @property
    def format(self) -> Format:
        """The layout of the events that follow."""
        return Format(self.header_length, self.post_header, self.checksum_algorithm == 1, self.server_version)


def read_format_description(header: Header, c: Cursor, form: Format) -> FormatDescription:
    """Reader of type 15; the cursor's bytes include the checksum, if there is one."""
    version, server, created, length = c.uint(2), text(c.take(50).split(b"\0")[0]), c.uint(4), c.uint(1)
    if version != 4 or length < 19:
        raise ShortRead(f"format {version} with headers of {length} bytes")
    lengths = c.rest()
    algorithm = None
    if knows_checksums(server) and len(lengths) >= 5:
        algorithm = lengths[-5]
        lengths = lengths[:-5]
        if algorithm > 1:
            raise ShortRead(f"checksum algorithm {algorithm} is not known (0 none, 1 CRC32)")
    return FormatDescription(header, version, server, created, length, tuple(lengths), algorithm)


@lru_cache(maxsize=256)
def knows_checksums(server_version: str) -> bool:
    """Whether a server of this version puts the checksum algorithm into its format description."""
    from schemacheck import knowledge

    since = knowledge.load("binlog")["checksums-since"]
    flavor = "mariadb" if "mariadb" in server_version.lower() else "mysql"
    return knowledge.version(server_version.split("-", maxsplit=1)[0]) >= knowledge.version(since[flavor])


@dataclass(frozen=True, slots=True)
class Stop:
    """STOP_EVENT (3): the server was shut down. No fields."""

    header: Header


@dataclass(frozen=True, slots=True)
class Rotate:
    """ROTATE_EVENT (4): position8, name of the next log."""

    header: Header
    position: int
    next_log: str


@dataclass(frozen=True, slots=True)
class Incident:
    """INCIDENT_EVENT (26): number2 (1: events were lost), length1, message. The applier stops at it."""

    header: Header
    number: int
    message: str


def read_incident(header: Header, c: Cursor, form: Format) -> Incident:
    """Reader of type 26."""
    number = c.uint(2)
    return Incident(header, number, text(c.take(c.uint(1))))


@dataclass(frozen=True, slots=True)
class Other:
    """An event whose body is of no concern here: heartbeats (27, 41), IGNORABLE (28), TRANSACTION_CONTEXT
    (36), VIEW_CHANGE (37), and every type that is not read (`known` is False): of servers before 5.0, or of
    later ones. Skipped by its length, and reported.
    """

    header: Header
    body: bytes
    known: bool


def read_other(header: Header, c: Cursor, form: Format) -> Other:
    """Reader of all types without a reader."""
    return Other(header, c.rest(), header.code in (27, 28, 36, 37, 41))


@dataclass(frozen=True, slots=True)
class BinlogCheckpoint:
    """BINLOG_CHECKPOINT_EVENT (161, MariaDB): length4, name of the oldest log that crash recovery needs."""

    header: Header
    log: str


@dataclass(frozen=True, slots=True)
class StartEncryption:
    """START_ENCRYPTION_EVENT (164, MariaDB): scheme1, key_version4, nonce12; the rest is encrypted."""

    header: Header
    scheme: int
    key_version: int
    nonce: bytes
