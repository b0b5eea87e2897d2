"""CONVERT TO CHARACTER SET: what becomes of the columns and of the table's own character set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import column_draft, converted, short_enough
from schemacheck.dataclass import replace
from schemacheck.model.column_type import CHARACTER
from schemacheck.model.table import Column
from schemacheck.sql.lexer import Refused

if TYPE_CHECKING:
    from schemacheck.catalog.change import Changed


def convert(changed: Changed, at: int, context: Context) -> None:
    """Put the columns and the table into the new character set, or leave both as they are. Raises Refused."""
    if _nothing_to_convert(changed, context):
        why = "what CONVERT TO CHARACTER SET makes of a table without text is not known here"
        raise Refused(why, at)
    _columns(changed, at, context)


def _nothing_to_convert(changed: Changed, context: Context) -> bool:
    """Whether CONVERT TO CHARACTER SET changes no column: before 8.0 the table may keep its own default then
    (recorded on 5.6.24).
    """
    if context.server.mariadb or context.server.has("data-dictionary"):
        return False
    wanted = changed.charset, changed.collation
    types = [
        column.made.type for column in changed.columns if column.made is not None and _converts(column.made)
    ]
    return all((kind.charset, kind.collation) == wanted for kind in types)


def _converts(column: Column) -> bool:
    """Whether CONVERT TO CHARACTER SET is about a column: members that are bytes stay so (asked of four)."""
    return column.type.base in CHARACTER and column.type.charset != "binary"


def _columns(changed: Changed, at: int, context: Context) -> None:
    charset, collation = changed.charset, changed.collation
    parts = changed.parts
    leaving = {name.casefold() for name, _, _ in parts.drops} | {
        (one.old or "").casefold() for one in parts.written
    }
    for index, draft in enumerate(changed.columns):
        column = draft.made
        if column is not None and column.type.members and column.name.casefold() in leaving:
            # Nothing is made of members that another part of the statement drops or writes anew.
            continue
        if column is not None and _converts(column):
            kind = short_enough(converted(column.type, charset, collation, at), context, at)
            made = replace(column, type=kind)
            changed.columns[index] = column_draft(made)
            for setting in changed.parts.settings:
                if setting.column is not None and setting.name.casefold() == column.name.casefold():
                    setting.column = replace(setting.column, type=made.type)
