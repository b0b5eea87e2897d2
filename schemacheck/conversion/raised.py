"""The errors that functions of an expression raise for some values, whatever sql_mode is.

rules/expressions.yaml (`raises`) has the functions: each was computed by the applier of MySQL 9.7.4, MariaDB
10.11.19 and 11.8.6 in a stored generated column that only the replica has, with values at the edges of
thirteen types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from schemacheck import knowledge
from schemacheck.conversion.error import server_error
from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType, Server

_TEXTS = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
#: A regular expression, and where to look from, that every row has alike: a literal, or no argument more.
_CONSTANT_PATTERN = re.compile(r"\bregexp(?:\s+binary)?\s*''(?!\s*\()")
_CONSTANT_CALL = re.compile(r"\bregexp_\w+\([^()']*,\s*''(?:\s*,\s*(?:''|\d+))*\s*\)")
#: ST_SRID of two arguments makes a geometry, as ST_TRANSFORM does.
_SRID_SET = re.compile(r"\bst_srid\((?=[^()]*,)", re.IGNORECASE)
_POINTS = ("st_x", "st_y")


@dataclass(frozen=True, slots=True)
class Raised:
    """A function, the name of its error in rules/errors.yaml, the numbers of others that it raises, and where
    it was seen.
    """

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
    """Whether every column that the expression names is a POINT."""
    named = {name.casefold() for name in re.findall(r"\w+", expression)} & columns.keys()
    return bool(named) and all(columns[name].is_point for name in named)
