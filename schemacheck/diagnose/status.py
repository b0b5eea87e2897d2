r"""SHOW REPLICA STATUS and SHOW SLAVE STATUS as people paste them: `\G`, tab-separated, a table with bars, or
JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_LINE = re.compile(r"^\s*([A-Za-z_][\w ]*?):(?: (.*))?$")
_FIELDS = ("Last_SQL_Errno", "Last_SQL_Error", "Last_IO_Errno", "Last_IO_Error", "Last_Errno", "Last_Error")


@dataclass(frozen=True, slots=True)
class Status:
    """One channel: both threads' errors (0: none)."""

    channel: str
    sql_number: int
    sql_message: str
    io_number: int
    io_message: str

    @property
    def stopped(self) -> bool:
        """Whether either thread has an error."""
        return bool(self.sql_number or self.io_number or self.sql_message or self.io_message)


def statuses(text: str) -> tuple[Status, ...]:
    """The channels of a status, in order; () where none of its fields is found."""
    return tuple(_status(record) for record in _records(text) if any(name in record for name in _FIELDS))


def _records(text: str) -> list[dict[str, str]]:
    stripped = text.strip()
    if stripped[:1] in ("[", "{"):
        try:
            found = json.loads(stripped)
        except ValueError:
            found = []
        rows = found if isinstance(found, list) else [found]
        return [
            {str(k): "" if v is None else str(v) for k, v in row.items()}
            for row in rows
            if isinstance(row, dict)
        ]
    lines = text.strip("\r\n").splitlines()
    for at, line in enumerate(lines):
        for cut in ("\t", "|"):
            names = _cells(line, cut)
            if len(names) > 5 and any(name in _FIELDS for name in names):
                rows = [_cells(row, cut) for row in lines[at + 1 :] if row.count(cut) >= len(names) - 1]
                return [dict(zip(names, row, strict=False)) for row in rows]
    return _vertical(lines)


def _cells(line: str, cut: str) -> list[str]:
    bare = line.strip().strip("|") if cut == "|" else line
    return [part.strip() for part in bare.split(cut)]


def _vertical(lines: list[str]) -> list[dict[str, str]]:
    records: list[dict[str, str]] = []
    current: dict[str, str] = {}
    last = ""
    for line in lines:
        if line.lstrip().startswith("***"):
            if current:
                records.append(current)
            current, last = {}, ""
            continue
        found = _LINE.match(line)
        if found is not None:
            last = found.group(1).strip()
            current[last] = found.group(2) or ""
        elif last and line.strip():
            current[last] += "\n" + line.strip()
    return [*records, current] if current else records


def _status(record: dict[str, str]) -> Status:
    def number(name: str) -> int:
        text = record.get(name, "").strip()
        return int(text) if text.isdigit() else 0

    return Status(
        record.get("Channel_Name") or record.get("Connection_name") or "",
        number("Last_SQL_Errno") or number("Last_Errno"),
        record.get("Last_SQL_Error") or record.get("Last_Error") or "",
        number("Last_IO_Errno"),
        record.get("Last_IO_Error", ""),
    )
