"""Rows that a new definition does not take, or does not keep as they are: asked before the statement runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from schemacheck.dataclass import replace
from schemacheck.model import ForeignKey, Key, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted
from schemacheck.plan import added
from schemacheck.plan.added import NO_ROW
from schemacheck.plan.model import Look, Renames
from schemacheck.plan.narrowing import unkept
from schemacheck.replay import alter, clauses
from schemacheck.replay.clauses import expression_sql

NONE = "0"
#: Of a key part that is no prefix.
_WHOLE = 1 << 32


def looks(
    old: Table | None, new: Table | None, server: Server, renames: Renames = frozenset()
) -> Iterator[Look]:
    """Queries that must show 0, or no row, before `old` becomes `new`: what the server would refuse (1138,
    1062, 1452, 3819, 4025), or cut to fit. Nothing is asked of columns that are new.
    """
    from schemacheck.model.expression import columns

    if old is None or new is None or TableKind.VIEW in (old.kind, new.kind):
        return
    name = table_name(old)
    yield from added.looks(old, new, server, renames)
    new = _as_today(old, new, renames, server)
    for column in new.columns:
        before = old.column(column.name)
        if before is None or before.generated or column.generated:
            continue
        if before.nullable and not column.nullable:
            yield Look(counting(name, f"{quoted(column.name)} IS NULL"), NONE)
        if column.auto_increment and not before.auto_increment:  # a row of 0 would get the next number
            yield Look(counting(name, f"{quoted(column.name)} = 0"), NONE)
        unfit = unkept(before, column)
        if unfit:
            yield Look(counting(name, unfit), NONE)
    for key in new.keys:
        if key.unique and not any(_covered(key, item, old, new) for item in old.keys if item.unique):
            yield from _duplicates(key, old, new, name)
    for check in new.checks:
        is_known = any(c.expression == check.expression for c in old.checks)
        if check.enforced and not is_known and all(map(old.column, columns(check.expression))):
            yield Look(counting(name, f"NOT ({expression_sql(check.expression, new)})"), NONE)
    for foreign in new.enforced_keys:
        if foreign not in old.enforced_keys and all(map(old.column, foreign.columns)):
            yield _orphans(foreign, old, name)


def unsaid(old: Table, new: Table, renames: Renames, server: Server) -> Iterator[str]:
    """What is said of columns of another type where no query tells which values change with it."""
    for column in _as_today(old, new, renames, server).columns:
        before = old.column(column.name)
        if before and not before.generated and not column.generated and unkept(before, column) is None:
            yield (
                f"{column.name}: a {before.type.base} becomes a {column.type.base}; no query finds the "
                "values that change or are refused: try it on a copy"
            )


def renaming(table: Table, names: Mapping[str, str], server: Server) -> str:
    """The ALTER that gives columns other names and leaves their definitions."""
    parts = [
        f"CHANGE COLUMN {quoted(c.name)} {clauses.definition(replace(c, name=names[c.name]), table, server)}"
        for c in table.columns
        if c.name in names
    ]
    return f"ALTER TABLE {table_name(table)} {', '.join(parts)}"


def _as_today(old: Table, new: Table, renames: Renames, server: Server) -> Table:
    """The new definition under the names that its columns have before: queries come before the statement."""
    pairs = [(new.column(there), old.column(here)) for here, there in renames]
    names = {there.name: here.name for there, here in pairs if there and here}
    return (alter.run(renaming(new, names, server), new, server) if names else None) or new


def counting(name: str, condition: str = "") -> str:
    """The query that counts the rows of a condition."""
    return " ".join(["SELECT COUNT(*) FROM", name, *(["WHERE", condition] if condition else [])])


def _covered(key: Key, other: Key, old: Table, new: Table) -> bool:
    """Whether what another key keeps apart is apart under this one."""
    here = {(p.column or "").casefold(): p.length or _WHOLE for p in key.parts}
    return all(
        (p.length or _WHOLE) <= here.get(name := (p.column or "").casefold(), 0)
        and _compared(name, old, new) == quoted(name)
        for p in other.parts
    )


def _compared(name: str, old: Table, new: Table) -> str:
    """A column's values as the new definition compares them."""
    here, there = old.column(name), new.column(name)
    if not here or not there or not there.type.collation or here.type.collation == there.type.collation:
        return quoted(name)
    return f"CONVERT({quoted(name)} USING {there.type.charset}) COLLATE {there.type.collation}"


def _duplicates(key: Key, old: Table, new: Table, name: str) -> Iterator[Look]:
    """Of a key over columns that are there before."""
    names = [p.column for p in key.parts if p.column is not None and old.column(p.column)]
    if len(names) < len(key.parts):
        return
    values = (_compared(c, old, new) for c in names)
    columns = [f"LEFT({v}, {p.length})" if p.length else v for v, p in zip(values, key.parts, strict=True)]
    there = " AND ".join(f"{quoted(c)} IS NOT NULL" for c in names)
    twice = f"GROUP BY {', '.join(columns)} HAVING COUNT(*) > 1 LIMIT 1"
    yield Look(f"{counting(name, there)} {twice}", NO_ROW)


def _orphans(foreign: ForeignKey, old: Table, name: str) -> Look:
    parent = ".".join(quoted(p) for p in (foreign.ref_database or old.database, foreign.ref_table) if p)
    both = " AND ".join(
        f"p.{quoted(there)} = c.{quoted(here)}"
        for here, there in zip(foreign.columns, foreign.ref_columns, strict=True)
    )
    there = " AND ".join(f"c.{quoted(c)} IS NOT NULL" for c in foreign.columns)
    alone = f"{there} AND p.{quoted(foreign.ref_columns[0])} IS NULL"
    return Look(counting(f"{name} c LEFT JOIN {parent} p ON {both}", alone), NONE)
