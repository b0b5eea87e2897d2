"""The table, column and key that an applier's error names, whatever letters their names have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from schemacheck.model import Table

#: A name in quotes, which servers do not double: a quote before a letter stands in the name.
_WORD = r"(?:[^'.]|'(?=\w))+"
_QUOTED = r"'((?:[^']|'(?=\w))+)'"
_DOTTED = rf"'({_WORD}\.(?:[^']|'(?=\w))+)'"
_TICKED = r"`((?:[^`]|``)+)`"
_PLACES = (
    re.compile(r"event on table ([^;]+\.[^;]+);"),
    re.compile(rf"(?:[Tt]able|on|of|for)\s+{_DOTTED}"),
    re.compile(rf"(?:[Tt]able|for)\s+{_TICKED}\.{_TICKED}"),
    re.compile(r"(?:[Tt]able|on|type \d+,|size \d+,)\s+[`'\"]?([\w$]+)[`'\"]?\.[`'\"]?([\w$]+)"),
    re.compile(rf"(?:^|'){_DOTTED} is not "),
    re.compile(r"(?<!column )'([\w$]+)\.([\w$]+)'"),
)
_COLUMN = re.compile(
    r"Column (\d+)( \(counting the first column as number 1\))? (?:of table|(?:type|size) mismatch)"
)
_NAMED = re.compile(rf"[Cc]olumn(?: name)? {_QUOTED}|Field {_QUOTED}")
_NAME = r"(?:`(?:[^`]|``)+`|[\w$]+)"
_STATEMENT = re.compile(
    rf"Default database: '(.*?)'\. Query: '.*?\b(?:INTO|UPDATE|TABLE|FROM|ON)\s+(?:({_NAME})\.)?({_NAME})",
    re.DOTALL | re.IGNORECASE,
)
#: An entry of a key of a table, as MySQL 8.0.19 and later name it.
_KEY = re.compile(rf"for key '({_WORD})\..*?'.*Default database: '(.*?)'\. Query", re.DOTALL)


def table_of(message: str) -> str:
    """The table of an error, `shop.orders`: named by it, or by the statement that it prints; '' for none."""
    text = message.partition(" on query. Default database: '")[0]
    key = _KEY.search(message) if "for key" in text else None
    if key is not None:
        return f"{key[2]}.{key[1]}"
    match = next((match for place in _PLACES if (match := place.search(text))), None)
    if match is not None:
        return ".".join(part.replace("``", "`") for part in match.groups())
    statement = _STATEMENT.search(message)
    if statement is None:
        return ""
    given, database, name = statement.groups()
    return f"{_bare(database) if database else given}.{_bare(name)}"


def _bare(name: str) -> str:
    return name[1:-1].replace("``", "`") if name[0] == "`" else name


def parts(name: str, tables: Iterable[Table]) -> tuple[str, str]:
    """Database and table of `shop.orders`: as a table that is there has them, else cut at the first dot."""
    known = next((t for t in tables if f"{t.database}.{t.name}".casefold() == name.casefold()), None)
    database, _, bare = name.partition(".")
    return (known.database or "", known.name) if known is not None else (database, bare)


def named(tables: Sequence[Table], name: str) -> Table | None:
    """The table of a name: that of the database, else the first of the name."""
    database, bare = (part.casefold() for part in parts(name, tables))
    result = [t for t in tables if t.name.casefold() == bare]
    return next((t for t in result if (t.database or "").casefold() == database), next(iter(result), None))


def column_of(message: str, tables: Iterable[Table]) -> str:
    """The column that a message numbers (from 0, or from 1 where it says so) or names; `tables` are the
    source's and the replica's.
    """
    tables = tuple(tables)
    if (at := place_of(message)) is not None:
        return next((t.columns[at].name for t in tables[:1] if at < len(t.columns)), f"number {at + 1}")
    match = _NAMED.search(message)
    name = (match[1] or match[2]) if match else ""
    return name if any(t.column(name) for t in tables) else name.rpartition(".")[2]


def place_of(message: str) -> int | None:
    """The place of the column that a message numbers."""
    match = _COLUMN.search(message)
    return int(match[1]) - bool(match[2]) if match else None
