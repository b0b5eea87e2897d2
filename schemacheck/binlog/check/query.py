"""Query events as a check reports them: which end their transaction, how the applier prints their error."""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.binlog.events.statement import Query
from schemacheck.dataclass import replace
from schemacheck.knowledge import characters
from schemacheck.model import Server, ServerError
from schemacheck.sql.statements import Statement

_COMMITS = (
    "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "GRANT", "REVOKE", "FLUSH", "ANALYZE", "OPTIMIZE",
    "REPAIR",
)  # fmt: skip
#: Definitions that hold a query.
QUERIES = frozenset({"create-view", "alter-view", "create-table-select"})
#: A table or a database that is not there, no database, a broken view.
_ABSENT = (1146, 1049, 1046, 1356)


def statement_commits(query: str) -> bool:
    """Whether a statement ends its transaction by itself: definitions and account statements do, CREATE TABLE
    ... START TRANSACTION does not.
    """
    if query[-20:].rstrip(" ;").upper().endswith("START TRANSACTION"):
        return False
    word = query.lstrip(characters.BLANK)[:8].upper()
    return word.startswith(_COMMITS)


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


def query_first(statement: Statement, error: ServerError, server: Server) -> bool:
    """Whether the server reads the query of a definition before it finds the new name taken, which is the
    error (asked of four servers).
    """
    if error.number in _ABSENT or statement.verb not in QUERIES:
        return False
    return statement.verb != "create-table-select" or server.mariadb
