"""Which columns a change of one table names, and how many values it gives: out of sqlglot's tree.

Only what is certainly a column counts: targets of assignments and column lists, and in WHERE and ORDER
BY the names outside of functions that sqlglot does not know (their arguments may be keywords) and of
subqueries.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from schemacheck.sql.statements.value import Lookup, Name, Needs

#: Names without quotes that are no columns, or are columns of every table.
_NO_COLUMNS = frozenset({
    "DEFAULT", "LOCALTIME", "LOCALTIMESTAMP", "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP", "CURRENT_ROLE",
    "SYSDATE", "ROWNUM", "SQLCODE", "SQLERRM",
    "ROW_START", "ROW_END", "_ROWID",
})  # fmt: skip


def of_insert(tree: exp.Insert) -> Needs:
    """INSERT and REPLACE."""
    target = tree.this
    named = (
        [("insert", column.name) for column in target.expressions] if isinstance(target, exp.Schema) else []
    )
    conflict = tree.args.get("conflict")
    assigned = conflict.expressions if isinstance(conflict, exp.OnConflict) else []
    widths = tuple(_widths(tree.expression))
    return Needs(widths, (*named, *_assigned("update", assigned)), listed=len(named))


def of_update(tree: exp.Update) -> Needs:
    """UPDATE of one table: the server looks at WHERE before SET."""
    return Needs(columns=(*_clauses(tree), *_assigned("set", tree.expressions)))


def of_delete(tree: exp.Delete) -> Needs:
    """DELETE from one table."""
    return Needs(columns=tuple(_clauses(tree)))


def of_query(tree: exp.Select) -> Needs | None:
    """A query of one table; `whole`: without subqueries and functions that sqlglot does not know."""
    if (
        tree.args.get("joins")
        or tree.args.get("with_")
        or not isinstance(tree.args.get("from_"), exp.From)
        or not isinstance(tree.args["from_"].this, exp.Table)
    ):
        return None
    aliases = {expression.alias.casefold() for expression in tree.expressions if expression.alias}
    named = [("select", _written(node)) for expression in tree.expressions for node in _columns(expression)]
    named += [(clause, name) for clause, name in _clauses(tree, ("where",))]
    named += [
        (clause, name)
        for clause, name in _clauses(tree, ("group", "having", "order"))
        if name.casefold() not in aliases
    ]
    whole = not any(node is not tree and isinstance(node, (exp.Query, exp.Anonymous)) for node in tree.walk())
    return Needs(columns=tuple(named), whole=whole)


def lookups(tree: exp.Expression) -> Iterator[Lookup]:
    """The columns that the queries of a statement, and a change of joined tables, name, each with the tables
    in which it may be. Nothing is said where it may be in what is no plain table.
    """
    common = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    for query in tree.find_all(exp.Select, exp.Update, exp.Delete):
        yield from _looked_up(query, common)


def _looked_up(query: exp.Expression, common: set[str]) -> Iterator[Lookup]:
    scopes = [_sources(query, common)]
    above = query.parent
    while above is not None and not isinstance(above, exp.Insert):  # its rows' queries do not see its table
        scopes += [_sources(above, common)] if isinstance(above, (exp.Select, exp.Update, exp.Delete)) else []
        above = above.parent
    tables = [table for scope in scopes for table in scope.values()]
    joins = _joins(query)
    items = query.expressions if isinstance(query, exp.Select) else []
    shown = {item.alias_or_name.casefold() for item in items}
    once = len(scopes) == 1 and not any(join.args.get("using") or join.args.get("method") for join in joins)
    for clause, part in _parts(query, joins):
        for column in _columns(part):
            if column.db or (clause in ("group", "having", "order") and column.name.casefold() in shown):
                continue
            known = tables
            if name := column.table.casefold():
                known = next(
                    ([scope[name]] for scope in scopes if name in scope), [] if all(tables) else [None]
                )
            if all(known):
                yield Lookup(clause, _written(column), tuple(filter(None, known)), once=once and not name)


def _parts(query: exp.Expression, joins: list[exp.Join]) -> Iterator[tuple[str, exp.Expression]]:
    """The clauses of a query, with the words for them."""
    yield from (("on", join.args["on"]) for join in joins if join.args.get("on"))
    yield from (("set" if isinstance(query, exp.Update) else "select", item) for item in query.expressions)
    yield from (
        (name, query.args[name]) for name in ("where", "group", "having", "order") if query.args.get(name)
    )


def _joins(query: exp.Expression) -> list[exp.Join]:
    return [join for join in query.find_all(exp.Join) if join.find_ancestor(exp.Query) in (query, None)]


def _sources(query: exp.Expression, common: set[str]) -> dict[str, Name | None]:
    """The tables that a query reads itself, by the names that its columns have for them; None for what is no
    plain table.
    """
    source = query.args.get("from_") if isinstance(query, exp.Select) else query
    listed = [source.this] if source is not None else []
    result: dict[str, Name | None] = {"": None} if query.args.get("laterals") else {}
    for table in (*listed, *(join.this for join in _joins(query))):
        plain = isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier)
        plain = plain and bool(table.db or table.name.casefold() not in common)
        result[table.alias_or_name.casefold()] = (table.db or None, table.name) if plain else None
    return result


def _widths(given: exp.Expression | None) -> Iterator[int]:
    """The number of values of each row; nothing where a star or a table stands for them."""
    while isinstance(given, exp.Subquery):
        given = given.this
    if isinstance(given, exp.Values):
        for row in given.expressions:
            if not isinstance(row, exp.Tuple) or any(
                isinstance(value, exp.Anonymous) and value.name.upper() == "ROW" for value in row.expressions
            ):
                return
            yield len(row.expressions)
    elif isinstance(given, exp.Select) and not any(
        isinstance(expression, exp.Star) or expression.is_star for expression in given.expressions
    ):
        yield len(given.expressions)


def _assigned(clause: str, assignments: list[exp.Expression]) -> Iterator[tuple[str, str]]:
    for assignment in assignments:
        if isinstance(assignment, exp.EQ) and isinstance(assignment.this, exp.Column):
            yield clause, _written(assignment.this)


def _clauses(
    tree: exp.Expression, clauses: tuple[str, ...] = ("where", "order")
) -> Iterator[tuple[str, str]]:
    for clause in clauses:
        part = tree.args.get(clause)
        if part is not None:
            yield from ((clause, _written(node)) for node in _columns(part))


def _columns(part: exp.Expression) -> Iterator[exp.Column]:
    for node in part.dfs(prune=lambda n: isinstance(n, (exp.Query, exp.Anonymous))):
        if (
            isinstance(node, exp.Column)
            and isinstance(node.this, exp.Identifier)
            and (node.this.args.get("quoted") or node.name.upper() not in _NO_COLUMNS)
        ):
            yield node


def _written(column: exp.Column) -> str:
    return ".".join(part.name for part in column.parts)
