"""Logs as files: several in order, compressed, standard input."""

from __future__ import annotations

import itertools
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from schemacheck.binlog.decoder import Decoder, Event
from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.events.payload import library
from schemacheck.errors import InputError
from schemacheck.system import zstd

CHUNK = 1 << 20
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

#: Called with the file's name and the bytes of it that were read.
Progress = Callable[[str, int], None]


def read_logs(
    files: Iterable[str], *, start_position: int | None = None, progress: Progress | None = None
) -> Iterator[tuple[str, Event]]:
    """(file, event) of all files in order; `-` is standard input. `start_position` is an offset in the first
    one where an event begins. Raises BinlogError, InputError.
    """
    start = start_position
    for name in files:
        try:
            with _open(name) as raw:
                for event in _events(Decoder(), raw, name, start, progress):
                    yield name, event
        except BinlogError as error:
            raise error.within(name) from None
        start = None


def _events(
    decoder: Decoder, raw: BinaryIO, name: str, start: int | None, progress: Progress | None
) -> Iterator[Event]:
    done = 0
    pieces = _pieces(raw)
    for piece in pieces:
        decoder.feed(piece)
        done += len(piece)
        if progress:
            progress(name, done)
        if start is None:
            yield from decoder.events()
            continue
        for event in decoder.events():
            yield event
            if start > decoder.position:
                # The format description is read; the rest up to the position is passed over.
                missing = start - done
                decoder.jump(start)
                if missing <= 0:
                    decoder.feed(piece[len(piece) + missing :])
                else:
                    done = start
                    decoder.feed(_pass(pieces, missing, decoder))
            break
        else:
            continue
        start = None
        yield from decoder.events()
    decoder.close()
    yield from decoder.events()


def _pass(pieces: Iterator[bytes], count: int, decoder: Decoder) -> bytes:
    """Read over `count` bytes; what was read beyond them."""
    for piece in pieces:
        if len(piece) > count:
            return piece[count:]
        count -= len(piece)
    if count:
        raise DamagedEvent(f"the log ends {count} bytes before the start position", decoder.position)
    return b""


def _open(name: str) -> BinaryIO:
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


def _pieces(raw: BinaryIO) -> Iterator[bytes]:
    """The bytes in chunks, decompressed."""
    piece = raw.read(CHUNK)
    if piece.startswith(GZIP):
        yield from _gunzip(piece, raw)
        return
    if piece.startswith(ZSTD):
        yield from _unzstd(piece, raw)
        return
    while piece:
        yield piece
        piece = raw.read(CHUNK)


def _gunzip(piece: bytes, raw: BinaryIO) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(31)
    done = 0
    while piece:
        try:
            out = unpacker.decompress(piece, CHUNK)
        except zlib.error as error:
            raise DamagedEvent(f"the gzip data is damaged: {error}", done) from None
        done += len(out)
        if out:
            yield out
        piece = unpacker.unconsumed_tail
        if unpacker.eof:
            piece = unpacker.unused_data or raw.read(CHUNK)
            unpacker = zlib.decompressobj(31)
        elif not piece:
            piece = raw.read(CHUNK)
            if not piece and not unpacker.eof:
                raise DamagedEvent("the gzip data ends too early", done)


def _unzstd(first: bytes, raw: BinaryIO) -> Iterator[bytes]:
    library(0)
    done = 0
    try:
        for piece in zstd.unpacked(itertools.chain((first,), iter(lambda: raw.read(CHUNK), b""))):
            done += len(piece)
            yield piece
    except ValueError as error:
        raise DamagedEvent(f"the zstd data is damaged: {error}", done) from None
