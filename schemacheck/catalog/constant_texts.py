"""Functions of texts, of constants."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from decimal import Decimal

from schemacheck.catalog.constant import (
    NUMBERS,
    Constant,
    NotComputed,
    number_of,
    octets_of,
    rounded,
    text,
    text_of,
    truth_of,
    whole_of,
)
from schemacheck.catalog.constant_order import bare, compared, expression
from schemacheck.model.expression_tree import Item
from schemacheck.sql import characters

_ALL = 2**64
_MOST = 100_000


def _same(one: Constant, found: str) -> str:
    return found if one.kind != "bytes" else text_of(one)


def _part(one: Constant, begin: Constant, length: Constant | None = None) -> str:
    whole, first = text_of(one), whole_of(begin)
    count = whole_of(length) if length is not None else len(whole)
    if first == 0 or count <= 0 or abs(first) > len(whole):
        return ""
    at = first - 1 if first > 0 else len(whole) + first
    return whole[at : at + count]


def _hexed(one: Constant) -> str:
    if one.kind in NUMBERS:
        return f"{whole_of(one) % _ALL:X}"
    return octets_of(one).hex().upper()


def _find(part: Constant, whole: Constant, begin: Constant | None = None) -> int:
    a, b = text_of(part), text_of(whole)
    if (bare(a) in bare(b)) != (a.lower() in b.lower()):
        # Whether an accent counts is the collation's.
        raise NotComputed
    if "bytes" not in (part.kind, whole.kind):
        a, b = a.lower(), b.lower()
    first = whole_of(begin) if begin is not None else 1
    if first < 1 or first > len(b) + 1:
        return 0
    return b.find(a, first - 1) + 1


def _hashed(name: str) -> Callable[[Constant], str]:
    def digest(one: Constant) -> str:
        import hashlib

        return hashlib.new(name, octets_of(one), usedforsecurity=False).hexdigest()

    return digest


def _sha2(one: Constant, size: Constant) -> str | None:
    name = {224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512", 0: "sha256"}.get(whole_of(size))
    return _hashed(name)(one) if name else None


def _padded(left: bool) -> Callable[[Constant, Constant, Constant], str | None]:
    def padded(one: Constant, length: Constant, pad: Constant) -> str | None:
        whole, wanted, filler = text_of(one), whole_of(length), text_of(pad)
        missing = wanted - len(whole)
        if wanted < 0 or wanted > _MOST:
            return None
        if missing > 0 and not filler:
            raise NotComputed
        fill = (filler * missing)[: max(0, missing)] if missing > 0 else ""
        return whole[:wanted] if missing <= 0 else fill + whole if left else whole + fill

    return padded


def _inserted(one: Constant, begin: Constant, length: Constant, new: Constant) -> str:
    whole, at, count = text_of(one), whole_of(begin), whole_of(length)
    if not 0 < at <= len(whole):
        return whole
    count = count if count >= 0 else len(whole)
    return whole[: at - 1] + text_of(new) + whole[at - 1 + count :]


def _replaced(one: Constant, old: Constant, new: Constant) -> str:
    return text_of(one).replace(text_of(old), text_of(new)) if text_of(old) else text_of(one)


def _repeated(one: Constant, count: Constant) -> str:
    times = whole_of(count)
    if times * len(text_of(one)) > _MOST:
        raise NotComputed
    return text_of(one) * max(0, times)


def _index(one: Constant, sign: Constant, count: Constant) -> str:
    whole, cut, times = text_of(one), text_of(sign), whole_of(count)
    if not cut or not times:
        return ""
    pieces = whole.split(cut)
    return cut.join(pieces[:times] if times > 0 else pieces[times:])


_CODES = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "01230120022455012623010202", strict=True))


def _soundex(one: Constant) -> str:
    letters = [letter for letter in text_of(one).upper() if letter in _CODES or letter.lower() != letter]
    if not letters:
        return ""
    found, last = letters[0], _CODES.get(letters[0], "0")
    for letter in letters[1:]:
        code = _CODES.get(letter, "0")
        if code not in ("0", last):
            found, last = found + code, code
    return found.ljust(4, "0")


def _formatted(one: Constant, places: Constant) -> str:
    digits = max(0, min(whole_of(places), 38))
    number = number_of(one)
    shown = round(number, digits) if isinstance(number, float) else rounded(Decimal(number), digits)
    return f"{shown:,.{digits}f}"


def _based(one: Constant, base: Constant, to: Constant) -> str | None:
    said, least, new = text_of(one), whole_of(base), whole_of(to)
    if not said:
        return None
    if (least, new) != (10, 16):
        raise NotComputed
    return f"{whole_of(text(said)) % _ALL:X}"


def _unbased(one: Constant) -> bytes | None:
    if not octets_of(one).isascii():
        return None
    try:
        return base64.b64decode("".join(characters.split(text_of(one))), validate=True)
    except (binascii.Error, ValueError):
        return None


def _trimmed(given: list[Constant], item: Item) -> Constant:
    """TRIM, LTRIM and RTRIM."""
    kind = "bytes" if any(one.kind == "bytes" for one in given) else "text"
    if any(one.value is None for one in given):
        return Constant(kind, None)
    whole = text_of(given[0])
    cut = text_of(given[1]) if len(given) > 1 else " "
    side = {"ltrim": "leading", "rtrim": "trailing"}.get(item.name, item.detail)
    while cut and side != "trailing" and whole.startswith(cut):
        whole = whole[len(cut) :]
    while cut and side != "leading" and whole.endswith(cut):
        whole = whole[: -len(cut)]
    return Constant(kind, whole if kind == "text" else whole.encode())


def _replaced_matches(given: list[Constant], item: Item) -> Constant:
    del item
    kind = "bytes" if any(one.kind == "bytes" for one in given) else "text"
    if any(one.value is None for one in given):
        return Constant(kind, None)
    if len(given) != 3 or "\\" in text_of(given[2]):
        raise NotComputed
    found = expression(given[0], given[1]).sub(text_of(given[2]), text_of(given[0]))
    return Constant(kind, found if kind == "text" else found.encode())


def _joined(given: list[Constant], item: Item) -> Constant:
    """CONCAT and CONCAT_WS."""
    parts = [one for one in given if one.kind != "null"]
    kind = "bytes" if any(one.kind == "bytes" for one in parts) else "text"
    if item.name == "concat":
        known, sign = given, b"" if kind == "bytes" else ""
        empty = any(one.value is None for one in given)
    else:
        known = [one for one in given[1:] if one.value is not None]
        empty = given[0].value is None
        sign = "" if empty else octets_of(given[0]) if kind == "bytes" else text_of(given[0])
    if empty:
        return Constant(kind, None)
    if isinstance(sign, bytes):
        return Constant(kind, sign.join(map(octets_of, known)))
    return Constant(kind, sign.join(map(text_of, known)))


def _characters(given: list[Constant], item: Item) -> Constant:
    codes = [whole_of(one) % 2**32 for one in given if one.value is not None]
    octets = b"".join(code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big") for code in codes)
    if item.charset in ("", "binary"):
        return Constant("bytes", octets)
    if not octets.isascii():
        raise NotComputed
    return text(octets.decode())


def _quoted(given: list[Constant], item: Item) -> Constant:
    del item
    if given[0].value is None:
        return text("NULL")
    found = text_of(given[0])
    for letter, written in (("\\", "\\\\"), ("'", "\\'"), ("\0", "\\0"), ("\x1a", "\\Z")):
        found = found.replace(letter, written)
    return Constant("bytes" if given[0].kind == "bytes" else "text", f"'{found}'".encode()
                    if given[0].kind == "bytes" else f"'{found}'")  # fmt: skip


def _strcmp(a: Constant, b: Constant) -> int:
    return 0 if truth_of(compared("=", a, b)) else -1 if truth_of(compared("<", a, b)) else 1


def _in_set(one: Constant, among: Constant) -> int:
    if "bytes" in (one.kind, among.kind):
        wanted, listed = octets_of(one).decode("latin-1"), octets_of(among).decode("latin-1")
    else:
        wanted, listed = text_of(one).lower(), text_of(among).lower()
    found = listed.split(",")
    return found.index(wanted) + 1 if wanted in found and listed else 0


OWN: dict[str, Callable[[list[Constant], Item], Constant]] = {
    "trim": _trimmed, "ltrim": _trimmed, "rtrim": _trimmed,
    "regexp_replace": _replaced_matches, "concat": _joined, "concat_ws": _joined,
    "char": _characters, "quote": _quoted,
}  # fmt: skip
#: Functions that are NULL where an argument is: what they give, and how.
CALLS: dict[str, tuple[str, Callable[..., int | float | str | bytes | None]]] = {
    "ascii": ("int", lambda a: octets_of(a)[0] if octets_of(a) else 0),
    "char_length": ("int", lambda a: len(octets_of(a) if a.kind == "bytes" else text_of(a))),
    "crc32": ("int", lambda a: zlib.crc32(octets_of(a))),
    "find_in_set": ("int", _in_set),
    "instr": ("int", lambda a, b: _find(b, a)),
    "length": ("int", lambda a: len(octets_of(a))),
    "locate": ("int", _find),
    "strcmp": ("int", _strcmp),
    "conv": ("text", _based),
    "format": ("text", _formatted),
    "from_base64": ("bytes", _unbased),
    "hex": ("text", _hexed),
    "insert": ("joined", _inserted),
    "left": ("joined", lambda a, n: text_of(a)[: max(0, whole_of(n))]),
    "lower": ("joined", lambda a: _same(a, text_of(a).lower())),
    "lpad": ("joined", _padded(left=True)),
    "md5": ("text", _hashed("md5")),
    "repeat": ("joined", _repeated),
    "replace": ("joined", _replaced),
    "reverse": ("joined", lambda a: text_of(a)[::-1]),
    "right": ("joined", lambda a, n: text_of(a)[-whole_of(n) :] if whole_of(n) > 0 else ""),
    "rpad": ("joined", _padded(left=False)),
    "sha": ("text", _hashed("sha1")),
    "sha2": ("text", _sha2),
    "soundex": ("joined", _soundex),
    "space": ("text", lambda n: " " * max(0, min(whole_of(n), _MOST))),
    "substr": ("joined", _part),
    "substring_index": ("joined", _index),
    "upper": ("joined", lambda a: _same(a, text_of(a).upper())),
}
