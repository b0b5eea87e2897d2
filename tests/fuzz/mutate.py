"""Changes to valid input: bytes (flips, cuts, copies), and grammar (tokens swapped, doubled, nested, taken
from elsewhere).
"""

from __future__ import annotations

import random
import re

_TOKENS = re.compile(rb"\w+|\s+|.", re.DOTALL)
ODD = (
    b"", b"\0", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x85", b"\x1a", b"'",
    b'"', b"`", b"\\", b"(", b")", b"/*", b"*/", b"/*!", b"--", b"#",
    b";", b",", b"NULL", b"-1", b"0", b"18446744073709551616", b"9" * 400, b"1e999", b"\n", b"\r", b"\t",
    b"\\N", b"{", b"[", b"]", b"}", b"<", b"&lt;", b":", b"%", b"*", b"~",
    b"DELIMITER $$\n", b"nan", b"true", b"0x", b"b'2'", b"_utf8'", b"&a", b"*a",
    b"!!python/object:os.system x", b"- ", b"? ", b"| ", b"=",
)  # fmt: skip


def mutated(seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """One input made of valid ones; the same for the same state of `chance`."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        data = bytearray(chance.choice(_WAYS)(bytes(data), seeds, chance))
    return bytes(data[:100_000])


def _flip(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.randint(1, 6) if out else 0):
        out[chance.randrange(len(out))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bytes(out)


def _cut(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] if chance.random() < 0.5 else data[:at] + data[at + chance.randint(1, 40) :]


def _odd(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(ODD) + data[at:]


def _splice(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    other = chance.choice(seeds)
    at, begin = chance.randint(0, len(data)), chance.randint(0, len(other))
    return data[:at] + other[begin : begin + chance.randint(1, 400)] + data[at:]


def _tokens(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """One token becomes another, goes, comes twice, or changes places."""
    found = _TOKENS.findall(data)
    if len(found) < 2:
        return data
    one, two = chance.randrange(len(found)), chance.randrange(len(found))
    way = chance.randrange(4)
    if way == 0:
        found[one], found[two] = found[two], found[one]
    elif way == 1:
        del found[one]
    elif way == 2:
        found.insert(one, found[two])
    else:
        found[one] = chance.choice((*ODD, chance.choice(_TOKENS.findall(chance.choice(seeds)) or [b""])))
    return b"".join(found)


def _deep(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """Brackets many times."""
    at = chance.randint(0, len(data))
    opening, closing = chance.choice(
        ((b"(", b")"), (b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"NOT ", b""), (b"/*", b"*/"))
    )
    count = chance.choice((3, 60, 1500))
    return data[:at] + opening * count + closing * chance.choice((0, count)) + data[at:]


def _lines(data: bytes, seeds: tuple[bytes, ...], chance: random.Random) -> bytes:
    """Lines change places, go or come twice."""
    lines = data.split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    if chance.random() < 0.4:
        lines[one], lines[two] = lines[two], lines[one]
    elif chance.random() < 0.5:
        del lines[one]
    else:
        lines.insert(one, lines[two])
    return b"\n".join(lines)


_WAYS = (_flip, _cut, _odd, _splice, _tokens, _tokens, _tokens, _deep, _lines)
