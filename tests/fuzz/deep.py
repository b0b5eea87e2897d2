"""Changes below the surface: documents stay valid JSON or YAML, events of a binary log keep their lengths and
checksums, so that what is changed is read and not refused at the door.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any

import yaml

from tests.fuzz.mutate import ODD, mutated

HEADER = 19
Mutate = Callable[[tuple[bytes, ...], random.Random], bytes]
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 2**63, 2**64, -(2**70), 1.5, -0.0, 1e308, "", "0", "-1", "9" * 300,
    "NULL", "YES", "NO", "\0", "\n", "\ud800", "\u212a", "e\u0301", [], {}, [[]], {"a": None}, "x" * 70_000,
)  # fmt: skip


def json_values(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """A document, or one document a line, with other values, keys and rows."""
    text = chance.choice(seeds).decode("utf-8", "replace")
    try:
        whole: Any = json.loads(text)
        out = json.dumps(_changed(whole, chance))
    except ValueError:
        records = [one for line in text.split("\n") if (one := _record(line)) is not None]
        changed = _changed(records, chance)
        out = "\n".join(map(json.dumps, changed if isinstance(changed, list) else [changed]))
    return out.encode("utf-8", "surrogatepass")


def yaml_values(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """The same for YAML."""
    document = yaml.safe_load(chance.choice(seeds))
    return yaml.safe_dump(_changed(document, chance)).encode("utf-8", "replace")


def gzip_inside(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """What is packed changes, or how often it is."""
    out = mutated(tuple(gzip.decompress(seed) for seed in seeds), chance)
    for _ in range(chance.choice((1, 1, 2, 4))):
        out = gzip.compress(out, 1)
    return out if chance.random() < 0.7 else out + chance.choice((out, b"\0" * 9, b"\x1f\x8b", b"x"))


def parquet_values(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """Cells, types and headings of Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(chance.choice(seeds)))
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    for _ in range(chance.choice((1, 2, 5))):
        name = chance.choice(list(columns))
        row = chance.randrange(table.num_rows)
        way = chance.randrange(5)
        if way == 0:
            columns[name][row] = None
        elif way == 1:
            columns[name] = [_scalar(chance)] * table.num_rows
        elif way == 2:
            columns[name] = [None if one is None else str(one) for one in columns[name]]
            columns[name][row] = str(_scalar(chance))
        elif way == 3:
            columns[chance.choice((*columns, "VIEW", "x", ""))] = columns[name]
        else:
            columns[name] = [[one] for one in columns[name]]
    try:
        changed = pa.table({name: pa.array(values) for name, values in columns.items()})
        buffer = io.BytesIO()
        pq.write_table(changed, buffer, compression=chance.choice(("none", "snappy", "gzip", "zstd")))
    except (pa.ArrowException, NotImplementedError, ValueError, OverflowError):
        return chance.choice(seeds)
    return buffer.getvalue()


def log_events(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """Events with other bodies, under headers and checksums that are right."""
    events = _events(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 4, 8)) if events else 0):
        at = chance.randrange(len(events))
        way = chance.randrange(8)
        if way == 0:
            events.insert(at, chance.choice(events))
        elif way == 1 and len(events) > 1:
            del events[at]
        elif way == 2:
            code, flags, body = events[at]
            events[at] = (
                chance.randrange(256) if chance.random() < 0.3 else chance.choice(events)[0],
                flags,
                body,
            )
        elif way == 3:
            code, flags, body = events[at]
            events[at] = (code, flags ^ (1 << chance.randrange(16)), body)
        else:
            # The format description goes wrong in one of eight cases only: all behind it would be refused.
            code, flags, body = events[at]
            if code != 15 or chance.random() < 0.1:
                events[at] = (code, flags, _body(body, chance))
    return _log(events)


def _body(body: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(body))
    way = chance.randrange(6)
    if way == 0:
        return body[:at] + body[at + chance.randint(1, 8) :]
    if way == 1:
        return body[:at] + chance.randbytes(chance.randint(1, 8)) + body[at:]
    if way == 2:
        return body[:at] + chance.choice(ODD) + body[at:]
    if way == 3:
        number = chance.choice(
            (0, 1, 0x7F, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF, 0xFFFF, 2**31, 2**32 - 1, 2**64 - 1)
        )
        raw = struct.pack("<Q", number)[: chance.choice((1, 2, 3, 4, 8))]
        return body[:at] + raw + body[at + len(raw) :]
    if way == 4 and body:
        # The first bytes of an event hold its lengths.
        at = chance.randrange(min(len(body), 40))
        return body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    if not body:
        return chance.randbytes(3)
    at = chance.randrange(len(body))
    return body[:at] + bytes([body[at] ^ (1 << chance.randrange(8))]) + body[at + 1 :]


def _events(log: bytes) -> list[tuple[int, int, bytes]]:
    """Code, flags and body of the whole events of a log."""
    at, out = 4, []
    checksum = 0
    while at + HEADER <= len(log):
        _, code, _, size, _, flags = struct.unpack_from("<IBIIIH", log, at)
        if size < HEADER or at + size > len(log):
            break
        body = log[at + HEADER : at + size]
        if code == 15:
            checksum = 4 if len(body) > 5 and body[-5] == 1 else 0
            body = body[:-4]
        elif checksum:
            body = body[:-4]
        out.append((code, flags, body))
        at += size
    return out


def _log(events: list[tuple[int, int, bytes]]) -> bytes:
    out = bytearray(b"\xfebin")
    checksum = False
    for code, flags, body in events:
        if code == 15:
            checksum = body[-1:] == b"\x01"
        tail = 4 * (checksum or code == 15)
        size = HEADER + len(body) + tail
        raw = (
            struct.pack("<IBIIIH", 1_700_000_000, code, 1, size, (len(out) + size) & 0xFFFFFFFF, flags) + body
        )
        out += raw + (struct.pack("<I", zlib.crc32(raw)) if tail else b"")
    return bytes(out)


def _changed(value: Any, chance: random.Random) -> Any:
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        places = list(_places(value))
        if not places:
            return _scalar(chance)
        holder, key = chance.choice(places)
        other, theirs = chance.choice(places)
        way = chance.randrange(8)
        if way == 0:
            holder[key], other[theirs] = other[theirs], holder[key]
        elif way == 1:
            holder[key] = other[theirs]
        elif way == 2 and isinstance(holder, dict):
            holder[str(_scalar(chance))] = holder.pop(key)
        elif way == 3:
            holder.pop(key)
        elif way == 4 and isinstance(holder, list):
            holder.insert(key, other[theirs])
        elif way == 5 and isinstance(holder[key], str):
            holder[key] = mutated((holder[key].encode("utf-8", "replace"),), chance).decode(
                "utf-8", "replace"
            )
        else:
            holder[key] = _scalar(chance)
        # What was moved into itself would have no end.
        value = _copy(value, chance)
    return value


def _copy(value: Any, chance: random.Random) -> Any:
    try:
        return json.loads(json.dumps(value, default=str))
    except (ValueError, RecursionError):
        return _scalar(chance)


def _places(value: Any) -> list[tuple[Any, Any]]:
    out: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        one = stack.pop()
        keys = one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            out.append((one, key))
            stack.append(one[key])
    return out


def _scalar(chance: random.Random) -> Any:
    return chance.choice((*_VALUES, chance.choice(ODD).decode("latin-1")))


def _record(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
