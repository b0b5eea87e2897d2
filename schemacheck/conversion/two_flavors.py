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
#: Divisions, bits, and casts.
_OWN_WAYS = re.compile(
    r"[/%&|^~]|<<|>>|\b(?:mod|interval)\b|\bas (?:float|double|binary|signed|unsigned|date|time|datetime)\b"
)
#: A moment that is written as such: DATE'..', TIME'..', TIMESTAMP'..'.
_MOMENT = re.compile(r"\b(date|time|timestamp)\s*''")
#: What compares values, or takes one for true.
_COMPARED = re.compile(r"[<>=]|\b(between|in|like|case|and|or|not|xor|if|nullif|greatest|least|field|elt)\b")
_ARITHMETIC = re.compile(r"[-+*%]|\b(div|mod)\b")
_AS_TEXT = re.compile(r"\b(as char|regexp|like)\b")
_MOMENTS = ("date", "time", "datetime", "timestamp")
_DOUBLES = ("float", "double")
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


def _not_asked(
    column: Column, bare: str, named: Mapping[str, ColumnType], called: Collection[str]
) -> Iterator[str]:
    """What is more than exact numbers among themselves, and texts, which servers may compute otherwise."""
    kinds = [column.type, *named.values()]
    texts = [kind for kind in kinds if kind.base in STRINGS and not (kind.holds_bytes or kind.is_json)]
    compared = len(texts) < len(kinds) and _COMPARED.search(bare)
    if (own := _OWN_WAYS.search(bare) or _MOMENT.search(bare)) is not None:
        yield own[0]
    elif any(not kind.is_exact and kind not in texts for kind in kinds):
        yield "a value that is no exact number and no text"
    elif texts and (compared or _ARITHMETIC.search(bare)):
        yield "a text beside a number"
    elif not (_giving_bytes() | _OF_MOMENTS).isdisjoint(called):
        yield "bytes, or a moment of a number"
    elif len(named) > 1 and not {"replace", "greatest", "least"}.isdisjoint(called):
        yield "values of several columns"
