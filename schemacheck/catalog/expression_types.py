"""What servers refuse in an expression for the types of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from schemacheck.model.expression_tree import Item
from schemacheck.sql.lexer import Refused

_COMPARED = frozenset(("=", "<=>", "!=", "<", ">", "<=", ">="))
_COMPUTED = frozenset(("+", "-", "*", "/", "%", "div", "^", "&", "|", "<<", ">>"))
_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*\Z", re.IGNORECASE | re.ASCII)
_DIGIT = re.compile(r"\d", re.ASCII)
_CONSTANT = frozenset(("string", "number"))


def check(item: Item, kinds: Sequence[str], types: Sequence[str], *, mariadb: bool, at: int) -> None:
    """Raise Refused for operands that the server does not take. `kinds`: of the operands, as
    `expression_collations` names them; `types`: of those that are columns, else ''.
    """
    if mariadb:
        if item.name in ("st_x", "st_y") and any(one.kind == "string" for one in item.args):
            raise Refused(f"{item.name.upper()} of a text", at, "SC002", 4079)
        return
    if item.name in _COMPUTED and "shape" in kinds:
        raise Refused("a geometry or a vector is no number", at, "SC002", 1210)
    _constants(item, kinds, types, at)


def _constants(item: Item, kinds: Sequence[str], types: Sequence[str], at: int) -> None:
    """MySQL converts constants to the type of what they are compared with, when it reads the expression: a
    text that is no number or no moment is refused (1292; asked of 9.7.4). Raises Refused.
    """
    args = item.args
    if item.name == "in" and len(args) > 2 and all(one.kind in _CONSTANT for one in args[1:]):
        left = kinds[0]
        if left == "number" and types[0] != "year":
            _each(args[1:], _no_number, at)
        elif types[0] in ("date", "datetime", "timestamp"):
            _each(args[1:], _no_day, at)
    elif item.name in _COMPARED and len(args) == 2:
        for own, other in ((0, 1), (1, 0)):
            if types[own] == "bigint" and args[other].kind == "string":
                _each([args[other]], _no_number, at)
            elif types[own] in ("date", "datetime", "timestamp"):
                _each([args[other]], _no_day, at)
            elif types[own] == "time" and args[other].kind == "string":
                _each([args[other]], _no_digit, at)
    elif item.name == "between" and types[0] in ("date", "datetime", "timestamp"):
        _each([one for one in args[1:] if one.kind == "number"], _no_day, at)


def _each(given: Sequence[Item], no: Callable[[Item], bool], at: int) -> None:
    for one in given:
        if no(one):
            raise Refused(f"{one.value!r} has not the type of what it is compared with", at, "SC002", 1292)


def _no_number(one: Item) -> bool:
    return one.kind == "string" and not _NUMBER.match(one.value)


def _no_digit(one: Item) -> bool:
    return one.kind == "string" and not _DIGIT.search(one.value)


def _no_day(one: Item) -> bool:
    """A text without digits, or a number too small for a date (`number_to_datetime`: from 101 on)."""
    if one.kind == "string":
        return _no_digit(one)
    return one.kind == "number" and 0 < float(one.value) < 101
