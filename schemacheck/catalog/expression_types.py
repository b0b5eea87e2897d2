"""What servers refuse in an expression for the types of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from schemacheck.model.expression_tree import Item
from schemacheck.sql.lexer import Refused

_COMPARED = frozenset(("=", "<=>", "!=", "<", ">", "<=", ">="))
_COMPUTED = frozenset(("+", "-", "*", "/", "%", "div", "^", "&", "|", "<<", ">>"))
_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*\Z", re.IGNORECASE | re.ASCII)
_DIGIT = re.compile(r"\d", re.ASCII)
#: What compares no geometry with a number or a moment, and gives no one of both (MariaDB).
_UNLIKE = frozenset((
    *_COMPARED, "between", "in", "greatest", "least", "coalesce", "ifnull", "nullif", "case value",
))  # fmt: skip
#: What mixes no geometry with another type (MariaDB).
_UNMIXED = frozenset((
    *(_COMPUTED - {"div", "^", "&", "|", "<<", ">>"}), "mod", "str_to_date",
))  # fmt: skip
#: What takes no geometry (MariaDB).
_SHAPELESS = frozenset((
    "|", "^", "&", "~", "<<", ">>", "abs", "round", "floor", "ceiling", "truncate", "year", "quarter",
    "dayofmonth", "dayofyear", "yearweek", "weekofyear", "hour", "minute", "second", "microsecond",
    "to_days", "to_seconds", "from_days", "time", "datediff", "timestampdiff", "extract", "rand", "pow",
    "sign", "json_length", "bit_count", "date_format", "date", "timestamp", "last_day", "from_unixtime",
    "makedate", "sec_to_time", "point",
))  # fmt: skip
#: Types of addresses, and what takes none of them (MariaDB).
_ADDRESSES = frozenset(("uuid", "inet4", "inet6"))
_LOGIC = frozenset(("and", "or", "not"))
_OF_NUMBERS = frozenset((
    "|", "^", "&", "~", "<<", ">>", "abs", "round", "floor", "ceiling", "truncate", "year", "month",
    "quarter", "dayofmonth", "weekday", "to_days", "pow", "sign", "bit_count",
))  # fmt: skip
_CASTS = frozenset(("signed", "unsigned", "decimal", "double"))
#: What takes neither a geometry nor a vector (MySQL, asked of 9.7 with every function).
_SHAPES_REFUSED = frozenset((
    *_COMPUTED, "~", "mod", "abs", "round", "floor", "ceiling", "truncate", "greatest", "least", "<",
    ">", "<=", ">=", "between", "like", "pow", "sign", "format", "conv", "interval unit", "timestampadd",
))  # fmt: skip
#: And no vector.
_VECTORS_REFUSED = frozenset((
    *_COMPARED, "case value", "not", "and", "or", "xor", "in", "regexp", "rlike", "char_length",
    "length", "year", "month", "quarter", "weekday", "to_days", "extract", "datediff", "timestampdiff",
    "coalesce", "ifnull", "nullif", "crc32", "instr", "locate", "strcmp", "find_in_set", "json_valid",
    "json_length", "st_x", "ascii", "interval", "bit_count", "concat", "concat_ws", "upper", "lower",
    "substr", "left", "right", "replace", "sha2", "hex", "lpad", "rpad", "insert", "elt", "reverse",
    "repeat", "quote", "soundex", "substring_index", "convert", "collate", "date", "timestamp",
    "last_day", "sec_to_time", "makedate", "date_format",
))  # fmt: skip
_CONSTANT = frozenset(("string", "number"))
#: Columns of bytes, which MariaDB takes for a geometry where one is wanted.
_BYTES = frozenset(("tinyblob", "blob", "mediumblob", "longblob", "binary", "varbinary"))


def check(item: Item, kinds: Sequence[str], types: Sequence[str], *, mariadb: bool, at: int) -> None:
    """Raise Refused for operands that the server does not take. `kinds`: of the operands, as
    `expression_collations` names them; `types`: of those that are columns, else ''.
    """
    if mariadb:
        _no_shape(item, kinds, types, at)
        if not _ADDRESSES.isdisjoint(types):
            _no_address(item, kinds, at)
        return
    vector = "vector" in types and (item.name in _VECTORS_REFUSED or item.name.startswith(("trim", "cast")))
    if vector or ("shape" in kinds and item.name in _SHAPES_REFUSED):
        raise Refused(f"{item.name} takes no geometry and no vector", at, "SC002", 1210)
    _constants(item, kinds, types, at)


def _no_shape(item: Item, kinds: Sequence[str], types: Sequence[str], at: int) -> None:
    """MariaDB: what mixes a geometry with other types, and what takes no geometry
    (`Type_handler_geometry`; asked of 10.11 and 11.8 with every function). Raises Refused.
    """
    name = item.name
    plain = [
        one.kind in _CONSTANT or (one.kind == "column" and kind != "shape" and type_ not in _BYTES)
        for one, kind, type_ in zip(item.args, kinds, types, strict=True)
    ]
    if name in ("st_x", "st_y") and any(plain):
        raise Refused(f"{name.upper()} of what is no geometry", at, "SC002", 4079)
    if "shape" not in kinds:
        return
    others = set(kinds) - {"shape", "null"}
    moved = name in ("+", "-") and item.args[-1].name == "interval unit"
    unlike = name in _UNLIKE and others & {"number", "moment"}
    if name in _LOGIC or unlike or (name in _UNMIXED and others and (not moved or kinds[0] == "shape")):
        raise Refused(f"{name} mixes a geometry with another type", at, "SC002", 4078)
    unary = name == "-" and len(item.args) == 1
    converts = name == "cast" and item.charset != "binary"
    moded = name == "week" and len(item.args) > 1
    if unary or converts or moded or name in _SHAPELESS:
        raise Refused(f"{name} takes no geometry", at, "SC002", 4079)


def _no_address(item: Item, kinds: Sequence[str], at: int) -> None:
    """MariaDB: what takes no UUID and no INET, or mixes one with numbers (`Type_handler_fbt`; asked of 10.11
    and 11.8). Raises Refused.
    """
    name = item.name
    numbers = not {"number", "moment"}.isdisjoint(kinds)
    if name in _LOGIC or (numbers and name in _UNMIXED | _UNLIKE):
        raise Refused(f"{name} mixes a UUID or an INET with another type", at, "SC002", 4078)
    unary = name == "-" and len(item.args) == 1
    if unary or name in _OF_NUMBERS or (name == "cast" and item.value in _CASTS):
        raise Refused(f"{name} takes no UUID and no INET", at, "SC002", 4079)


def _constants(item: Item, kinds: Sequence[str], types: Sequence[str], at: int) -> None:
    """MySQL converts constants to the type of what they are compared with, when it reads the expression: a
    text that is no number or no moment is refused (1292; asked of 9.7.4). Raises Refused.
    """
    args = item.args
    if item.name == "in" and len(args) > 2 and all(one.kind in _CONSTANT for one in args[1:]):
        left = kinds[0]
        if left == "number" and types[0] != "year":
            _each(args[1:], _no_number, at)
        elif len({one.kind for one in args[1:]}) == 1 and (
            types[0] in ("datetime", "timestamp") or (types[0] == "date" and args[1].kind == "string")
        ):
            _each(args[1:], _no_day, at)
    elif item.name in _COMPARED and len(args) == 2:
        for own, other in ((0, 1), (1, 0)):
            if types[own] in ("bigint", "time") and args[other].value == "":
                continue
            if types[own] == "bigint" and args[other].kind == "string":
                _each([args[other]], _no_number, at)
            elif types[own] in ("date", "datetime", "timestamp"):
                _each([args[other]], _no_day, at)
            elif types[own] == "time" and args[other].kind == "string":
                _each([args[other]], _no_digit, at)
    elif item.name == "between" and types[0] in ("date", "datetime", "timestamp"):
        _each([one for one in args[1:] if one.kind == "number"], _no_day, at)


def _each(given: Sequence[Item], no: Callable[[Item], bool], at: int) -> None:
    for one in given:
        if no(one):
            raise Refused(f"{one.value!r} has not the type of what it is compared with", at, "SC002", 1292)


def _no_number(one: Item) -> bool:
    return one.kind == "string" and not _NUMBER.match(one.value)


def _no_digit(one: Item) -> bool:
    return one.kind == "string" and not _DIGIT.search(one.value)


def _no_day(one: Item) -> bool:
    """A text without digits, or a number too small for a date (`number_to_datetime`: from 101 on)."""
    if one.kind == "string":
        return _no_digit(one)
    return one.kind == "number" and 0 < float(one.value) < 101
