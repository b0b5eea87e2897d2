"""TRANSACTION_PAYLOAD_EVENT: a whole transaction in compressed form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import DamagedEvent, MissingLibrary
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass, field

ZSTD, NONE = 0, 255
#: Compressed bytes that are unpacked at a time, and the most that one event inside may take
#: (max_allowed_packet's limit).
CHUNK = 16 * 1024


@dataclass(frozen=True, slots=True)
class TransactionPayload:
    """TRANSACTION_PAYLOAD_EVENT (40): type packed, length packed, value; types 1 size of the payload, 2
    compression (0 zstd, 255 none), 3 size of the events inside, 0 end of the fields; then the payload.

    The events inside have no checksum, and log_pos 0.
    """

    header: Header
    compression: int
    uncompressed_size: int
    payload: bytes
    format: Format = field(repr=False)

    @property
    def compression_name(self) -> str:
        """ZSTD or NONE."""
        return {ZSTD: "ZSTD", NONE: "NONE"}.get(self.compression, str(self.compression))

    def pieces(self) -> Iterator[bytes]:
        """The payload, unpacked piece by piece. Raises DamagedEvent, MissingLibrary without zstandard."""
        if self.compression == NONE:
            yield self.payload
            return
        if self.compression != ZSTD:
            raise DamagedEvent(
                f"compression {self.compression} of a transaction payload is not known", self.header.position
            )
        zstandard = library(self.header.position)
        unpacker = zstandard.ZstdDecompressor().stream_reader(self.payload)
        try:
            while piece := unpacker.read(CHUNK):
                yield piece
        except zstandard.ZstdError as error:
            raise DamagedEvent(f"the payload cannot be unpacked: {error}", self.header.position) from None


def library(offset: int) -> Any:
    """The zstandard module, or MissingLibrary."""
    try:
        import zstandard
    except ImportError:
        raise MissingLibrary(
            "this transaction is compressed with zstd: install schemacheck[zstd] (the package zstandard)",
            offset,
        ) from None
    return zstandard


def read_payload(header: Header, c: Cursor, form: Format) -> TransactionPayload:
    """Reader of type 40."""
    # The format description announces a post-header of 40 bytes, which no server writes or reads.
    size, compression, uncompressed = None, NONE, None
    while kind := c.packed():
        raw = Cursor(c.take(c.packed()))
        if kind == 1:
            size = raw.packed()
        elif kind == 2:
            compression = raw.packed()
        elif kind == 3:
            uncompressed = raw.packed()
    payload = c.take(size) if size is not None else c.rest()
    return TransactionPayload(
        header, compression, len(payload) if uncompressed is None else uncompressed, payload, form
    )
