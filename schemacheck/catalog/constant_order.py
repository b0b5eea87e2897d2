"""How servers compare constants."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from decimal import Decimal

from schemacheck.catalog.constant import (
    MOMENTS,
    TEXTS,
    Constant,
    NotComputed,
    number_of,
    octets_of,
    text_of,
    truth,
)
from schemacheck.catalog.constant_moments import moment

_PLAIN = re.compile(r"[a-zA-Z0-9 ]*\Z", re.ASCII)
#: Regular expressions that mean the same everywhere.
_SIMPLE = re.compile(r"\^?[a-zA-Z0-9 ]+\$?\Z", re.ASCII)


def compared(name: str, left: Constant, right: Constant) -> Constant:
    """A comparison (`Arg_comparator`). Raises NotComputed."""
    if "shape" in (left.kind, right.kind):
        raise NotComputed
    if left.value is None or right.value is None:
        return truth(left.value is right.value is None if name == "<=>" else None)
    less, same = _order(left, right, equal=name in ("=", "!=", "<=>"))
    return truth({"=": same, "<=>": same, "!=": not same, "<": less, ">": not (less or same),
                  "<=": less or same, ">=": not less}[name])  # fmt: skip


def _order(left: Constant, right: Constant, *, equal: bool) -> tuple[bool, bool]:
    """(less, same)."""
    if left.kind in TEXTS and right.kind in TEXTS:
        if "bytes" in (left.kind, right.kind):
            x, y = octets_of(left), octets_of(right)
            return x < y, x == y
        return _texts(text_of(left), text_of(right), equal=equal)
    if {left.kind, right.kind} & {"date", "datetime"}:
        first, second = (
            one.value if isinstance(one.value, datetime) else moment(one, None) for one in (left, right)
        )
        if first is None or second is None:
            raise NotComputed
        return first < second, first == second
    if left.kind in MOMENTS or right.kind in MOMENTS:
        raise NotComputed
    a, b = number_of(left), number_of(right)
    if isinstance(a, float) or isinstance(b, float):
        return float(a) < float(b), float(a) == float(b)
    return Decimal(a) < Decimal(b), Decimal(a) == Decimal(b)


def bare(text: str) -> str:
    """A text in small letters without accents."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(one for one in plain if not unicodedata.combining(one))


def _texts(left: str, right: str, *, equal: bool) -> tuple[bool, bool]:
    a, b = bare(left.rstrip(" ")), bare(right.rstrip(" "))
    if left == right:
        return False, True
    if a == b and not (left + right).isascii():
        # Whether an accent counts is the collation's.
        raise NotComputed
    if not equal and not (_PLAIN.match(a) and _PLAIN.match(b)):
        raise NotComputed
    return a < b, a == b


def like(one: Constant, pattern: Constant, escape: Constant | None = None) -> Constant:
    """LIKE. Raises NotComputed."""
    if one.value is None or pattern.value is None:
        return truth(None)
    # Bytes are compared one by one.
    cased = "bytes" in (one.kind, pattern.kind)
    spelled = _bytewise if cased else text_of
    sign = "\\" if escape is None or escape.value is None else spelled(escape)
    said = spelled(pattern)
    found, at = "", 0
    while at < len(said):
        letter = said[at]
        if letter == sign and at + 1 < len(said):
            at += 1
            found += re.escape(said[at])
        else:
            found += {"%": ".*", "_": "."}.get(letter, re.escape(letter))
        at += 1
    value = spelled(one)
    flags = re.DOTALL | (re.NOFLAG if cased else re.IGNORECASE)
    holds = re.fullmatch(found, value, flags) is not None
    if not cased and holds != (re.fullmatch(bare(found), bare(value), flags) is not None):
        # Whether an accent counts is the collation's.
        raise NotComputed
    return truth(holds)


def _bytewise(one: Constant) -> str:
    """A character for each byte."""
    return octets_of(one).decode("latin-1")


def matches(one: Constant, pattern: Constant) -> Constant:
    """REGEXP with a pattern of letters. Raises NotComputed."""
    if one.value is None or pattern.value is None:
        return truth(None)
    return truth(expression(one, pattern).search(text_of(one)) is not None)


def expression(one: Constant, pattern: Constant) -> re.Pattern[str]:
    """A regular expression of letters. Raises NotComputed for any other."""
    said = text_of(pattern)
    if not _SIMPLE.match(said):
        raise NotComputed
    cased = "bytes" in (one.kind, pattern.kind)
    return re.compile(said, re.NOFLAG if cased else re.IGNORECASE)
