"""Whether a query's expression surely has a value: CREATE TABLE ... SELECT evaluates it, and in strict mode
the servers refuse what they would warn of otherwise (1292, 1264, 1365). What was not asked is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from schemacheck.catalog.result_functions import BITS, CONDITIONS
from schemacheck.catalog.result_types import Result
from schemacheck.model.expression_tree import Item
from schemacheck.sql import characters

_NUMBER = re.compile(r"-?(?:\d{1,17}(?:\.\d{1,10})?|\.\d{1,10})\Z", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)?\Z", re.ASCII)
_TIME = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)(?:\.\d{1,6})?\Z", re.ASCII)
_NUMERIC = frozenset(("int", "decimal", "double", "null"))
#: More digits may leave a BIGINT.
_DIGITS = 17
#: What takes any text, and what takes whole numbers beside texts.
_OF_TEXTS = frozenset((
    "concat", "concat_ws", "lower", "upper", "trim", "ltrim", "rtrim", "reverse", "replace", "hex", "quote",
    "length", "char_length", "bit_length", "ascii", "ord", "charset", "collation", "coercibility", "md5",
    "sha", "crc32", "instr", "strcmp", "find_in_set", "soundex", "collate", "isnull", "is", "field",
    "coalesce", "ifnull", "is_ipv4", "is_ipv6", "password", "old_password",
))  # fmt: skip
_WITH_NUMBERS = frozenset((
    "repeat", "space", "left", "right", "substr", "lpad", "rpad", "insert", "elt", "sha2", "locate",
    "substring_index", "make_set", "export_set", "conv", "bin", "oct", "char",
))  # fmt: skip
_OF_NUMBERS = frozenset((
    "+", "-", "*", "abs", "floor", "ceiling", "round", "truncate", "sign", "sin", "cos", "tan", "atan",
    "radians", "degrees", "rand", "pi", "bit_count", "interval", *BITS,
))  # fmt: skip
_DIVISIONS = frozenset(("/", "div", "%", "mod"))
_POSITIVE = frozenset(("sqrt", "ln", "log", "log2", "log10", "pow", "exp", "atan2", "cot"))
_NOTHING = frozenset((
    "now", "sysdate", "curdate", "curtime", "utc_date", "utc_time", "utc_timestamp", "uuid", "uuid_short",
    "user", "current_user", "connection_id", "row_count", "found_rows", "point",
))  # fmt: skip
_OF_DAYS = frozenset((
    "year", "month", "dayofmonth", "dayofweek", "dayofyear", "weekday", "week", "weekofyear", "yearweek",
    "quarter", "to_days", "to_seconds", "date", "timestamp", "last_day", "datediff", "dayname", "monthname",
    "date_format", "convert_tz", "unix_timestamp", "timestampdiff",
))  # fmt: skip
_OF_TIMES = frozenset((
    "hour", "minute", "second", "microsecond", "time", "timediff", "addtime", "subtime", "time_format",
))  # fmt: skip
_OF_SMALL = frozenset(("sec_to_time", "maketime", "makedate", "from_unixtime", "from_days"))
_PLAIN = re.compile(r"[A-Za-z0-9]+\Z")
_SMALL = re.compile(r"\d{1,6}\Z", re.ASCII)
_COMPARED = CONDITIONS - {"and", "or", "xor", "not", "is", "like", "regexp", "rlike", "sounds"}


_FRAGILE = ("json_", "regexp", "st_", "uuid_to", "bin_to")


def is_sure(item: Item, args: Sequence[Result], *, strict: bool) -> bool:
    """Whether a function of arguments that have values has one; in strict mode: without a warning."""
    name, items = item.name, item.args
    if not strict:
        large = name in ("+", "-", "*") and any(one.digits > _DIGITS for one in args if one.kind == "int")
        return not name.startswith(_FRAGILE) and name not in ("pow", "exp", "cot") and not large
    if name in _OF_TEXTS or name in _NOTHING:
        return True
    if name in _WITH_NUMBERS:
        return all(
            one.kind in ("text", "bits", "null") or _is_small(each)
            for one, each in zip(args, items, strict=True)
        )
    if name in _OF_NUMBERS and not (items and items[-1].name == "interval unit"):
        return item.detail != "days" and all(map(_is_number, args, items))
    if name in _DIVISIONS:
        return all(map(_is_number, args, items)) and items[1].kind == "number" and float(items[1].value) != 0
    if name in _POSITIVE:
        return all(one.kind == "number" and 0 < float(one.value) <= 10 for one in items)
    if name in ("and", "or", "xor", "not"):
        return all(map(_is_number, args, items))
    if name in ("like", "sounds"):
        return all(one.kind in ("text", "null") for one in args)
    if name in ("regexp", "rlike"):
        return (
            items[1].kind == "string" and _PLAIN.match(items[1].value) is not None and args[0].kind == "text"
        )
    if name in _COMPARED or name in ("nullif", "least", "greatest", "case value"):
        return _are_alike(args, items)
    if name == "case asked":
        return all(map(_is_number, args, items))
    if name == "if":
        return _is_number(args[0], items[0])
    if name in ("cast", "convert"):
        return _is_cast(item, args[0])
    return _is_moment(item, args)


def is_moved(one: Result, item: Item, by: Item) -> bool:
    """Whether a moment and an interval surely make one."""
    return _is_small(by) and (one.kind in ("date", "datetime", "null") or _is_day(item))


def _is_small(item: Item) -> bool:
    return item.kind == "number" and _SMALL.match(item.value) is not None


def _is_number(one: Result, item: Item) -> bool:
    if one.kind in ("decimal", "double", "null"):
        return True
    if one.kind == "int":
        return one.digits <= _DIGITS
    return item.kind == "string" and _NUMBER.match(item.value) is not None


def _are_alike(args: Sequence[Result], items: Sequence[Item]) -> bool:
    kinds = {one.kind for one in args} - {"null"}
    if len(kinds) <= 1 or kinds <= {"text", "bits"} or kinds <= _NUMERIC:
        return True
    return all(map(_is_number, args, items))


def _is_cast(item: Item, one: Result) -> bool:
    if item.name == "convert" or item.value == "char":
        return not item.detail or 0 <= one.chars <= int(item.detail)
    if item.value in ("date", "datetime"):
        return one.kind in ("null", "date", "datetime") or _is_day(item.args[0])
    if item.value == "time":
        return one.kind in ("null", "time", "datetime") or _is_time(item.args[0])
    if item.value in ("signed", "unsigned"):
        exact = one.kind != "text" or "." not in item.args[0].value
        return exact and _is_number(one, item.args[0]) and one.kind != "double"
    if item.value in ("decimal", "dec", "numeric"):
        size = [int(word) for word in item.detail.split(",") if characters.is_digits(word)]
        digits, scale = [*size, *(10, 0)[len(size) :]][:2]
        return (
            one.kind in ("int", "decimal")
            and 0 <= one.digits - one.scale <= digits - scale
            and (one.scale <= scale)
        )
    return item.value in ("double", "float") and _is_number(one, item.args[0])


def _is_day(item: Item) -> bool:
    found = _DAY.match(item.value) if item.kind == "string" else None
    if found is None:
        return False
    try:
        date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return False
    return int(found[1]) >= 1000 and int(found[4] or 0) < 24


def _is_time(item: Item) -> bool:
    return (
        _is_day(item) if " " in item.value else item.kind == "string" and _TIME.match(item.value) is not None
    )


def _is_moment(item: Item, args: Sequence[Result]) -> bool:
    name, items = item.name, item.args
    if name in _OF_DAYS:
        formats = name in ("date_format", "convert_tz")
        asked = list(zip(args, items, strict=True))[: 1 if formats else None]
        return all(one.kind in ("date", "datetime", "null") or _is_day(each) for one, each in asked)
    if name in _OF_TIMES:
        asked = list(zip(args, items, strict=True))[: 1 if name == "time_format" else None]
        return all(one.kind in ("time", "datetime", "null") or _is_time(each) for one, each in asked)
    if name == "from_unixtime" and items[0].value == "0":
        return False
    if name in _OF_SMALL:
        return all(_is_small(one) for one in items)
    if name == "extract":
        return args[0].kind == "datetime" or (_is_day(items[0]) and " " in items[0].value)
    return False
