"""Logs as files: several in order, compressed, standard input, one that grows."""

from __future__ import annotations

import itertools
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from schemacheck.binlog.decoder import Decoder, Event
from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.events.control import Rotate
from schemacheck.binlog.events.payload import library
from schemacheck.errors import InputError
from schemacheck.system import zstd

CHUNK = 1 << 20
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: Seconds between two looks at a file that grows.
INTERVAL = 0.5

#: Called with the file's name and the bytes of it that were read.
Progress = Callable[[str, int], None]


def read_logs(
    files: Iterable[str],
    *,
    start_position: int | None = None,
    follow: bool = False,
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[str, Event]]:
    """(file, event) of all files in order; `-` is standard input. `start_position` is an offset in the first
    one where an event begins; `follow` waits for more at the end, also in the log that a Rotate event names.
    Raises BinlogError, InputError.
    """
    names = list(files)
    start = start_position
    for number, name in enumerate(names):
        growing = sleep if follow and number == len(names) - 1 else None
        current = name
        while current:
            following = ""
            try:
                with _open(current) as raw:
                    for event in _events(Decoder(), raw, current, start, progress, growing):
                        yield current, event
                        artificial = event.header.flags & 0x20
                        if growing and isinstance(event, Rotate) and current != "-" and not artificial:
                            following = str(Path(current).with_name(event.next_log))
                            break
            except BinlogError as error:
                raise error.within(current) from None
            start = None
            while growing and following and not Path(following).exists():
                growing(INTERVAL)
            current = following


def _events(
    decoder: Decoder,
    raw: BinaryIO,
    name: str,
    start: int | None,
    progress: Progress | None,
    sleep: Callable[[float], None] | None,
) -> Iterator[Event]:
    done = 0
    pieces = _pieces(raw, sleep)
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


def _pieces(raw: BinaryIO, sleep: Callable[[float], None] | None) -> Iterator[bytes]:
    """The bytes in chunks, decompressed. With `sleep` the end of the file is not the end."""
    first = raw.read(CHUNK)
    if first.startswith(GZIP):
        yield from _gunzip(first, raw)
        return
    if first.startswith(ZSTD):
        yield from _unzstd(first, raw)
        return
    piece = first
    while piece or sleep:
        if piece:
            yield piece
        elif sleep:
            sleep(INTERVAL)
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
