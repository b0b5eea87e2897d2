"""What a definition mentions: changes of columns, character sets."""

from __future__ import annotations

from schemacheck.sql.ddl import actions
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft, TableOptions
from schemacheck.sql.ddl.parse import Definition


def changes_columns(definition: Definition | None) -> bool:
    """Whether an ALTER TABLE changes columns, keys or partitions."""
    changes = (actions.AddColumn, actions.ReplaceColumn, actions.Add, actions.Drop, actions.Convert)
    return isinstance(definition, actions.AlterTable) and any(
        isinstance(one, changes)
        or (isinstance(one, actions.Other) and one.words[0] in ("ADD", "DROP", "CONVERT"))
        for one in definition.actions
    )


def names_charset(definition: Definition | None) -> bool:
    """Whether a definition names a character set or a collation, of the table or of a column."""
    columns: list[ColumnDraft] = []
    options: list[TableOptions] = []
    if isinstance(definition, TableDraft):
        columns, options = definition.columns, [definition.options]
    elif isinstance(definition, actions.AlterTable):
        for one in definition.actions:
            if isinstance(one, (actions.AddColumn, actions.ReplaceColumn)):
                columns.append(one.draft)
            elif isinstance(one, (actions.Options, actions.Convert)):
                options.append(one.options)
    return any(one.charset is not None or one.collation is not None for one in options) or any(
        one.collation is not None or "char" in one.type_text.casefold().partition(" ")[2] for one in columns
    )
