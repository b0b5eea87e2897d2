"""Functions that a replica computes anew where a statement is logged: who is connected, a UUID, the clock
behind SYSDATE, the server's own variables (asked of MySQL 9.7, MariaDB 10.11 and 11.8: 15 functions).

RAND and NOW come along with the statement. Under MIXED the servers log the rows of such statements.
"""

from __future__ import annotations

import re
from functools import cache

from schemacheck import knowledge

#: Beside the functions that the servers call unsafe for statements.
_MORE = frozenset(("CURRENT_USER", "RANDOM_BYTES"))
#: Their values come along.
_CARRIED = frozenset(("RAND",))
#: A trigger's CURRENT_USER is its definer, the same on both ends.
_DEFINER = frozenset(("CURRENT_USER",))
_TEXT = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"")
_WORD = re.compile(r"(@{1,2}[\w.$]+|\bcurrent_user\b|\b[a-z]\w*(?=`?\s*\())", re.IGNORECASE)


@cache
def _functions() -> frozenset[str]:
    return (frozenset(knowledge.load("filters")["unsafe_functions"]) | _MORE) - _CARRIED


def own_value(text: str, *, trigger: bool = False) -> str | None:
    """The first function or variable in an expression, or in a trigger's body, whose value is the replica's
    own; None without one. A trigger may set user variables itself, so they do not count there.
    """
    for match in _WORD.finditer(_TEXT.sub("''", text)):
        word = match[1]
        if word.startswith("@"):
            if word.startswith("@@") or not trigger:
                return word
        elif word.upper() in _functions() - (_DEFINER if trigger else frozenset()):
            return f"{word.upper()}()"
    return None
