"""An expression among the columns of a query: where it ends, its name, and its column."""

from __future__ import annotations

from schemacheck.catalog import result_expressions
from schemacheck.catalog.context import Context
from schemacheck.catalog.query_tables import unsure
from schemacheck.model.expression import malformed
from schemacheck.model.expression_tree import NoTree, TooHigh, tree
from schemacheck.model.quote import unquote
from schemacheck.model.table import Column
from schemacheck.sql import characters
from schemacheck.sql.function_names import FUNCTIONS
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.token import TokenType

#: What comes behind the columns of a query, and is no word of an expression.
_ENDS = frozenset((
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "MINUS", "WINDOW",
    "QUALIFY", "OFFSET", "FETCH", "FOR", "LOCK", "PROCEDURE", "INTO",
))  # fmt: skip
_LITERALS = frozenset(("DATE", "TIME", "TIMESTAMP", "N"))
_STRINGS = (TokenType.STRING, TokenType.NATIONAL_STRING)
#: The longest name of a column, in characters.
_LONGEST_NAME = 64


def is_expression(t: Tokens, reserved: frozenset[str]) -> bool:
    """Whether something else than a column or `*` comes next."""
    if not t.is_name():
        return t.peek() != "*"
    word = t.peek()
    if not word:
        return False
    if word in _LITERALS and t.is_string(1):
        return True
    if t.peek(1) == "(":
        return True
    if word in reserved:
        return True
    at = 1
    while t.peek(at) == "." and t.kind(at + 1) is not None:
        at += 2
    behind = t.peek(at)
    if at > 1 and t.peek(at - 1) == "*":
        return False
    plain = at + t.at >= t.size or behind in (",", "AS", ")") or behind in _ENDS
    return not plain and t.kind(at) is TokenType.SIGN


def read(t: Tokens, context: Context) -> tuple[str | None, Column | None]:
    """The name of an expression without AS, and the column that it makes, None where that is not known; `t`
    goes to its alias or behind it. Raises Refused.
    """
    first = t.at
    end = _end(t)
    if end == first:
        raise t.fail("a name is expected")
    _no_gap(t, first, end)
    aliased = end - first > 2 and t.words[end - 2] == "AS"
    for last in (end - 2,) if aliased else (end, end - 1):
        text = t.slice(first, last)
        if last <= first:
            break
        try:
            root, _ = tree(text, context.modes)
        except (NoTree, TooHigh):
            continue
        if malformed(text, context.modes, "mariadb" if context.server.mariadb else "mysql"):
            raise Refused("an operator takes no such operand", t.offset(first), "SC001", 1064)
        t.at = last
        name = None
        if last == end:
            name = _name(t, first, last, root.kind, mariadb=context.server.mariadb)
        evaluated = not (t.words[t.size - 2] == "LIMIT" and t.raw(t.size - 1) == "0")
        if TokenType.NATIONAL_STRING in t.kinds[first:last]:
            return name, None
        return name, result_expressions.column(text, context, evaluated=evaluated)
    raise unsure("an expression", t.offset(first))


def _end(t: Tokens) -> int:
    depth = 0
    for index in range(t.at, t.size):
        word = t.words[index]
        if depth == 0 and (word == "," or word in _ENDS):
            return index
        depth += (word == "(") - (word == ")")
        if depth < 0:
            return index
    return t.size


def _no_gap(t: Tokens, first: int, end: int) -> None:
    """Raise Refused for a built-in function that no parenthesis touches: it means another one then."""
    if t.ignore_space:
        return
    for index in range(first, end - 1):
        if t.words[index] in FUNCTIONS and t.words[index + 1] == "(" and t.ends[index] != t.starts[index + 1]:
            raise unsure("a function that no parenthesis touches", t.starts[index])


def _name(t: Tokens, first: int, last: int, kind: str, *, mariadb: bool) -> str | None:
    """The name without AS: the text, of a literal without its parentheses and quotes (asked of four)."""
    while t.words[first] == "(" and t.words[last - 1] == ")" and _encloses(t, first, last):
        if kind not in ("string", "number", "null"):
            break
        first, last = first + 1, last - 1
    if kind == "string":
        strings = [i for i in range(first, last) if t.kinds[i] in _STRINGS]
        if not mariadb:
            strings = strings[:1]
        found = "".join(unquote(t.raw(i).lstrip("nN"), backslash=t.backslash) for i in strings)
        if not found:
            raise Refused("a column's name is empty", t.starts[first], "SC002", 1166)
        if found != characters.strip(found) or not found.isprintable():
            return None
    else:
        if t.words[first] == "+" and kind == "number":
            first += 1
        found = t.text[t.starts[first] : t.ends[last - 1]]
        if "/*" in found or "--" in found or "#" in found or "\n" in found:
            return None
    if len(found) > _LONGEST_NAME:
        raise Refused(f"{found[:40]!r} is too long a column name", t.starts[first], "SC002", 1166)
    return found


def _encloses(t: Tokens, first: int, last: int) -> bool:
    depth = 0
    for index in range(first, last):
        depth += (t.words[index] == "(") - (t.words[index] == ")")
        if depth == 0:
            return index == last - 1
    return False
