"""Values: what an encoder written from the servers' description makes is read back."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.events.rows import read_diffs
from schemacheck.binlog.listing.record import plain
from schemacheck.binlog.values import number, temporal
from schemacheck.binlog.values.json import Json, text

BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


def packed_decimal(digits: str, negative: bool, scale: int) -> bytes:
    whole, part = digits[: len(digits) - scale], digits[len(digits) - scale :]
    groups = [whole[: len(whole) % 9], *[whole[i : i + 9] for i in range(len(whole) % 9, len(whole), 9)]]
    groups += [part[i : i + 9] for i in range(0, len(part), 9)]
    raw = bytearray(b"".join(int(g).to_bytes(BYTES[len(g)], "big") for g in groups if g))
    if negative:
        raw = bytearray(b ^ 0xFF for b in raw)
    raw[0] ^= 0x80
    return bytes(raw)


@given(st.text("0123456789", min_size=1, max_size=65), st.booleans(), st.data())
def test_decimal(digits, negative, data):
    scale = data.draw(st.integers(0, min(30, len(digits))))
    c = Cursor(packed_decimal(digits, negative, scale))
    value = number.decimal(c, len(digits), scale)
    wanted = Decimal(digits).scaleb(-scale) if len(digits) <= 28 else Decimal(f"{digits}e-{scale}")
    assert value == (wanted.copy_negate() if negative else wanted)
    assert -value.as_tuple().exponent == scale
    assert c.left == 0


@given(st.integers(-3020399, 3020399), st.integers(0, 6), st.integers(0, 999999))
def test_time(seconds, digits, micros):
    size = (digits + 1) // 2
    unit = 10 ** (6 - digits)
    micros = micros // unit * unit
    stored = micros // 10 ** (6 - 2 * size) if size else 0
    clock = abs(seconds)
    packed = (clock // 3600 << 12 | clock // 60 % 60 << 6 | clock % 60) << 8 * size | stored
    negative = seconds < 0
    raw = ((-packed if negative else packed) + (1 << 8 * (3 + size) - 1)).to_bytes(3 + size, "big")
    wanted = f"{'-' if negative else ''}{clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}"
    if digits:
        wanted += f".{micros:06d}"[: digits + 1]
    assert temporal.time(Cursor(raw), digits) == wanted


@given(st.datetimes(), st.integers(0, 6))
def test_datetime(moment, digits):
    size = (digits + 1) // 2
    unit = 10 ** (6 - digits)
    micros = moment.microsecond // unit * unit
    packed = (
        (moment.year * 13 + moment.month) << 22
        | moment.day << 17
        | moment.hour << 12
        | moment.minute << 6
        | moment.second
    )
    raw = (
        (packed + 0x8000000000).to_bytes(5, "big") + (micros // 10 ** (6 - 2 * size)).to_bytes(size, "big")
        if size
        else (packed + 0x8000000000).to_bytes(5, "big")
    )
    wanted = moment.replace(microsecond=micros).isoformat(" ", "microseconds")
    assert temporal.datetime(Cursor(raw), digits) == (wanted[: 20 + digits] if digits else wanted[:19])


@given(
    st.datetimes(
        min_value=__import__("datetime").datetime(1970, 1, 1, 0, 0, 1),
        max_value=__import__("datetime").datetime(2106, 1, 1),
    )
)
def test_timestamp_is_utc(moment):
    from calendar import timegm

    assert temporal.timestamp(timegm(moment.timetuple()), 0, 0) == moment.isoformat(" ", "seconds")


def test_zero_dates():
    assert temporal.date(Cursor(b"\0\0\0")) == "0000-00-00"
    assert temporal.timestamp(0, 0, 3) == "0000-00-00 00:00:00.000"
    assert temporal.datetime(Cursor(b"\x80\0\0\0\0"), 0) == "0000-00-00 00:00:00"


@pytest.mark.parametrize(
    ("metadata", "kind", "length"),
    [
        (0xFE28, t.STRING, 40),
        (0xCEFC, t.STRING, 1020),
        (0xF701, t.ENUM, 1),
        (0xF808, t.SET, 8),
        (0xEE2C, t.STRING, 300),
        (0xFE00, t.STRING, 0),
    ],
)
def test_real_type_of_string(metadata, kind, length):
    assert t.real_type(t.STRING, metadata) == (kind, length)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=5),
    lambda s: st.lists(s, max_size=4) | st.dictionaries(st.text(max_size=3), s, max_size=4),
    max_leaves=12,
)


def binary(value, wide=2):
    """MySQL's binary JSON of a value: (type, bytes)."""
    if value is None or isinstance(value, bool):
        return 4, bytes([{None: 0, True: 1, False: 2}[value]])
    if isinstance(value, int):
        return (
            (9, value.to_bytes(8, "little", signed=True))
            if value < 2**63
            else (10, value.to_bytes(8, "little"))
        )
    if isinstance(value, str):
        raw = value.encode("utf-8", "surrogatepass")
        return 12, bytes([len(raw)]) + raw
    items = list(value.items()) if isinstance(value, dict) else [(None, v) for v in value]
    head = 4 + len(items) * (3 if not isinstance(value, dict) else 7)
    keys = b"".join(k.encode() for k, _ in items) if isinstance(value, dict) else b""
    entries, tail = b"", b""
    for _, one in items:
        kind, raw = binary(one)
        if kind == 4:
            entries += bytes([kind]) + raw + b"\0"
        else:
            entries += bytes([kind]) + (head + len(keys) + len(tail)).to_bytes(2, "little")
            tail += raw
    key_entries, at = b"", head
    if isinstance(value, dict):
        for k, _ in items:
            key_entries += at.to_bytes(2, "little") + len(k.encode()).to_bytes(2, "little")
            at += len(k.encode())
    content = key_entries + entries + keys + tail
    return (0 if isinstance(value, dict) else 2), len(items).to_bytes(2, "little") + (
        4 + len(content)
    ).to_bytes(2, "little") + content


@given(JSONS)
def test_json(value):
    kind, raw = binary(value)
    shown = text(bytes([kind]) + raw)
    assert json.loads(shown) == value
    assert plain(Json(shown)) == value


def test_json_that_refers_to_itself_ends():
    """An array whose only element is the array again, and one that doubles at every level."""
    loop = (
        bytes([2])
        + (1).to_bytes(2, "little")
        + (7).to_bytes(2, "little")
        + bytes([2])
        + (0).to_bytes(2, "little")
    )
    with pytest.raises(ShortRead):
        text(loop)
    inner = (0).to_bytes(2, "little") + (4).to_bytes(2, "little")
    for _ in range(40):
        body = bytes([2]) + (10).to_bytes(2, "little") + bytes([2]) + (10).to_bytes(2, "little")
        inner = (2).to_bytes(2, "little") + (4 + len(body) + len(inner)).to_bytes(2, "little") + body + inner
    with pytest.raises(ShortRead, match=r"larger than its bytes|refers to itself"):
        text(bytes([2]) + inner)


@pytest.mark.parametrize(
    ("value", "shown"), [(1.0, "1.0"), (1e100, "1e100"), (-0.1, "-0.1"), (1e-7, "1e-7"), (1.5e300, "1.5e300")]
)
def test_json_doubles(value, shown):
    import struct

    assert text(bytes([11]) + struct.pack("<d", value)) == shown


def test_json_changes():
    raw = b"\0\x03$.a\x02\x04\x00" + b"\x02\x03$.b" + b"\x01\x03$.c\x03\x0c\x01x"
    found = read_diffs(raw)
    assert found == '[["replace", "$.a", null], ["remove", "$.b"], ["insert", "$.c", "x"]]'
    with pytest.raises(ShortRead, match="JSON change 9"):
        read_diffs(b"\x09\x01$")
