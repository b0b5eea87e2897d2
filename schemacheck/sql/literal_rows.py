"""INSERT and REPLACE of rows of literals, as dumps write them: recognised without a parser."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters

_LITERAL = (
    r"(?:NULL|TRUE|FALSE|DEFAULT|0x[0-9a-f]+|[+-]?[0-9][0-9.]*(?:e[+-]?[0-9]+)?"
    r"|(?:_[a-z0-9]+ ?)?'(?:[^'\\]|\\.|'')*'|NOW\(\)|CURRENT_TIMESTAMP(?:\(\))?|UUID\(\))"
)
_ROW = re.compile(
    rf"\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)?\s*\)\s*(,?)\s*", re.IGNORECASE | re.DOTALL | re.ASCII
)
_VALUE = re.compile(_LITERAL, re.IGNORECASE | re.DOTALL | re.ASCII)
_NAME = r"(?:`[^`]+`|[A-Za-z_][\w$]*)"
_INSERT = re.compile(
    rf"\s*(?:INSERT|REPLACE)(?: IGNORE)?(?: INTO)?\s+({_NAME})\s*"
    rf"(?:\(\s*({_NAME}(?:\s*,\s*{_NAME})*)\s*\))?\s*VALUES?\s*",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class LiteralRows:
    """The table, the columns that are named (() for all), and the numbers of values that rows have."""

    table: str
    columns: tuple[str, ...]
    values: frozenset[int]


def read(text: str) -> LiteralRows | None:
    """The rows of a statement; None where it is another one."""
    head = _INSERT.match(text)
    if head is None:
        return None
    at, counts = head.end(), set()
    while (row := _ROW.match(text, at)) is not None:
        counts.add(len(_VALUE.findall(row[1] or "")))
        at = row.end()
        if not row[2]:
            break
    if at != len(text) or not counts:
        return None
    names = (characters.strip(name).strip("`") for name in (head[2] or "").split(","))
    return LiteralRows(head[1].strip("`"), tuple(filter(None, names)), frozenset(counts))
