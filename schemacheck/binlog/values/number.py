"""DECIMAL, FLOAT, DOUBLE and VECTOR values."""

from __future__ import annotations

import struct
from decimal import Context, Decimal

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead

#: Bytes that 0 to 9 decimal digits take (strings/decimal.c, dig2bytes).
DIGIT_BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
#: Wide enough for DECIMAL(65,30).
_CONTEXT = Context(prec=100)


def decimal(c: Cursor, precision: int, scale: int) -> Decimal:
    """DECIMAL(precision, scale): nine digits in 4 bytes, first bit inverted, all bits if negative."""
    if scale > precision or precision > 90:
        raise ShortRead(f"DECIMAL({precision},{scale})")
    whole, part = divmod(precision - scale, 9), divmod(scale, 9)
    sizes = [DIGIT_BYTES[whole[1]], *[4] * whole[0], *[4] * part[0], DIGIT_BYTES[part[1]]]
    raw = bytearray(c.take(sum(sizes)))
    if not raw:
        return Decimal(0)
    negative = not raw[0] & 0x80
    raw[0] ^= 0x80
    if negative:
        raw = bytearray(byte ^ 0xFF for byte in raw)
    digits = ""
    at = 0
    for size, width in zip(sizes, (whole[1], *[9] * (whole[0] + part[0]), part[1]), strict=True):
        group = int.from_bytes(raw[at : at + size], "big")
        at += size
        if size:
            digits += f"{group:0{width}d}"
    value = Decimal(digits).scaleb(-scale, _CONTEXT)
    return value.copy_negate() if negative and value else value


def binary(c: Cursor, size: int) -> float:
    """An IEEE number of 4 or 8 bytes."""
    value: float = struct.unpack("<f" if size == 4 else "<d", c.take(size))[0]
    return value


def vector(raw: bytes) -> tuple[float, ...]:
    """A VECTOR: 4-byte floats."""
    if len(raw) % 4:
        raise ShortRead(f"a VECTOR of {len(raw)} bytes")
    return struct.unpack(f"<{len(raw) // 4}f", raw)
