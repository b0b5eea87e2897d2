"""What a source writes to its binary log for a statement, as far as filters care."""

from __future__ import annotations

from schemacheck.catalog.presence import Key
from schemacheck.dataclass import dataclass
from schemacheck.sql.statements import Statement


@dataclass(frozen=True, slots=True)
class QueryEvent:
    """A statement with the default database that the event carries (None: none)."""

    statement: Statement
    default: str | None


@dataclass(frozen=True, slots=True)
class RowsEvent:
    """Rows of tables."""

    tables: tuple[Key, ...]


Event = QueryEvent | RowsEvent
