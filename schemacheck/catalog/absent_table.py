"""DROP TABLE IF EXISTS of a table that is not there, as dumps write it before each of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.sql.script import Statement
from schemacheck.sql.words import dropped_if_there

if TYPE_CHECKING:
    from schemacheck.catalog.script import Script

_WORDS = ["DROP", "TABLE", "IF", "EXISTS"]


def dropped(script: Script, statement: Statement) -> bool:
    """Whether a statement is one that drops nothing; it has run then. Where somebody asks for what each
    definition says (`Catalog.drafts`), none is taken for one.
    """
    name, catalog = dropped_if_there(statement.text), script.catalog
    if (
        name is None or statement.open is not None or statement.whole or statement.altered
        or statement.command is not None or script.body is not None or catalog.drafts
    ):  # fmt: skip
        return False
    key = catalog.key(catalog.database, name)
    if key in catalog.tables or key in catalog.temporary or key in catalog.failed:
        return False
    script.read_as, script.words, script.definition = statement.text, _WORDS.copy(), None
    script.doubts.settle(statement, catalog, _WORDS)
    script.doubts.gone(key)
    return True
