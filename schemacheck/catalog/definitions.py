"""Definitions other than CREATE TABLE: each parsed value runs on the catalog. (Imported when a script has the
first one: many have none.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemacheck.catalog import table_statements
from schemacheck.catalog.state import Catalog
from schemacheck.sql.client import Statement
from schemacheck.sql.ddl import tables
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.ddl.parse import Definition, definition

#: One for each kind of `Definition`: without its line a statement would pass without any effect.
_RUN: dict[type, Callable[[Catalog, Any, Statement], None]] = {
    AlterTable: table_statements.alter_table,
    tables.CreateIndex: table_statements.change_index,
    tables.CreateOther: table_statements.create_other,
    tables.DefineDatabase: table_statements.define_database,
    tables.DropDatabase: table_statements.drop_database,
    tables.DropIndex: table_statements.change_index,
    tables.DropTables: table_statements.drop,
    tables.RenameTables: table_statements.rename,
    tables.Truncate: table_statements.truncate,
}


def run(catalog: Catalog, statement: Statement, text: str, verb: str, what: str) -> Definition | None:
    """Parse and run a definition other than CREATE TABLE; None for what has no tables. Raises Refused."""
    result = definition(catalog.tokens(text), catalog.flavor, verb, what)
    if result is not None:
        _RUN[type(result)](catalog, result, statement)
    return result


def database_there(drop_database: Definition | None) -> tuple[str, bool] | None:
    """The database that a definition makes, changes (True) or drops (False)."""
    if isinstance(drop_database, tables.DropDatabase):
        return drop_database.name, False
    if isinstance(drop_database, tables.DefineDatabase) and drop_database.name is not None:
        return drop_database.name, True
    return None
