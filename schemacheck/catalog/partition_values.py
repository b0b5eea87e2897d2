"""The values of partitions' bounds: constant expressions computed as servers do when they read the
definition."""

from __future__ import annotations

import datetime as dt
import re

from schemacheck.catalog import temporal
from schemacheck.model.column_type import ColumnType
from schemacheck.model.quote import string, unquote
from schemacheck.sql import characters
from schemacheck.sql.lexer import Refused

_TOKEN = re.compile(
    rf"\s*(?:(?P<number>\d+(?![\w.]))|(?P<text>{characters.string(chr(39))})|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<operator>[-+*%(),]))",
    re.ASCII | re.DOTALL,
)
_INTRODUCER = re.compile(r"\s*(?:_\w+\s*|[nN])(?=['\"])", re.ASCII)
_TEMPORAL = re.compile(r"\s*(?:date|timestamp)\s*(?=')", re.ASCII | re.IGNORECASE)


class NotConstant(Exception):
    """Something that is no integer constant, or none that is computed here."""


def integer(text: str) -> int | None:
    """The integer that an expression is; None for NULL. Raises NotConstant."""
    found, at = [], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            if not characters.strip(text[at:]):
                break
            raise NotConstant
        found.append((token.lastgroup or "", token.group(token.lastgroup or 0)))
        at = token.end()
    if [(kind, value.upper()) for kind, value in found] == [("word", "NULL")]:
        return None
    reader = _Reader([*found, ("end", "")])
    value = reader.sum()
    if reader.tokens[reader.at][0] != "end":
        raise NotConstant
    return value


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at = tokens, 0

    def take(self, *words: str) -> str | None:
        value = self.tokens[self.at][1].upper()
        if self.tokens[self.at][0] in ("operator", "word") and value in words:
            self.at += 1
            return value
        return None

    def sum(self) -> int:
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> int:
        value = self.factor()
        while operator := self.take("*", "%", "MOD", "DIV"):
            other = self.factor()
            if operator == "*":
                value *= other
            elif other == 0:
                raise NotConstant
            else:
                # Both cut towards zero.
                quotient = abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
                value = quotient if operator == "DIV" else value - quotient * other
        return value

    def factor(self) -> int:
        if sign := self.take("-", "+"):
            return -self.factor() if sign == "-" else self.factor()
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise NotConstant
            return value
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return int(text)
        if kind == "word" and self.take("("):
            return self.call(text.upper())
        raise NotConstant

    def call(self, name: str) -> int:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind != "text" or not self.take(")"):
            raise NotConstant
        found = temporal.date_time(unquote(text), 0, rounds=False, invalid_days=False)
        if found is None or found.startswith("0000") or "-00" in found[:10]:
            raise NotConstant
        moment = dt.datetime.fromisoformat(found).replace(tzinfo=dt.UTC)
        days = moment.toordinal() + 365
        values = {
            "TO_DAYS": days,
            "TO_SECONDS": days * 86_400 + moment.hour * 3600 + moment.minute * 60 + moment.second,
            # Where the server is not in UTC, what it keeps differs: the bound is a number in its dumps.
            "UNIX_TIMESTAMP": int(moment.timestamp()),
            "YEAR": moment.year,
            "MONTH": moment.month,
            "DAYOFYEAR": moment.timetuple().tm_yday,
        }
        if name not in values:
            raise NotConstant
        return values[name]


def of_column(text: str, kind: ColumnType, at: int) -> tuple[str, object]:
    """(the value as it is printed, what it is compared by) of a bound of RANGE or LIST COLUMNS.
    Raises Refused.
    """
    if text.upper() in ("MAXVALUE", "NULL"):
        return text.upper(), None
    wrong = Refused(f"partition value {text[:40]} does not fit a {kind} column", at, "SC002", 1654)
    if kind.is_integer:
        try:
            number = integer(text)
        except NotConstant:
            raise wrong from None
        return str(number), number
    plain = text[found.end() :] if (found := _INTRODUCER.match(text)) else text
    if kind.base in ("date", "datetime", "time") and (found := _TEMPORAL.match(plain)):
        plain = plain[found.end() :]
    plain = characters.strip(plain)
    if not re.fullmatch(rf"{characters.string(chr(39))}|{characters.string(chr(34))}", plain, re.DOTALL):
        raise wrong
    value = unquote(plain)
    if kind.base in ("date", "datetime"):
        moment = temporal.date_time(
            value, kind.fraction if kind.base == "datetime" else 0, rounds=True, invalid_days=False
        )
        if moment is None:
            raise wrong
        return string(value), moment
    if kind.base in ("char", "varchar") and not (kind.collation or "").endswith("_bin"):
        return string(value), value.casefold().rstrip(" ")
    return string(value), value
