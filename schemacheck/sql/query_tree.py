"""Queries and data manipulation read by sqlglot's parser, which is not imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp

#: What its parser raises for some texts that are no SQL, as `SELECT IF(, 1, 2)`.
_DEFECTS = (RecursionError, TypeError, AttributeError, ValueError, LookupError, AssertionError)


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


def tables(tree: exp.Expression) -> tuple[frozenset[str], list[tuple[str, str]]]:
    """The names (folded) of tables that a tree makes itself, and (database or "", name) of all it reads."""
    from sqlglot import exp

    made = frozenset(("dual", *(node.alias.casefold() for node in tree.find_all(exp.CTE))))
    return made, [(table.db, table.name) for table in tree.find_all(exp.Table)]


def columns(tree: exp.Expression) -> Iterator[str]:
    """The columns that a tree names and does not make itself."""
    from sqlglot import exp

    made = {node.alias.casefold() for node in tree.find_all(exp.Alias, exp.TableAlias) if node.alias}
    for insert in tree.find_all(exp.Insert):
        if isinstance(insert.this, exp.Schema):
            yield from (column.name for column in insert.this.expressions)
    for node in tree.find_all(exp.Column):
        quoted = node.this.args.get("quoted") if isinstance(node.this, exp.Identifier) else None
        constant = not quoted and node.name.upper() in ("DEFAULT", "CURRENT_USER", "LOCALTIME")
        if node.name and node.name.casefold() not in made and not constant:
            yield node.name
