"""Whether an expression over columns can leave the numbers that a server computes with.

Integers are computed as BIGINT, as BIGINT UNSIGNED where an operand is unsigned, beside a DECIMAL as DECIMAL
of 65 digits, texts as DOUBLE; a result outside raises error 1690 (Item_func_plus::int_op, Item_func_minus,
Item_func_mul; recorded on 9.7, 10.11 and 11.8, and asked of 9.7.4 and 11.8.6 with 200 expressions).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType
from schemacheck.model.column_type import STRINGS

_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_TOKENS = re.compile(r"\s*(?:(\d+(?:\.\d+)?)(?![\w.])|`([^`]+)`|([A-Za-z_]\w*)|(.))", re.DOTALL)
_SIGNED = (-(2**63), 2**63 - 1)
_UNSIGNED = (0, 2**64 - 1)
#: Functions of doubles whose result may be too large: of wide numbers, and of any.
_STEEP = re.compile(r"\b(abs|sum|truncate|round|cast|convert)\s*\(", re.IGNORECASE)
_STEEPEST = re.compile(r"\b(exp|pow|power|cot|degrees)\s*\(", re.IGNORECASE)
_OPERATORS = re.compile(r"[-+*/]|\bdiv\b", re.IGNORECASE)
_OF_INTEGERS = re.compile(r"[-+*]|\bdiv\b", re.IGNORECASE)
_DIVIDES = re.compile(r"\bdiv\b", re.IGNORECASE)
#: Texts, paths of documents and shifts of dates, whose characters are no arithmetic.
_NO_ARITHMETIC = re.compile(r"'(?:[^'\\]|\\.|'')*'|->>?|[-+]\s*interval\b", re.IGNORECASE | re.DOTALL)
#: Functions whose result is a small signed number (asked of 9.7.4).
_SMALL = re.compile(
    r"\b(?:length|octet_length|char_length|character_length|bit_length|bit_count|ascii|ord|month|day|dayofmonth|"
    r"dayofweek|dayofyear|weekday|quarter|week|weekofyear|hour|minute|second|microsecond|to_days|datediff|locate|"
    r"instr|find_in_set|field|strcmp)\s*\([^()]*\)",
    re.IGNORECASE,
)
#: What gives BIGINT UNSIGNED whatever its operands are.
_MAKES_UNSIGNED = re.compile(r"[&|^~]|<<|>>|\b(?:year|crc32|unsigned|inet_aton|conv)\b", re.IGNORECASE)
#: The most digits of a DECIMAL.
_MOST_DIGITS = 65
_EXACT = (1 - 10**_MOST_DIGITS, 10**_MOST_DIGITS - 1)


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that an expression may be, and whether a step of it may leave BIGINT or DECIMAL. `exact`: a
    DECIMAL, of `low` to `high` without what stands behind its point.
    """

    low: int
    high: int
    unsigned: bool = False
    overflows: bool = False
    exact: bool = False


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


def _column(column: ColumnType) -> Range | None:
    """The values of an integer or DECIMAL column."""
    if column.base != "decimal" or column.length is None:
        return integers(column)
    most = 10 ** (column.length - (column.scale or 0))
    return Range(-most, most, exact=True)


def evaluate(expression: str, columns: Mapping[str, ColumnType]) -> Range | None:
    """The range of an expression of integer and DECIMAL columns (names folded), literals, + - * and %; None
    for any other.
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
    bare = _SMALL.sub("0", _NO_ARITHMETIC.sub(" ", expression))
    named = {name.casefold() for name in re.findall(r"\w+", bare)}
    read = [kind for name, kind in columns.items() if name in named]
    if _STEEPEST.search(bare):
        return True
    if _STEEP.search(bare) and any(kind.base in ("bigint", "float", "double", "decimal") for kind in read):
        return True
    if not _OPERATORS.search(bare):
        return False
    divides = _DIVIDES.search(bare) is not None
    # Beside a negative number every one of these leaves BIGINT UNSIGNED.
    if _OF_INTEGERS.search(bare) and (
        _MAKES_UNSIGNED.search(bare) or any(kind.unsigned or kind.base in ("year", "bit") for kind in read)
    ):
        return True
    if "*" in bare and any(kind.base in ("datetime", "timestamp") for kind in read):
        return True
    digits = max((kind.length or 0 for kind in read if kind.base == "decimal"), default=0)
    # Three INT are more than BIGINT; DIV makes a BIGINT of a DECIMAL.
    if bare.count("*") > 1 or (divides and digits):
        return True
    if digits * (1 + bare.count("*")) > _MOST_DIGITS or _STEEP.search(bare):
        return True
    # A text is computed with as a DOUBLE.
    return any(kind.base in ("bigint", "float", "double", *STRINGS) for kind in read)


_SAME_LENGTH = re.compile(r"(?:lower|lcase|upper|ucase|reverse|l?trim|rtrim)\(`?(\w+)`?\)", re.IGNORECASE)


def fits(expression: str, columns: Mapping[str, ColumnType], held: ColumnType) -> bool:
    """Whether every value of the expression is one of the column `held`: integers, and a text of another
    column that keeps its length (asked of MariaDB 10.11.19 and 11.8.6: every character of two planes).
    """
    if (same := _SAME_LENGTH.fullmatch(expression)) and (text := columns.get(same[1].casefold())):
        alike = text.charset == held.charset and {text.base, held.base} <= {"char", "varchar"}
        return alike and (text.length or 1) <= (held.length or 1)
    found, room = evaluate(expression, columns), integers(held)
    if found is None or room is None or found.overflows or found.exact:
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
                exact = left.exact or right.exact
                left = Range(low, high, left.unsigned, left.overflows or right.overflows, exact)
        return left

    def factor(self) -> Range:
        """A number, a column, or parentheses."""
        if self.take("-"):
            inner = self.factor()
            sign = Range(0, 0, overflows=inner.overflows, exact=inner.exact)
            return _made(-inner.high, -inner.low, Range(0, 0), sign)
        if self.take("("):
            inner = self.sum()
            if not self.take(")"):
                raise _Unknown
            return inner
        if self.at >= len(self.words):
            raise _Unknown
        word = self.words[self.at]
        self.at += 1
        if len(word) > _MOST_DIGITS and word[0].isdecimal():
            raise _Unknown
        if word.isdecimal():
            return Range(int(word), int(word))
        if word[0].isdecimal():
            most = int(word.partition(".")[0]) + 1
            return Range(-most, most, exact=True)
        found = self.columns.get(word.casefold())
        known = _column(found) if found is not None else None
        if known is None:
            raise _Unknown
        return known


def _made(low: int, high: int, left: Range, right: Range) -> Range:
    """A step's result, cut to what it may be without an error."""
    exact = left.exact or right.exact
    unsigned = not exact and (left.unsigned or right.unsigned)
    least, most = _EXACT if exact else _UNSIGNED if unsigned else _SIGNED
    over = left.overflows or right.overflows or low < least or high > most
    return Range(max(low, least), min(high, most), unsigned, over, exact)
