"""Operators and functions of constants, as MariaDB computes them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from datetime import date
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

#: NULL, a number, a text.
Value = int | Decimal | float | str | None
_ALL = 2**64
_PREFIX = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: \d\d:\d\d:\d\d)?\Z", re.ASCII)


class NotComputed(Exception):
    """The expression has a column, or something that is not computed here."""


def negated(value: Value) -> Value:
    """NOT of a value."""
    truth = truth_of(value)
    return None if truth is None else int(not truth)


def truth_of(value: Value) -> bool | None:
    """Whether a value is true; None for NULL."""
    return None if value is None else number_of(value) != 0


def both(left: Value, right: Value) -> Value:
    """AND of two values."""
    return logic("and", truth_of(left), truth_of(right))


def logic(word: str, left: bool | None, right: bool | None) -> Value:
    """AND, OR, XOR of truths."""
    if word == "xor":
        return None if left is None or right is None else int(left != right)
    short = word == "or"
    if short in (left, right):
        return int(short)
    return None if None in (left, right) else int(not short)


def compared_of(word: str, left: Value, right: Value) -> Value:
    """A comparison of two values."""
    if word == "<=>":
        return int(left is right is None) if None in (left, right) else compared_of("=", left, right)
    if left is None or right is None:
        return None
    if isinstance(left, str) and isinstance(right, str):
        if not (left + right).isascii():
            raise NotComputed
        a, b = left.rstrip(" ").upper(), right.rstrip(" ").upper()
        less, same = a < b, a == b
    else:
        x, y = float(number_of(left)), float(number_of(right))
        less, same = x < y, x == y
    return int({"=": same, "!=": not same, "<": less, ">": not (less or same), "<=": less or same,
                ">=": not less}[word])  # fmt: skip


def number_of(value: Value) -> int | Decimal | float:
    """A value as a number, texts by their beginning. Raises NotComputed for NULL."""
    if isinstance(value, str):
        found = _PREFIX.match(value)
        return float(found[1]) if found else 0.0
    if value is None:
        raise NotComputed
    return value


def whole_of(value: Value) -> int:
    """A value rounded to an integer."""
    number = number_of(value)
    if isinstance(number, float):
        return round(number)
    return int(Decimal(number).quantize(Decimal(1), ROUND_HALF_UP))


def text_of(value: Value) -> str:
    """A value as text."""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def bits(word: str, a: int, b: int) -> int:
    """An operator of 64 unsigned bits."""
    a, b = a % _ALL, b % _ALL
    if word in ("<<", ">>"):
        return (a << b if word == "<<" else a >> b) % _ALL if b < 64 else 0
    return a | b if word == "|" else a & b if word == "&" else a ^ b


def arithmetic(word: str, a: Decimal | float, b: Decimal | float) -> Value:
    """An operator of numbers; NULL for a division by 0."""
    if word in ("/", "%", "div") and b == 0:
        return None
    if word == "div":
        return int(Decimal(str(a)) / Decimal(str(b)))
    if isinstance(a, float) or isinstance(b, float):
        x, y = float(a), float(b)
        if word == "%":
            raise NotComputed
        return x + y if word == "+" else x - y if word == "-" else x * y if word == "*" else x / y
    if word == "/":
        scale = max(0, -int(Decimal(a).as_tuple().exponent)) + 4
        return (Decimal(a) / Decimal(b)).quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP)
    if word == "%":
        most = -b if b < 0 else b
        return a % most if a >= 0 else -((-a) % most)
    return a + b if word == "+" else a - b if word == "-" else a * b


def _rounded(value: Value, places: Value) -> Value:
    number = number_of(value)
    if isinstance(number, float):
        return round(number, whole_of(places))
    return Decimal(number).quantize(Decimal(1).scaleb(-whole_of(places)), ROUND_HALF_UP)


def _floor(value: Value) -> Value:
    number = number_of(value)
    return float(number // 1) if isinstance(number, float) else int(Decimal(number).quantize(1, ROUND_FLOOR))


def _day(value: Value) -> date:
    found = _DATE.match(value) if isinstance(value, str) else None
    if found is None:
        raise NotComputed
    return date(int(found[1]), int(found[2]), int(found[3]))


def _part(text: Value, begin: Value, length: Value = 2**31) -> str:
    whole, first, count = text_of(text), whole_of(begin), whole_of(length)
    if first == 0 or count <= 0 or abs(first) > len(whole):
        return ""
    at = first - 1 if first > 0 else len(whole) + first
    return whole[at : at + count]


def _hex(value: Value) -> str:
    return value.encode().hex().upper() if isinstance(value, str) else f"{whole_of(value) % _ALL:X}"


def _find(part: Value, text: Value, begin: Value = 1) -> int:
    return text_of(text).lower().find(text_of(part).lower(), whole_of(begin) - 1) + 1


def _hashed(name: str) -> Callable[..., Value]:
    def digest(text: Value) -> Value:
        import hashlib

        return hashlib.new(name, text_of(text).encode(), usedforsecurity=False).hexdigest()

    return digest


def _sha2(text: Value, bits: Value) -> Value:
    name = {224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512", 0: "sha256"}.get(whole_of(bits))
    return _hashed(name)(text) if name else None


def _padded(text: Value, length: Value, pad: Value) -> str:
    whole, wanted = text_of(text), whole_of(length)
    missing = wanted - len(whole)
    return whole[:wanted] if missing <= 0 else (text_of(pad) * missing)[:missing] + whole


#: Functions that are NULL where an argument is.
_CALLS: dict[str, Callable[..., Value]] = {
    "abs": lambda a: -number_of(a) if number_of(a) < 0 else a,
    "ascii": lambda a: ord(text_of(a)[0]) if a else 0,
    "bit_count": lambda a: (whole_of(a) % _ALL).bit_count(),
    "ceil": lambda a: -whole_of(_floor(-number_of(a))),
    "char_length": lambda a: len(text_of(a)),
    "concat": lambda *all_: "".join(map(text_of, all_)),
    "crc32": lambda a: zlib.crc32(text_of(a).encode()),
    "datediff": lambda a, b: (_day(a) - _day(b)).days,
    "find_in_set": lambda a, b: [*text_of(b).split(","), a].index(text_of(a)) + 1 if a in b.split(",") else 0,
    "floor": _floor,
    "greatest": lambda *all_: max(number_of(one) for one in all_),
    "hex": _hex,
    "insert": lambda a, i, n, b: text_of(a)[: i - 1] + b + text_of(a)[i - 1 + n :] if 0 < i <= len(a) else a,
    "instr": lambda a, b: _find(b, a),
    "lcase": lambda a: text_of(a).lower(),
    "left": lambda a, n: text_of(a)[: max(0, whole_of(n))],
    "length": lambda a: len(text_of(a).encode()),
    "locate": _find,
    "lower": lambda a: text_of(a).lower(),
    "lpad": _padded,
    "md5": _hashed("md5"),
    "mid": _part,
    "mod": lambda a, b: arithmetic("%", number_of(a), number_of(b)),
    "month": lambda a: _day(a).month,
    "quarter": lambda a: (_day(a).month + 2) // 3,
    "pow": lambda a, b: float(number_of(a)) ** float(number_of(b)),
    "repeat": lambda a, n: text_of(a) * max(0, min(whole_of(n), 1000)),
    "replace": lambda a, b, c: text_of(a).replace(text_of(b), text_of(c)) if b else a,
    "reverse": lambda a: text_of(a)[::-1],
    "round": lambda a, n=0: _rounded(a, n),
    "sha": _hashed("sha1"),
    "sha1": _hashed("sha1"),
    "sha2": _sha2,
    "sign": lambda a: (number_of(a) > 0) - (number_of(a) < 0),
    "space": lambda n: " " * max(0, min(whole_of(n), 1000)),
    "strcmp": lambda a, b: 0 if compared_of("=", a, b) else -1 if compared_of("<", a, b) else 1,
    "substr": _part,
    "substring": _part,
    "to_days": lambda a: _day(a).toordinal() + 365,
    "ucase": lambda a: text_of(a).upper(),
    "upper": lambda a: text_of(a).upper(),
    "weekday": lambda a: _day(a).weekday(),
    "year": lambda a: _day(a).year,
}
#: Those with their own way with NULL.
_OWN = frozenset(("char", "coalesce", "concat_ws", "elt", "if", "ifnull", "isnull", "nullif", "quote"))
#: Of these only is known that they are NULL where an argument is.
_NULL_ALONE = frozenset((
    "conv", "date", "date_format", "dayname", "extract", "format", "from_base64", "from_unixtime",
    "json_extract", "json_length", "json_unquote", "json_valid", "json_value", "json_set", "last_day",
    "makedate", "monthname", "regexp_replace", "sec_to_time", "soundex", "st_geomfromtext", "st_x",
    "str_to_date", "substring_index", "timestamp", "trim", "truncate", "unix_timestamp",
))  # fmt: skip
KNOWN = frozenset((*_CALLS, *_OWN, *_NULL_ALONE))
#: JSON functions are NULL where their first argument is.
_FIRST = frozenset(("json_set",))


def call(name: str, given: list[Value]) -> Value:
    """A function of KNOWN. Raises NotComputed."""
    if name in _OWN:
        return _own(name, given)
    asked = given[:1] if name in _FIRST else given
    if None in asked:
        return None
    if name not in _CALLS:
        if name == "soundex" and given == [""]:
            return ""
        return _unread(name, given)
    try:
        return _CALLS[name](*given)
    except (TypeError, AttributeError):
        raise NotComputed from None


def _unread(name: str, given: list[Value]) -> Value:
    """NULL for what is no JSON text or no base64. Raises NotComputed for any other."""
    text = text_of(given[0])
    if name.startswith("json_"):
        try:
            value = json.loads(text)
        except ValueError:
            return 0 if name == "json_valid" else None
        if name == "json_valid":
            return 1
        if value in ({}, []) and name in ("json_extract", "json_value"):
            return None
        if name == "json_length" and len(given) == 1:
            return len(value) if isinstance(value, (dict, list)) else 1
    if name == "from_base64":
        try:
            return base64.b64decode(text, validate=True).decode("ascii")
        except UnicodeDecodeError:
            raise NotComputed from None
        except ValueError:
            return None
    raise NotComputed


def _own(name: str, given: list[Value]) -> Value:
    known = [one for one in given if one is not None]
    if name in ("coalesce", "ifnull"):
        if len({isinstance(one, str) for one in known}) > 1:
            raise NotComputed
        return known[0] if known else None
    if name == "if":
        return given[1] if truth_of(given[0]) else given[2]
    if name == "nullif":
        return None if compared_of("=", given[0], given[1]) else given[0]
    if name == "isnull":
        return int(given[0] is None)
    if name == "concat_ws":
        return None if given[0] is None else text_of(given[0]).join(map(text_of, known[1:]))
    if name == "quote":
        return "NULL" if given[0] is None else "'" + text_of(given[0]) + "'"
    if name == "elt":
        index = 0 if given[0] is None else whole_of(given[0])
        return given[index] if 0 < index < len(given) else None
    return "".join(chr(whole_of(one)) if 0 < whole_of(one) < 128 else "?" for one in known)
