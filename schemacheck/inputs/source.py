"""The bytes of one input: file, standard input or memory; gzip and zstd undone by their magic bytes; text
decoded. All bounded.
"""

from __future__ import annotations

import io
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from schemacheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Decompressed bytes that one input may have.
MAX_BYTES = 4 << 30
#: Past this size a compression ratio above MAX_RATIO is a bomb, not a dump (real dumps reach 30 to 150).
FREE_BYTES = 64 << 20
MAX_RATIO = 500
_CHUNK = 1 << 20

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(slots=True)
class Source:
    """One input. `name` stands in messages and locations; `data` are its decompressed bytes."""

    name: str
    data: bytes
    encoding: str | None = None
    _text: str | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The input as text: UTF-8 (or UTF-16 with its byte order mark), unless `encoding` says otherwise.
        Raises InputError with the line.
        """
        if self._text is None:
            self._text = _decode(self.data, self.encoding, self.name)
        return self._text

    @property
    def head(self) -> str:
        """The first 64 KiB as text for a look, never raising."""
        start = self.data[:65_536]
        encoding = self.encoding or next((name for bom, name in _BOMS if start.startswith(bom)), "utf-8")
        try:
            return start.decode(encoding, "replace").removeprefix("\ufeff")
        except (LookupError, UnicodeError):
            return start.decode("utf-8", "replace")


def read_source(path: str, *, encoding: str | None = None, stdin: BinaryIO | None = None) -> Source:
    """Read a file, or standard input for `-`. Raises InputError: no such file, a broken archive, an input
    that grows without end.
    """
    if path == "-":
        stream = stdin or sys.stdin.buffer
        return Source("-", decompress(stream.read(), "-"), encoding)
    try:
        if Path(path).stat().st_size > MAX_BYTES:
            message = (
                f"{path}: larger than {MAX_BYTES >> 30} GiB; dump the schema alone (mysqldump --no-data)"
            )
            raise InputError(message)
        raw = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        # ValueError: a NUL in the path.
        message = (
            f"{path!r}: {error}" if isinstance(error, ValueError) else f"{path}: {error.strerror or error}"
        )
        raise InputError(message) from None
    return Source(path, decompress(raw, path), encoding)


def decompress(raw: bytes, name: str) -> bytes:
    """Undo gzip and zstd as often as they are there, recognised by their magic bytes."""
    for _ in range(3):
        if raw[:2] == b"\x1f\x8b":
            raw = _bounded(_gzip(raw, name), len(raw), name)
        elif raw[:4] == b"\x28\xb5\x2f\xfd":
            raw = _bounded(_zstd(raw, name), len(raw), name)
        else:
            break
    if raw[:3] == b"BZh" or raw[:6] == b"\xfd7zXZ\0" or raw[:4] == b"PK\x03\x04":
        message = f"{name}: compressed in a way that is not read here (bzip2, xz, zip); decompress it first"
        raise InputError(message)
    return raw


def _bounded(chunks: Iterator[bytes], packed: int, name: str) -> bytes:
    out = io.BytesIO()
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_BYTES or (size > FREE_BYTES and size > packed * MAX_RATIO):
            message = (
                f"{name}: {packed} bytes grow to more than {size >> 20} MiB when decompressed; if "
                "that is a real dump, decompress it first"
            )
            raise InputError(message)
        out.write(chunk)
    return out.getvalue()


def _gzip(raw: bytes, name: str) -> Iterator[bytes]:
    """All members of a gzip file."""
    rest = raw
    try:
        while rest[:2] == b"\x1f\x8b":
            inflate = zlib.decompressobj(31)
            while rest and not inflate.eof:
                yield inflate.decompress(rest, _CHUNK)
                rest = inflate.unconsumed_tail
            if not inflate.eof:
                message = f"{name}: the gzip data ends too early; the file is truncated"
                raise InputError(message)
            rest = inflate.unused_data.lstrip(b"\0")
        if rest:
            message = (
                f"{name}: {len(rest)} bytes behind the gzip data are no gzip data: the file is "
                "damaged, or two files were put together"
            )
            raise InputError(message)
    except zlib.error as error:
        message = f"{name}: broken gzip data ({error})"
        raise InputError(message) from None


def _zstd(raw: bytes, name: str) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        message = f"{name}: zstd data needs the zstandard package: pip install 'schemacheck[zstd]'"
        raise InputError(message) from None
    try:
        # A window of 128 MiB at most: what `zstd --long` writes by default.
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(
            io.BytesIO(raw), read_across_frames=True
        )
        while chunk := reader.read(_CHUNK):
            yield chunk
    except zstandard.ZstdError as error:
        message = f"{name}: broken zstd data ({error})"
        raise InputError(message) from None


def _decode(data: bytes, encoding: str | None, name: str) -> str:
    chosen = encoding or next((bom_encoding for bom, bom_encoding in _BOMS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(chosen).removeprefix("\ufeff")
    except LookupError:
        message = f"{name}: no such encoding: {chosen}"
        raise InputError(message) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if b"\0" in data[:4096]:
            message = f"{name}: binary data, not a dump that is known here"
        else:
            message = (
                f"{name}:{line}: byte 0x{data[error.start]:02x} is not {chosen.upper()}; say the "
                "file's encoding (--encoding latin1) or dump with --default-character-set=utf8mb4"
            )
        raise InputError(message) from None
    except UnicodeError as error:
        message = f"{name}: cannot be read as {chosen}: {error}"
        raise InputError(message) from None
