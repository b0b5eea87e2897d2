"""gzip on all cores: pieces that know nothing of each other, in one stream."""

from __future__ import annotations

import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

#: Bytes that one thread compresses at a time.
_PIECE = 8 << 20
_LEVEL = 5


class GzipWriter:
    """Takes bytes, gives what gzip would make of them."""

    def __init__(self) -> None:
        self._made = [b"\x1f\x8b\x08\0\0\0\0\0\0\xff"]
        self._crc = 0
        self._size = 0

    def add(self, data: bytes) -> None:
        """More bytes."""
        self._crc = zlib.crc32(data, self._crc)
        self._size += len(data)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self._made += pool.map(
                lambda at: _compressed(data[at : at + _PIECE]), range(0, len(data), _PIECE)
            )

    def finish(self) -> bytes:
        """The whole of them."""
        return b"".join(
            (
                *self._made,
                zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS).flush(),
                struct.pack("<II", self._crc, self._size & 0xFFFFFFFF),
            )
        )


def _compressed(piece: bytes) -> bytes:
    # A full flush ends at a byte and forgets what was before: any other piece may follow.
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflate.compress(piece) + deflate.flush(zlib.Z_FULL_FLUSH)
