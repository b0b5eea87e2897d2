"""The decoder: bytes in, events out. It opens nothing, waits for nothing and imports nothing that does.

    decoder = Decoder()
    decoder.feed(chunk)
    while (event := decoder.next_event()) is not NEED_DATA: ...
    decoder.close()       # no more bytes will come

Laws: the same bytes in any portions give the same events; events before a damage come out before its
error; the error is one of `errors`, with the offset of the event; after it nothing comes; nothing is
held but the event at hand and the table maps in force.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import Enum
from zlib import crc32

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import (
    BinlogError,
    ChecksumMismatch,
    DamagedEvent,
    EncryptedLog,
    NotABinlog,
    ShortRead,
    TruncatedLog,
)
from schemacheck.binlog.events.control import FormatDescription, Rotate, StartEncryption, read_other
from schemacheck.binlog.events.rows import ACTIONS, STATEMENT_END, read_rows
from schemacheck.binlog.events.table_map import TableDefinition, TableMap, definition, split_table_map
from schemacheck.binlog.header import IN_USE, Format, Header
from schemacheck.binlog.readers import READERS, Event

__all__ = ["NEED_DATA", "Decoder", "Event", "NeedData"]

MAGIC = b"\xfebin"
ENCRYPTED_MAGIC = b"\xfdbin"
#: max_allowed_packet's limit is 1 GiB; an event cannot be much larger.
MAX_EVENT = (1 << 30) + (1 << 20)
#: Table maps that are kept at once; a server has as many open in one statement as tables.
MAX_TABLES = 65536

_HEADER = struct.Struct("<IBIIIH")


class NeedData(Enum):
    """The type of NEED_DATA."""

    NEED_DATA = "need data"

    def __repr__(self) -> str:
        return "NEED_DATA"


#: `next_event` returns it when the next event is not complete yet, and at the end.
NEED_DATA = NeedData.NEED_DATA


class Decoder:
    """Turns the bytes of one binary or relay log into events; `verify` checks CRC32 sums."""

    def __init__(self, *, verify: bool = True) -> None:
        self.verify = verify
        self.format: Format | None = None
        self._buffer = bytearray()
        self._at = 0  # in the buffer
        self._offset = 0  # of the buffer's first byte in the file
        self._magic = False
        self._closed = False
        self._encrypted = False
        self._error: BinlogError | None = None
        self._tables: dict[int, TableDefinition] = {}

    @classmethod
    def inside(cls, form: Format) -> Decoder:
        """A decoder for the events of a transaction payload: no magic number, no checksums."""
        decoder = cls(verify=False)
        decoder.format = Format(form.header_length, form.post_header, server_version=form.server_version)
        decoder._magic = True
        return decoder

    @property
    def position(self) -> int:
        """The offset of the next event."""
        return self._offset + self._at

    def feed(self, data: bytes) -> None:
        """The next bytes of the file, as many as there happen to be."""
        if self._at > 65536 or self._at == len(self._buffer):
            del self._buffer[: self._at]
            self._offset += self._at
            self._at = 0
        self._buffer += data

    def jump(self, offset: int) -> None:
        """Go on at a later offset of the file, where an event begins: the next bytes are fed from there."""
        self._buffer.clear()
        self._at = 0
        self._offset = offset
        self._tables.clear()

    def close(self) -> None:
        """Say that no more bytes will come: what is left over then is an error."""
        self._closed = True

    def events(self) -> Iterator[Event]:
        """All events that are complete now."""
        while not isinstance(event := self.next_event(), NeedData):
            yield event

    def next_event(self) -> Event | NeedData:
        """The next event, or NEED_DATA. Raises BinlogError; then always the same one again."""
        if self._error is not None:
            raise self._error
        try:
            return self._next()
        except BinlogError as error:
            self._error = error
            raise
        except ShortRead as error:
            self._error = DamagedEvent(f"{self._named()} contradicts itself: {error}", self.position)
            raise self._error from None

    def _named(self) -> str:
        at, buffer = self._at, self._buffer
        return f"the event of type {buffer[at + 4]}" if len(buffer) > at + 4 else "the event"

    def _next(self) -> Event | NeedData:
        if self.format is None and not self._begin():
            return self._wait()
        form = self.format
        assert form is not None
        at, buffer = self._at, self._buffer
        have = len(buffer) - at
        if have < form.header_length:
            return self._wait()
        if self._encrypted:
            raise EncryptedLog(
                "MariaDB has encrypted the log from here on (encrypt_binlog): read it through the "
                "server, mariadb-binlog --read-from-remote-server",
                self.position,
            )
        position = self._offset + at
        timestamp, code, server_id, size, log_pos, flags = _HEADER.unpack_from(buffer, at)
        described = code == 15
        tail = 4 if form.checksum and not described else 0
        if size < form.header_length + tail or size > MAX_EVENT:
            raise DamagedEvent(f"the event of type {code} cannot be {size} bytes long", position)
        if have < size:
            return self._wait()
        start, end = at + form.header_length, at + size - tail
        checksum = None
        if tail:
            checksum = int.from_bytes(buffer[end : end + 4], "little")
            if self.verify:
                self._check(at, end, checksum, position)
        header = Header(position, timestamp, code, server_id, size, log_pos, flags, checksum)
        event = self._read(header, bytes(memoryview(buffer)[start:end]))
        self._at = at + size
        return event

    def _read(self, header: Header, body: bytes) -> Event:
        code, form = header.code, self.format
        assert form is not None
        c = Cursor(body)
        event: Event
        if code == 19:
            table_id, raw = split_table_map(c, form)
            if len(self._tables) >= MAX_TABLES:
                self._tables.clear()
            table = self._tables[table_id] = definition(raw)
            return TableMap(header, table_id, table)
        if code in ACTIONS:
            rows = read_rows(header, c, form, self._tables)
            if rows.flags & STATEMENT_END:
                self._tables.clear()
            return rows
        event = READERS.get(code, read_other)(header, c, form)
        if isinstance(event, FormatDescription):
            event = self._describe(event, body)
        elif isinstance(event, StartEncryption):
            self._encrypted = True
        elif isinstance(event, Rotate):
            self._tables.clear()
        return event

    def _describe(self, event: FormatDescription, body: bytes) -> FormatDescription:
        """Take the layout over. Its checksum stands there whatever the algorithm is."""
        if event.checksum_algorithm is not None:
            checksum = int.from_bytes(body[-4:], "little")
            header = event.header._replace(checksum=checksum)
            event = FormatDescription(header, event.binlog_version, event.server_version, event.created,
                event.header_length,
                                      event.post_header, event.checksum_algorithm)  # fmt: skip
            if self.verify and event.checksum_algorithm == 1:
                at = self._at
                raw = bytearray(self._buffer[at : at + header.size - 4])
                raw[17] &= ~IN_USE & 0xFF
                if crc32(raw) != checksum:
                    raise ChecksumMismatch(
                        f"CRC32 of the format description is {checksum:#010x}, its bytes give "
                        f"{crc32(raw):#010x}",
                        header.position,
                    )
        self.format = event.format
        self._tables.clear()
        return event

    def _check(self, start: int, end: int, checksum: int, position: int) -> None:
        with memoryview(self._buffer)[start:end] as view:
            result = crc32(view)
        if result != checksum:
            raise ChecksumMismatch(
                f"{self._named()} has the CRC32 {checksum:#010x}, its bytes give {result:#010x}: they "
                "were changed",
                position,
            )

    def _begin(self) -> bool:
        """Read the magic number and look at the first event; whether the format is known now."""
        if not self._magic:
            if len(self._buffer) < 4:
                return False
            magic = bytes(self._buffer[:4])
            if magic == ENCRYPTED_MAGIC:
                raise EncryptedLog(
                    "MySQL has encrypted this log (binlog_encryption): read it through the server, "
                    "mysqlbinlog --read-from-remote-server",
                    0,
                )
            if magic != MAGIC:
                raise NotABinlog(
                    f"not a binary log: it begins with {magic.hex(' ')}, not with {MAGIC.hex(' ')}", 0
                )
            self._magic = True
            self._at = 4
        if len(self._buffer) - self._at < _HEADER.size:
            return False
        code = self._buffer[self._at + 4]
        if code == 1:
            raise NotABinlog("the log is of a server before 5.0, whose events are not read", self.position)
        if code not in (4, 15):  # what a server sends to a replica begins with a Rotate
            raise NotABinlog(
                f"the first event has the type {code}; a log begins with a format description (15)",
                self.position,
            )
        self.format = Format(_HEADER.size)
        return True

    def _wait(self) -> NeedData:
        """NEED_DATA, unless the input has ended inside an event."""
        if self._closed:
            left = len(self._buffer) - self._at
            if not self._magic and not left:
                raise NotABinlog("the file is empty", 0)
            if not self._magic:
                raise NotABinlog(f"not a binary log: {left} bytes are all there is", 0)
            if left:
                at = self._at
                whole = (
                    str(int.from_bytes(self._buffer[at + 9 : at + 13], "little"))
                    if left >= 13
                    else "at least 13"
                )
                raise TruncatedLog(
                    f"the log ends inside an event: {left} of {whole} bytes are there", self.position
                )
        return NEED_DATA


def decode(data: bytes, *, verify: bool = True) -> Iterator[Event]:
    """All events of a whole log in memory."""
    decoder = Decoder(verify=verify)
    decoder.feed(data)
    yield from decoder.events()
    decoder.close()
    yield from decoder.events()
