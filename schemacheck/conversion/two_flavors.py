"""Whether two servers compute one expression alike: MySQL and MariaDB, or releases of one of them.

rules/expressions.yaml (`two_flavors`) has the functions: 430 expressions were stored in a generated column
that both ends have, on MySQL 9.7.4 and MariaDB 11.8.6, six rows each. What becomes of one type beside
another, and in a column of a third, was asked with random expressions (`unasked` is what no rule of this
module knows to be alike).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.model import Column, ColumnType, Server
from schemacheck.model.column_type import STRINGS

_TEXTS = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
_CALLED = re.compile(r"\b([a-z_]\w*)\(")
_OPERATORS = re.compile(r"\b(regexp|xor)\b")
_BITS = re.compile(r"[&|^~]|<<|>>")
_CAST = re.compile(r"\bas (float|binary|signed|unsigned)\b")
_TO_MOMENT = re.compile(r"\bas (date|time|datetime)\b")
#: A moment that is written as such: DATE'..', TIME'..', TIMESTAMP'..'.
_MOMENT = re.compile(r"\b(date|time|timestamp)\s*''")
#: What compares values, or takes one for true.
_COMPARED = re.compile(r"[<>=]|\b(between|in|like|case|and|or|not|xor|if|nullif|greatest|least|field|elt)\b")
_ARITHMETIC = re.compile(r"[-+*%]|\b(div|mod)\b")
_AS_TEXT = re.compile(r"\b(as char|regexp|like)\b")
_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob")
#: Functions that make a text of any bytes.
_OF_BYTES = frozenset(("hex", "to_base64", "md5", "sha", "sha1", "sha2", "inet6_ntoa", "inet_ntoa", "uuid"))
_MOMENTS = ("date", "time", "datetime", "timestamp")
_DOUBLES = ("float", "double")
_MEMBERS = ("enum", "set", "bit", "year")
#: Functions of a moment, which make one of numbers and texts in each server's own way.
_OF_MOMENTS = frozenset(
    (
        "addtime", "convert_tz", "date", "date_format", "datediff", "day", "dayname", "dayofmonth",
        "dayofweek", "dayofyear", "extract", "hour", "last_day", "microsecond", "minute", "month",
        "monthname", "quarter", "second", "subtime", "time", "time_format", "time_to_sec", "timediff",
        "timestamp", "timestampadd",
        "timestampdiff", "to_days", "to_seconds", "unix_timestamp", "week", "weekday", "weekofyear", "year",
        "yearweek",
    )
)  # fmt: skip
#: Functions of numbers, to which no number is a text; and words that stand before a parenthesis.
_OF_NUMBERS = frozenset(
    (
        "abs", "acos", "and", "asin", "atan", "atan2", "between", "case", "cast", "ceiling", "coalesce",
        "cos", "cot", "decimal", "degrees", "div", "exp", "floor", "greatest", "if", "ifnull", "in", "is",
        "isnull", "least", "ln", "log", "log10", "log2", "mod", "not", "nullif", "or", "pi", "pow", "radians",
        "round", "row", "sign", "sin", "sqrt", "tan", "truncate", "xor",
    )
)  # fmt: skip
#: Functions that hand a moment on as it is.
_KEEP = frozenset(("ifnull", "coalesce", "concat", "concat_ws", "date_add", "date_sub", "interval", "isnull"))
#: The day of a moment, whatever its digits.
_A_DAY = re.compile(r"(?:date|last_day)\((\w+)\)|cast\((\w+) as date\)")


@dataclass(frozen=True, slots=True)
class Dialects:
    """What of an expression gives other values (`otherwise`), and what nobody asked (`unasked`)."""

    otherwise: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


@cache
def _listed() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(text.split()) for name, text in knowledge.load("expressions")["two_flavors"].items()
    }


@cache
def _giving_bytes() -> frozenset[str]:
    """Functions whose value is bytes: of those that are no text MySQL drops the rest, MariaDB prints `?`."""
    return frozenset(knowledge.load("expressions")["binary"].split())


def dialects(column: Column, columns: Mapping[str, ColumnType], here: Server, there: Server) -> Dialects:
    """What two servers may make otherwise of a generated column over columns (names folded)."""
    bare = _TEXTS.sub("''", column.expression or "").replace("`", "").casefold()
    words = set(re.findall(r"\w+", bare))
    named = {name: kind for name, kind in columns.items() if name in words}
    called = dict.fromkeys([*_CALLED.findall(bare), *_OPERATORS.findall(bare)])
    if here.mariadb == there.mariadb:
        other = here.has("icu-regular-expressions") != there.has("icu-regular-expressions")
        changed: Iterator[str] = iter(())
        if here.series != there.series:
            changed = _of_releases(column, bare, named, called, mariadb=here.mariadb)
        return Dialects(("regexp",) if other and re.search(r"\bregexp", bare) else (), tuple(changed))
    by_name = _listed()
    otherwise = [name for name in called if name in by_name["otherwise"]]
    unasked = [name for name in called if name not in by_name["otherwise"] and name not in by_name["alike"]]
    otherwise += _of_types(column, bare, named, called)
    return Dialects(tuple(otherwise), (*unasked, *_not_asked(column, bare, named, called)))


def _of_releases(
    column: Column, bare: str, named: Mapping[str, ColumnType], called: Collection[str], *, mariadb: bool
) -> Iterator[str]:
    """What changed between releases of one flavour (asked of 10.11 and 11.8; XOR of 5.6 and 9.7)."""
    bases = {kind.base for kind in named.values()}
    if "xor" in called and any(not kind.is_integer for kind in named.values()):
        yield "xor"
    if not mariadb:
        return
    text = column.type.is_string or _AS_TEXT.search(bare) or not _OF_NUMBERS.issuperset(called)
    # Zero with a sign is printed, or not.
    if text and (
        not bases.isdisjoint(_DOUBLES) or (not bases.isdisjoint(STRINGS) and _ARITHMETIC.search(bare))
    ):
        yield "a double as a text"
    if (_has_moments(bare, bases) or not _OF_MOMENTS.isdisjoint(called)) and re.search(
        r"\b(and|or|not|case|if)\b", bare
    ):
        yield "a moment as a condition"


def _has_moments(bare: str, bases: Collection[str]) -> bool:
    return not set(bases).isdisjoint(_MOMENTS) or _MOMENT.search(bare) is not None


def _of_types(
    column: Column, bare: str, named: Mapping[str, ColumnType], called: Collection[str]
) -> Iterator[str]:
    """What a type becomes beside another, or in a column of another, that differs for some rows."""
    bases = {kind.base for kind in named.values()}
    texts, moments = not bases.isdisjoint(STRINGS), _has_moments(bare, bases)
    target = column.type
    # Beside a division a server has digits of its own: a column of four digits keeps what both give.
    stored = target.is_integer or (target.is_decimal and (target.scale or 0) <= 4)
    if "/" in bare and not stored:
        yield "/"
    if not bases.isdisjoint(_BYTES) and (_BITS.search(bare) or "bit_count" in called):
        yield "bits of bytes"
    cast = _CAST.search(bare)
    if cast and (cast[1].startswith(("float", "binary")) or moments):
        yield f"cast as {cast[1]}"
    if texts and ("interval " in bare or (moments and re.search(r"[<>=]", bare))):
        yield "a text as a date"
    digits = _MOMENT.search(bare) or any(kind.is_temporal and kind.length for kind in named.values())
    if digits and (_BITS.search(bare) or not (target.is_string or target.is_temporal)):
        yield "a moment as a number"
    if target.is_string:
        if not bases.isdisjoint(_DOUBLES) or (texts and _ARITHMETIC.search(bare)):
            yield "a double as a text"
        if "bit" in bases:
            yield "bits as a text"
    if len(bases) > 1 and not set(called).isdisjoint(("greatest", "least")):
        yield "greatest of two types"


def _not_asked(
    column: Column, bare: str, named: Mapping[str, ColumnType], called: Collection[str]
) -> Iterator[str]:
    """What each server makes in its own way for some of the types that were asked."""
    target, bases = column.type, {kind.base for kind in named.values()}
    if target.is_temporal:
        day = _A_DAY.fullmatch(bare)
        a_day = day is not None and target.is_date and bases <= {"date", "datetime", "timestamp"}
        same = not called and all(
            kind.base == target.base and (kind.length or 0) <= (target.length or 0) for kind in named.values()
        )
        if not a_day and not same:
            yield f"a conversion to {target.sql()}"
    if not bases <= {*_MOMENTS} and _TO_MOMENT.search(bare):
        yield "a cast to a moment"
    if _has_moments(bare, bases):
        if _COMPARED.search(bare) and (len(bases) > 1 or _MOMENT.search(bare) or "''" in bare):
            yield "a moment beside another type"
        if not _OF_MOMENTS.union(_KEEP).issuperset(called):
            yield "a function of a moment"
        if "time" in bases and "interval " in bare:
            yield "an interval beside a time"
    if not bases <= {*_MOMENTS, *STRINGS} and not _OF_MOMENTS.isdisjoint(called):
        yield "a moment of a number"
    members = not bases.isdisjoint(_MEMBERS)
    if members and (_ARITHMETIC.search(bare) or (len(bases) > 1 and _COMPARED.search(bare))):
        yield "members as numbers"
    exact = all(kind.is_exact or kind.is_string for kind in named.values())
    remainder = re.search(r"%|\bmod\b", bare) and ("decimal" in bases or "." in bare)
    if target.is_string and (remainder or (not exact and _ARITHMETIC.search(bare))):
        yield "a number as a text"
    bytes_ = not bases.isdisjoint(_BYTES) or not _giving_bytes().isdisjoint(called)
    if bytes_ and _OF_BYTES.isdisjoint(called) and target.is_string and not target.holds_bytes:
        yield "bytes as a text"
    if "replace" in called and len(named) > 1:
        yield "replace"
