"""Query events as a check reports them: which end their transaction, how the applier prints their error."""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.binlog.events.statement import Query
from schemacheck.dataclass import replace
from schemacheck.model import ServerError
from schemacheck.sql import characters


def statement_commits(query: str) -> bool:
    """Whether a statement ends its transaction by itself: definitions and account statements do, CREATE TABLE
    ... START TRANSACTION does not.
    """
    if query[-20:].rstrip(" ;").upper().endswith("START TRANSACTION"):
        return False
    word = query.lstrip(characters.BLANK)[:8].upper()
    return word.startswith(
        (
            "CREATE",
            "ALTER",
            "DROP",
            "RENAME",
            "TRUNCATE",
            "GRANT",
            "REVOKE",
            "FLUSH",
            "ANALYZE",
            "OPTIMIZE",
            "REPAIR",
        )
    )


def stopped_by(error: ServerError, event: Query) -> ServerError:
    """The error as the applier prints it for a statement."""
    text = knowledge.load("binlog")["query-error"].format(
        error=error.message, database=event.database, query=event.query
    )
    return replace(error, message=text)


def shortened(query: str) -> str:
    """A statement in one line of at most 120 characters."""
    text = " ".join(characters.split(query))
    return text if len(text) <= 120 else text[:117] + "..."
