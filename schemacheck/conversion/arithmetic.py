"""Whether an expression over columns can leave the numbers that a server computes with.

Integers are computed as BIGINT, as BIGINT UNSIGNED where an operand is unsigned; a result outside raises
error 1690 (Item_func_plus::int_op, Item_func_minus, Item_func_mul; recorded on 9.7, 10.11 and 11.8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType

_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_TOKENS = re.compile(r"\s*(?:(\d+)(?![\w.])|`([^`]+)`|([A-Za-z_]\w*)|(.))", re.DOTALL)
_SIGNED = (-(2**63), 2**63 - 1)
_UNSIGNED = (0, 2**64 - 1)
#: Functions of doubles whose result may be too large.
_STEEP = re.compile(r"\b(exp|pow|power|cot|abs|sum|truncate|round|cast|convert)\s*\(", re.IGNORECASE)
_OPERATORS = re.compile(r"[-+*/]")


@dataclass(frozen=True, slots=True)
class Range:
    """The integers that an expression may be, and whether a step of it may leave BIGINT."""

    low: int
    high: int
    unsigned: bool = False
    overflows: bool = False


class _Unknown(Exception):
    """The expression is not one of integers."""


def integers(column: ColumnType) -> Range | None:
    """The values of an integer column."""
    bits = _BITS.get(column.base)
    if bits is None:
        return None
    return (
        Range(0, 2**bits - 1, unsigned=True)
        if column.unsigned
        else Range(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    )


def evaluate(expression: str, columns: Mapping[str, ColumnType]) -> Range | None:
    """The range of an expression of integer columns (names folded), literals, + - * and %; None for any
    other.
    """
    words = [
        next(part for part in found.groups() if part is not None)
        for found in _TOKENS.finditer(expression)
        if any(part is not None and part.strip() for part in found.groups())
    ]
    try:
        reader = _Reader(words, columns)
        found = reader.sum()
    except (_Unknown, RecursionError):
        return None
    return found if reader.at == len(words) else None


def may_overflow(expression: str, columns: Mapping[str, ColumnType]) -> bool:
    """Whether error 1690 may come of it."""
    found = evaluate(expression, columns)
    if found is not None:
        return found.overflows
    named = {name.casefold() for name in re.findall(r"[A-Za-z_]\w*", expression)}
    numeric = [t for name, t in columns.items() if name in named]
    if _STEEP.search(expression):
        return any(t.base in ("bigint", "float", "double", "decimal") for t in numeric)
    wide = any(t.base in ("bigint", "float", "double") for t in numeric)
    return wide and bool(_OPERATORS.search(expression))


def fits(expression: str, columns: Mapping[str, ColumnType], held: ColumnType) -> bool:
    """Whether every value of the expression is one of the integer column `held`."""
    found, room = evaluate(expression, columns), integers(held)
    if found is None or room is None or found.overflows:
        return False
    return room.low <= found.low and found.high <= room.high


class _Reader:
    """A recursive descent over words."""

    def __init__(self, words: list[str], columns: Mapping[str, ColumnType]) -> None:
        self.words, self.columns, self.at = words, columns, 0

    def take(self, *choices: str) -> str | None:
        """The next word where it is one of these."""
        word = self.words[self.at].casefold() if self.at < len(self.words) else ""
        if word not in choices:
            return None
        self.at += 1
        return word

    def sum(self) -> Range:
        """Terms with + and -."""
        left = self.product()
        while (sign := self.take("+", "-")) is not None:
            right = self.product()
            low, high = (right.low, right.high) if sign == "+" else (-right.high, -right.low)
            left = _made(left.low + low, left.high + high, left, right)
        return left

    def product(self) -> Range:
        """Factors with * and %."""
        left = self.factor()
        while (sign := self.take("*", "%", "mod")) is not None:
            right = self.factor()
            if sign == "*":
                ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
                left = _made(min(ends), max(ends), left, right)
            else:
                most = max(abs(right.low), abs(right.high)) - 1
                low, high = (max(-most, left.low) if left.low < 0 else 0), min(most, max(left.high, 0))
                left = Range(low, high, left.unsigned, left.overflows or right.overflows)
        return left

    def factor(self) -> Range:
        """A number, a column, or parentheses."""
        if self.take("-"):
            inner = self.factor()
            return _made(-inner.high, -inner.low, Range(0, 0), Range(0, 0, overflows=inner.overflows))
        if self.take("("):
            inner = self.sum()
            if not self.take(")"):
                raise _Unknown
            return inner
        if self.at >= len(self.words):
            raise _Unknown
        word = self.words[self.at]
        self.at += 1
        if word.isdigit():
            return Range(int(word), int(word))
        found = self.columns.get(word.casefold())
        known = integers(found) if found is not None else None
        if known is None:
            raise _Unknown
        return known


def _made(low: int, high: int, left: Range, right: Range) -> Range:
    """A step's result, cut to what it may be without an error."""
    unsigned = left.unsigned or right.unsigned
    least, most = _UNSIGNED if unsigned else _SIGNED
    over = left.overflows or right.overflows or low < least or high > most
    return Range(max(low, least), min(high, most), unsigned, over)
