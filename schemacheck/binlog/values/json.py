"""MySQL's binary JSON (sql-common/json_binary.cc), as the text that the server shows."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.values import number, temporal

SMALL_OBJECT, LARGE_OBJECT, SMALL_ARRAY, LARGE_ARRAY, LITERAL = range(5)
INT16, UINT16, INT32, UINT32, INT64, UINT64, DOUBLE, STRING = range(5, 13)
OPAQUE = 15
_LITERALS = {0: "null", 1: "true", 2: "false"}
_SIZES = {INT16: 2, UINT16: 2, INT32: 4, UINT32: 4, INT64: 8, UINT64: 8}
_UNSIGNED = (UINT16, UINT32, UINT64)
#: The server refuses deeper documents (JSON_DOCUMENT_MAX_DEPTH).
MAX_DEPTH = 100
#: Column types inside opaque values.
_NEWDECIMAL, _DATE, _TIME, _DATETIMES = 246, 10, 11, (7, 12)


class Json(str):
    """A JSON document as the server shows it: keys in its order, `, ` and `: ` between."""

    __slots__ = ()


def text(raw: bytes) -> str:
    """A document: type byte and value; no byte is the null of ALTER TABLE. Raises ShortRead."""
    if not raw:
        return "null"
    # Offsets may point anywhere, also more than once to the same bytes: the budget keeps a damaged document
    # from growing without end.
    return _Document(len(raw)).value(raw[0], raw[1:], 0)


class _Document:
    """Reads one document; `budget` bounds the values that are visited by the bytes that are there."""

    def __init__(self, size: int) -> None:
        self.budget = 4 * size + 64

    def value(self, kind: int, data: bytes, depth: int) -> str:
        self.budget -= 1
        if depth > MAX_DEPTH or self.budget < 0:
            raise ShortRead("a JSON document that refers to itself")
        if kind in (SMALL_OBJECT, LARGE_OBJECT, SMALL_ARRAY, LARGE_ARRAY):
            return self.container(kind, data, depth)
        return _scalar(kind, data, self)

    def container(self, kind: int, data: bytes, depth: int) -> str:
        wide = 4 if kind in (LARGE_OBJECT, LARGE_ARRAY) else 2
        head = Cursor(data)
        count, size = head.uint(wide), head.uint(wide)
        if size > len(data):
            raise ShortRead(f"a JSON container of {size} bytes in {len(data)}")
        data = data[:size]
        self.spend(count)
        if kind in (SMALL_ARRAY, LARGE_ARRAY):
            return "[" + ", ".join(self.entries(data, 2 * wide, count, wide, depth)) + "]"
        keys = Cursor(data, 2 * wide)
        names = []
        for _ in range(count):
            offset, length = keys.uint(wide), keys.uint(2)
            self.spend(length)
            names.append(quoted(Cursor(data, min(offset, len(data))).take(length)))
        values = self.entries(data, 2 * wide + count * (wide + 2), count, wide, depth)
        return "{" + ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True)) + "}"

    def spend(self, amount: int) -> None:
        self.budget -= amount
        if self.budget < 0:
            raise ShortRead("a JSON document that is larger than its bytes")

    def entries(self, data: bytes, start: int, count: int, wide: int, depth: int) -> Iterator[str]:
        c = Cursor(data, start)
        for _ in range(count):
            kind = c.uint(1)
            inline = kind in (LITERAL, INT16, UINT16) or (wide == 4 and kind in (INT32, UINT32))
            if inline:
                yield self.value(kind, c.take(wide), depth + 1)
            else:
                offset = c.uint(wide)
                if offset >= len(data) or offset < start:
                    raise ShortRead(f"a JSON value at {offset} in a container of {len(data)} bytes")
                if kind in (SMALL_OBJECT, LARGE_OBJECT, SMALL_ARRAY, LARGE_ARRAY):
                    self.spend((len(data) - offset) // 64)
                    yield self.value(kind, data[offset:], depth + 1)
                else:
                    yield self.scalar_at(kind, data, offset)

    def scalar_at(self, kind: int, data: bytes, offset: int) -> str:
        self.spend(1)
        return _scalar(kind, data, self, offset)


def _scalar(kind: int, data: bytes, document: _Document, offset: int = 0) -> str:
    c = Cursor(data, offset)
    if kind == LITERAL:
        literal = c.uint(1)
        if literal not in _LITERALS:
            raise ShortRead(f"JSON literal {literal}")
        return _LITERALS[literal]
    if kind in _SIZES:
        return str(c.uint(_SIZES[kind]) if kind in _UNSIGNED else c.sint(_SIZES[kind]))
    if kind == DOUBLE:
        return double(struct.unpack("<d", c.take(8))[0])
    if kind == STRING:
        raw = c.take(_length(c))
        document.spend(len(raw))
        return quoted(raw)
    if kind == OPAQUE:
        field = c.uint(1)
        raw = c.take(_length(c))
        document.spend(len(raw))
        return _opaque(field, raw)
    raise ShortRead(f"JSON type {kind}")


def _length(c: Cursor) -> int:
    """A length in up to five bytes of seven bits."""
    value = 0
    for shift in range(0, 35, 7):
        byte = c.uint(1)
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value
    raise ShortRead("a JSON length of more than five bytes")


def _opaque(field: int, raw: bytes) -> str:
    c = Cursor(raw)
    if field == _NEWDECIMAL:
        precision, scale = c.uint(1), c.uint(1)
        return format(number.decimal(c, precision, scale), "f")
    if field in (_DATE, _TIME, *_DATETIMES):
        packed = c.sint(8)
        sign, packed = "-" if packed < 0 else "", abs(packed)
        high, micros = packed >> 24, packed & 0xFFFFFF
        if field == _TIME:
            return f'"{sign}{high >> 12 & 0x3FF:02d}:{high >> 6 & 63:02d}:{high & 63:02d}.{micros:06d}"'
        moment = temporal.unpack_datetime(high)
        return f'"{moment[:10]}"' if field == _DATE else f'"{moment}.{micros:06d}"'
    return f'"base64:type{field}:{base64.b64encode(raw).decode()}"'


def quoted(raw: bytes) -> str:
    """A JSON string as the server escapes it: only what must be."""
    return json.dumps(raw.decode("utf-8", "backslashreplace"), ensure_ascii=False)


def double(value: float) -> str:
    """A DOUBLE as my_gcvt prints it: the shortest that reads back, with a point or an exponent."""
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 not a number
        return "null"
    short = repr(value)
    mantissa, _, exponent = short.partition("e")
    if exponent:
        mantissa = mantissa.removesuffix(".0")
        return f"{mantissa}e{int(exponent)}"
    return short
