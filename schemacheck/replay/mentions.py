"""What a definition mentions: changes of columns, character sets, temporary tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemacheck.catalog.presence import Presence
from schemacheck.model import Table
from schemacheck.replay.logged import Logged
from schemacheck.sql.ddl import actions
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, ForeignDraft, TableDraft, TableOptions
from schemacheck.sql.ddl.parse import Definition
from schemacheck.sql.statements import Statement

Name = tuple[str, str]


def changes_columns(definition: Definition | None) -> bool:
    """Whether an ALTER TABLE changes columns, keys or partitions."""
    changes = (actions.AddColumn, actions.ReplaceColumn, actions.Add, actions.Drop, actions.Convert)
    return isinstance(definition, actions.AlterTable) and any(
        isinstance(action, changes)
        or (isinstance(action, actions.Other) and action.words[0] in ("ADD", "DROP", "CONVERT"))
        for action in definition.actions
    )


def names_charset(definition: Definition | None) -> bool:
    """Whether a definition names a character set or a collation, of the table or of a column."""
    columns: list[ColumnDraft] = []
    options: list[TableOptions] = []
    if isinstance(definition, TableDraft):
        columns, options = definition.columns, [definition.options]
    elif isinstance(definition, actions.AlterTable):
        for action in definition.actions:
            if isinstance(action, (actions.AddColumn, actions.ReplaceColumn)):
                columns.append(action.draft)
            elif isinstance(action, (actions.Options, actions.Convert)):
                options.append(action.options)
    return any(option.charset is not None or option.collation is not None for option in options) or any(
        column.collation is not None or "char" in column.type_text.casefold().partition(" ")[2]
        for column in columns
    )


def holders(definition: Definition | None, tables: Mapping[Name, Table]) -> dict[Name, Table]:
    """The tables that have a foreign key or CHECK of a name that a definition gives to one of its own."""
    drafts: Sequence[object] = []
    if isinstance(definition, TableDraft):
        inside = (check for column in definition.columns for check in column.checks)
        drafts = [*definition.foreign_keys, *definition.checks, *inside]
    elif isinstance(definition, actions.AlterTable):
        drafts = [action.draft for action in definition.actions if isinstance(action, actions.Add)]
    constraints = [draft for draft in drafts if isinstance(draft, ForeignDraft | CheckDraft)]
    names = {draft.name.casefold() for draft in constraints if draft.name}
    return {
        key: table
        for key, table in (tables.items() if names else ())
        if any(name.casefold() in names for name in _constraints(table))
    }


def _constraints(table: Table) -> list[str]:
    return [key.name for key in table.foreign_keys] + [check.name for check in table.checks]


def of_temporary(statement: Statement, logged: Logged, present: Presence) -> str:
    """Why it is not followed what a definition does to a temporary table, or makes of one; '' where it names
    none but to drop it.
    """
    named = [(ref.database, ref.name) for ref in statement.refs]
    named += [old for old, _ in statement.renames]
    if statement.verb.startswith("create-table"):
        named = named[1:]
    default = logged.database or None
    hidden = next((name for name in named if present.resolve(name, default) in present.temporary), None)
    if hidden is None or statement.verb == "drop-table":
        return ""
    return f"{hidden[1]} is a temporary table: what {logged.short} does is not followed"
