"""DEFAULT(column) in the expressions of a table: what MySQL refuses of it, and which columns it names (asked
of 9.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from schemacheck.model import quote
from schemacheck.model.table import Column, DefaultKind, Table
from schemacheck.model.words import tokens
from schemacheck.sql.lexer import Refused

_WORDS = ("word", "name")


@lru_cache(maxsize=1024)
def named(text: str, modes: frozenset[str]) -> frozenset[str]:
    """The (folded) columns whose defaults an expression asks for."""
    if "default" not in text.lower():
        return frozenset()
    words = [*tokens(text, modes), ("", "")]
    found: set[str] = set()
    for at in range(len(words) - 2):
        if words[at] != ("word", "default") or words[at + 1][1] != "(":
            continue
        last = at + 2
        while words[last][0] in _WORDS and words[last + 1][1] == ".":
            last += 2
        kind, name = words[last]
        if kind in _WORDS:
            found.add((quote.unquote(name) if kind == "name" else name).casefold())
    return frozenset(found)


def used(table: Table, modes: frozenset[str]) -> frozenset[str]:
    """The (folded) columns whose defaults a generated column or an enforced CHECK of the table asks for."""
    texts = [one.expression for one in table.columns if one.generated is not None and one.expression]
    texts += [one.expression for one in table.checks if one.enforced]
    return frozenset().union(*(named(text, modes) for text in texts))


def check(
    texts: Iterable[str], columns: Sequence[Column], taken: frozenset[str], modes: frozenset[str], at: int
) -> None:
    """Refuse the DEFAULT() of a column that has none (1364) or one that is an expression (3773). `texts` are
    the expressions of the table as it becomes, `taken` the (folded) columns that have just lost their
    default.
    """
    asked: frozenset[str] = frozenset().union(*(named(text, modes) for text in texts))
    for column in columns if asked else ():
        if column.name.casefold() not in asked or column.auto_increment:
            continue
        if column.default is not None and column.default.kind is DefaultKind.EXPRESSION:
            why = f"DEFAULT({column.name}) asks for a default that is an expression"
            raise Refused(why, at, "SC002", 3773)
        if column.default is None or column.generated is not None or column.name.casefold() in taken:
            why = f"DEFAULT({column.name}) asks for a default, which {column.name!r} does not have"
            raise Refused(why, at, "SC002", 1364, name=column.name)
