"""Statements that find their rows by a value that may differ on the replica."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from schemacheck.model import Effect, Finding, PairReport, Table
from schemacheck.model.quote import quoted
from schemacheck.prove import row
from schemacheck.prove.scenarios import Subject

RULES = (
    "statement-rows", "statement-values", "row-lookup", "system-versioning", "storage-engine", "column-order",
    "extra-column-not-last", "types-differ-beside-extra-columns", "generated-column",
)  # fmt: skip


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Rows by one column after the other; by the values that other findings of the pair give as examples."""
    pair, finding = subject.pair, subject.finding
    table = pair.source
    if table is None:
        return
    entry, two, three = (row.values(table, n) for n in (0, 1, 2))
    rows = [row.insert(table, r) for r in (entry, two, three)]
    for name in _columns(pair, finding, table):
        example = _example(pair, name)
        if example is not None:
            inserted = row.insert(table, entry | {name: example})
            yield (inserted, _deleted(table, f"{quoted(name)} = {example}"))
            yield (inserted, _deleted(table, f"{quoted(name)} = {example}"), inserted)
        if name in entry:
            yield (*rows, _deleted(table, f"{quoted(name)} = {two[name]}"))
            yield (*rows, _deleted(table, f"{quoted(name)} > {entry[name]}"))
            yield (*rows, f"{_deleted(table, '')} ORDER BY {quoted(name)} LIMIT 1")
            yield (row.insert(table, {name: entry[name]}),)
    yield (rows[0],)
    if finding.column is None:
        yield (*rows, _deleted(table, row.where(table, two)))
        for key in table.keys:
            yield (*rows, f"UPDATE {quoted(table.name)} FORCE INDEX ({quoted(key.name)}) SET {_same(entry)}")


def _deleted(table: Table, result: str) -> str:
    return f"DELETE FROM {quoted(table.name)}" + (f" WHERE {result}" if result else "")


def _same(values: Mapping[str, str]) -> str:
    """An assignment that changes nothing."""
    name = quoted(next(iter(values)))
    return f"{name} = {name}"


def _columns(pair: PairReport, finding: Finding, table: Table) -> list[str]:
    """Up to three columns that this is about, else the first ones."""
    if finding.column:
        return [c.name for c in table.columns if c.name.casefold() == finding.column.casefold()]
    named = {f.column.casefold() for f in pair.findings if f.column and f.effect >= Effect.LOSSY}
    chosen = [c.name for c in row.written(table) if c.name.casefold() in named]
    return (chosen or [c.name for c in row.written(table)])[:3]


def _example(pair: PairReport, name: str) -> str | None:
    """A literal of the source that arrives as another value."""
    for finding in pair.findings:
        if finding.example is not None and (finding.column or "").casefold() == name.casefold():
            text = finding.example.source
            if "INSERT" not in text.upper() and ";" not in text:
                return f"'{text}'" if text[:2].isdigit() and ":" in text else text
    return None
