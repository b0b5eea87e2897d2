"""One definition statement: from its words to the value that says what it does."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.model.table import TableKind
from schemacheck.sql.ddl import tables
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.ddl.alter import alter_table
from schemacheck.sql.ddl.create import create_table
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.words import OTHERS

Definition = (
    TableDraft
    | AlterTable
    | tables.CreateIndex
    | tables.CreateOther
    | tables.DefineDatabase
    | tables.DropDatabase
    | tables.DropIndex
    | tables.DropTables
    | tables.RenameTables
    | tables.Truncate
)

_PARSERS: dict[tuple[str, str], Callable[[Tokens, Flavor], Definition]] = {
    ("CREATE", "TABLE"): create_table,
    ("ALTER", "TABLE"): alter_table,
    **{("DROP", what): tables.drop for what in ("TABLE", "TABLES", "VIEW", "SEQUENCE")},
    **{("RENAME", what): tables.rename for what in ("TABLE", "TABLES")},
    ("CREATE", "INDEX"): tables.create_index,
    ("DROP", "INDEX"): tables.drop_index,
    **{(verb, "VIEW"): lambda t, _: tables.create_other(t, TableKind.VIEW) for verb in ("CREATE", "ALTER")},
    ("CREATE", "SEQUENCE"): lambda t, _: tables.create_other(t, TableKind.SEQUENCE),
    **{
        (verb, what): tables.define_database
        for verb in ("CREATE", "ALTER")
        for what in ("DATABASE", "SCHEMA")
    },
    **{("DROP", what): lambda t, _: tables.drop_database(t) for what in ("DATABASE", "SCHEMA")},
}


def definition(t: Tokens, flavor: Flavor, verb: str, what: str) -> Definition | None:
    """The definition that these tokens are; None for accounts, servers, tablespaces. `verb` and `what` are
    its first word and what it is about (`sql.words.object_of`). Raises Refused.
    """
    parser = tables.truncate if verb == "TRUNCATE" else _PARSERS.get((verb, what))
    if parser is not None:
        return parser(t, flavor)
    if what not in OTHERS and (verb, what) != ("ALTER", "SEQUENCE"):
        raise Refused(f"{verb} {what[:40]} is not known", 0, code="SC001")
    return None
