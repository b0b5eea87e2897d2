"""The foreign keys of a definition in the log: which parents the server asks for at all."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.replay.logged import Logged
from schemacheck.replay.tables import Definitions
from schemacheck.sql.ddl.actions import AlterTable, Options
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import DefinitionStatement


def asked(statement: Statement, logged: Logged, tables: Definitions, database: str | None) -> Statement:
    """The statement without the parents that may be missing: foreign_key_checks is off, or the table's engine
    takes the clause and forgets it (recorded on four servers).
    """
    if not isinstance(statement, DefinitionStatement) or not (statement.parents or statement.inline_parents):
        return statement
    if logged.checks_foreign_keys and _engine(statement, tables, database).casefold() == "innodb":
        return statement
    return replace(statement, parents=(), inline_parents=())


def _engine(statement: DefinitionStatement, tables: Definitions, database: str | None) -> str:
    """The engine of the table that a definition makes or alters."""
    draft = statement.definition
    given = None
    if isinstance(draft, TableDraft):
        given = draft.options.engine
    elif isinstance(draft, AlterTable):
        given = next((a.options.engine for a in draft.actions if isinstance(a, Options)), None)
        home = draft.table[0] or database
        held = tables.get(home, draft.table[1]) if home else None
        given = given or (held.engine if held is not None else None)
    return given or tables.server.setting("default_storage_engine") or "InnoDB"
