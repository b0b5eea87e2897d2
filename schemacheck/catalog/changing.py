"""A table that an ALTER TABLE begins to change, and CONVERT TO CHARACTER SET."""

from __future__ import annotations

from schemacheck.catalog import partition_changes
from schemacheck.catalog.change import Changed
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import check_draft, column_draft, foreign_draft, is_hidden, key_draft
from schemacheck.model.table import Key, Table
from schemacheck.sql.ddl.draft import TableOptions
from schemacheck.sql.lexer import Refused


def _place(key: Key, table: Table) -> int:
    """The server's order of keys, as far as it is told."""
    return table.key_order.index(key.name) if key.name in table.key_order else len(table.keys)


def to_draft(table: Table, context: Context) -> Changed:
    """A finished table as drafts. Hidden columns are left out: they are made again."""
    columns = [column_draft(column) for column in table.columns if not is_hidden(column, table)]
    checks = [check_draft(check, table if context.server.mariadb else None) for check in table.checks]
    foreign_keys = [foreign_draft(key) for key in table.foreign_keys]
    return Changed(
        table,
        columns,
        [key_draft(key) for key in sorted(table.keys, key=lambda k: _place(k, table))],
        checks,
        foreign_keys,
        versioned=table.system_versioned,
        partitioning=partition_changes.draft_of(table, context),
        mariadb=context.server.mariadb,
    )


def convert(changed: Changed, given: TableOptions, context: Context, at: int) -> None:
    """CONVERT TO CHARACTER SET: every character column that was there, and the table's default."""
    table = changed.table
    if changed.converts is not None or changed.options.charset or changed.options.collation:
        raise Refused("CONVERT TO beside another character set is not followed", at)
    changed.charset, changed.collation = resolve(
        given.charset, given.collation, (table.charset, table.collation), context.server, at
    )
    changed.converts = at
