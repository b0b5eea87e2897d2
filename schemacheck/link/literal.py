"""Literals of channel options: text without quotes is a string too, as a shell takes quotes away."""

from __future__ import annotations

import re


def text(value: str) -> str:
    """The string that a literal means; other text as it is."""
    if len(value) < 2 or value[0] not in "'\"" or value[-1] != value[0]:
        return value
    mark = value[0]
    return re.sub(r"\\(.)", r"\1", value[1:-1].replace(mark * 2, mark), flags=re.DOTALL)


def written(value: str) -> str:
    """A string as a literal."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def number(value: str) -> int | None:
    """The number of plain digits; None: something else."""
    return int(value) if re.fullmatch(r"[0-9]{1,20}", value, re.ASCII) else None


def flag(value: str | None, *, default: bool = False) -> bool:
    """Whether an option of 0 and 1 is on; `default` where it is not given."""
    if value is None:
        return default
    result = number(value)
    return bool(result) if result is not None else value.upper() in ("ON", "YES", "TRUE")
