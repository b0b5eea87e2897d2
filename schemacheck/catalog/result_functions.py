"""The types of what operators and functions give, argument by argument: see `result_types`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from schemacheck import knowledge
from schemacheck.catalog.collation import Collation
from schemacheck.catalog.result_types import FREE, Result, Unsure, Ways
from schemacheck.model import charset as charsets
from schemacheck.model.expression_tree import Item
from schemacheck.sql import characters

#: Conditions: 0 or 1.
CONDITIONS = frozenset((
    "=", "<=>", "!=", "<", ">", "<=", ">=", "like", "regexp", "rlike", "in", "between", "is", "not", "and",
    "or", "xor", "sounds",
))  # fmt: skip
_BITS = frozenset(("|", "&", "^", "<<", ">>", "~"))
_NUMBERS = ("int", "decimal", "double")
#: How many digits a moment has as a number.
_MOMENT_DIGITS = {"date": 8, "time": 7, "datetime": 14, "timestamp": 14}
#: EXTRACT of these is an INT, and a BIGINT.
_INT_UNITS = frozenset((
    "year", "quarter", "month", "week", "day", "hour", "minute", "second", "microsecond", "year_month",
    "day_hour",
))  # fmt: skip
_BIG_UNITS = frozenset(("day_second", "day_microsecond"))
_DAYS = frozenset(("day", "days", "week", "month", "quarter", "year", "year_month"))
#: What DATE_FORMAT writes for a sign, in characters at most.
_FORMATS = {
    **dict.fromkeys("MW", 64), **dict.fromkeys("DYxX", 4), **dict.fromkeys("ab", 32), "j": 3,
    **dict.fromkeys("uUvVymdhiIlpSsce", 2), **dict.fromkeys("kH", 7), "r": 11, "T": 8, "f": 6,
    **dict.fromkeys("w%", 1),
}  # fmt: skip
_HASHES = {"0": 64, "224": 56, "256": 64, "384": 96, "512": 128}


@lru_cache(maxsize=4)
def _fixed(server: str) -> dict[str, list[str]]:
    """What functions give whatever their arguments are."""
    own = "mariadb" if server.startswith("mariadb") else server
    return {
        name: one[own].split(" ")
        for one in knowledge.load("result_types")["functions"]
        for name in characters.split(one["of"])
        if own in one
    }


def fixed(name: str, args: Sequence[Result], ways: Ways) -> Result | None:
    """What such a function gives; None for another one."""
    found = _fixed(ways.name).get(name)
    if found is None:
        return None
    words = [one for one in found[1:] if not characters.is_digits(one)]
    chars = next((int(one) for one in found[1:] if characters.is_digits(one)), -1)
    nullable = "null" in words or ("never" not in words and any(one.nullable for one in args))
    base = found[0]
    if base in ("int", "bigint"):
        unsigned = "unsigned" in words
        return ways.integer(chars, digits=-1, nullable=nullable, unsigned=unsigned, base=base)
    if base.startswith("double"):
        scale = int(base.rstrip(")").rpartition(",")[2]) if "(" in base else FREE
        return Result("double", chars, nullable, scale)
    if base == "text":
        return Result("text", chars, nullable or ways.strict)
    if base == "date":
        return ways.moment("date", nullable=nullable)
    return Result("other", chars, nullable, base=f"{base}({chars})" if base == "varbinary" else base)


def number(one: Result) -> Result:
    """A value as arithmetic takes it: a moment is a number then. Raises Unsure."""
    if one.moment:
        digits = _MOMENT_DIGITS[one.kind]
        if one.scale:
            return Result("decimal", -1, one.nullable, one.scale, digits + one.scale)
        return Result("int", -1, one.nullable, digits=digits)
    if one.kind in (*_NUMBERS, "text", "null"):
        return one
    raise Unsure


def arithmetic(name: str, left: Result, right: Result, ways: Ways) -> Result:
    """Two numbers computed. Raises Unsure."""
    moments = left.moment or right.moment
    left, right = number(left), number(right)
    nullable = left.nullable or right.nullable
    kinds = {left.kind, right.kind}
    if not kinds <= {"int", "decimal"}:
        if moments:
            raise Unsure
        return _real(name, left, right, ways)
    if name in ("/", "div", "%", "mod"):
        if moments:
            raise Unsure
        return _divided(name, left, right, ways)
    whole = max(left.digits - left.scale, right.digits - right.scale) + 1
    scale = left.scale + right.scale if name == "*" else max(left.scale, right.scale)
    digits = left.digits + right.digits if name == "*" else whole + scale
    unsigned = left.unsigned or right.unsigned
    if kinds == {"int"} and min(left.digits, right.digits) < 0:
        return _estimated(name, left, right, nullable=nullable, unsigned=unsigned)
    if min(left.digits, right.digits) < 0:
        raise Unsure
    if kinds == {"int"}:
        return ways.integer(digits + (not unsigned), digits=digits, nullable=nullable, unsigned=unsigned)
    if unsigned:
        raise Unsure
    return ways.decimal(digits, scale, nullable=nullable)


def _estimated(name: str, left: Result, right: Result, *, nullable: bool, unsigned: bool) -> Result:
    """Integers computed of which one's digits are not known, but about. Raises Unsure."""
    about = [max(one.digits, one.chars) for one in (left, right)]
    size = sum(about) if name == "*" else max(about) + 1
    if min(about) < 0 or 6 < size < 13:
        raise Unsure
    return Result("int", -1, nullable, digits=-1, unsigned=unsigned, base="int" if size < 7 else "bigint")


def _real(name: str, left: Result, right: Result, ways: Ways) -> Result:
    nullable = left.nullable or right.nullable or name in ("/", "div", "%", "mod")
    if name == "div" or left.unsigned or right.unsigned:
        raise Unsure
    scales = [FREE if one.kind == "text" else one.scale for one in (left, right)]
    if "null" in (left.kind, right.kind) and (name not in ("+", "-") or {"text"} & {left.kind, right.kind}):
        raise Unsure
    scale = FREE if FREE in scales else max(scales) if name in ("+", "-") else -1
    if scale < 0:
        raise Unsure
    return ways.double(scale, nullable=nullable)


def _divided(name: str, left: Result, right: Result, ways: Ways) -> Result:
    if min(left.digits, right.digits) < 0:
        raise Unsure
    if name == "/":
        scale = min(left.scale + 4, 30)
        return ways.decimal(left.digits + right.scale + 4, scale, nullable=True)
    unsigned = left.unsigned or (right.unsigned and name == "div")
    if name == "div":
        if ways.mariadb:
            chars = left.digits - left.scale + (left.fixed is False and left.kind == "int")
        else:
            chars = left.chars - left.scale
        if left.chars < 0:
            raise Unsure
        return ways.integer(chars, nullable=True, unsigned=unsigned)
    digits = max(left.digits, right.digits)
    scale = max(left.scale, right.scale)
    if {left.kind, right.kind} == {"int"}:
        if min(left.chars, right.chars) < 0:
            raise Unsure
        chars = digits + 1 if ways.mariadb else max(left.chars, right.chars)
        return ways.integer(chars, nullable=True, unsigned=unsigned)
    if unsigned:
        raise Unsure
    if ways.old:
        digits = max(left.chars, right.chars) - (scale > 0) - 1
    elif digits - scale < max(left.digits - left.scale, right.digits - right.scale):
        raise Unsure
    return ways.decimal(digits, scale, nullable=True)


def bits(args: Sequence[Result], items: Sequence[Item], ways: Ways) -> Result:
    """`|`, `~` and the like. Raises Unsure."""
    for one, item in zip(args, items, strict=True):
        # Binary strings stay what they are on MySQL 8 and later.
        if one.kind == "other" or (ways.new and one.kind == "text" and item.kind == "call"):
            raise Unsure
    return ways.integer(21, nullable=any(one.nullable for one in args), unsigned=True, base="bigint")


def condition(name: str, args: Sequence[Result], ways: Ways) -> Result:
    """0 or 1."""
    nullable = any(one.nullable for one in args) and name not in ("<=>", "is")
    if name == "sounds":
        # Of what SOUNDEX gives.
        nullable = nullable or ways.strict
    return ways.integer(1, nullable=nullable, base="int")


def rounded(name: str, args: Sequence[Result], items: Sequence[Item], ways: Ways) -> Result:
    """ROUND and TRUNCATE. Raises Unsure."""
    one = args[0]
    places = 0
    if len(items) > 1:
        if (
            items[1].kind != "number"
            or not characters.is_digits(items[1].value.lstrip("-"))
            or items[1].detail
        ):
            raise Unsure
        places = int(items[1].value)
    if one.kind == "int":
        if one.chars < 0 or one.chars > 8 or one.unsigned:
            raise Unsure
        if ways.new:
            return ways.integer(21, nullable=one.nullable)
        return ways.integer(one.chars + (places < 0 and name == "round"), nullable=one.nullable)
    if one.kind == "decimal":
        if places < 0:
            raise Unsure
        scale = min(places, one.scale) if ways.new else places
        more = name == "round" and scale < one.scale
        digits = one.digits - one.scale + scale + more
        return ways.decimal(digits, scale, nullable=one.nullable)
    if one.kind in ("double", "text") and places >= 0:
        if ways.new:
            return ways.double(nullable=one.nullable)
        return ways.double(min(places, FREE), nullable=one.nullable)
    raise Unsure


def whole(one: Result, ways: Ways) -> Result:
    """FLOOR and CEILING. Raises Unsure."""
    if one.kind == "int":
        if one.chars < 0 or one.chars > 8:
            raise Unsure
        if ways.new:
            return ways.integer(21, nullable=one.nullable, unsigned=one.unsigned)
        chars = one.chars if ways.mariadb else -1
        return ways.integer(chars, nullable=one.nullable, unsigned=one.unsigned, base="int")
    if one.kind == "decimal":
        digits = one.digits - one.scale
        if digits > 17 or 7 < digits < 12:
            raise Unsure
        if ways.new:
            return ways.integer(21, nullable=one.nullable)
        base = "int" if digits < 8 else "bigint"
        return ways.integer(digits + 2 if ways.mariadb else -1, nullable=one.nullable, base=base)
    if one.kind in ("double", "text"):
        return ways.double(FREE if ways.new else 0, nullable=one.nullable)
    raise Unsure


def absolute(one: Result, ways: Ways) -> Result:
    """ABS. Raises Unsure."""
    if one.kind == "text" or (one.kind == "double" and one.scale == FREE):
        return ways.double(nullable=one.nullable)
    if one.kind == "int" and 0 <= one.chars < 9:
        return ways.integer(one.chars, nullable=one.nullable, unsigned=one.unsigned)
    if one.kind == "decimal" and not ways.old:
        return ways.decimal(one.digits, one.scale, nullable=one.nullable)
    raise Unsure


def format_length(item: Item) -> int:
    """How long the text of a DATE_FORMAT is at most. Raises Unsure."""
    if item.kind != "string":
        raise Unsure
    text, size, at = item.value, 0, 0
    while at < len(text):
        if text[at] == "%" and at + 1 < len(text):
            at += 1
            size += _FORMATS.get(text[at], 1)
        else:
            size += 1
        at += 1
    return size


def seconds(one: Result, item: Item) -> int:
    """The digits of a second that a value has, as the functions of dates and times take it. Raises Unsure."""
    if one.moment or one.kind == "decimal":
        if one.scale > 6:
            raise Unsure
        return one.scale
    if one.kind in ("int", "null"):
        return 0
    if item.kind == "string":
        _, point, fraction = item.value.partition(".")
        if point and not characters.is_digits(fraction):
            raise Unsure
        return min(len(fraction), 6)
    raise Unsure


def amount(one: Result, item: Item) -> int:
    """The digits of a second that FROM_UNIXTIME and the like give for a number."""
    if item.kind == "string" or one.kind == "double":
        return 6
    return seconds(one, item)


def dated(item: Item, ways: Ways) -> Result:
    """STR_TO_DATE. Raises Unsure."""
    if item.kind == "null":
        return ways.moment("datetime", 6, nullable=True)
    if item.kind != "string":
        raise Unsure
    signs = {item.value[at + 1] for at in range(len(item.value) - 1) if item.value[at] == "%"}
    days, times = signs & set("MVUXYWabcjmvuxyw"), signs & set("HISThiklprsf")
    scale = 6 if "f" in signs else 0
    kind = "datetime" if days and times else "time" if times else "date"
    return ways.moment(kind, scale if times else 0, nullable=True)


def moved(one: Result, unit: str, by: Result, by_item: Item, ways: Ways) -> Result:
    """A moment and an interval. Raises Unsure."""
    exact = unit.endswith("microsecond")
    if unit == "second" and by.kind not in ("int", "null"):
        exact = True
    if one.kind == "date":
        if unit in _DAYS:
            return ways.moment("date", nullable=True)
        made = ways.moment("datetime", 6 if exact else 0, nullable=True)
        return made._replace(chars=-1) if ways.old else made
    if exact and by.kind == "decimal":
        raise Unsure
    if one.kind == "datetime":
        return ways.moment("datetime", 6 if exact else one.scale, nullable=True)
    if one.kind == "time":
        kind = "datetime" if ways.new and unit in _DAYS else "time"
        if "_" in unit or (unit in _DAYS and unit not in ("day", "days")):
            raise Unsure
        return ways.moment(kind, 6 if exact else one.scale, nullable=True)
    if (
        one.kind not in ("text", "int", "null")
        or (exact and ways.mariadb)
        or (ways.mariadb and by_item.kind == "string" and not characters.is_digits(by_item.value))
    ):
        raise Unsure
    return Result("text", 19 if ways.mariadb else 29, nullable=True)


def extracted(unit: str, ways: Ways) -> Result:
    """EXTRACT. Raises Unsure."""
    if unit in _INT_UNITS:
        return ways.integer(-1, digits=-1, nullable=True, base="int")
    if unit in _BIG_UNITS:
        return ways.integer(-1, digits=-1, nullable=True, base="bigint")
    raise Unsure


def octets(one: Result, collation: Collation | None) -> int:
    """How many bytes a value takes as a text. Raises Unsure."""
    if one.chars < 0:
        raise Unsure
    if one.kind != "text":
        return one.chars
    if collation is None:
        raise Unsure
    return one.chars * charsets.max_bytes(collation.charset)


def hashed(item: Item) -> int:
    """The characters of SHA2. Raises Unsure."""
    if item.kind != "number" or item.value not in _HASHES:
        raise Unsure
    return _HASHES[item.value]


BITS = _BITS
