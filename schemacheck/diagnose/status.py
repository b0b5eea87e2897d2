r"""SHOW REPLICA STATUS and SHOW SLAVE STATUS as people paste them: `\G`, tab-separated, a table with bars, or
JSON.
"""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.status_rows import Row, rows

_FIELDS = {f"last_{thread}err{what}" for thread in ("", "sql_", "io_") for what in ("no", "or")}


@dataclass(frozen=True, slots=True)
class Status:
    """One channel: both threads' errors (0: none)."""

    channel: str
    sql_number: int
    sql_message: str
    io_number: int
    io_message: str


#: Digits of the largest position of a log.
_LONGEST_NUMBER = 20


def statuses(text: str) -> tuple[Status, ...]:
    """The channels of a status, in order; () where none of its fields is found. Raises InputError for rows
    that do not fit their heading.
    """
    return tuple(_status(row) for row in rows(text) if not _FIELDS.isdisjoint(row))


def _status(row: Row) -> Status:
    def number(name: str) -> int:
        text = row.get(name, "").strip()
        # A number that no server has stays one that is not 0.
        return int(text[:_LONGEST_NUMBER]) if text.isascii() and text.isdigit() else 0

    return Status(
        row.get("channel_name") or row.get("connection_name") or "",
        number("last_sql_errno") or number("last_errno"),
        row.get("last_sql_error") or row.get("last_error") or "",
        number("last_io_errno"),
        row.get("last_io_error", ""),
    )
