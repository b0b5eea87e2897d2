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

    33 and 34: flags1, uuid16, number8, and what is not read (control_events.h, Gtid_event). 42 is written
    with the serialisation library: version, size, last non-ignorable field, then field number and value: 0
    flags, 1 uuid, 2 number, 3 tag.
    """

    header: Header
    uuid: str
    number: int
    tag: str = ""

    @property
    def gtid(self) -> str:
        """`uuid:number`, `uuid:tag:number`, or ANONYMOUS."""
        if self.header.code == 34:
            return "ANONYMOUS"
        return ":".join(part for part in (self.uuid, self.tag, str(self.number)) if part)


_GTID = struct.Struct("<x16sq")


@lru_cache(maxsize=256)
def _uuid(raw: bytes) -> str:
    return str(UUID(bytes=raw))


def read_gtid(header: Header, c: Cursor, form: Format) -> Gtid:
    """Reader of types 33 and 34."""
    source, number = _GTID.unpack(c.take(25))
    return Gtid(header, _uuid(source), number)


def read_gtid_tagged(header: Header, c: Cursor, form: Format) -> Gtid:
    """Reader of type 42."""
    version, _size, _last = c.variable(), c.variable(), c.variable()
    if version != 1:
        raise ShortRead(f"serialisation format {version} of a tagged GTID is not known")
    uuid, tag, number = "", "", 0
    while c.left:
        field = c.variable()
        if field == 0:
            c.variable()
        elif field == 1:
            uuid = str(UUID(bytes=bytes(_octet(c) for _ in range(16))))
        elif field == 2:
            number = c.variable(signed=True)
        elif field == 3:
            tag = text(c.take(c.variable()))
        else:
            break  # what follows is not read
    return Gtid(header, uuid, number, tag)


def _octet(c: Cursor) -> int:
    value = c.variable()
    if value > 255:
        raise ShortRead(f"{value} in a uuid")
    return value


@dataclass(frozen=True, slots=True)
class MariadbGtid:
    """GTID_EVENT (162) of MariaDB: sequence8, domain4, flags1; then commit_id8 with flag 2 (group commit);
    with flags 64 or 128 an xid (format4, gtrid length1, bqual length1, data); then flags_extra1: 2 is START
    ALTER, 4 COMMIT ALTER, 8 ROLLBACK ALTER.
    """

    header: Header
    domain: int
    sequence: int
    extra_flags: int = 0

    @property
    def gtid(self) -> str:
        """`domain-server-sequence`."""
        return f"{self.domain}-{self.header.server_id}-{self.sequence}"


def read_mariadb_gtid(header: Header, c: Cursor, form: Format) -> MariadbGtid:
    """Reader of type 162."""
    sequence, domain, flags = c.uint(8), c.uint(4), c.uint(1)
    c.skip(8 if flags & 2 else 0)
    if flags & 192:
        c.skip(4)
        gtrid, bqual = c.uint(1), c.uint(1)
        c.skip(gtrid + bqual)
    # Padding to 19 bytes reads as "no extra flags".
    return MariadbGtid(header, domain, sequence, c.uint(1) if c.left else 0)
