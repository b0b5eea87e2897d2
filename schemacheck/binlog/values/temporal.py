"""DATE, TIME, DATETIME and TIMESTAMP of 5.6+ (packed) and before (mysys/my_time.cc)."""

from __future__ import annotations

from time import gmtime, strftime

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead


def fraction(c: Cursor, digits: int) -> int:
    """The fraction in microseconds: (digits + 1) // 2 bytes of its first digits."""
    size = (digits + 1) // 2
    return int(c.big(size) * 10 ** (6 - 2 * size)) if 0 < size <= 3 else 0


def _with_fraction(text: str, micros: int, digits: int) -> str:
    return f"{text}.{micros:06d}"[: len(text) + 1 + digits] if 0 < digits <= 6 else text


def date(c: Cursor) -> str:
    """3 bytes: year << 9 | month << 5 | day."""
    value = c.uint(3)
    return f"{value >> 9:04d}-{value >> 5 & 15:02d}-{value & 31:02d}"


def time(c: Cursor, digits: int) -> str:
    """TIME(digits): 3 bytes with offset 0x800000, then the fraction, which counts back if negative."""
    size = min((digits + 1) // 2, 3)
    packed = c.big(3 + size) - (1 << 8 * (3 + size) - 1)
    sign = "-" if packed < 0 else ""
    packed = abs(packed)
    seconds, part = packed >> 8 * size, packed & (1 << 8 * size) - 1
    text = f"{sign}{seconds >> 12:02d}:{seconds >> 6 & 63:02d}:{seconds & 63:02d}"
    return _with_fraction(text, part * 10 ** (6 - 2 * size) if size else 0, digits)


def datetime(c: Cursor, digits: int) -> str:
    """5 bytes, offset 0x8000000000: (year * 13 + month) << 22 | day << 17 | hour << 12 | minute << 6 | s."""
    packed = c.big(5) - 0x8000000000
    micros = fraction(c, digits)
    return _with_fraction(unpack_datetime(max(packed, 0)), micros, digits)


def unpack_datetime(packed: int) -> str:
    """The 40-bit form as text."""
    months = packed >> 22
    return (
        f"{months // 13:04d}-{months % 13:02d}-{packed >> 17 & 31:02d} "
        f"{packed >> 12 & 31:02d}:{packed >> 6 & 63:02d}:{packed & 63:02d}"
    )


def timestamp(seconds: int, micros: int, digits: int) -> str:
    """Seconds since 1970 as a UTC time; 0 is the zero date."""
    if seconds == 0 and micros == 0:
        return _with_fraction("0000-00-00 00:00:00", 0, digits)
    return _with_fraction(strftime("%Y-%m-%d %H:%M:%S", gmtime(seconds)), micros, digits)


def old_time(c: Cursor) -> str:
    """TIME before 5.6: 3 bytes, a signed number hhmmss."""
    value = c.sint(3)
    sign, value = "-" if value < 0 else "", abs(value)
    _possible(value // 10000 <= _LAST_HOUR, value)
    return f"{sign}{value // 10000:02d}:{value // 100 % 100:02d}:{value % 100:02d}"


def old_datetime(c: Cursor) -> str:
    """DATETIME before 5.6: 8 bytes, the number yyyymmddhhmmss."""
    day, clock = divmod(c.uint(8), 1_000_000)
    _possible(day // 10000 <= 9999 and day // 100 % 100 <= 12 and day % 100 <= 31, clock)
    _possible(clock // 10000 <= 23, clock)
    return (
        f"{day // 10000:04d}-{day // 100 % 100:02d}-{day % 100:02d} "
        f"{clock // 10000:02d}:{clock // 100 % 100:02d}:{clock % 100:02d}"
    )


#: The last hour of a TIME.
_LAST_HOUR = 838


def _possible(there: bool, clock: int) -> None:
    """Raise ShortRead for what no server stores (MariaDB's mysql56_temporal_format=OFF takes more bytes)."""
    if not there or clock // 100 % 100 > 59 or clock % 100 > 59:
        raise ShortRead(
            "no such time; is it of an old temporal type with a fraction, whose digits are not in the log?"
        )
