"""The value of an expression of constants, which MariaDB computes when a column has it as its DEFAULT
(`make_empty_rec`): what does not fit the column, or is NULL where NOT NULL is, refuses the table.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from datetime import date
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal, InvalidOperation

from schemacheck.model.expression_text import BINARY, SAME
from schemacheck.model.quote import unquote
from schemacheck.model.words import is_introducer, tokens

#: NULL, a number, a text.
Value = int | Decimal | float | str | None
_ALL = 2**64
_PREFIX = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: \d\d:\d\d:\d\d)?\Z", re.ASCII)
_COMPARED = frozenset(("=", "!=", "<", ">", "<=", ">=", "<=>"))


class NotComputed(Exception):
    """The expression has a column, or something that is not computed here."""


def compute(text: str, modes: frozenset[str]) -> Value:
    """The value of an expression. Raises NotComputed."""
    reader = _Reader([*tokens(text, modes), ("end", "")])
    try:
        found = reader.expression(0)
    except (InvalidOperation, OverflowError, ValueError, ZeroDivisionError, IndexError):
        raise NotComputed from None
    if reader.tokens[reader.at][0] != "end" or (isinstance(found, str) and len(found) > 1000):
        raise NotComputed
    return found


class _Reader:
    def __init__(self, found: list[tuple[str, str]]) -> None:
        self.tokens, self.at, self.depth = found, 0, 0

    def peek(self) -> str:
        kind, value = self.tokens[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, word: str) -> bool:
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def need(self, word: str) -> None:
        if not self.take(word):
            raise NotComputed

    def expression(self, least: int) -> Value:
        self.depth += 1
        if self.depth > 40:
            raise NotComputed
        left = self.prefix()
        while (level := BINARY.get(self.peek())) is not None and level >= least:
            left = self.infix(left, self.peek(), level)
        self.depth -= 1
        return left

    def infix(self, left: Value, word: str, level: int) -> Value:
        self.at += 1
        word = SAME.get(word, word)
        if word == "not":
            operator = self.peek()
            return _not(self.infix(left, operator, 6))
        if word == "is":
            turned = self.take("not")
            asked = self.peek()
            self.at += 1
            truth = _truth(left)
            if asked not in ("null", "true", "false"):
                raise NotComputed
            holds = left is None if asked == "null" else truth is not None and truth == (asked == "true")
            return int(holds != turned)
        if word == "in":
            self.need("(")
            others = self.arguments()
            found = [_compared("=", left, one) for one in others]
            return 1 if 1 in found else None if None in found else 0
        if word == "between":
            low = self.expression(7)
            self.need("and")
            return _and(_compared(">=", left, low), _compared("<=", left, self.expression(7)))
        right = self.expression(level + 1)
        if word in _COMPARED:
            return _compared(word, left, right)
        if word in ("and", "or", "xor"):
            return _logic(word, _truth(left), _truth(right))
        if left is None or right is None:
            return None
        if word in ("|", "&", "^", "<<", ">>"):
            return _bits(word, _whole(left), _whole(right))
        if word in ("+", "-", "*", "/", "%", "div"):
            return _arithmetic(word, _number(left), _number(right))
        raise NotComputed

    def prefix(self) -> Value:
        if self.take("not") or self.peek() == "!":
            before = self.tokens[self.at - 1][1]
            if before != "not":
                self.at += 1
            return _not(self.expression(5 if before == "not" else 15))
        if self.take("-"):
            inner = self.expression(14)
            return None if inner is None else -_number(inner)
        if self.take("~"):
            inner = self.expression(14)
            return None if inner is None else _ALL - 1 - _whole(inner)
        return self.atom()

    def arguments(self) -> list[Value]:
        found: list[Value] = []
        while not self.take(")"):
            if found:
                self.need(",")
            found.append(self.expression(0))
        return found

    def atom(self) -> Value:
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            return unquote(value)
        if kind == "bits" and value.startswith("x'"):
            return bytes.fromhex(value[2:-1]).decode("ascii", "replace")
        if kind == "number":
            return float(value) if "e" in value else Decimal(value) if "." in value else int(value)
        if value == "(":
            inner = self.expression(0)
            self.need(")")
            return inner
        if kind != "word":
            raise NotComputed
        if value in ("null", "true", "false"):
            return None if value == "null" else int(value == "true")
        if is_introducer(value) and self.tokens[self.at][0] == "string":
            text = unquote(self.tokens[self.at][1])
            self.at += 1
            if not text.isascii():
                raise NotComputed
            return text
        if value in ("date", "timestamp") and self.tokens[self.at][0] == "string":
            return self.atom()
        if value == "case":
            return self.case()
        self.need("(")
        if value in ("cast", "convert"):
            return self.cast()
        if value == "interval" or value not in (*_CALLS, *_OWN, *_NULL_ALONE):
            raise NotComputed
        return _call(value, self.arguments())

    def case(self) -> Value:
        compared = self.peek() != "when"
        base = self.expression(0) if compared else None
        found: Value = None
        chosen = False
        while self.take("when"):
            asked = self.expression(0)
            self.need("then")
            value = self.expression(0)
            if not chosen and (_compared("=", base, asked) if compared else _truth(asked)):
                found, chosen = value, True
        if self.take("else"):
            value = self.expression(0)
            found = found if chosen else value
        self.need("end")
        return found

    def cast(self) -> Value:
        inner = self.expression(0)
        words = []
        depth = 0
        while depth or self.peek() != ")":
            word = self.tokens[self.at][1]
            if self.tokens[self.at][0] == "end":
                raise NotComputed
            depth += (word == "(") - (word == ")")
            words.append(word)
            self.at += 1
        self.at += 1
        if inner is None:
            return None
        if words[:1] == ["as"] and words[1] in ("signed", "unsigned"):
            whole = _whole(inner)
            return whole if words[1] == "signed" else whole % _ALL
        if words[:1] == ["as"] and words[1] == "char":
            return _text(inner)[: int(words[3]) if "(" in words else None]
        if words[0] == "using" or (words[:2] in (["as", "binary"], [",", "char"]) and "(" not in words):
            return _text(inner)
        raise NotComputed


def _not(value: Value) -> Value:
    truth = _truth(value)
    return None if truth is None else int(not truth)


def _truth(value: Value) -> bool | None:
    return None if value is None else _number(value) != 0


def _and(left: Value, right: Value) -> Value:
    return _logic("and", _truth(left), _truth(right))


def _logic(word: str, left: bool | None, right: bool | None) -> Value:
    if word == "xor":
        return None if left is None or right is None else int(left != right)
    short = word == "or"
    if short in (left, right):
        return int(short)
    return None if None in (left, right) else int(not short)


def _compared(word: str, left: Value, right: Value) -> Value:
    if word == "<=>":
        return int(left is right is None) if None in (left, right) else _compared("=", left, right)
    if left is None or right is None:
        return None
    if isinstance(left, str) and isinstance(right, str):
        if not (left + right).isascii():
            raise NotComputed
        a, b = left.rstrip(" ").upper(), right.rstrip(" ").upper()
        less, same = a < b, a == b
    else:
        x, y = float(_number(left)), float(_number(right))
        less, same = x < y, x == y
    return int({"=": same, "!=": not same, "<": less, ">": not (less or same), "<=": less or same,
                ">=": not less}[word])  # fmt: skip


def _number(value: Value) -> int | Decimal | float:
    if isinstance(value, str):
        found = _PREFIX.match(value)
        return float(found[1]) if found else 0.0
    if value is None:
        raise NotComputed
    return value


def _whole(value: Value) -> int:
    number = _number(value)
    if isinstance(number, float):
        return round(number)
    return int(Decimal(number).quantize(Decimal(1), ROUND_HALF_UP))


def _text(value: Value) -> str:
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def _bits(word: str, a: int, b: int) -> int:
    a, b = a % _ALL, b % _ALL
    if word in ("<<", ">>"):
        return (a << b if word == "<<" else a >> b) % _ALL if b < 64 else 0
    return a | b if word == "|" else a & b if word == "&" else a ^ b


def _arithmetic(word: str, a: Decimal | float, b: Decimal | float) -> Value:
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
    number = _number(value)
    if isinstance(number, float):
        return round(number, _whole(places))
    return Decimal(number).quantize(Decimal(1).scaleb(-_whole(places)), ROUND_HALF_UP)


def _floor(value: Value) -> Value:
    number = _number(value)
    return float(number // 1) if isinstance(number, float) else int(Decimal(number).quantize(1, ROUND_FLOOR))


def _day(value: Value) -> date:
    found = _DATE.match(value) if isinstance(value, str) else None
    if found is None:
        raise NotComputed
    return date(int(found[1]), int(found[2]), int(found[3]))


def _part(text: Value, begin: Value, length: Value = 2**31) -> str:
    whole, first, count = _text(text), _whole(begin), _whole(length)
    if first == 0 or count <= 0 or abs(first) > len(whole):
        return ""
    at = first - 1 if first > 0 else len(whole) + first
    return whole[at : at + count]


def _hex(value: Value) -> str:
    return value.encode().hex().upper() if isinstance(value, str) else f"{_whole(value) % _ALL:X}"


def _find(part: Value, text: Value, begin: Value = 1) -> int:
    return _text(text).lower().find(_text(part).lower(), _whole(begin) - 1) + 1


def _hashed(name: str) -> Callable[..., Value]:
    return lambda text: hashlib.new(name, _text(text).encode(), usedforsecurity=False).hexdigest()


def _sha2(text: Value, bits: Value) -> Value:
    name = {224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512", 0: "sha256"}.get(_whole(bits))
    return _hashed(name)(text) if name else None


def _padded(text: Value, length: Value, pad: Value) -> str:
    whole, wanted = _text(text), _whole(length)
    missing = wanted - len(whole)
    return whole[:wanted] if missing <= 0 else (_text(pad) * missing)[:missing] + whole


#: Functions that are NULL where an argument is.
_CALLS: dict[str, Callable[..., Value]] = {
    "abs": lambda a: -_number(a) if _number(a) < 0 else a,
    "ascii": lambda a: ord(_text(a)[0]) if a else 0,
    "bit_count": lambda a: (_whole(a) % _ALL).bit_count(),
    "ceil": lambda a: -_whole(_floor(-_number(a))),
    "char_length": lambda a: len(_text(a)),
    "concat": lambda *all_: "".join(map(_text, all_)),
    "crc32": lambda a: zlib.crc32(_text(a).encode()),
    "datediff": lambda a, b: (_day(a) - _day(b)).days,
    "find_in_set": lambda a, b: [*_text(b).split(","), a].index(_text(a)) + 1 if a in b.split(",") else 0,
    "floor": _floor,
    "greatest": lambda *all_: max(_number(one) for one in all_),
    "hex": _hex,
    "insert": lambda a, i, n, b: _text(a)[: i - 1] + b + _text(a)[i - 1 + n :] if 0 < i <= len(a) else a,
    "instr": lambda a, b: _find(b, a),
    "lcase": lambda a: _text(a).lower(),
    "left": lambda a, n: _text(a)[: max(0, _whole(n))],
    "length": lambda a: len(_text(a).encode()),
    "locate": _find,
    "lower": lambda a: _text(a).lower(),
    "lpad": _padded,
    "md5": _hashed("md5"),
    "mid": _part,
    "mod": lambda a, b: _arithmetic("%", _number(a), _number(b)),
    "month": lambda a: _day(a).month,
    "quarter": lambda a: (_day(a).month + 2) // 3,
    "pow": lambda a, b: float(_number(a)) ** float(_number(b)),
    "repeat": lambda a, n: _text(a) * max(0, min(_whole(n), 1000)),
    "replace": lambda a, b, c: _text(a).replace(_text(b), _text(c)) if b else a,
    "reverse": lambda a: _text(a)[::-1],
    "round": lambda a, n=0: _rounded(a, n),
    "sha": _hashed("sha1"),
    "sha1": _hashed("sha1"),
    "sha2": _sha2,
    "sign": lambda a: (_number(a) > 0) - (_number(a) < 0),
    "space": lambda n: " " * max(0, min(_whole(n), 1000)),
    "strcmp": lambda a, b: 0 if _compared("=", a, b) else -1 if _compared("<", a, b) else 1,
    "substr": _part,
    "substring": _part,
    "to_days": lambda a: _day(a).toordinal() + 365,
    "ucase": lambda a: _text(a).upper(),
    "upper": lambda a: _text(a).upper(),
    "weekday": lambda a: _day(a).weekday(),
    "year": lambda a: _day(a).year,
}
#: Those with their own way with NULL.
_OWN = frozenset(("char", "coalesce", "concat_ws", "elt", "if", "ifnull", "isnull", "nullif", "quote"))
#: Of these only is known that they are NULL where an argument is.
_NULL_ALONE = frozenset((
    "conv", "date", "date_format", "dayname", "extract", "format", "from_base64", "from_unixtime",
    "json_extract", "json_length", "json_unquote", "json_value", "json_set", "last_day", "makedate",
    "monthname", "regexp_replace", "sec_to_time", "soundex", "st_geomfromtext", "st_x", "str_to_date",
    "substring_index", "timestamp", "trim", "truncate", "unix_timestamp",
))  # fmt: skip
#: JSON functions are NULL where their first argument is.
_FIRST = frozenset(("json_set",))


def _call(name: str, given: list[Value]) -> Value:
    if name in _OWN:
        return _own(name, given)
    asked = given[:1] if name in _FIRST else given
    if None in asked:
        return None
    if name not in _CALLS:
        if name == "soundex" and given == [""]:
            return ""
        if name in ("json_extract", "json_length", "json_value", "json_set") and given[0] == "":
            # No JSON text.
            return None
        raise NotComputed
    try:
        return _CALLS[name](*given)
    except (TypeError, AttributeError):
        raise NotComputed from None


def _own(name: str, given: list[Value]) -> Value:
    known = [one for one in given if one is not None]
    if name in ("coalesce", "ifnull"):
        if len({isinstance(one, str) for one in known}) > 1:
            raise NotComputed
        return known[0] if known else None
    if name == "if":
        return given[1] if _truth(given[0]) else given[2]
    if name == "nullif":
        return None if _compared("=", given[0], given[1]) else given[0]
    if name == "isnull":
        return int(given[0] is None)
    if name == "concat_ws":
        return None if given[0] is None else _text(given[0]).join(map(_text, known[1:]))
    if name == "quote":
        return "NULL" if given[0] is None else "'" + _text(given[0]) + "'"
    if name == "elt":
        index = 0 if given[0] is None else _whole(given[0])
        return given[index] if 0 < index < len(given) else None
    return "".join(chr(_whole(one)) if 0 < _whole(one) < 128 else "?" for one in known)
