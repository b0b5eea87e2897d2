"""Small logs for tests: the recorded ones, and events written by hand."""

from __future__ import annotations

import gzip
import struct
import zlib
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
NAMES = sorted(path.name.removesuffix(".truth.json.gz") for path in DATA.glob("*.truth.json.gz"))
MAGIC = b"\xfebin"


@cache
def log(name: str) -> bytes:
    return gzip.decompress((DATA / f"{name}.binlog.gz").read_bytes())


def event(
    code: int,
    body: bytes,
    *,
    flags: int = 0,
    position: int = 0,
    timestamp: int = 1_700_000_000,
    server: int = 1,
    crc: bool = False,
) -> bytes:
    size = 19 + len(body) + 4 * crc
    raw = (
        struct.pack("<IBIIIH", timestamp, code, server, size, position + size if position else 0, flags)
        + body
    )
    return raw + struct.pack("<I", zlib.crc32(raw)) if crc else raw


def description(
    server: str = "8.0.36",
    *,
    crc: bool = False,
    lengths: dict[int, int] | None = None,
    header_length: int = 19,
) -> bytes:
    """A format description as MySQL 8.0 writes it, `lengths` changed."""
    table = bytearray(
        bytes.fromhex(
            "380d0008001200040404041200005f00041a08000000080808020000000a0a0a2a2a001234000a28000000"
        )[:42]
    )
    for code, length in (lengths or {}).items():
        table[code - 1] = length
    body = struct.pack("<H50sIB", 4, server.encode(), 0, header_length) + bytes(table) + bytes([crc])
    raw = struct.pack("<IBIIIH", 1_700_000_000, 15, 1, 19 + len(body) + 4, 0, 0) + body
    return raw + struct.pack("<I", zlib.crc32(raw))


def query(sql: str, database: str = "d", *, crc: bool = False, error: int = 0, status: bytes = b"") -> bytes:
    name = database.encode()
    return event(
        2,
        struct.pack("<IIBHH", 7, 0, len(name), error, len(status)) + status + name + b"\0" + sql.encode(),
        crc=crc,
    )


def table_map(
    number: int,
    table: str,
    types: bytes,
    metadata: bytes,
    *,
    database: str = "d",
    flags: int = 1,
    optional: bytes = b"",
    crc: bool = False,
    nullable: bool = True,
) -> bytes:
    d, t = database.encode(), table.encode()
    body = struct.pack("<IHH", number, 0, flags) + bytes([len(d)]) + d + b"\0" + bytes([len(t)]) + t + b"\0"
    body += (
        bytes([len(types)])
        + types
        + bytes([len(metadata)])
        + metadata
        + (b"\xff" if nullable else b"\0") * ((len(types) + 7) // 8)
        + optional
    )
    return event(19, body, crc=crc)


def write_rows(
    number: int,
    width: int,
    rows: bytes,
    *,
    end: bool = True,
    code: int = 30,
    crc: bool = False,
    flags: int | None = None,
) -> bytes:
    bitmap = b"\xff" * ((width + 7) // 8)
    return event(
        code,
        struct.pack("<IHHH", number, 0, int(end) if flags is None else flags, 2)
        + bytes([width])
        + bitmap
        + rows,
        crc=crc,
    )
