"""Queries and data manipulation read by sqlglot's parser, which is not imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
