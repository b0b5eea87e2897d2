"""Rows that a new definition does not take, or does not keep as they are: asked before the statement runs."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import Check, Column, ForeignKey, Key, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted, string
from schemacheck.plan import added
from schemacheck.plan.added import NO_ROW
from schemacheck.plan.clauses import expression_sql
from schemacheck.plan.model import Look

#: Bytes of the integer types.
_BYTES = {"tinyint": 1, "smallint": 2, "mediumint": 3, "int": 4, "bigint": 8}
NONE = "0"


def looks(old: Table | None, new: Table | None, server: Server) -> Iterator[Look]:
    """Queries that must show 0, or no row, before `old` becomes `new`: what the server would refuse (1138,
    1062, 1452, 3819, 4025), or cut to fit.
    """
    if old is None or new is None or TableKind.VIEW in (old.kind, new.kind):
        return
    name = table_name(old)
    yield from added.looks(old, new, server)
    for column in new.columns:
        before = old.column(column.name)
        if before is None or before.generated or column.generated:
            continue
        if before.nullable and not column.nullable:
            yield Look(counting(name, f"{quoted(column.name)} IS NULL"), NONE)
        unfit = narrowed(before, column)
        if unfit:
            yield Look(counting(name, unfit), NONE)
    for key in new.keys:
        if key.unique and not any(_covered(key, one) for one in old.keys if one.unique):
            yield from _duplicates(key, old, new)
    for check in new.checks:
        if check.enforced and not any(c.expression == check.expression for c in old.checks):
            yield from _unchecked(check, old, new)
    for one in new.enforced_keys:
        if one not in old.enforced_keys:
            yield from _orphans(one, old, new)


def counting(name: str, condition: str = "") -> str:
    """The query that counts the rows of a condition."""
    return " ".join(["SELECT COUNT(*) FROM", name, *(["WHERE", condition] if condition else [])])


def narrowed(old: Column, new: Column) -> str:
    """The condition of the rows whose values a narrower type does not hold as they are; '' where it holds
    all, or where no condition says it.
    """
    here, there, name = old.type, new.type, quoted(new.name)
    if there.base in _BYTES and (here.is_integer or here.base == "decimal"):
        bits = 8 * _BYTES[there.base]
        low, high = (0, 2**bits - 1) if there.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if here.base in _BYTES:
            wide = 8 * _BYTES[here.base]
            most = 2**wide - 1 if here.unsigned else 2 ** (wide - 1) - 1
            least = 0 if here.unsigned else -(2 ** (wide - 1))
            if low <= least and most <= high:
                return ""
        return f"{name} NOT BETWEEN {low} AND {high}"
    if there.base in ("char", "varchar") and there.length is not None:
        if here.base in ("char", "varchar") and (here.length or 0) <= there.length:
            return ""
        return f"CHAR_LENGTH({name}) > {there.length}"
    if there.base in ("binary", "varbinary") and there.length is not None:
        if here.base in ("binary", "varbinary") and (here.length or 0) <= there.length:
            return ""
        return f"LENGTH({name}) > {there.length}"
    if here.base == there.base == "enum" and set(here.members) - set(there.members):
        return f"{name} NOT IN ({', '.join(map(string, there.members))})"
    if here.base == there.base == "decimal":
        whole = ((here.length or 0) - (here.scale or 0), (there.length or 0) - (there.scale or 0))
        if whole[0] <= whole[1] and (here.scale or 0) <= (there.scale or 0):
            return ""
        digits = f"ABS({name}) >= 1{'0' * whole[1]}"
        return f"{digits} OR {name} <> ROUND({name}, {there.scale or 0})"
    return ""


def _covered(key: Key, other: Key) -> bool:
    """Whether what another key keeps apart is apart under this one."""
    return {(p.column or "").casefold() for p in other.parts} <= {
        (p.column or "").casefold() for p in key.parts
    }


def _duplicates(key: Key, old: Table, new: Table) -> Iterator[Look]:
    parts = [p for p in key.parts if p.column is not None]
    rows = added.rows(old, new, [p.column or "" for p in parts])
    if len(parts) < len(key.parts) or rows is None:
        return
    columns = [
        f"LEFT({quoted(p.column or '')}, {p.length})" if p.length else quoted(p.column or "") for p in parts
    ]
    there = " AND ".join(f"{quoted(p.column or '')} IS NOT NULL" for p in parts)
    twice = f"GROUP BY {', '.join(columns)} HAVING COUNT(*) > 1 LIMIT 1"
    yield Look(f"{counting(rows, there)} {twice}", NO_ROW)


def _unchecked(check: Check, old: Table, new: Table) -> Iterator[Look]:
    from schemacheck.model.expression import columns

    rows = added.rows(old, new, sorted(columns(check.expression)))
    if rows is not None:
        text = expression_sql(check.expression, new)
        yield Look(counting(rows, f"NOT ({text})"), NONE)


def _orphans(one: ForeignKey, old: Table, new: Table) -> Iterator[Look]:
    rows = added.rows(old, new, one.columns)
    if rows is None:
        return
    parent = ".".join(quoted(p) for p in (one.ref_database or old.database, one.ref_table) if p)
    both = " AND ".join(
        f"p.{quoted(there)} = c.{quoted(here)}"
        for here, there in zip(one.columns, one.ref_columns, strict=True)
    )
    there = " AND ".join(f"c.{quoted(c)} IS NOT NULL" for c in one.columns)
    alone = f"{there} AND p.{quoted(one.ref_columns[0])} IS NULL"
    yield Look(counting(f"{rows.removesuffix(' t')} c LEFT JOIN {parent} p ON {both}", alone), NONE)
