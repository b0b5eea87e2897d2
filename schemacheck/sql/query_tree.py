"""Queries and data manipulation read by sqlglot's parser, which is not imported before it is needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sqlglot import exp

_CHECK_OPTION = re.compile(
    r"\s+WITH\s+(?:CASCADED\s+|LOCAL\s+)?CHECK\s+OPTION\s*\Z", re.IGNORECASE | re.ASCII
)
#: What its parser raises for some texts that are no SQL, as `SELECT IF(, 1, 2)`.
_DEFECTS = (RecursionError, TypeError, AttributeError, ValueError, LookupError, AssertionError)


#: Functions that every server has, as sqlglot's trees call them; by name those that it does not know, with
#: the number of their arguments.
_PLAIN = frozenset((
    "Abs", "And", "Case", "Coalesce", "Concat", "Count", "CurrentDate", "CurrentTimestamp", "Exists", "If",
    "Floor", "Hex", "Length", "Lower", "MD5", "Nullif", "Or", "SHA", "Trim", "Unhex", "Upper", "UtcTimestamp",
    "Uuid",
))  # fmt: skip
_ARGUMENTS = {
    "get_lock": 2, "inet_aton": 1, "last_insert_id": 0, "now": 0, "release_lock": 1, "sleep": 1, "sysdate": 0,
    "unix_timestamp": 0, "user": 0, "uuid": 0, "values": 1,
}  # fmt: skip
_CLAUSES = {"expressions", "from_", "where", "limit"}
#: Those of which a server takes exactly these arguments.
_EXACT = {
    "Replace": {"this", "expression", "replacement"}, "SHA2": {"this", "length"},
}  # fmt: skip


def parse(text: str) -> exp.Expression | None:
    """Sqlglot's tree of one statement, or None where it has none. Raises nothing."""
    import logging

    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        tree = sqlglot.parse_one(text, dialect="mysql")
    except (SqlglotError, *_DEFECTS):
        return None
    finally:
        logger.disabled = before
    return tree if isinstance(tree, exp.Expression) and not isinstance(tree, exp.Command) else None


def without_check_option(text: str) -> str:
    """A view's query without WITH CHECK OPTION behind it."""
    return _CHECK_OPTION.sub("", text)


def tables(tree: exp.Expression) -> tuple[frozenset[str], list[tuple[str, str]]]:
    """The names (folded) of tables that a tree makes itself, and (database or "", name) of all it reads."""
    from sqlglot import exp

    made = frozenset(("dual", *(node.alias.casefold() for node in tree.find_all(exp.CTE))))
    return made, [(table.db, table.name) for table in tree.find_all(exp.Table)]


def widths(tree: exp.Expression) -> frozenset[int] | None:
    """The numbers of values that the rows of an INSERT have; None where that is not known."""
    from sqlglot import exp

    rows = tree.args.get("expression")
    if isinstance(rows, exp.Values):
        return frozenset(
            len(expression.expressions) if isinstance(expression, exp.Tuple) else 1
            for expression in rows.expressions
        )
    while isinstance(rows, exp.Select) and isinstance(rows.expressions[0], exp.Star):
        rows = _derived(rows)
    return frozenset((len(rows.expressions),)) if isinstance(rows, exp.Select) else None


def shown(tree: exp.Expression, columns_of: Callable[[str, str], Iterable[str] | None]) -> list[str] | None:
    """The names of a query's columns, '' for one without a certain name; None where their number is not
    certain. `columns_of` says those of (database or "", table), None where they are not known.
    """
    from sqlglot import exp

    made = tables(tree)[0]
    query: object = tree
    while isinstance(query, exp.Subquery | exp.SetOperation):
        query = query.this
    if not isinstance(query, exp.Select):
        return None
    source = query.args.get("from_")
    joins = query.args.get("joins") or []
    read = [join.this for join in (source, *joins) if join is not None]
    merged = any(join.args.get("using") or join.args.get("method") for join in joins)
    result: list[str] = []
    for item in query.expressions:
        starred = isinstance(item, exp.Star) or (
            isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
        )
        if not starred:
            result.append(item.alias or (item.name if isinstance(item, exp.Column) else ""))
            continue
        named = item.table if isinstance(item, exp.Column) else ""
        for table in read:
            if named and named != table.alias_or_name:
                continue
            is_known = isinstance(table, exp.Table) and table.name.casefold() not in made and not merged
            names = columns_of(table.db, table.name) if is_known else None
            if names is None:
                return None
            result += names
    return result


def _derived(query: exp.Select) -> exp.Expression | None:
    """The query of a derived table that is all a query reads; None where it reads another thing."""
    from sqlglot import exp

    source = query.args.get("from_")
    inner = source.this if source is not None else None
    return inner.this if isinstance(inner, exp.Subquery) else None


def copied(tree: exp.Expression) -> exp.Select | None:
    """The query of an INSERT that copies columns, or all, of one table; None in another statement."""
    from sqlglot import exp

    query = tree.args.get("expression") if isinstance(tree, exp.Insert) else None
    if not isinstance(query, exp.Select) or tree.args.get("conflict"):
        return None
    source = query.args.get("from_")
    plain = all(
        isinstance(expression, exp.Star | exp.Column | exp.Literal) for expression in query.expressions
    )
    alone = len(query.expressions) == 1 or not query.find(exp.Star)
    return query if plain and alone and source is not None and isinstance(source.this, exp.Table) else None


def _is_plain(query: exp.Select, tree: exp.Expression) -> bool:
    """Whether a query gives values alone, or asks within an INSERT whether a table has rows, as schemas do
    that fill a table once: SELECT 1 or COUNT(*) FROM it, and SELECT * of a derived table; or copies a table,
    or takes a value out of another one, as the number of a row that was inserted before.
    """
    from sqlglot import exp

    source = query.args.get("from_")
    dual = source is not None and _is_dual(source.this)
    if source is None or dual:
        odd = (source and _given(source.this) != {"this"}) or any(
            it.find(exp.Column) for it in query.expressions
        )
        if odd or query.is_star or not (_given(query) <= _CLAUSES and _is_number(query)):
            return False
        if source is None and query.args.get("where"):
            return False  # not every server has that
        home = query.parent.parent if isinstance(query.parent, exp.Subquery) else query.parent
        listed = len(query.expressions) == 1 or isinstance(home, exp.From | exp.Insert)
        return query is tree or (isinstance(tree, exp.Insert) and listed)
    if any(query.args.get(clause) for clause in ("joins", "group", "having", "distinct")):
        return False
    shown, where = query.expressions[0], query.args.get("where")
    if isinstance(source.this, exp.Subquery) and (
        not (isinstance(shown, exp.Star) and source.this.alias)
        or any(it.find_ancestor(exp.Select) is query for it in (where or shown).find_all(exp.Column))
    ):
        return False
    named = len(query.expressions) == 1 or all(isinstance(it, exp.Column) for it in query.expressions)
    if query is tree or isinstance(query.parent, exp.Exists):
        # What a client prints, and whether rows are there.
        shows = isinstance(shown, exp.Star | exp.Column | exp.Literal) or _counts(shown)
        alone = _given(query) <= _CLAUSES and _is_number(query)
        plain = _given(source.this) <= {"this", "db", "alias"}
        return named and shows and alone and plain and (query is tree or isinstance(tree, exp.Insert))
    if (
        isinstance(tree, exp.Insert)
        and isinstance(query.parent, exp.Subquery)
        and isinstance(shown, exp.Column)
    ):
        other = {
            table.name.casefold() for table in (*query.find_all(exp.Table), *tree.this.find_all(exp.Table))
        }
        return (
            len(query.expressions) == 1 and len(other) > 1 and not isinstance(query.parent.parent, exp.From)
        )
    if query.args.get("limit") and not (query.parent is tree and _is_number(query)):
        return False
    if copied(tree) is query:
        return True
    if len(query.expressions) != 1:
        return False
    if isinstance(shown, exp.Star):
        inner = _derived(query)
        items = inner.expressions if inner else []
        names = [(it.alias_or_name or it.sql()).strip(" ").casefold() for it in items]
        distinct = len(set(names)) == len(names)
        return isinstance(tree, exp.Insert) and isinstance(inner, exp.Select) and distinct
    return isinstance(tree, exp.Insert) and (_counts(shown) or isinstance(shown, exp.Literal))


def _counts(node: exp.Expression) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Count) and isinstance(node.this, exp.Star)


def _is_number(query: exp.Select) -> bool:
    """Whether it has no LIMIT, or one by a number."""
    from sqlglot import exp

    limit = query.args.get("limit")
    number = limit and limit.expression
    return limit is None or (isinstance(number, exp.Literal) and number.is_int and len(number.name) < 10)


def _is_dual(source: exp.Expression) -> bool:
    """Whether a query reads DUAL, which is no table."""
    from sqlglot import exp

    named = isinstance(source, exp.Table) and not source.db and source.name.upper() == "DUAL"
    return named and not source.this.args.get("quoted")


def _seen(node: exp.Expr, tree: exp.Expression, names: frozenset[str]) -> Iterable[str]:
    """The tables that a column may name: those of the queries around it; else `names`."""
    from sqlglot import exp

    around = node.find_ancestor(exp.Select) if isinstance(tree, exp.Insert | exp.Select) else None
    seen: set[str] = set()
    while around is not None:
        for source in (around.args.get("from_"), *(around.args.get("joins") or ())):
            seen.add(source.this.alias_or_name.casefold() if source else "")
        around = around.find_ancestor(exp.Select)
    return seen or names


def _given(node: exp.Expr) -> set[str]:
    return set(filter(node.args.get, node.args))


def unfollowed(tree: exp.Expression, names: frozenset[str]) -> str:
    """Why it is not sure that a server runs a change of rows or a query of values, whose tables and aliases
    are `names` (folded): it reads tables, or calls a function that is not among the plainest; else ''.
    """
    from sqlglot import exp

    for node in tree.find_all(exp.Select, exp.SetOperation, exp.Func, exp.Column):
        if isinstance(node, exp.SetOperation) or (isinstance(node, exp.Select) and not _is_plain(node, tree)):
            return "a query over tables is not followed"
        if isinstance(node, exp.Anonymous):
            if len(node.expressions) != _ARGUMENTS.get(str(node.this).casefold()):
                return f"function {node.this!r} is not followed"
        elif isinstance(node, exp.Func) and (
            (type(node).__name__ not in _PLAIN and _EXACT.get(type(node).__name__) != _given(node))
            or (isinstance(node, exp.Count) and not isinstance(node.parent, exp.Select))
        ):
            return "a function of it is not followed"
        if (
            isinstance(node, exp.Column)
            and node.table
            and node.table.casefold() not in _seen(node, tree, names)
        ):
            return f"table {node.table!r} is not known"
    return ""


def columns(tree: exp.Expression) -> Iterator[tuple[str, str]]:
    """The columns that a tree names and does not make itself: (table as named or "", column)."""
    from sqlglot import exp

    made = {node.alias.casefold() for node in tree.find_all(exp.Alias, exp.TableAlias) if node.alias}
    for insert in tree.find_all(exp.Insert):
        if isinstance(insert.this, exp.Schema):
            yield from (("", column.name) for column in insert.this.expressions)
    for node in tree.find_all(exp.Column):
        quoted = node.this.args.get("quoted") if isinstance(node.this, exp.Identifier) else None
        constant = not quoted and node.name.upper() in ("DEFAULT", "CURRENT_USER", "LOCALTIME")
        if node.name and node.name.casefold() not in made and not constant:
            yield node.table, node.name
