"""Functions that a replica computes anew where a statement is logged: who is connected, a UUID, the clock
behind SYSDATE, the server's own variables (asked of MySQL 9.7, MariaDB 10.11 and 11.8: 15 functions).

RAND and NOW come along with the statement. Under MIXED the servers log the rows of such statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from schemacheck import knowledge
from schemacheck.model import Column, Table

#: Beside the functions that the servers call unsafe for statements.
_MORE = frozenset(("CURRENT_USER", "RANDOM_BYTES"))
#: Their values come along.
_CARRIED = frozenset(("RAND",))
#: A body's CURRENT_USER is its definer, the same on both ends.
_DEFINER = frozenset(("CURRENT_USER",))
_TEXT = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"")
_WORD = re.compile(r"(@{1,2}[\w.$]+|\bcurrent_user\b|\b[a-z]\w*(?=`?\s*\())", re.IGNORECASE)


@cache
def _functions() -> frozenset[str]:
    return (frozenset(knowledge.load("filters")["unsafe_functions"]) | _MORE) - _CARRIED


def own_value(text: str, *, trigger: bool = False, invoker: bool = False) -> str | None:
    """The first function or variable in an expression, or in the body of a trigger or function, whose value
    is the replica's own; None without one. A body may set user variables itself, so they do not count there.
    Where it runs with its `invoker`'s rights, CURRENT_USER is the applier's.
    """
    for match in _WORD.finditer(_TEXT.sub("''", text)):
        word = match[1]
        if word.startswith("@"):
            if word.startswith("@@") or not trigger:
                return word
        elif word.upper() in _functions() - (_DEFINER if trigger and not invoker else frozenset()):
            return f"{word.upper()}()"
    return None


#: The period columns of a versioned table: the server sets them itself.
ROW_TIMES = ("row start", "row end")
_CALLED = re.compile(r"\b(unix_timestamp|from_unixtime)\s*\(\s*`?(\w*)", re.IGNORECASE)


def in_time_zone(table: Table) -> Iterator[Column]:
    """The stored columns of a table that two time zones compute otherwise. MariaDB's row events do not carry
    the time zone: from 11.0 on its applier computes such columns anew, in its own (asked of 11.8.6).
    """
    if not any(column.generated == "stored" for column in table.columns):
        return
    moments = {column.name.casefold() for column in table.columns if column.type.is_timestamp}
    for column in table.columns:
        if column.generated == "stored" and _depends(column, moments):
            yield column


def _depends(column: Column, moments: set[str]) -> bool:
    """Whether a TIMESTAMP is read as a date, or a date as a TIMESTAMP. `moments`: the TIMESTAMP columns."""
    expression = _TEXT.sub("''", column.expression or "").replace("`", "").casefold()
    if column.type.is_timestamp:
        return expression not in moments and expression not in ROW_TIMES
    left = _CALLED.sub(
        lambda call: "" if call[1] == "unix_timestamp" and call[2] in moments else call[0], expression
    )
    return _CALLED.search(left) is not None or not moments.isdisjoint(re.findall(r"\w+", left))
