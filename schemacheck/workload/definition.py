"""A definition: what settings of one end alone make of it, and what of it was never asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.link import by_settings, dialect, variables
from schemacheck.link.ends import Ends
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import variable
from schemacheck.sql.ddl.actions import AddColumn, AlterTable
from schemacheck.sql.statements import Statement

#: Settings that make another table of a definition, or refuse it, where they differ; and of what definitions.
_SETTINGS = {
    name: re.compile(used, re.IGNORECASE)
    for name, used in (
        ("default_storage_engine", r"^CREATE(?!.*\bENGINE\b)"),
        ("enforce_storage_engine", r"^CREATE"),
        ("explicit_defaults_for_timestamp", r"\bTIMESTAMP\b"),
        ("innodb_default_row_format", r"\b(KEY|INDEX|UNIQUE)\b"),
        ("innodb_file_per_table", r"\b(ROW_FORMAT|KEY_BLOCK_SIZE)\b"),
        ("innodb_force_primary_key", r"^CREATE\s+TABLE|\bPRIMARY\b"),
        ("innodb_strict_mode", r"\b(ROW_FORMAT|KEY_BLOCK_SIZE)\b"),
        ("lower_case_table_names", r""),
        ("sql_generate_invisible_primary_key", r"^CREATE\s+TABLE"),
        ("sql_require_primary_key", r"^CREATE\s+TABLE|\bPRIMARY\b"),
    )
}
#: What only the host of the replica, or its plugins, tell.
_OF_HOST = re.compile(
    r"\b(DATA|INDEX)\s+DIRECTORY\b|\bTABLESPACE\b|\bENGINE\s*=?\s*['\"`]?(?!InnoDB\b|MyISAM\b|MEMORY\b)\w+",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\bYEAR\s*\(\s*2\s*\)", re.IGNORECASE)
#: A foreign key of one column on itself.
_ONTO_ITSELF = re.compile(
    r"\bFOREIGN\s+KEY\s*(?:`?\w+`?\s*)?\(\s*`?(\w+)`?\s*\)\s*REFERENCES\s+`?\w+`?\s*\(\s*`?\1`?\s*\)",
    re.IGNORECASE,
)


def otherwise(ends: Ends, session: Session, statement: Statement, text: str) -> Iterator[Outcome]:
    """Why the replica may make another table of a definition, or refuse it, though it knows the words."""
    source, replica = ends.source, ends.replica
    bare = dialect.plain(text)
    if (outcome := variables.of_definition(ends, bare, session.variables)) is not None:
        yield outcome
    for name, used in _SETTINGS.items():
        stock = "1" if name == "innodb_file_per_table" else "0"
        values = [variable.folded(server.setting(name) or stock) for server in (source, replica)]
        if values[0] != values[1] and used.search(bare):
            yield _of(f"what {name} of one end alone makes of a definition", f"Set {name} alike on both ends")
    if (named := _OF_HOST.search(bare)) is not None:
        yield _of(f"whether the replica can use {named.group()}: its host and its plugins tell")
    if source.mariadb != replica.mariadb and (odd := _SHORT_YEAR.search(bare) or _ONTO_ITSELF.search(bare)):
        yield _of(f"the two flavours make different things of {odd.group()}")
    if statement.verb == "alter-table":
        for item in by_settings.two_phase_alter(ends):
            alter = statement.definition
            adds = isinstance(alter, AlterTable) and any(isinstance(a, AddColumn) for a in alter.actions)
            yield item if adds else _of(item.why, item.change)


def _of(why: str, change: str = "") -> Outcome:
    return Outcome(Kind.UNKNOWN, "SC943", 0, why, change)
