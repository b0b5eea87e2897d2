"""Bounds-checked little-endian reading over the bytes of one event."""

from __future__ import annotations

from schemacheck.binlog.errors import ShortRead


def text(raw: bytes) -> str:
    """Names and statements as text; bytes that are no UTF-8 stay visible, as backslash, x and two digits."""
    return raw.decode("utf-8", "backslashreplace")


class Cursor:
    """A place in `data`. Every method consumes what it returns, or raises ShortRead and allocates nothing."""

    __slots__ = ("data", "end", "pos")

    def __init__(self, data: bytes, pos: int = 0, end: int | None = None) -> None:
        self.data = data
        self.pos = pos
        self.end = len(data) if end is None else end

    @property
    def left(self) -> int:
        """Bytes that are still there."""
        return self.end - self.pos

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        start = self.pos
        stop = start + count
        if count < 0 or stop > self.end:
            raise ShortRead(f"{count} bytes wanted, {self.end - start} left")
        self.pos = stop
        return self.data[start:stop]

    def skip(self, count: int) -> None:
        """Pass over `count` bytes."""
        if count < 0 or count > self.end - self.pos:
            raise ShortRead(f"{count} bytes to skip, {self.end - self.pos} left")
        self.pos += count

    def uint(self, count: int) -> int:
        """An unsigned integer of `count` bytes."""
        return int.from_bytes(self.take(count), "little")

    def sint(self, count: int) -> int:
        """A signed integer of `count` bytes."""
        return int.from_bytes(self.take(count), "little", signed=True)

    def big(self, count: int) -> int:
        """An unsigned integer of `count` bytes, most significant first."""
        return int.from_bytes(self.take(count), "big")

    def packed(self) -> int:
        """A packed (length-encoded) integer of 1, 3, 4 or 9 bytes (MySQL internals: protocol, integers)."""
        first = self.uint(1)
        if first < 251:
            return first
        if first == 252:
            return self.uint(2)
        if first == 253:
            return self.uint(3)
        if first == 254:
            return self.uint(8)
        raise ShortRead(f"{first} begins no packed integer")

    def variable(self, *, signed: bool = False) -> int:
        """An integer of the serialisation library (MySQL 8.3+, mysql/serialization): the count of low 1 bits
        of the first byte tells how many bytes follow; a signed number has its sign in the lowest bit."""
        first = self.uint(1)
        extra = 0
        while extra < 8 and first >> extra & 1:
            extra += 1
        if extra == 8:
            value = self.uint(8)
        else:
            value = first >> (extra + 1) | self.uint(extra) << (7 - extra)
        if signed:
            return ~(value >> 1) if value & 1 else value >> 1
        return value

    def cstring(self) -> bytes:
        """Bytes up to a null, which is consumed."""
        stop = self.data.find(b"\0", self.pos, self.end)
        if stop < 0:
            raise ShortRead("a null byte is missing")
        raw = self.data[self.pos : stop]
        self.pos = stop + 1
        return raw

    def named(self, length: int) -> str:
        """Text of `length` bytes with a null behind it."""
        raw = self.take(length)
        self.skip(1)
        return text(raw)

    def rest(self) -> bytes:
        """Everything that is left."""
        raw = self.data[self.pos : self.end]
        self.pos = self.end
        return raw


def bit(bitmap: bytes, index: int) -> bool:
    """Bit `index` of a bitmap whose lowest bit of the first byte is number 0."""
    return bool(bitmap[index >> 3] >> (index & 7) & 1)


def bits_set(bitmap: bytes, width: int) -> int:
    """How many of the first `width` bits are set."""
    return (int.from_bytes(bitmap, "little") & ((1 << width) - 1)).bit_count()
