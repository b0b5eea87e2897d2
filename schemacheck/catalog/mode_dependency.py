"""What MariaDB refuses in a column that it keeps (stored, or virtual with a key) since the value depends on
sql_mode: on PAD_CHAR_TO_FULL_LENGTH, NO_UNSIGNED_SUBTRACTION or TIME_ROUND_FRACTIONAL.

A model of `Item::value_depends_on_sql_mode` and `Field::check_vcol_sql_mode_dependency`, whose answers for
140 functions of a CHAR and 90 other expressions were asked of 10.11.19 and 11.8.6 (alike). What was not asked
depends on nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from schemacheck.catalog.context import Context
from schemacheck.dataclass import dataclass
from schemacheck.model.column_type import BLOBS, INTEGERS, TEXTS
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.model.table import Column, Key
from schemacheck.sql.lexer import Refused

_COMPARED = frozenset(("=", "<=>", "!=", "<>", "<", ">", "<=", ">=", "like"))
_TRUTHS = frozenset(("and", "or", "xor", "not", "is", "in", "between", "regexp", "rlike", *_COMPARED))
_BITS = frozenset(("|", "&", "^", "<<", ">>", "~", "crc32"))
_CHOSEN = frozenset(("coalesce", "ifnull", "greatest", "least"))
_STRINGS = frozenset(("char", "varchar", "binary", "varbinary", "json", *TEXTS, *BLOBS))
_NUMBERS = frozenset((*INTEGERS, "decimal", "float", "double", "bit"))
_KEPT = frozenset(("datetime", "time", "timestamp"))
_FRACTION = re.compile(r"\.([0-9]{1,6})", re.ASCII)
_MADE = frozenset((
    "lower", "upper", "ucase", "lcase", "reverse", "repeat", "concat", "left", "right", "trim",
    "ltrim",
    "rtrim", "substring", "substr", "md5", "sha1", "sha2", "replace", "insert", "lpad", "rpad", "convert",
    "conv", "from_base64", "to_base64", "quote", "soundex", "space", "char", "elt", "make_set",
    "substring_index",
    "json_extract", "json_value", "json_unquote", "json_set", "format", "collate", "nullif",
))  # fmt: skip
#: Functions whose value has as many fractional digits as can be, of a column's text.
_SPLIT = _MADE | frozenset((
    "round", "truncate", "time_to_sec", "unix_timestamp", "pow", "power", "sqrt", "exp", "ln", "pi", "/",
    "timediff",
))  # fmt: skip
#: Fractional digits of what has no number of its own.
_MOST = 6


@dataclass(frozen=True, slots=True)
class _Value:
    """`hard`: depends on a mode; `padded`: on how a CHAR is padded, which some columns and functions settle;
    `digits`: fractional digits of a second, None where that is not known; `whole`: an integer; `text`: a
    string.
    """

    hard: bool = False
    padded: bool = False
    digits: int | None = None
    whole: bool = False
    unsigned: bool = False
    text: bool = False


def check(columns: Sequence[Column], keys: Sequence[Key], context: Context, at: int) -> None:
    """Raise Refused (1901) for a column that is kept and depends on sql_mode."""
    made = [one for one in columns if one.generated is not None and one.expression]
    if not made:
        return
    keyed = {(part.column or "").casefold() for key in keys for part in key.parts}
    byname = {one.name.casefold(): one for one in columns}
    for one in made:
        virtual = one.generated == "virtual" and one.name.casefold() not in keyed
        if virtual or one.name.startswith("DB_ROW_HASH_"):
            continue
        try:
            item, words = tree(one.expression or "", context.modes)
        except NoTree:
            continue
        except TooHigh as high:
            raise Refused(str(high), at, "SC002") from None
        found = _value(item, byname, words)
        base = one.type.base
        padded = found.padded and base not in _NUMBERS and base in ("varchar", *TEXTS)
        longer = base in _KEPT and found.digits is not None and found.digits > one.type.fraction
        if found.hard or padded or longer:
            why = f"column {one.name!r} is kept and depends on sql_mode: PAD_CHAR_TO_FULL_LENGTH,"
            more = "NO_UNSIGNED_SUBTRACTION or TIME_ROUND_FRACTIONAL"
            raise Refused(f"{why} {more}", at, "SC002", 1901)


def _value(item: Item, columns: Mapping[str, Column], words: Sequence[tuple[str, str]]) -> _Value:
    if item.kind == "column":
        column = columns.get(item.name.casefold())
        return _of_column(column) if column is not None else _Value()
    if item.kind == "string":
        found = _FRACTION.search(item.value)
        return _Value(digits=len(found[1]) if found else 0, text=True)
    if item.kind == "number":
        found = _FRACTION.search(item.value)
        digits = _MOST if "e" in item.value.lower() else len(found[1]) if found else 0
        return _Value(digits=digits, whole=digits == 0)
    if item.kind != "call":
        return _Value(digits=0 if item.kind == "null" else None)
    args = [_value(one, columns, words) for one in item.args]
    return _of_call(item, args, words)


def _of_column(column: Column) -> _Value:
    kind = column.type
    if kind.base in _STRINGS:
        return _Value(padded=kind.base == "char" and bool(kind.charset), digits=_MOST, text=True)
    whole = kind.base in INTEGERS or kind.base in ("bit", "year")
    unsigned = kind.unsigned or kind.base in ("bit", "year")
    digits = kind.fraction if kind.base in _KEPT else 0
    if kind.base == "decimal":
        digits = kind.scale or 0
    elif kind.base in ("float", "double"):
        digits = _MOST
    elif not whole and kind.base not in ("date", "enum", "set", *_KEPT):
        return _Value()
    return _Value(digits=digits, whole=whole, unsigned=unsigned)


def _of_call(item: Item, args: list[_Value], words: Sequence[tuple[str, str]]) -> _Value:
    name = item.name
    if name in ("and", "or"):
        return _Value(digits=0, whole=True)
    settled = name in _COMPARED or (name in ("rtrim", "trim") and len(args) == 1)
    hard = any(one.hard or (one.padded and not settled) for one in args)
    if name in _TRUTHS:
        return _Value(hard, digits=0, whole=True)
    timed = (name == "cast" and item.value in ("datetime", "time")) or (
        name in ("time", "timestamp") and len(args) == 1
    )
    if timed:
        digits = _length(words[item.first : item.last]) if name == "cast" else (args[0].digits or 0)
        cut = args[0].text or (args[0].digits or 0) > digits
        return _Value(hard or cut, digits=digits)
    if name in ("if", "case"):
        args = args[1:]
        long = any(one.digits == _MOST for one in args)
        return _Value(hard, digits=_MOST if long else None)
    whole = bool(args) and all(one.whole for one in args)
    unsigned = any(one.unsigned for one in args)
    shifted = len(item.args) == 2 and item.args[1].name == "interval unit"
    if name in ("+", "-") and shifted:
        unit = words[item.args[1].last - 1][1]
        return _Value(hard, digits=_MOST if "microsecond" in unit else args[0].digits)
    if name in ("+", "-", "*", "%", "abs") and any(one.digits == _MOST for one in args):
        return _Value(hard, digits=_MOST)
    if name == "-" and len(args) == 2:
        return _Value(hard or (whole and unsigned), whole=whole, unsigned=unsigned)
    if name in ("+", "*", "%", "div", "abs"):
        return _Value(hard, whole=whole, unsigned=unsigned)
    if name in _BITS or (name == "cast" and item.value == "unsigned"):
        return _Value(hard, digits=0, whole=True, unsigned=True)
    if name == "cast" and item.value in ("decimal", "double") and args[0].text:
        return _Value(hard, digits=_MOST)
    if name == "cast" and item.value == "signed":
        return _Value(hard, digits=0, whole=True)
    if name in ("sec_to_time", "maketime"):
        return _Value(hard, digits=args[-1].digits if args else None)
    if name in _CHOSEN:
        known = [one.digits for one in args if one.digits is not None]
        return _Value(hard, digits=max(known) if len(known) == len(args) and known else None)
    if name in _SPLIT:
        # Of a column's text or of a number with a fraction; of constants the server looks at the value.
        long = any(one.digits == _MOST for one in args) or not args or name == "/"
        return _Value(hard, digits=_MOST if long else None, text=name in _MADE)
    return _Value(hard)


def _length(words: Sequence[tuple[str, str]]) -> int:
    """The n of the type at the end of CAST(... AS DATETIME(n))."""
    last = [value for _, value in words[-4:]]
    named = len(last) == 4 and last[0] == "(" and last[2:] == [")", ")"] and last[1] in "0123456"
    return int(last[1]) if named else 0
