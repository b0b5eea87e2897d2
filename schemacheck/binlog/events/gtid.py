"""Global transaction identifiers of both flavours."""

from __future__ import annotations

import struct
from functools import lru_cache
from uuid import UUID

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Gtid:
    """GTID_EVENT (33), ANONYMOUS_GTID_EVENT (34), GTID_TAGGED_EVENT (42): begins a MySQL transaction.

    =====  ===========================================================================
    bytes  field of 33 and 34 (control_events.h, Gtid_event); each group may be missing
    =====  ===========================================================================
    1      flags (1: may have statement-based changes)
    16     uuid of the source
    8      number
    1      2: the logical clock follows (not in 5.6)
    8 + 8  last_committed, sequence_number
    7 (7)  commit timestamps, microseconds: immediate; original only if bit 55 is set
    n      transaction_length, packed
    4 (4)  server versions: immediate; original only if bit 31 is set
    8      commit_group_ticket
    =====  ===========================================================================

    42 is written with the serialisation library: version, size, last non-ignorable field, then
    field number and value: 0 flags, 1 uuid, 2 number, 3 tag, 4 last_committed, 5 sequence_number,
    6 immediate_commit_timestamp, 7 original_commit_timestamp, 8 transaction_length,
    9 immediate_server_version, 10 original_server_version, 11 commit_group_ticket.
    """

    header: Header
    flags: int
    uuid: str
    number: int
    tag: str = ""
    last_committed: int = 0
    sequence_number: int = 0
    immediate_commit_timestamp: int = 0
    original_commit_timestamp: int = 0
    transaction_length: int = 0
    immediate_server_version: int = 0
    original_server_version: int = 0

    @property
    def gtid(self) -> str:
        """`uuid:number`, `uuid:tag:number`, or ANONYMOUS."""
        if self.header.code == 34:
            return "ANONYMOUS"
        return ":".join(part for part in (self.uuid, self.tag, str(self.number)) if part)


_GTID = struct.Struct("<B16sq")
_CLOCK = struct.Struct("<qq")


@lru_cache(maxsize=256)
def _uuid(raw: bytes) -> str:
    return str(UUID(bytes=raw))


def read_gtid(header: Header, c: Cursor, form: Format) -> Gtid:
    """Reader of types 33 and 34."""
    flags, source, number = _GTID.unpack(c.take(25))
    uuid = _uuid(source)
    last = sequence = now = first = length = version = original = 0
    if c.left >= 17 and c.uint(1) == 2:
        last, sequence = _CLOCK.unpack(c.take(16))
        if c.left >= 7:
            now = c.uint(7)
            first = now & ~(1 << 55)
            if now >> 55 & 1:
                now, first = first, c.uint(7)
            if c.left:
                length = c.packed()
            if c.left >= 4:
                version = c.uint(4)
                original = version & 0x7FFFFFFF
                if version >> 31:
                    version, original = original, c.uint(4)
    return Gtid(header, flags, uuid, number, "", last, sequence, now, first, length, version, original)


def read_gtid_tagged(header: Header, c: Cursor, form: Format) -> Gtid:
    """Reader of type 42."""
    version, _size, _last = c.variable(), c.variable(), c.variable()
    if version != 1:
        raise ShortRead(f"serialisation format {version} of a tagged GTID is not known")
    values: dict[int, int] = {}
    uuid, tag = "", ""
    while c.left:
        field = c.variable()
        if field == 1:
            uuid = str(UUID(bytes=bytes(_octet(c) for _ in range(16))))
        elif field == 3:
            tag = text(c.take(c.variable()))
        elif field <= 11:
            values[field] = c.variable(signed=field in (2, 4, 5))
        else:
            break  # of a later server: ignorable, of unknown layout
    get = values.get
    now, version = get(6, 0), get(9, 0)
    return Gtid(
        header,
        get(0, 0),
        uuid,
        get(2, 0),
        tag,
        get(4, 0),
        get(5, 0),
        now,
        get(7, now),
        get(8, 0),
        version,
        get(10, version),
    )


def _octet(c: Cursor) -> int:
    value = c.variable()
    if value > 255:
        raise ShortRead(f"{value} in a uuid")
    return value


@dataclass(frozen=True, slots=True)
class GtidRange:
    """Transactions of one source: numbers from `first` up to but not including `end` (MySQL)."""

    uuid: str
    tag: str
    first: int
    end: int

    def __str__(self) -> str:
        numbers = str(self.first) if self.end == self.first + 1 else f"{self.first}-{self.end - 1}"
        return ":".join(part for part in (self.uuid, self.tag, numbers) if part)


@dataclass(frozen=True, slots=True)
class PreviousGtids:
    """PREVIOUS_GTIDS_EVENT (35): everything that the logs before this one hold.

    count8, then per source: uuid16, ranges8, and first8 end8 each. Where a tag is in use (8.3+) the
    count's first and last byte are 1, and each uuid is followed by tag length (variable) and tag.
    """

    header: Header
    ranges: tuple[GtidRange, ...]


def read_previous_gtids(header: Header, c: Cursor, form: Format) -> PreviousGtids:
    """Reader of type 35."""
    count = c.uint(8)
    tagged = count >> 56 == 1
    if tagged:
        count = count >> 8 & 0xFFFFFFFFFFFF
    ranges = []
    for _ in range(count):
        uuid = str(UUID(bytes=c.take(16)))
        tag = text(c.take(c.variable())) if tagged else ""
        ranges += [GtidRange(uuid, tag, c.uint(8), c.uint(8)) for _ in range(c.uint(8))]
    return PreviousGtids(header, tuple(ranges))


@dataclass(frozen=True, slots=True)
class MariadbGtid:
    """GTID_EVENT (162) of MariaDB: sequence8, domain4, flags1; then commit_id8 with flag 2 (group commit);
    with flags 64 or 128 an xid (format4, gtrid length1, bqual length1, data); then flags_extra1 and its
    fields: 1: number of other engines1, 2: START ALTER, 4: COMMIT ALTER, 8: ROLLBACK ALTER (4 and 8:
    sequence8), 16: thread_id4."""

    header: Header
    domain: int
    sequence: int
    flags: int
    commit_id: int | None = None
    xid: tuple[int, bytes, bytes] | None = None
    extra_flags: int = 0
    start_alter: int | None = None
    thread_id: int | None = None

    @property
    def gtid(self) -> str:
        """`domain-server-sequence`."""
        return f"{self.domain}-{self.header.server_id}-{self.sequence}"


def read_mariadb_gtid(header: Header, c: Cursor, form: Format) -> MariadbGtid:
    """Reader of type 162."""
    sequence, domain, flags = c.uint(8), c.uint(4), c.uint(1)
    commit_id = c.uint(8) if flags & 2 else None
    xid = None
    if flags & 192:
        format_id, gtrid, bqual = c.uint(4), c.uint(1), c.uint(1)
        xid = (format_id, c.take(gtrid), c.take(bqual))
    extra, start, thread = 0, None, None
    if c.left:  # padding to 19 bytes reads as "no extra flags"
        extra = c.uint(1)
        if extra & 1 and c.left:
            c.skip(1)
        if extra & 12 and c.left >= 8:
            start = c.uint(8)
        if extra & 16 and c.left >= 4:
            thread = c.uint(4)
    return MariadbGtid(header, domain, sequence, flags, commit_id, xid, extra, start, thread)


@dataclass(frozen=True, slots=True)
class GtidList:
    """GTID_LIST_EVENT (163, MariaDB): count4 (upper 4 bits: flags), then domain4, server_id4, sequence8."""

    header: Header
    flags: int
    gtids: tuple[str, ...]


def read_gtid_list(header: Header, c: Cursor, form: Format) -> GtidList:
    """Reader of type 163."""
    count = c.uint(4)
    result = []
    for _ in range(count & 0x0FFFFFFF):
        domain, server = c.uint(4), c.uint(4)
        result.append(f"{domain}-{server}-{c.uint(8)}")
    return GtidList(header, count >> 28, tuple(result))
