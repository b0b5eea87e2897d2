"""CONVERT TO CHARACTER SET: what becomes of the columns and of the table's own character set."""

from __future__ import annotations

from schemacheck.catalog.altered_columns import Parts
from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import column_draft, converted, short_enough
from schemacheck.dataclass import replace
from schemacheck.model.table import Column
from schemacheck.sql.ddl.draft import ColumnDraft
from schemacheck.sql.lexer import Refused


def convert(
    columns: list[ColumnDraft], parts: Parts, charset: str | None, collation: str | None, at: int,
    context: Context,
) -> None:  # fmt: skip
    """Put the columns that were there into the new character set. `parts`: what else the statement does.
    Raises Refused.
    """
    texts = [draft.made.type for draft in columns if draft.made is not None and _converts(draft.made)]
    old = not context.server.mariadb and not context.server.has("data-dictionary")
    if old and all((kind.charset, kind.collation) == (charset, collation) for kind in texts):
        # Before 8.0 the table may keep its own default then (recorded on 5.6.24).
        why = "what CONVERT TO CHARACTER SET makes of a table without text is not known here"
        raise Refused(why, at)
    leaving = {name.casefold() for name, _, _ in parts.drops} | {
        (column.old or "").casefold() for column in parts.written
    }
    for index, draft in enumerate(columns):
        column = draft.made
        if column is None or not _converts(column):
            continue
        if column.type.members and column.name.casefold() in leaving:
            # Nothing is made of members that another part of the statement drops or writes anew.
            continue
        kind = short_enough(converted(column.type, charset, collation, at), context, at)
        columns[index] = column_draft(replace(column, type=kind))
        for setting in parts.settings:
            if setting.column is not None and setting.name.casefold() == column.name.casefold():
                setting.column = replace(setting.column, type=kind)


def _converts(column: Column) -> bool:
    """Whether CONVERT TO CHARACTER SET is about a column: members that are bytes stay so (asked of four)."""
    return column.type.is_character and column.type.charset != "binary"
