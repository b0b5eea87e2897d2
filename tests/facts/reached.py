"""Which tables the logged statements of a case reach: those that they name, and those behind them by
triggers, foreign keys and views of either end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from schemacheck.prove.arrived import Record

_CREATES = re.compile(r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(TABLE|VIEW|TRIGGER|SEQUENCE)\s+(\S+)", re.IGNORECASE)
_ON = re.compile(r"\sON\s+`?(\w+)`?\s+FOR\s+EACH", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMITS = ("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE")
#: What asks about tables and answers with rows: no error of a table is one of the statement.
_ASKS = re.compile(r"\s*(ANALYZE|CHECK|OPTIMIZE|REPAIR)\s+TABLE", re.IGNORECASE)
#: Engines of which a statement that fails may leave rows behind, and is logged for them.
_KEEPS = re.compile(r"ENGINE\s*=\s*(MyISAM|MEMORY|Aria|CSV)", re.IGNORECASE)


def statements(value: object) -> tuple[str, ...]:
    """A field of statements, which may be one text or a list."""
    if not value:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _linked(definitions: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """Per table what its triggers, foreign keys and views lead to, and what leads to it."""
    names = {
        m[2].strip("`").casefold()
        for d in definitions
        if (m := _CREATES.match(d)) and m[1].upper() != "TRIGGER"
    }
    links: dict[str, set[str]] = {name: set() for name in names}
    for text in definitions:
        made = _CREATES.match(text)
        if made is None:
            continue
        on = _ON.search(text)
        own = (on[1] if on else made[2].strip("`")).casefold()
        others = {w.casefold() for w in _WORD.findall(text)} & names - {own}
        links.setdefault(own, set()).update(others)
        for other in others:
            links[other].add(own)
    return {name: frozenset(to) for name, to in links.items()}


def logged(record: Record) -> list[str]:
    """The statements that the source ran, where it was recorded which ones failed."""
    every = statements(record.get("source_sql"))
    failed = {place for place, _ in record.get("source_failed") or ()}
    if failed and not record.get("source_goes_on"):
        every = every[: min(failed) + 1]
    if any(_KEEPS.search(d) for d in statements(record.get("source_ddl"))):
        failed = set()
        return [s for place, s in enumerate(every) if place not in failed]
    return [s for place, s in enumerate(every) if place not in failed and place not in _undone(every)]


def _undone(every: Iterable[str]) -> set[int]:
    """The places of statements that a ROLLBACK takes back."""
    since: list[int] | None = None
    undone: set[int] = set()
    for place, statement in enumerate(every):
        word = statement.strip().upper()
        if word in ("BEGIN", "START TRANSACTION"):
            since = []
        elif word == "ROLLBACK" and since is not None:
            undone.update(since)
        elif since is not None:
            since.append(place)
        if word in ("COMMIT", "ROLLBACK") or word.startswith(_COMMITS):
            since = None
    return undone


def reached(record: Record) -> list[frozenset[str]]:
    """Per logged statement the tables (folded) that it reaches."""
    links = _linked((*statements(record.get("source_ddl")), *statements(record.get("replica_ddl"))))
    return [
        frozenset()
        if _ASKS.match(s)
        else _behind({w.casefold() for w in _WORD.findall(s)} & set(links), links)
        for s in logged(record)
    ]


def _behind(names: Iterable[str], links: dict[str, frozenset[str]]) -> frozenset[str]:
    found, left = set(names), list(names)
    while left:
        for other in links[left.pop()] - found:
            found.add(other)
            left.append(other)
    return frozenset(found)
