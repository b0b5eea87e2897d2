"""Whether an expression over columns can leave the numbers that a server computes with, and which errors its
functions raise for some values whatever sql_mode is (`raised`; data in rules/expressions.yaml).

Integers are computed as BIGINT, as BIGINT UNSIGNED where an operand is unsigned, beside a DECIMAL as DECIMAL
of 65 digits, texts as DOUBLE; a result outside raises error 1690 (recorded on 9.7, 10.11 and 11.8). Nothing
is computed here: what may leave them by its types does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from schemacheck import knowledge
from schemacheck.conversion.error import server_error
from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType, Server
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


_TEXTS = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
#: A regular expression, and where to look from, that every row has alike: a literal, or no argument more.
_CONSTANT_PATTERN = re.compile(r"\bregexp(?:\s+binary)?\s*''(?!\s*\()")
_CONSTANT_CALL = re.compile(r"\bregexp_\w+\([^()']*,\s*''(?:\s*,\s*(?:''|\d+))*\s*\)")
#: ST_SRID of two arguments makes a geometry, as ST_TRANSFORM does.
_SRID_SET = re.compile(r"\bst_srid\((?=[^()]*,)", re.IGNORECASE)
_POINTS = ("st_x", "st_y")


@dataclass(frozen=True, slots=True)
class Raised:
    """A function, its error in rules/errors.yaml, numbers of others that it raises, and where it was seen."""

    function: str
    error: str
    also: tuple[int, ...]
    reference: str


@cache
def _groups() -> tuple[tuple[re.Pattern[str], str, tuple[int, ...], str], ...]:
    """What to look for in an expression, and what it raises."""
    return tuple(
        (
            re.compile(rf"\b({'|'.join(group['functions'].split())})\b(?=\s*[( ])", re.IGNORECASE),
            group["error"],
            tuple(group.get("also", ())),
            group["reference"],
        )
        for group in knowledge.load("expressions")["raises"]
    )


def raised(expression: str, columns: Mapping[str, ColumnType], server: Server) -> tuple[Raised, ...]:
    """What computing an expression over columns (names folded) may raise on this server, one for each kind of
    error. What `may_overflow` and JSON functions raise is not among them.
    """
    bare = _TEXTS.sub("''", expression)
    bare = _SRID_SET.sub("st_transform(", bare)
    bare = _CONSTANT_CALL.sub("", _CONSTANT_PATTERN.sub("", bare))
    errors = []
    for pattern, error, also, reference in _groups():
        for match in pattern.finditer(bare):
            name = match[1].casefold()
            if name in _POINTS and _only_points(bare, columns):
                continue
            if server_error(error, server, None, "") is not None:
                errors.append(Raised(name, error, also, reference))
                break
    return tuple(errors)


def _only_points(expression: str, columns: Mapping[str, ColumnType]) -> bool:
    named = {name.casefold() for name in re.findall(r"\w+", expression)} & columns.keys()
    return bool(named) and all(columns[name].is_point for name in named)
