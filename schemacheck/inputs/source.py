"""The bytes of one input, decompressed by magic bytes; its text. All bounded."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from schemacheck.dataclass import dataclass, field
from schemacheck.errors import InputError
from schemacheck.system import inner_file, zstd

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Decompressed bytes that one input may have.
MAX_BYTES = 4 << 30
#: Past this size a compression ratio above MAX_RATIO is a bomb, not a dump (real dumps reach 30 to 150).
FREE_BYTES = 64 << 20
MAX_RATIO = 500
#: Compressions one inside the other.
LAYERS = 3
_CHUNK = 1 << 20

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(slots=True)
class Source:
    """One input. `name` stands in messages and locations; `data` are its decompressed bytes; `is_dump`: rows
    may have BLOBs as they are. A migration's tool may read such bytes otherwise, and end a string elsewhere.
    """

    name: str
    data: bytes
    encoding: str | None = None
    is_dump: bool = False
    _text: str | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The input as text: UTF-8, UTF-16 with its mark, or `encoding`. Raises InputError."""
        if self._text is None:
            self._text = _decode(self.data, self.encoding, self.name, rows=self.is_dump)
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


def read_source(
    path: str, *, encoding: str | None = None,
    within: str | Path | None = None, grows: bool = False,
) -> Source:  # fmt: skip
    """Read a file (`within` a folder; one that `grows` may change), or `-`. Raises InputError."""
    if path == "-":
        stream = sys.stdin.buffer
        return Source("-", decompress(_whole(stream, "-"), "-"), _checked(encoding, "-"))
    try:
        with Path(path).open("rb") if within is None else inner_file.opened(path, within) as file:
            if os.fstat(file.fileno()).st_size > MAX_BYTES:
                raise InputError(
                    f"{path}: larger than {MAX_BYTES >> 30} GiB; dump the schema alone (mysqldump --no-data)"
                )
            with contextlib.nullcontext() if grows else inner_file.steady(file):
                raw = _whole(file, path)
    except (OSError, ValueError) as error:
        # ValueError: a NUL in the path.
        near = meant(path) if isinstance(error, FileNotFoundError) and within is None else ""
        path = re.sub(r"(://[^:/@]*):[^@]*@", r"\1:...@", path)  # a password is shown nowhere
        raise InputError(
            f"{path!r}: {error}"
            if isinstance(error, ValueError)
            else f"{path}: {error.strerror or error}{near}"
        ) from None
    return Source(path, decompress(raw, path), _checked(encoding, path))


def meant(path: str) -> str:
    """What may have been meant by a path that is not there, as the end of a message."""
    scheme = re.match(r"(?:jdbc:)?(\w[\w+.-]*):/", path)
    if scheme and not scheme[1].lower().startswith(("mysql", "mariadb")):
        return f"; {scheme[1]} is not read: give a file, or a server as mysql://user@host:port/database"
    if scheme or re.match(r"\w*sql:|[\w.]+@[\w.-]+(?::\d+)?\Z|[\w.-]+:\d+\Z", path):
        return "; a live server is written mysql://user@host:port/database"
    with contextlib.suppress(OSError):
        import difflib

        place = Path(path)
        names = [path.name for path in place.parent.iterdir()]
        for name in difflib.get_close_matches(place.name, names, 1):
            return f"; did you mean {str(place.with_name(name))!r}?"
    return ""


def _whole(stream: BinaryIO, name: str) -> bytes:
    """All of a stream that ends (`/dev/zero` does not). Raises InputError."""
    out = io.BytesIO()
    while chunk := stream.read(_CHUNK):
        if out.tell() + len(chunk) > MAX_BYTES:
            raise InputError(
                f"{name}: larger than {MAX_BYTES >> 30} GiB; dump the schema alone (mysqldump --no-data)"
            )
        out.write(chunk)
    return out.getvalue()


#: Encodings of Python that are none of a file's text: names of hosts, escapes, other codings.
_NO_TEXT = frozenset(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"))


def _checked(encoding: str | None, name: str) -> str | None:
    """An encoding of text. Raises InputError."""
    if encoding is None:
        return None
    try:
        codec_info = codecs.lookup(encoding)
        "".encode(codec_info.name)
    except (LookupError, ValueError):
        codec_info = None
    if codec_info is None or codec_info.name.replace("-", "_") in _NO_TEXT:
        raise InputError(f"{name}: no such encoding: {encoding}")
    return encoding


def decompress(raw: bytes, name: str) -> bytes:
    """Undo gzip and zstd as often as they are there, recognised by their magic bytes."""
    # All layers together must stay within what the file itself may grow to.
    packed = len(raw)
    for _ in range(LAYERS):
        if raw[:2] == b"\x1f\x8b":
            raw = _bounded(_gzip(raw, name), packed, name)
        elif raw[:4] == b"\x28\xb5\x2f\xfd":
            raw = _bounded(_zstd(raw, name), packed, name)
        else:
            break
    else:
        if raw[:2] == b"\x1f\x8b" or raw[:4] == b"\x28\xb5\x2f\xfd":
            raise InputError(f"{name}: compressed more than {LAYERS} times; decompress it first")
    if raw[:3] == b"BZh" or raw[:6] == b"\xfd7zXZ\0" or raw[:4] == b"PK\x03\x04":
        raise InputError(
            f"{name}: compressed with bzip2, xz or zip, which is not read here; decompress it first"
        )
    return raw


def _bounded(chunks: Iterator[bytes], packed: int, name: str) -> bytes:
    out = io.BytesIO()
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_BYTES or (size > FREE_BYTES and size > packed * MAX_RATIO):
            raise InputError(
                f"{name}: {packed} bytes grow to more than {size >> 20} MiB when decompressed; if "
                "that is a real dump, decompress it first"
            )
        out.write(chunk)
    return out.getvalue()


def _gzip(raw: bytes, name: str) -> Iterator[bytes]:
    at = 0
    view = memoryview(raw)
    try:
        while raw.startswith(b"\x1f\x8b", at):
            inflate = zlib.decompressobj(31)
            # Small pieces: what follows a member is copied, and a file may have a member every twenty bytes.
            size = 1 << 10
            while at < len(raw) and not inflate.eof:
                piece = inflate.unconsumed_tail or view[at : at + size]
                given = len(piece)
                yield inflate.decompress(piece, _CHUNK)
                # At the end the tail may still hold what is unused too.
                at += given - len(inflate.unused_data if inflate.eof else inflate.unconsumed_tail)
                if inflate.unconsumed_tail:
                    continue
                size = min(2 * size, _CHUNK)
            if not inflate.eof:
                raise InputError(f"{name}: the gzip data ends too early; the file is truncated")
            while at < len(raw) and raw[at] == 0:
                at += 1
        if at < len(raw):
            raise InputError(
                f"{name}: {len(raw) - at} bytes behind the gzip data are no gzip data: the file is "
                "damaged, or two files were put together"
            )
    except zlib.error as error:
        raise InputError(f"{name}: broken gzip data ({error})") from None


def _zstd(raw: bytes, name: str) -> Iterator[bytes]:
    try:
        yield from zstd.unpacked([raw])
    except ImportError:
        raise InputError(
            f"{name}: zstd data needs the zstandard package: pip install 'schemacheck[zstd]'"
        ) from None
    except ValueError as error:
        why = "the zstd data ends too early; the file is truncated"
        raise InputError(
            f"{name}: {why if 'too early' in str(error) else f'broken zstd data ({error})'}"
        ) from None


#: With what the rows of a dump begin, in which BLOBs stand as they are (without --hex-blob).
_ROWS = b"INSERT ", b"REPLACE "


def _as_letters(error: UnicodeError) -> tuple[str, int]:
    """Letters that no text has, for bytes that are none."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xF700 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error("schemacheck-bytes", _as_letters)


def _in_rows_alone(data: bytes) -> bool:
    """Whether all bytes that are no UTF-8 are in lines of rows, which define nothing."""
    rows = False
    for line in io.BytesIO(data):
        rows = line.startswith(_ROWS) or (rows and line.startswith(b"("))
        if not rows and not line.isascii():
            try:
                line.decode()
            except UnicodeDecodeError:
                return False
    return True


def _decode(data: bytes, encoding: str | None, name: str, *, rows: bool) -> str:
    chosen = encoding or next((bom_encoding for bom, bom_encoding in _BOMS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(chosen).removeprefix("\ufeff")
    except LookupError:
        raise InputError(f"{name}: no such encoding: {chosen}") from None
    except UnicodeDecodeError as error:
        if rows and encoding is None and chosen == "utf-8" and _in_rows_alone(data):
            return data.decode(chosen, "schemacheck-bytes")
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
        raise InputError(f"{name}: cannot be read as {chosen}: {error}") from None
