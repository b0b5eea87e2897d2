"""What a definition mentions: changes of columns, character sets."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.model import Table
from schemacheck.sql.ddl import actions
from schemacheck.sql.ddl.draft import ColumnDraft, ForeignDraft, TableDraft, TableOptions
from schemacheck.sql.ddl.parse import Definition

Name = tuple[str, str]


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


def holders(definition: Definition | None, tables: Mapping[Name, Table]) -> dict[Name, Table]:
    """The tables that have a foreign key of a name that a definition gives to one of its own."""
    drafts: list[ForeignDraft] = []
    if isinstance(definition, TableDraft):
        drafts = definition.foreign_keys
    elif isinstance(definition, actions.AlterTable):
        added = (one.draft for one in definition.actions if isinstance(one, actions.Add))
        drafts = [one for one in added if isinstance(one, ForeignDraft)]
    names = {one.name.casefold() for one in drafts if one.name}
    return {
        key: table
        for key, table in (tables.items() if names else ())
        if any(one.name.casefold() in names for one in table.foreign_keys)
    }
