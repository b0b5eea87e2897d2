"""A text that a script chooses by what is there already, for PREPARE and EXECUTE, as ZoneMinder adds columns:
SET @s = IF((SELECT COUNT(*) FROM information_schema.COLUMNS ...) > 0, 'SELECT 1', 'ALTER TABLE ...').
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from schemacheck.knowledge import characters
from schemacheck.sql import query_tree
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements.names import plain

if TYPE_CHECKING:
    from sqlglot import exp

_COMPARED = {
    "GT": int.__gt__, "GTE": int.__ge__, "LT": int.__lt__, "LTE": int.__le__, "EQ": int.__eq__,
    "NEQ": int.__ne__,
}  # fmt: skip


class Session(NamedTuple):
    """Variables by lower-case name, the default database, and how many rows a view of information_schema has
    about (view, schema, table, what else is asked by column); None where that is not known. `most` characters
    are put together.
    """

    user: Mapping[str, str | None]
    database: str | None
    rows: Callable[[str, str | None, str, Mapping[str, str]], int | None]
    most: int


def value(t: Tokens, first: int, session: Session) -> str | None:
    """The value of the expression that begins at this word, as text; None where it is not known."""
    tree = query_tree.parse(f"SELECT {plain(t, first)}")
    try:
        return _value(tree, session)
    except RecursionError:
        return None


def _value(node: exp.Expression | None, session: Session) -> str | None:
    from sqlglot import exp

    if isinstance(node, exp.Paren | exp.Subquery):
        return _value(node.this, session)
    if isinstance(node, exp.Literal):
        return str(node.this)
    if isinstance(node, exp.Parameter):
        return session.user.get(node.name.lower())
    if isinstance(node, exp.CurrentSchema):
        return session.database or ""
    if isinstance(node, exp.Select):
        inner = node.expressions[0] if len(node.expressions) == 1 else None
        if set(filter(node.args.get, node.args)) == {"expressions"}:
            return _value(inner, session)
        return _count(node, session) if isinstance(inner, exp.Count) else None
    if isinstance(node, exp.Exists):
        count = _count(node.this, session)
        return None if count is None else str(int(count != "0"))
    if isinstance(node, exp.Concat):
        parts = [_value(part, session) for part in node.expressions]
        short = sum(len(part or "") for part in parts) <= session.most
        return "".join(filter(None, parts)) if short and None not in parts else None
    if isinstance(node, exp.Not):
        negated = _value(node.this, session)
        return {"0": "1", "1": "0"}.get(negated or "")
    if isinstance(node, exp.If):
        holds = _value(node.this, session) or ""
        side = "false" if holds == "0" else "true"
        return _value(node.args.get(side), session) if characters.is_digits(holds) else None
    compared = _COMPARED.get(type(node).__name__)
    if compared is None or not isinstance(node, exp.Binary):
        return None
    here, there = (_value(side, session) for side in (node.this, node.expression))
    numbers = (
        here is not None and there is not None and characters.is_digits(here) and characters.is_digits(there)
    )
    return str(int(compared(int(here or 0), int(there or 0)))) if numbers else None


def _count(query: exp.Expression, session: Session) -> str | None:
    from sqlglot import exp

    if set(filter(query.args.get, query.args)) != {"expressions", "from_", "where"}:
        return None
    view, where = query.args["from_"].this, query.args["where"].this
    of_schema = isinstance(view, exp.Table) and view.db.casefold() == "information_schema"
    if not of_schema or not isinstance(where, exp.And) or query.find(exp.Distinct):
        return None
    asked: dict[str, str | None] = {}
    for term in where.flatten():
        equal = term.unnest()
        if not isinstance(equal, exp.EQ) or not isinstance(equal.this, exp.Column):
            return None
        asked[equal.this.name.casefold()] = _value(equal.expression, session)
    known = {name: text for name, text in asked.items() if text is not None}
    if len(known) < len(asked) or not {"table_schema", "table_name"} <= known.keys():
        return None
    schema, table = known.pop("table_schema"), known.pop("table_name")
    count = session.rows(view.name.casefold(), schema or None, table, known)
    return None if count is None else str(count)
