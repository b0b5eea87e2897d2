"""What is asked of two servers: statements that the source logs, for a pair or for one finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from schemacheck.dataclass import dataclass
from schemacheck.model import Column, Effect, Finding, PairReport, Table, TableKind
from schemacheck.model.quote import quoted
from schemacheck.prove import row
from schemacheck.prove.row import literals
from schemacheck.prove.scenarios import Subject, Tables, scripts

#: Rows of the case that tries ordinary and extreme values.
_ROWS = 4
_TIME = re.compile(r"[-0-9: .]+")
_STATEMENT = re.compile(r"(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
_HELD = re.compile(r": (?:'(?:[^']|'')*'|[-+\d.e]+|NULL|b'[01]*'|0x[0-9A-Fa-f]*)$")


@dataclass(frozen=True, slots=True)
class Case:
    """`statements` run on the source one by one. `finding` None: the pair as a whole; `rows`: row events
    under MIXED. A `scenario` may show its finding; an example must.
    """

    database: str | None
    table: str
    statements: tuple[str, ...]
    finding: Finding | None = None
    rows: bool = False
    scenario: bool = False


def cases(pair: PairReport) -> Iterator[Case]:
    """The pair as a whole, then one case for each finding with an example."""
    if pair.source is None or pair.source.kind is not TableKind.TABLE:
        return
    whole = tuple(_whole(pair.source))
    if whole:
        yield Case(pair.source.database, pair.source.name, whole)
    for finding in pair.findings:
        statements = _example(pair.source, finding)
        if statements:
            rows = finding.example is not None and not _STATEMENT.match(finding.example.source)
            yield Case(pair.source.database, pair.source.name, statements, finding, rows)


def attempts(pair: PairReport, findings: Iterable[Finding], tables: Tables) -> Iterator[Case]:
    """What scenarios have for findings without an example of their own; each script is tried once."""
    tried: set[tuple[str, ...]] = set()
    for finding in findings:
        for script in scripts(Subject(pair, finding, tables)):
            if script not in tried:
                tried.add(script)
                yield Case(pair.database, pair.table, script, finding, scenario=True)


def unknown_values(table: Table) -> tuple[str, ...]:
    """The columns whose values are not known here and that need one."""
    return tuple(
        c.name for c in row.written(table) if not literals(c) and not c.nullable and c.default is None
    )


def _whole(table: Table) -> Iterator[str]:
    """An ordinary row, rows with extreme values, one of NULLs, a changed row and a removed one."""
    columns = [c for c in row.written(table) if literals(c)]
    if not columns or unknown_values(table):
        return
    keys = row.unique(table)

    def value(column: Column, number: int) -> str:
        if column.name.casefold() in keys and column.type.is_integer:
            return str(number + 1)
        entries = literals(column)
        return entries[number % len(entries)]

    first = row.values(table, 0)
    second = {c.name: value(c, 1) for c in columns}
    yield row.insert(table, first)
    yield row.insert(table, second)
    for number in range(2, _ROWS):
        yield row.insert(table, {c.name: value(c, number) for c in columns})
    if any(c.nullable for c in columns):
        empty = ("NULL" if c.nullable and c.name.casefold() not in keys else value(c, _ROWS) for c in columns)
        yield row.insert(table, {c.name: v for c, v in zip(columns, empty, strict=True)})
    changed = next((c for c in columns if c.name.casefold() not in keys and len(literals(c)) > 1), None)
    if changed is not None:
        yield (
            f"UPDATE {quoted(table.name)} SET {quoted(changed.name)} = {literals(changed)[1]} "
            f"WHERE {row.where(table, first)}"
        )
    yield f"DELETE FROM {quoted(table.name)} WHERE {row.where(table, second)}"


def _example(table: Table, finding: Finding) -> tuple[str, ...]:
    """The statements that show a finding's example; empty where it is neither a column's value nor a
    statement."""
    if finding.example is None or finding.effect is Effect.IDENTICAL:
        return ()
    text = finding.example.source
    if _STATEMENT.match(text):
        # `INSERT ...; UPDATE ...: 'what the row holds then'`
        return tuple(text.strip() for text in _HELD.sub("", text).split("; ") if text.strip())
    column = table.column(finding.column) if finding.column else None
    if column is None or column.generated is not None:
        return ()
    literal = f"'{text}'" if ":" in text and _TIME.fullmatch(text) else text
    others = [
        c
        for c in row.written(table)
        if c.name != column.name and not c.auto_increment and c.default is None and not c.nullable
    ]
    if any(not literals(c) for c in others):
        return ()
    names = ", ".join(quoted(c.name) for c in (column, *others))
    values = ", ".join((literal, *(literals(c)[0] for c in others)))
    return (f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({values})",)
