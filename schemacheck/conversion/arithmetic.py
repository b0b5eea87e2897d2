"""Whether an expression over columns can leave the numbers that a server computes with.

Integers are computed as BIGINT, as BIGINT UNSIGNED where an operand is unsigned, beside a DECIMAL as DECIMAL
of 65 digits, texts as DOUBLE; a result outside raises error 1690 (recorded on 9.7, 10.11 and 11.8). Nothing
is computed here: what may leave them by its types does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.model import ColumnType
from schemacheck.model.column_type import STRINGS

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
#: A number beside which two INT may be more than BIGINT.
_LONG_NUMBER = re.compile(r"\d{10}")


def may_overflow(expression: str, columns: Mapping[str, ColumnType]) -> bool:
    """Whether error 1690 may come of it, as far as its operators and the types of its columns tell."""
    bare = _SMALL.sub("0", _NO_ARITHMETIC.sub(" ", expression))
    named = {name.casefold() for name in re.findall(r"\w+", bare)}
    read = [kind for name, kind in columns.items() if name in named]
    if _STEEPEST.search(bare):
        return True
    if _STEEP.search(bare) and any(kind.base in ("bigint", "float", "double", "decimal") for kind in read):
        return True
    if not _OPERATORS.search(bare):
        return False
    if _LONG_NUMBER.search(bare):
        return True
    divides = _DIVIDES.search(bare) is not None
    # Beside a negative number every one of these leaves BIGINT UNSIGNED.
    unsigned = [kind.is_never_negative for kind in read]
    negative = "-" in bare or not all(unsigned)
    if _OF_INTEGERS.search(bare) and (_MAKES_UNSIGNED.search(bare) or (any(unsigned) and negative)):
        return True
    if "*" in bare and any(kind.is_moment for kind in read):
        return True
    digits = max((kind.length or 0 for kind in read if kind.is_decimal), default=0)
    # Three INT are more than BIGINT; DIV makes a BIGINT of a DECIMAL.
    if bare.count("*") > 1 or (divides and digits):
        return True
    if digits * (1 + bare.count("*")) > _MOST_DIGITS or _STEEP.search(bare):
        return True
    # A text is computed with as a DOUBLE.
    return any(kind.base in ("bigint", "float", "double", *STRINGS) for kind in read)


_SAME_LENGTH = re.compile(r"(?:lower|lcase|upper|ucase|reverse|l?trim|rtrim)\(`?(\w+)`?\)", re.IGNORECASE)


def fits(expression: str, columns: Mapping[str, ColumnType], held: ColumnType) -> bool:
    """Whether every value of the expression surely is one of the column `held`: those of another column of
    its type, and a text of one that keeps its length (asked of MariaDB 10.11.19 and 11.8.6: every character
    of two planes).
    """
    if (same := _SAME_LENGTH.fullmatch(expression)) and (text := columns.get(same[1].casefold())):
        alike = text.charset == held.charset and {text.base, held.base} <= {"char", "varchar"}
        return alike and (text.length or 1) <= (held.length or 1)
    copied = columns.get(expression.strip("`").casefold())
    return copied is not None and copied.is_integer and copied == held
