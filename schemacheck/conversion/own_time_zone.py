"""Generated columns whose value depends on the time zone of the session that computes them.

MariaDB's row events do not carry the time zone: from 11.0 on its applier computes stored columns anew, in its
own (asked of 11.8.6; 10.11.19 stores what it is sent, MySQL 9.7.4 has it in the transaction's BEGIN).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.model import Column, Table

#: The period columns of a versioned table: the server sets them itself.
ROW_TIMES = ("row start", "row end")
_TEXTS = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
_CALLED = re.compile(r"\b(unix_timestamp|from_unixtime)\s*\(\s*`?(\w*)", re.IGNORECASE)


def in_time_zone(table: Table) -> Iterator[Column]:
    """The stored columns of a table that two time zones compute otherwise."""
    if not any(column.generated == "stored" for column in table.columns):
        return
    moments = {column.name.casefold() for column in table.columns if column.type.is_timestamp}
    for column in table.columns:
        if column.generated == "stored" and _depends(column, moments):
            yield column


def _depends(column: Column, moments: set[str]) -> bool:
    """Whether a TIMESTAMP is read as a date, or a date as a TIMESTAMP. `moments`: the TIMESTAMP columns."""
    expression = _TEXTS.sub("''", column.expression or "").replace("`", "").casefold()
    if column.type.is_timestamp:
        return expression not in moments and expression not in ROW_TIMES
    left = _CALLED.sub(
        lambda call: "" if call[1] == "unix_timestamp" and call[2] in moments else call[0], expression
    )
    return _CALLED.search(left) is not None or not moments.isdisjoint(re.findall(r"\w+", left))
