"""The arguments of functions that have a grammar of their own, and how many some others take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemacheck.sql.expression_grammar import Expressions

#: Functions whose names are words of the grammar, with how many arguments they take.
COUNTS = {
    "ROW_NUMBER": (0, 0), "RANK": (0, 0), "DENSE_RANK": (0, 0), "PERCENT_RANK": (0, 0), "CUME_DIST": (0, 0),
    "LAG": (1, 3), "LEAD": (1, 3), "FIRST_VALUE": (1, 1), "LAST_VALUE": (1, 1), "NTILE": (1, 1),
    "IF": (3, 3), "LEFT": (2, 2), "RIGHT": (2, 2), "REPLACE": (3, 3), "INSERT": (4, 4), "REPEAT": (2, 2),
    "MOD": (2, 2), "DATABASE": (0, 0), "SCHEMA": (0, 0), "UTC_DATE": (0, 0), "CURRENT_DATE": (0, 0),
    "CURRENT_TIME": (0, 0), "CURRENT_TIMESTAMP": (0, 0), "CURRENT_USER": (0, 0), "LOCALTIME": (0, 0),
    "LOCALTIMESTAMP": (0, 0), "UTC_TIME": (0, 0), "UTC_TIMESTAMP": (0, 0), "ASCII": (1, 1), "DATE": (1, 1),
    "TIME": (1, 1), "TIMESTAMP": (1, 2), "YEAR": (1, 1), "MONTH": (1, 1), "DAY": (1, 1), "HOUR": (1, 1),
    "MINUTE": (1, 1), "SECOND": (1, 1), "WEEK": (1, 2), "QUARTER": (1, 1), "MICROSECOND": (1, 1),
    "IFNULL": (2, 2), "NULLIF": (2, 2), "TRUNCATE": (2, 2), "LOWER": (1, 1), "UPPER": (1, 1), "ABS": (1, 1),
    "LENGTH": (1, 1), "CHAR_LENGTH": (1, 1), "ROUND": (1, 2), "FLOOR": (1, 1), "CEILING": (1, 1),
    "COALESCE": (1, 999), "CONCAT": (1, 999), "CONCAT_WS": (2, 999), "GREATEST": (2, 999),
    "LEAST": (2, 999), "DATE_FORMAT": (2, 3), "DATEDIFF": (2, 2), "NOW": (0, 0), "RAND": (0, 1),
    "UUID": (0, 0), "VERSION": (0, 0), "CURDATE": (0, 0), "CURTIME": (0, 0), "LAST_INSERT_ID": (0, 1),
    "CHARSET": (1, 1), "COLLATION": (1, 1), "USER": (0, 0), "FORMAT": (2, 3), "HEX": (1, 1), "MD5": (1, 1),
}  # fmt: skip
AGGREGATES = frozenset((
    "COUNT", "SUM", "MAX", "MIN", "AVG", "STD", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP",
    "VAR_SAMP", "BIT_AND", "BIT_OR", "BIT_XOR", "JSON_ARRAYAGG",
))  # fmt: skip
WINDOWS = frozenset((
    "ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "LAG", "LEAD", "FIRST_VALUE",
    "LAST_VALUE", "NTILE",
))  # fmt: skip
UNITS = frozenset((
    "MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DAY_HOUR",
    "DAY_MICROSECOND", "DAY_MINUTE", "DAY_SECOND", "HOUR_MICROSECOND", "HOUR_MINUTE", "HOUR_SECOND",
    "MINUTE_MICROSECOND", "MINUTE_SECOND", "SECOND_MICROSECOND", "YEAR_MONTH",
))  # fmt: skip


def unit(reader: Expressions) -> None:
    """A unit of time."""
    if reader.t.take_any(*UNITS) is None:
        raise reader.t.fail()


def _aggregate(reader: Expressions) -> None:
    t = reader.t
    several = t.words[t.at - 2] == "COUNT"
    if several and t.take("*"):
        return
    distinct = t.take("DISTINCT")
    if reader.expressions() > 1 and not (several and distinct):
        raise t.fail()


def _group_concat(reader: Expressions) -> None:
    t = reader.t
    t.take("DISTINCT")
    reader.expressions()
    if t.take("ORDER", "BY"):
        reader.ordering(1)
    if t.take("SEPARATOR"):
        t.one_string()


def _cast(reader: Expressions) -> None:
    t = reader.t
    reader.expression()
    t.need("AS")
    _type(reader)


def _convert(reader: Expressions) -> None:
    t = reader.t
    reader.expression()
    if t.take("USING"):
        t.name()
    else:
        t.need(",")
        _type(reader)


def _type(reader: Expressions) -> None:
    t = reader.t
    word = t.take_any("CHAR", "NCHAR", "BINARY", "DATE", "DATETIME", "TIME", "SIGNED", "UNSIGNED", "DECIMAL")
    if word is None:
        raise t.fail()
    if word in ("SIGNED", "UNSIGNED"):
        t.take_any("INTEGER", "INT")
    elif word != "DATE" and t.take("("):
        t.integer()
        if word == "DECIMAL" and t.take(","):
            t.integer()
        t.need(")")
    if word == "CHAR" and (t.take("CHARACTER", "SET") or t.take("CHARSET")):
        t.name()


def _trim(reader: Expressions) -> None:
    t = reader.t
    side = t.take_any("BOTH", "LEADING", "TRAILING")
    if not (side and t.peek() == "FROM"):
        reader.expression()
    if side:
        t.need("FROM")
        reader.expression()
    elif t.take("FROM"):
        reader.expression()


def _extract(reader: Expressions) -> None:
    unit(reader)
    reader.t.need("FROM")
    reader.expression()


def _substring(reader: Expressions) -> None:
    t = reader.t
    reader.expression()
    if t.take("FROM"):
        reader.expression()
        if t.take("FOR"):
            reader.expression()
    else:
        t.need(",")
        if reader.expressions() > 2:
            raise t.fail()


def _position(reader: Expressions) -> None:
    reader.operand()
    reader.t.need("IN")
    reader.expression()


def _date_add(reader: Expressions) -> None:
    t = reader.t
    reader.expression()
    t.need(",")
    if t.take("INTERVAL"):
        reader.expression()
        unit(reader)
    else:
        raise t.fail()


def _timestamp_add(reader: Expressions) -> None:
    t = reader.t
    unit(reader)
    for _ in range(2):
        t.need(",")
        reader.expression()


#: What comes behind the opening parenthesis, up to the closing one.
SPECIAL: dict[str, Callable[[Expressions], None]] = {
    **dict.fromkeys(AGGREGATES, _aggregate),
    "GROUP_CONCAT": _group_concat,
    "CAST": _cast,
    "CONVERT": _convert,
    "TRIM": _trim,
    "EXTRACT": _extract,
    "SUBSTRING": _substring,
    "SUBSTR": _substring,
    "MID": _substring,
    "POSITION": _position,
    "DATE_ADD": _date_add,
    "DATE_SUB": _date_add,
    "ADDDATE": _date_add,
    "SUBDATE": _date_add,
    "TIMESTAMPADD": _timestamp_add,
    "TIMESTAMPDIFF": _timestamp_add,
}
