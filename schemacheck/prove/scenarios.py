"""Scripts for the source that may show a finding without an example; what it refuses is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from schemacheck.dataclass import dataclass
from schemacheck.model import Column, Effect, Finding, ForeignKey, Key, KeyKind, PairReport, Table
from schemacheck.model.column_type import span
from schemacheck.model.quote import quoted, string
from schemacheck.prove import row

#: The tables of the source and of the replica, by (database, folded name).
Tables = tuple[Mapping[tuple[str | None, str], Table], Mapping[tuple[str | None, str], Table]]


@dataclass(frozen=True, slots=True)
class Subject:
    """A finding about a pair, among the tables of both ends."""

    pair: PairReport
    finding: Finding
    tables: Tables


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """All scripts that may show this finding."""
    for scenario, rules in _SCENARIOS.items():
        if subject.finding.rule in rules:
            yield from scenario(subject)


def _duplicates(subject: Subject) -> Iterator[tuple[str, ...]]:
    """For each unique key of the replica: rows that may be equal there."""
    pair = subject.pair
    if pair.source is None or pair.replica is None:
        return
    for key in pair.replica.keys:
        if key.kind not in (KeyKind.PRIMARY, KeyKind.UNIQUE):
            continue
        columns = [pair.source.column(part.column) for part in key.parts if part.column]
        for low, high in _alike(key, [c for c in columns if c is not None]):
            first = row.values(pair.source, 0, low)
            second = row.values(pair.source, 1, high)
            yield (row.insert(pair.source, first), row.insert(pair.source, second))


def _alike(key: Key, columns: list[Column]) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Values by folded column name, of two rows."""
    same = {c.name.casefold(): literal for c in columns if (literal := row.distinct(c, 3)) is not None}
    yield same, same
    for column in columns:
        name = column.name.casefold()
        length = next((p.length for p in key.parts if (p.column or "").casefold() == name), None)
        for low, high in _near(column, length):
            yield same | {name: low}, same | {name: high}


def _near(column: Column, prefix: int | None) -> Iterator[tuple[str, str]]:
    kind = column.type
    if kind.is_integer:
        low, high = span(kind)
        yield str(high), str(high - 1)
        yield str(low), str(low + 1)
    elif kind.holds_text:
        if prefix is not None:
            yield string("x" * prefix + "a"), string("x" * prefix + "b")
        longest = min(kind.length or 200, 200)
        yield string("x" * (longest - 1) + "a"), string("x" * (longest - 1) + "b")
        yield "'a'", "'A'"
        yield "'a'", "'a '"
        yield "'a'", "'\u00e4'"
    elif kind.is_decimal:
        yield "1.1", "1.2"
    elif kind.is_approximate:
        yield "16777216", "16777217"
        yield "1.1", "1.2"
    elif kind.is_moment:
        yield "'2001-02-03 04:05:06.1'", "'2001-02-03 04:05:06.2'"
    elif kind.has_members and len(kind.members) > 1:
        yield string(kind.members[-1]), string(kind.members[-2])


def _family(subject: Subject) -> Iterator[tuple[str, ...]]:
    """For each foreign key of either end that this table has or that refers to it."""
    pair, tables = subject.pair, subject.tables
    for end in tables:
        for child in end.values():
            for foreign in child.foreign_keys:
                named = (foreign.ref_database or child.database, foreign.ref_table.casefold())
                if (pair.database, pair.table.casefold()) not in (
                    named,
                    (child.database, child.name.casefold()),
                ):
                    continue
                ours = tables[0].get((child.database, child.name.casefold()))
                parent = tables[0].get(named)
                if ours is not None and parent is not None:
                    yield from _of_key(ours, parent, foreign)


def _of_key(child: Table, parent: Table, foreign: ForeignKey) -> Iterator[tuple[str, ...]]:
    refer = {c.casefold(): r.casefold() for c, r in zip(foreign.columns, foreign.ref_columns, strict=False)}
    above = row.values(parent, 0)
    by_name = {name.casefold(): literal for name, literal in above.items()}
    below = row.values(child, 0, {c: by_name[r] for c, r in refer.items() if r in by_name})
    both = [row.insert(child, below)]
    if child is not parent:
        both.insert(0, row.insert(parent, above))
    table, text = quoted(parent.name), row.where(parent, above)
    for reference in foreign.ref_columns:
        column = parent.column(reference)
        other = row.distinct(column, 7) if column is not None else None
        if other is not None:
            yield (*both, f"UPDATE {table} SET {quoted(reference)} = {other} WHERE {text}")
    yield (*both, f"DELETE FROM {table} WHERE {text}")
    yield (row.insert(child, row.values(child, 5)),)


def _left_out(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Rows without the finding's column, or all optional ones; an UPDATE; an INSERT without names."""
    table, finding = subject.pair.source, subject.finding
    if table is None:
        return
    keys = row.unique(table)
    first, second = row.values(table, 0), row.values(table, 1)
    own = (finding.column or "").casefold()
    optional = {
        c.name
        for c in row.written(table)
        if (c.nullable or c.default is not None or c.auto_increment)
        and (c.name.casefold() == own or (not own and (c.name.casefold() not in keys or c.auto_increment)))
    }
    fewer = [{name: v for name, v in item.items() if name not in optional} for item in (first, second)]
    if optional:
        yield tuple(row.insert(table, item) for item in fewer)
        if fewer[0]:
            yield (row.insert(table, first), row.insert(table, fewer[0], "REPLACE"))
    free = [n for n in first if n.casefold() not in keys and n.casefold() != own]
    for name in free[:2]:
        changed = f"UPDATE {quoted(table.name)} SET {quoted(name)} = {second[name]} WHERE "
        cache = {n: v for n, v in first.items() if n.casefold() != own or n.casefold() in keys}
        yield (row.insert(table, first), changed + row.where(table, cache))
    yield (f"INSERT INTO {quoted(table.name)} VALUES ({', '.join(first.values())})",)


#: Characters of the longest value; what is longer lies outside of the row anyway.
_LONGEST = 8_000


def _long_values(subject: Subject) -> Iterator[tuple[str, ...]]:
    """One row whose texts and bytes are full."""
    table = subject.pair.source
    if table is None:
        return
    full = {
        c.name.casefold(): f"REPEAT('x', {min(c.type.length or _LONGEST, _LONGEST)})"
        for c in row.written(table)
        if c.type.base.endswith(("char", "text", "binary", "blob"))
    }
    yield (row.insert(table, row.values(table, 0, full)),)


def _reached(subject: Subject) -> Iterator[tuple[str, ...]]:
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


def _through_view(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Rows changed and removed through the view."""
    view = quoted(subject.pair.table)
    columns = subject.pair.source.columns if subject.pair.source is not None else ()
    for column in columns[:2]:
        yield (f"UPDATE {view} SET {quoted(column.name)} = {quoted(column.name)}",)
    yield (f"DELETE FROM {view}",)


#: Each scenario with the rules whose findings it may show.
_SCENARIOS: dict[Callable[[Subject], Iterator[tuple[str, ...]]], tuple[str, ...]] = {
    _duplicates: ("stricter-unique-key", "changed-key-value", "functional-index", "spatial-key"),
    _family: ("foreign-key", "referenced-table"),
    _left_out: (
        "default-differs", "auto-increment", "partial-replace", "statement-column-list", "statement-triggers",
        "row-trigger", "extra-replica-column", "extra-source-column", "invisible-column",
    ),
    _long_values: ("row-size",),
    _reached: (
        "statement-rows", "statement-values", "row-lookup", "system-versioning", "storage-engine",
        "column-order", "extra-column-not-last", "types-differ-beside-extra-columns", "generated-column",
    ),
    _through_view: ("statement-views",),
}  # fmt: skip
