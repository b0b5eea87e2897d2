"""MariaDB's compression of events and columns (binlog_buf_uncompress, Field_varstring_compressed)."""

from __future__ import annotations

import zlib

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead


def inflate(raw: bytes) -> bytes:
    """An event: byte 0x80 | algorithm << 4 | n, length in n bytes (most significant first), zlib stream."""
    c = Cursor(raw)
    head = c.uint(1)
    if not head & 0x80 or head >> 4 & 7:
        raise ShortRead(f"compression header 0x{head:02x} is not that of zlib")
    return _unpack(c, c.big(head & 7), zlib.MAX_WBITS)


def column(raw: bytes) -> bytes:
    """A COMPRESSED column: 0 and the value, or method << 4 | raw << 3 | n, length in n bytes, deflate."""
    if not raw:
        return raw
    c = Cursor(raw)
    head = c.uint(1)
    if head == 0:
        return c.rest()
    if head >> 4 != 8:
        raise ShortRead(f"compression method {head >> 4} of a column value is not known")
    return _unpack(c, c.big(head & 7), -zlib.MAX_WBITS if head & 8 else zlib.MAX_WBITS)


def _unpack(c: Cursor, size: int, window: int) -> bytes:
    """`size` bytes out of a zlib stream, never more than declared."""
    unpacker = zlib.decompressobj(window)
    try:
        out = unpacker.decompress(c.rest(), size + 1)
    except zlib.error as error:
        raise ShortRead(f"compressed data: {error}") from None
    if len(out) != size:
        text = f"more than {size}" if len(out) > size else f"{len(out)} of {size}"
        raise ShortRead(f"compressed data holds {text} bytes")
    return out
