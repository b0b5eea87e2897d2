"""The names of a view's columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemacheck.catalog.name_rules import folded
from schemacheck.sql import query_tree
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.statements.names import plain

#: The names of the columns of (database or "", table); None where they are not known.
Columns = Callable[[str, str], Iterable[str] | None]


def names(t: Tokens, columns: Columns) -> tuple[str, ...] | None:
    """The names of the columns of a view, whose query `t` has, with its column list in front where it has
    one; None where they are not known. Raises Refused: 1060 where one is there twice, without a number where
    the list and the query have, or may have, another number.
    """
    at = t.starts[t.at]
    given = _listed(t)
    tree = query_tree.parse(query_tree.without_check_option(plain(t, t.at)))
    shown = query_tree.shown(tree, columns) if tree is not None else None
    if given and (shown is None or len(given) != len(shown)):
        why = "whether the query has as many columns as the view's list is not known here"
        raise Refused(why if shown is None else f"the query has {len(shown)} columns", at)
    result = given or shown or []
    if not all(result):
        return None
    seen: set[str] = set()
    for name in result:
        if folded(name) in seen:
            raise Refused(f"column {name!r} is there twice", at, 1060, name=name)
        seen.add(folded(name))
    return tuple(result) or None


def _listed(t: Tokens) -> list[str]:
    """The names of the column list in front of the query, which `t` goes to; none without one."""
    result: list[str] = []
    if t.peek() == "(" and t.peek(1) not in ("(", "SELECT", "WITH", "VALUES", "TABLE"):
        while t.take_any("(", ","):
            result.append(t.name())
        t.need(")")
        t.take("AS")
    return result
