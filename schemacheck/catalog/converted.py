"""The expressions of a table with the conversions of character sets that its server writes into them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck.catalog import expression_text
from schemacheck.catalog.context import Context, Lines
from schemacheck.catalog.expression_collations import converted
from schemacheck.catalog.expression_scope import Scope
from schemacheck.dataclass import replace
from schemacheck.model import charset as charsets
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.model.server import Server
from schemacheck.model.table import Check, Column, Default, DefaultKind, Key, Table
from schemacheck.model.words import PLAIN
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, KeyDraft
from schemacheck.sql.lexer import Refused

_ROW_ENDS = ("row start", "row end")
#: Asked of every column, and an enum looks its members up each time.
_EXPRESSION = DefaultKind.EXPRESSION
#: A byte beyond ASCII as MariaDB writes it in a literal with an introducer (`expression_text.escaped`).
_ESCAPED = re.compile("'[^']*x[89A-F][0-9A-F]")


def scope_of(
    columns: Sequence[Column], checks: Sequence[CheckDraft], keys: Sequence[Key], context: Context,
    charset: str | None, collation: str | None,
) -> Scope | None:  # fmt: skip
    """What the names in the table's expressions mean; None where it has none."""
    with_parts = any(part.expression is not None for key in keys for part in key.parts)
    if not (checks or with_parts) and not any(_written(one) is not None for one in columns):
        return None
    return Scope.of(columns, context, charset, collation)


def _written(one: Column) -> str | None:
    if one.expression is not None:
        return None if one.expression in _ROW_ENDS else one.expression
    if one.default is not None and one.default.kind is _EXPRESSION:
        return one.default.text
    return None


def _spelled(text: str, scope: Scope, modes: frozenset[str], at: int) -> str | None:
    if at == 0 and scope.charset in charsets.WIDE and _ESCAPED.search(text) and scope.context.server.mariadb:
        _introduced(text, modes, at)
    found = converted(text, scope, modes, at)
    return None if found is None else expression_text.printed(found, scope.context, plain=True)


def _introduced(text: str, modes: frozenset[str], at: int) -> None:
    """Refuse a literal whose introducer is no longer known beside another value: the server may not mix them
    (1267, 1270).
    """
    try:
        alone = _is_alone(tree(text, modes)[0])
    except (NoTree, TooHigh, IndexError):
        alone = False
    if not alone:
        raise Refused("what becomes of a literal with a character set of its own is not known", at, "SC002")


def _is_alone(root: Item) -> bool:
    """Whether an expression has one value that is no NULL."""
    values, items = 0, [root]
    while items:
        item = items.pop()
        values += item.kind not in ("call", "null")
        items += item.args
    return values == 1


def column(one: Column, draft: ColumnDraft | None, scope: Scope) -> Column:
    """A column whose expression or default has its conversions; `draft`: what it was made from, which has
    the introducers of literals. Raises Refused.
    """
    text, modes, at = _written(one), PLAIN, 0
    if text is None:
        return one
    if draft is not None and draft.made is None:
        written = draft.expression or (draft.default.expression if draft.default is not None else None)
        if written is not None:
            text, modes, at = written.text, scope.context.modes, written.at
    made = _spelled(text, scope, modes, at)
    if made is None:
        return one
    if one.expression is not None:
        return replace(one, expression=made)
    return replace(one, default=Default(DefaultKind.EXPRESSION, made))


def check(draft: CheckDraft, made: Check, scope: Scope) -> Check:
    """A CHECK with its conversions, which MySQL's SHOW CREATE TABLE prints once the table was altered. Raises
    Refused.
    """
    modes = PLAIN if draft.location is not None else scope.context.modes
    found = _spelled(draft.expression.text, scope, modes, draft.expression.at)
    return made if found is None else replace(made, expression=found)


def functional(keys: Sequence[Key], drafts: Sequence[KeyDraft], scope: Scope) -> list[Key]:
    """Keys whose expressions have their conversions. Raises Refused."""
    named = {one.name: one for one in drafts}
    return [
        _key(one, named[one.name], scope)
        if one.name in named and any(part.expression for part in one.parts)
        else one
        for one in keys
    ]


def _key(made: Key, draft: KeyDraft, scope: Scope) -> Key:
    parts = []
    modes = PLAIN if draft.location is not None else scope.context.modes
    for part, written in zip(made.parts, draft.parts, strict=False):
        one = written.expression
        found = _spelled(one.text, scope, modes, one.at) if part.expression and one is not None else None
        parts.append(part if found is None else replace(part, expression=found))
    return replace(made, parts=tuple(parts))


def of_server(table: Table, server: Server) -> Table:
    """A table of a server's information_schema, which has MySQL's expressions as they were written."""
    if not table.checks and all(_written(one) is None for one in table.columns):
        return table
    scope = Scope.of(table.columns, Context(server, Lines("", "")), table.charset, table.collation)
    try:
        return replace(
            table,
            columns=tuple(column(one, None, scope) for one in table.columns),
            checks=tuple(
                one
                if (text := _spelled(one.expression, scope, PLAIN, 0)) is None
                else replace(one, expression=text)
                for one in table.checks
            ),
        )
    except Refused:
        # The server has taken it.
        return table
