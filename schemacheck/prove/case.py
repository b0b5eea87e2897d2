"""What is asked of two servers: statements that the source logs, for a pair or for one finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schemacheck.model import Column, Effect, Finding, KeyKind, PairReport, Table
from schemacheck.model.quote import quoted
from schemacheck.prove.values import literals

#: Rows of the case that tries ordinary and extreme values.
_ROWS = 4
_TIME = re.compile(r"[-0-9: .]+")
_STATEMENT = re.compile(r"(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
_HELD = re.compile(r": (?:'(?:[^']|'')*'|[-+\d.e]+|NULL|b'[01]*'|0x[0-9A-Fa-f]*)$")


@dataclass(frozen=True, slots=True)
class Case:
    """`statements` run on the source one by one, a refused one is left out; `finding` is the one that the
    case is for, None for the case that tries a pair as a whole. `rows` asks for row events where the source
    would log a statement (MIXED).
    """

    database: str | None
    table: str
    statements: tuple[str, ...]
    finding: Finding | None = None
    rows: bool = False


def cases(pair: PairReport) -> Iterator[Case]:
    """The pair as a whole, then one case for each finding with an example."""
    if pair.source is None:
        return
    whole = tuple(_whole(pair.source))
    if whole:
        yield Case(pair.source.database, pair.source.name, whole)
    for finding in pair.findings:
        statements = _example(pair.source, finding)
        if statements:
            rows = finding.example is not None and not _STATEMENT.match(finding.example.source)
            yield Case(pair.source.database, pair.source.name, statements, finding, rows)


def unknown_values(table: Table) -> tuple[str, ...]:
    """The columns whose values are not known here and that need one."""
    return tuple(c.name for c in _written(table) if not literals(c) and not c.nullable and c.default is None)


def _written(table: Table) -> list[Column]:
    """The columns that a statement can write."""
    return [c for c in table.columns if c.generated is None and not c.name.startswith("DB_ROW_HASH_")]


def _whole(table: Table) -> Iterator[str]:
    """Rows with ordinary and extreme values, a row of NULLs, a changed row and a removed one."""
    columns = [c for c in _written(table) if literals(c)]
    if not columns or unknown_values(table):
        return
    unique = _unique(table)
    names = ", ".join(quoted(c.name) for c in columns)

    def value(column: Column, row: int) -> str:
        if column.name.casefold() in unique and column.type.is_integer:
            return str(row + 1)
        known = literals(column)
        return known[row % len(known)]

    yield from (
        f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({', '.join(value(c, row) for c in columns)})"
        for row in range(_ROWS)
    )
    if any(c.nullable for c in columns):
        empty = (
            "NULL" if c.nullable and c.name.casefold() not in unique else value(c, _ROWS) for c in columns
        )
        yield f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({', '.join(empty)})"
    changed = next((c for c in columns if c.name.casefold() not in unique and len(literals(c)) > 1), None)
    first = _where(columns, [value(c, 0) for c in columns], unique)
    if changed is not None:
        yield (
            f"UPDATE {quoted(table.name)} SET {quoted(changed.name)} = {literals(changed)[1]} WHERE {first}"
        )
    yield f"DELETE FROM {quoted(table.name)} WHERE {_where(columns, [value(c, 1) for c in columns], unique)}"


def _unique(table: Table) -> set[str]:
    """The columns (folded) of the primary key and of unique keys."""
    kinds = (KeyKind.PRIMARY, KeyKind.UNIQUE)
    return {
        part.column.casefold() for key in table.keys if key.kind in kinds for part in key.parts if part.column
    }


def _where(columns: Iterable[Column], values: Iterable[str], unique: set[str]) -> str:
    """What finds a row: its unique columns, else all columns whose values compare exactly."""
    given = list(zip(columns, values, strict=True))
    exact = [
        (c, v) for c, v in given if not c.type.is_geometry and c.type.base not in ("float", "double", "json")
    ]
    chosen = [(c, v) for c, v in exact if c.name.casefold() in unique] or exact or given
    return " AND ".join(f"{quoted(c.name)} = {v}" for c, v in chosen)


def _example(table: Table, finding: Finding) -> tuple[str, ...]:
    """The statements that show a finding's example; empty where it is neither a column's value nor a
    statement."""
    if finding.example is None or finding.effect is Effect.IDENTICAL:
        return ()
    text = finding.example.source
    if _STATEMENT.match(text):
        # `INSERT ...; UPDATE ...: 'what the row holds then'`
        return tuple(one.strip() for one in _HELD.sub("", text).split("; ") if one.strip())
    column = table.column(finding.column) if finding.column else None
    if column is None or column.generated is not None:
        return ()
    literal = f"'{text}'" if ":" in text and _TIME.fullmatch(text) else text
    others = [
        c
        for c in _written(table)
        if c.name != column.name and not c.auto_increment and c.default is None and not c.nullable
    ]
    if any(not literals(c) for c in others):
        return ()
    names = ", ".join(quoted(c.name) for c in (column, *others))
    values = ", ".join((literal, *(literals(c)[0] for c in others)))
    return (f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({values})",)
